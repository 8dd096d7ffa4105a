// SPDX-License-Identifier: MIT
// How a layer's weights lie in the array, and which inputs each group meets (docs/kernels/pim.md, Mapping). The weights packer and the
// kernels work from the same Mapping.
//
// A layer has, for each of its pixels, `runs` runs of inputs that lie one after another in memory, and `outputs` sums for each of its
// `blocks`. A run is cut into windows of one compute each.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "isa/pim/configuration.h"

namespace cox::kernels::pim {

enum class WeightForm : std::uint8_t {
  dense,
  value_sparse,  ///< a mask for each macro selects inputs
  bit_sparse,    ///< canonical signed digits: a filter takes one or two columns
};

struct LayerShape {
  std::uint32_t runs = 1;               ///< runs of inputs of a pixel
  std::uint32_t run_inputs = 1;         ///< int8 inputs in a run
  std::uint32_t outputs = 1;            ///< sums of a block
  std::uint32_t blocks = 1;             ///< blocks with inputs and outputs of their own
  std::uint32_t block_inputs = 0;       ///< bytes from a block's inputs to the next block's
  std::uint32_t all_outputs = 0;        ///< sums of a pixel, if the last block has fewer than the others; 0: outputs * blocks
  std::uint32_t width = 1, height = 1;  ///< pixels
  std::uint32_t runs_in_row = 1;        ///< runs r to r + runs_in_row - 1 lie in one row of the map, for a row of them
  WeightForm form = WeightForm::dense;
  std::uint32_t threshold = 1;      ///< bit_sparse: columns of a filter, 1 or 2
  std::uint32_t window_inputs = 0;  ///< value_sparse: inputs of which each macro keeps at most as many as there are compartments
  std::uint32_t least_passes = 1;   ///< passes at least, for example one a core
  bool has_bias = true;
  bool resident = false;  ///< all passes are in the array at once

  [[nodiscard]] constexpr std::uint32_t sums() const { return all_outputs != 0 ? all_outputs : outputs * blocks; }
  [[nodiscard]] constexpr std::uint64_t inputs() const { return std::uint64_t{runs} * run_inputs; }
};

struct Mapping {
  WeightForm form = WeightForm::dense;
  bool has_bias = true;
  std::uint32_t threshold = 1;
  std::uint32_t group_macros = 0;                 ///< macros in a group
  std::uint32_t splits_y = 1, splits_x = 1;       ///< groups that share the inputs of a pixel: by runs, by windows of a run
  std::uint32_t tile_width = 1, tile_height = 1;  ///< pixels of one compute
  std::uint32_t blocks = 1;                       ///< blocks, or parts of the outputs, of one pass; a group each
  std::uint32_t block_outputs = 1;                ///< outputs of a block
  std::uint32_t block_inputs = 0;                 ///< bytes from the inputs of a block to the next block's
  std::uint32_t rows_y = 1, rows_x = 1;           ///< rows of the array: runs times windows
  std::uint32_t slots = 1, slot_macros = 1;       ///< windows that a group's macros meet at once, and macros for each
  std::uint32_t window_inputs = 32;               ///< inputs of a window
  std::uint32_t passes = 1;                       ///< parts of the outputs, or of the blocks, one after another
  std::uint32_t pass_outputs = 1;                 ///< outputs of a pass; the last pass may have fewer
  std::uint32_t outputs = 1;                      ///< of all passes

  [[nodiscard]] constexpr std::uint32_t rows() const { return rows_y * rows_x; }
  [[nodiscard]] constexpr std::uint32_t splits() const { return splits_y * splits_x; }
  [[nodiscard]] constexpr std::uint32_t tile() const { return tile_width * tile_height; }
  [[nodiscard]] constexpr std::uint32_t groups() const { return splits() * tile() * blocks; }
  [[nodiscard]] constexpr bool is_masked() const { return form != WeightForm::dense; }
  /// Inputs of a pim-compute.
  [[nodiscard]] constexpr std::uint32_t compute_inputs() const { return slots * window_inputs; }
  [[nodiscard]] constexpr std::uint32_t outputs_of(std::uint32_t pass) const {
    const std::uint32_t left = outputs - pass * pass_outputs;
    return left < pass_outputs ? left : pass_outputs;
  }
  [[nodiscard]] constexpr std::uint32_t weight_width() const { return form == WeightForm::bit_sparse ? 1 : 8; }
  /// Columns of a group that work.
  [[nodiscard]] constexpr std::uint32_t columns(const isa::pim::Array &array) const {
    return (slots - 1) * slot_macros * (array.line_bits() / weight_width()) + block_outputs * threshold;
  }
  /// Macros of a group that work.
  [[nodiscard]] constexpr std::uint32_t working_macros(const isa::pim::Array &array) const {
    const std::uint32_t macro_columns = array.line_bits() / weight_width();
    return (columns(array) + macro_columns - 1) / macro_columns;
  }
  /// Results of a slot, and of a group, that pim-output stores.
  [[nodiscard]] constexpr std::uint32_t slot_results(const isa::pim::Array &array) const {
    return slot_macros * (array.line_bits() / weight_width()) / threshold;
  }
  [[nodiscard]] constexpr std::uint32_t group_results(const isa::pim::Array &array) const {
    return (slots - 1) * slot_results(array) + block_outputs;
  }

  // Sizes of the parts of a packed pass, in bytes; they follow each other in this order.
  [[nodiscard]] constexpr std::uint64_t array_bytes(const isa::pim::Array &array) const {
    return std::uint64_t{rows()} * array.compartments * array.macros * array.line_bytes();
  }
  [[nodiscard]] constexpr std::uint32_t table_bytes() const { return (pass_outputs * 9 + 7) / 8 * 8; }
  [[nodiscard]] constexpr std::uint32_t row_mask_bytes(const isa::pim::Array &array) const {
    return is_masked() ? (compute_inputs() * working_macros(array) + 7) / 8 : 0;
  }
  [[nodiscard]] constexpr std::uint32_t mask_bytes(const isa::pim::Array &array) const {
    return (row_mask_bytes(array) * rows() + 7) / 8 * 8;
  }
  [[nodiscard]] constexpr std::uint32_t row_meta_bytes(const isa::pim::Array &array) const {
    return form == WeightForm::bit_sparse ? array.compartments * working_macros(array) * array.line_bits() * 3 / 8 : 0;
  }
  [[nodiscard]] constexpr std::uint32_t meta_bytes(const isa::pim::Array &array) const { return row_meta_bytes(array) * rows(); }
  [[nodiscard]] constexpr std::uint64_t pass_bytes(const isa::pim::Array &array) const {
    return array_bytes(array) + table_bytes() + mask_bytes(array) + meta_bytes(array);
  }
  [[nodiscard]] constexpr std::uint64_t bytes(const isa::pim::Array &array) const { return pass_bytes(array) * passes; }
};

/// Places a layer in the array so that it takes the fewest cycles by choose_mapping()'s estimate: the slowest of array, output registers
/// and SIMD for each tile of pixels. `rows` is the number of rows of the array that the layer may take, 0 for all. Errors: invalid_argument
/// for a number of 0 ("runs", "run_inputs", "outputs", "blocks", "width", "height"), a threshold other than 1 and 2, or a sparse form with
/// several blocks ("blocks"); no_room ("array") if even one pass of few outputs needs more rows.
[[nodiscard]] Result<Mapping> choose_mapping(const LayerShape &shape, const isa::pim::Configuration &configuration, std::uint32_t rows = 0);

}  // namespace cox::kernels::pim
