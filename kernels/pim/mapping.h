// SPDX-License-Identifier: MIT
// How a layer's weights lie in the array, and which inputs each group meets (docs/kernels/pim.md, Mapping). The weights packer and the
// kernels work from the same Mapping.
//
// A layer has, for each of its pixels, `runs` runs of inputs that lie one after another in memory, and `outputs` sums for each of its
// `blocks`. A run is cut into windows of one compute each.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/kernels/pim/second_columns.h"

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
  std::uint64_t input_bytes = 0;        ///< of the map
  std::uint32_t input = 0;              ///< address of the map
  bool padded = true;                   ///< the map needs padding, so it is copied before it is read
  WeightForm form = WeightForm::dense;
  std::uint32_t weight_bits = 8;                  ///< dense, value_sparse: of a weight in two's complement: 1, 2, 4 or 8
  std::uint32_t threshold = 1;                    ///< bit_sparse: columns of a filter, 1 or 2
  std::span<const std::uint8_t> thresholds = {};  ///< bit_sparse: of each filter, instead of `threshold`; empty: all have that
  std::uint32_t window_inputs = 0;  ///< value_sparse: inputs of which each macro keeps at most as many as there are compartments
  std::uint32_t least_passes = 1;   ///< number of cores that share the passes; each has one at least
  bool has_bias = true;
  bool resident = false;  ///< all passes of a core are in its array at once

  [[nodiscard]] constexpr std::uint32_t sums() const { return all_outputs != 0 ? all_outputs : outputs * blocks; }
  [[nodiscard]] constexpr std::uint64_t inputs() const { return std::uint64_t{runs} * run_inputs; }
  /// Bits of a weight in a column of the array.
  [[nodiscard]] constexpr std::uint32_t column_bits() const { return form == WeightForm::bit_sparse ? 1 : weight_bits; }
  [[nodiscard]] constexpr bool has_weight_bits() const {
    return weight_bits == 1 || weight_bits == 2 || weight_bits == 4 || weight_bits == 8;
  }
};

struct Mapping {
  WeightForm form = WeightForm::dense;
  bool has_bias = true;
  std::uint32_t weight_bits = 8;  ///< of a column
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
  SecondColumns seconds;                          ///< filters with two columns if the others have one; `threshold` is 1 then
  std::uint32_t second_columns = 0;               ///< most of them in a pass

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
  [[nodiscard]] constexpr std::uint32_t macro_columns(const isa::pim::Array &array) const { return array.line_bits() / weight_bits; }
  /// Columns of a group that work.
  [[nodiscard]] constexpr std::uint32_t columns(const isa::pim::Array &array) const {
    return (slots - 1) * slot_macros * macro_columns(array) + block_outputs * threshold + second_columns;
  }
  /// Macros of a group that work.
  [[nodiscard]] constexpr std::uint32_t working_macros(const isa::pim::Array &array) const {
    return (columns(array) + macro_columns(array) - 1) / macro_columns(array);
  }
  /// Results of a slot, and of a group, that pim-output stores. Sums of second columns are results of their own.
  [[nodiscard]] constexpr std::uint32_t slot_results(const isa::pim::Array &array) const {
    return slot_macros * macro_columns(array) / threshold;
  }
  [[nodiscard]] constexpr std::uint32_t group_results(const isa::pim::Array &array) const {
    return (slots - 1) * slot_results(array) + block_outputs + second_columns;
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
  /// Bytes of tables of offsets, masks and meta data behind the inputs in their memory.
  [[nodiscard]] constexpr std::uint32_t local_table_bytes(const isa::pim::Array &array) const {
    return ((groups() + rows()) * 4 + mask_bytes(array) + meta_bytes(array) + 7) / 8 * 8;
  }
  /// Bytes from the first input of a pixel's last run to the end of what pim-compute reads there. Windows at a run's end, and blocks at the
  /// end of the channels, go beyond the pixel; their weights are 0.
  [[nodiscard]] constexpr std::uint32_t reach() const {
    return rows_x * splits_x * compute_inputs() + (passes * blocks - 1) * block_inputs;
  }
  [[nodiscard]] constexpr std::uint64_t pass_bytes(const isa::pim::Array &array) const {
    return array_bytes(array) + table_bytes() + mask_bytes(array) + meta_bytes(array);
  }
  [[nodiscard]] constexpr std::uint64_t bytes(const isa::pim::Array &array) const { return pass_bytes(array) * passes; }
};

/// Returns the errors of choose_mapping() that concern thresholds.
[[nodiscard]] Status check_thresholds(const LayerShape &shape);

/// Places a layer in the array so that it takes the fewest cycles by choose_mapping()'s estimate: the slowest of array, output registers
/// and SIMD for each tile of pixels. `rows` is the number of rows of the array that the layer may take, 0 for all. Errors: invalid_argument
/// for a number of 0 ("runs", "run_inputs", "outputs", "blocks", "width", "height"), a threshold other than 1 and 2 ("threshold";
/// "thresholds", `index` the filter), a width of weights ("weight_bits"), or a sparse form with several blocks ("blocks"); shape_mismatch
/// ("thresholds") unless each output has one; no_room ("array") if even one pass of few outputs needs more rows. Filters of thresholds 1
/// and 2 lie side by side, or all have two columns if that takes fewer cycles.
[[nodiscard]] Result<Mapping> choose_mapping(const LayerShape &shape, const isa::pim::Configuration &configuration, std::uint32_t rows = 0);

}  // namespace cox::kernels::pim
