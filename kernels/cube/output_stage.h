// SPDX-License-Identifier: MIT
// Writes out the tiles of L0C: biases, factors and C come from DRAM through L1, and the result goes to DRAM (docs/kernels/cube.md,
// Pipelining). Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/isa/cube/operation.h"
#include "coxswain/kernels/cube/pipeline.h"
#include "coxswain/kernels/cube/stream.h"

namespace cox::kernels::cube {

/// Writes the slots of FIX, and the slots of MTE2 that load what FIX reads. In the stream, these slots of a tile come directly before the
/// slots that compute the next tile, so that FIX works in parallel with the other pipes.
class OutputStage {
 public:
  struct Configuration {
    /// Conversion of the accumulators that leave L0C. ScaleAddress and BiasAddress are the L1 addresses at which this stage puts factors
    /// and biases. ResidualPitch is at least the bytes of a row of the widest tile.
    isa::cube::OutputConfiguration output;
    isa::cube::OutputType to = isa::cube::OutputType::float32;
    bool integer = false;                         ///< accumulators are INT32
    std::uint64_t biases = 0, factors = 0;        ///< bus addresses of the entries of channel 0
    std::uint32_t channels = 0;                   ///< number of biases and of factors that are loaded, at most kMostChannels
    std::uint32_t residual_l1 = 0;                ///< L1 address of the kBanks places for C
    std::uint32_t residual_bytes = 0;             ///< bytes of each place: ResidualPitch * number of rows of the largest tile
    std::uint32_t pitch = 0, residual_pitch = 0;  ///< bytes in DRAM from one row to the next, of the result and of C
    std::uint32_t tiles = 0;
    bool residual_flags = true;  ///< loads of C wait for kResidualFree; false: earlier loads' waits for kBlockFree are enough
  };
  struct Tile {
    std::uint64_t destination = 0, residual = 0;  ///< bus addresses of element (0, 0)
    std::uint32_t rows = 0, columns = 0, channel = 0;
    std::uint32_t accumulators = 0, column_fractals = 0;  ///< accumulators() and column_fractals() of MultiplyStage
  };

  static constexpr std::uint32_t kMostChannels = 8192;

  void begin(const Configuration &configuration);
  /// Writes the output of a tile. Call it after the tile's last MultiplyStage::run(). If it returns false, Stream::status() holds the
  /// error.
  bool finish(Stream &stream, const Tile &tile);

 private:
  bool configure(Stream &stream);
  bool load_residual(Stream &stream, const Tile &tile);

  Configuration configuration_;
  Ring tile_;
  isa::cube::MachineCode residual_{}, output_{};
  bool configured_ = false;
};

}  // namespace cox::kernels::cube
