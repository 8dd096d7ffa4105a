// SPDX-License-Identifier: MIT
// ResNet-18 on sixteen PIM cores (README.md, Sixteen cores). Every weight stays in the array of one core. Fifteen cores compute a layer of
// the first three stages each, and send every row of results to the cores that need it next. Fourteen of them first share the stem. In the
// last stage all cores have 32 filters of each layer.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "examples/pim_networks/network.h"
#include "kernels/pim/program_builder.h"
#include "kernels/pim/resident_convolution.h"

namespace cox::pim_networks {

/// Filters of a layer whose results a core computes: a block of the output's channels, some rows.
struct Unit {
  std::uint8_t layer = 0, core = 0;
  std::uint16_t block = 0;
  std::uint16_t first_row = 0, end_row = 0;
  std::uint32_t constants = 0;  ///< offset of its constants in the core's memory of them
  kernels::pim::ResidentConvolution convolution;
};

class Pipeline {
 public:
  static constexpr unsigned kCores = 16;
  static constexpr std::uint32_t kConstantsBytes = 16384;
  static constexpr std::uint32_t kBlockClasses = 64;  ///< INT8 results of a core

  explicit Pipeline(const isa::pim::Array &array);

  [[nodiscard]] std::span<const Unit> units() const { return std::span(units_).first(count_); }
  [[nodiscard]] static kernels::pim::ResidentMap map_of(unsigned layer);
  /// The layer whose weights a unit has. The stem's units are units of the maximum pool.
  [[nodiscard]] static unsigned convolution_of(const Unit &unit) { return unit.layer == 1 ? 0 : unit.layer; }
  /// The image with its border.
  [[nodiscard]] static kernels::pim::ResidentMap image_map();

  /// Device addresses of the program's data.
  struct Addresses {
    std::uint32_t arrays = 0;     ///< an image of the array for each core
    std::uint32_t constants = 0;  ///< kConstantsBytes for each core
    std::uint32_t image = 0;      ///< image_map()
    std::uint32_t classes = 0;    ///< kBlockClasses for each core
  };
  /// Appends the program that brings weights and constants into the cores.
  [[nodiscard]] Status append_load(kernels::pim::ProgramBuilder &builder, const Addresses &addresses) const;
  /// Appends the program of one inference.
  [[nodiscard]] Status append_inference(kernels::pim::ProgramBuilder &builder, const Addresses &addresses) const;

 private:
  void add(unsigned layer, unsigned core, unsigned block, unsigned first_row, unsigned end_row, const kernels::pim::ResidentPlace &place);

  const isa::pim::Array &array_;
  std::array<Unit, 144> units_{};
  unsigned count_ = 0;
  std::array<std::uint32_t, kCores> constants_{};  ///< bytes of each core
};

}  // namespace cox::pim_networks
