// SPDX-License-Identifier: MIT
// What becomes of a tile of L0C: biases, factors and C from DRAM through L1, and the result to DRAM (docs/kernels/cube.md, Pipelining). Of
// the kernels' inside.
#pragma once

#include <cstdint>

#include "isa/cube/operation.h"
#include "kernels/cube/pipeline.h"
#include "kernels/cube/stream.h"

namespace cox::kernels::cube {

/// Writes the slots of FIX, and those of MTE2 for what it reads. A tile's stand behind those of its last block: FIX is done with a tile
/// while the array works on the next.
class OutputStage {
 public:
  struct Configuration {
    /// Of what leaves L0C. ScaleAddress and BiasAddress are where this stage shall put factors and biases in L1; ResidualPitch is at
    /// least the bytes of a row of the widest tile.
    isa::cube::OutputConfiguration output;
    isa::cube::OutputType to = isa::cube::OutputType::float32;
    bool integer = false;                         ///< accumulators are INT32
    std::uint64_t biases = 0, factors = 0;        ///< bus addresses of those of channel 0
    std::uint32_t channels = 0;                   ///< as many of each are loaded, at most kMostChannels
    std::uint32_t residual_l1 = 0;                ///< kBanks places in L1 for C
    std::uint32_t residual_bytes = 0;             ///< of each: rows of the highest tile * ResidualPitch
    std::uint32_t pitch = 0, residual_pitch = 0;  ///< in DRAM, bytes from a row to the next, of the result and of C
    std::uint32_t tiles = 0;
    bool residual_flags = true;  ///< false: other flags tell MTE2 that C's place is free
  };
  struct Tile {
    std::uint64_t destination = 0, residual = 0;  ///< bus addresses of element (0, 0)
    std::uint32_t rows = 0, columns = 0, channel = 0;
    std::uint32_t accumulators = 0, column_fractals = 0;  ///< MultiplyStage's
  };

  static constexpr std::uint32_t kMostChannels = 8192;

  void begin(const Configuration &configuration);
  /// After the tile's last MultiplyStage::run(). False: Stream::status() says why.
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
