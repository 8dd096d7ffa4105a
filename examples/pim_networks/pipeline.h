// SPDX-License-Identifier: MIT
// ResNet-18 on 16 to 64 PIM cores (README.md, Many cores). Every weight stays in an array. In the first three stages each layer has cores
// of its own, which send every row of results to the cores that need it next. In the last stage all cores work on the same layer.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/kernels/pim/program_builder.h"
#include "coxswain/kernels/pim/resident_convolution.h"
#include "examples/pim_networks/network.h"

namespace cox::pim_networks {

/// Rows of a map.
struct Rows {
  std::int32_t first = 0, end = 0;
  [[nodiscard]] constexpr bool has(std::int32_t row) const { return row >= first && row < end; }
  [[nodiscard]] constexpr std::uint32_t count() const { return end > first ? static_cast<std::uint32_t>(end - first) : 0; }
  [[nodiscard]] constexpr Rows common(const Rows &other) const {
    return {first > other.first ? first : other.first, end < other.end ? end : other.end};
  }
  friend constexpr bool operator==(const Rows &, const Rows &) = default;
};

/// A part of a layer of the first three stages: a block of its filters, some of its rows, and the core that computes them.
struct Unit {
  std::uint8_t layer = 0, core = 0, block = 0;
  std::uint8_t slot = 0;       ///< of the stem: number in the core
  bool is_descending = false;  ///< computes its last row first
  Rows rows;
  std::uint32_t constants = 0;  ///< offset of its constants in the core's memory of them
  kernels::pim::ResidentConvolution convolution;
};

/// A block of 32 filters in the last stage. Every core of that stage has one of each layer, at the same place, and two of the classes.
struct LastBlock {
  std::uint8_t layer = 0, half = 0;  ///< of the classes: the first or the second 32
  std::uint32_t constants = 0;
  kernels::pim::ResidentConvolution convolution;
};

// Numbers of layers.
inline constexpr unsigned kPool = 1, kStageTwo = 6, kStageThree = 11, kStageFour = 16, kLastSum = 20, kAverage = 21, kClasses = 22;
[[nodiscard]] inline const Layer &layer_of(unsigned number) { return kResnet18.layers[number]; }
[[nodiscard]] constexpr bool is_projection(unsigned layer) { return layer == kStageTwo || layer == kStageThree; }

class Pipeline {
 public:
  static constexpr unsigned kLeastCores = 16, kMostCores = 64;
  static constexpr std::int32_t kStemRows = 2;  ///< of the pooled map: a unit of the stem
  static constexpr unsigned kLastBlocks = 16;   ///< cores that share a row in the last stage
  static constexpr std::uint32_t kConstantsBytes = 16384;
  static constexpr std::uint32_t kBlockClasses = 64;  ///< INT8 results of each of the first kLastBlocks cores
  static constexpr std::uint32_t kClassesBytes = kLastBlocks * kBlockClasses;

  /// Gives each core its part of the network. Errors: no_room ("cores") below 16 cores; invalid_argument ("cores") above 64; no_room
  /// ("constants").
  Status plan(const isa::pim::Configuration &configuration, unsigned cores);

  [[nodiscard]] unsigned cores() const { return cores_; }
  /// Units of the stem, then those of layers, in the order of layers, rows and blocks. The stem's are units of the maximum pool.
  [[nodiscard]] std::span<const Unit> units() const { return std::span(units_).first(count_); }
  [[nodiscard]] std::span<const LastBlock> last_blocks() const { return last_; }
  /// Groups of kLastBlocks cores, each of which computes some rows of the last stage.
  [[nodiscard]] unsigned last_bands() const { return last_bands_; }
  [[nodiscard]] Rows last_rows(unsigned band) const;

  [[nodiscard]] kernels::pim::ResidentMap map_of(unsigned layer) const;
  /// The layer whose weights a unit has.
  [[nodiscard]] static unsigned convolution_of(const Unit &unit) { return unit.layer == kPool ? 0 : unit.layer; }
  /// The image with its border.
  [[nodiscard]] static kernels::pim::ResidentMap image_map();

  /// Device addresses of the program's data.
  struct Addresses {
    std::uint32_t arrays = 0;     ///< an image of the array for each core
    std::uint32_t constants = 0;  ///< kConstantsBytes for each core
    std::uint32_t image = 0;      ///< image_map()
    std::uint32_t classes = 0;    ///< kClassesBytes
  };
  /// Appends the program that brings weights and constants into the cores.
  [[nodiscard]] Status append_load(kernels::pim::ProgramBuilder &builder, const Addresses &addresses) const;
  /// Appends the program of one inference.
  [[nodiscard]] Status append_inference(kernels::pim::ProgramBuilder &builder, const Addresses &addresses) const;

 private:
  friend class Planner;
  Unit &add(unsigned layer, unsigned core, unsigned block, const Rows &rows, const kernels::pim::ResidentPlace &place);
  void plan_stem();
  [[nodiscard]] kernels::pim::ResidentConvolution convolution(unsigned layer, const kernels::pim::ResidentPlace &place) const;
  void plan_last();
  void add_last(unsigned number, unsigned layer, unsigned half, const kernels::pim::ResidentPlace &place);

  const isa::pim::Configuration *configuration_ = nullptr;
  unsigned cores_ = 0, bands_ = 1, last_bands_ = 1;
  std::array<std::uint16_t, 23> block_{};  ///< filters of a block of each layer
  std::array<Unit, 192> units_{};
  unsigned count_ = 0;
  std::array<LastBlock, 7> last_{};
  std::uint32_t last_constants_ = 0;
  std::array<std::uint32_t, kMostCores> constants_{};  ///< bytes of each core
};

}  // namespace cox::pim_networks
