// SPDX-License-Identifier: MIT
// Packing of a layer's weights, biases and factors for the kernels (docs/kernels/pim.md, Weights). It needs no device, so host tools and
// the control core run the same code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/kernels/pim/bit_sparse.h"
#include "coxswain/kernels/pim/mapping.h"

namespace cox::kernels::pim {

/// The weights of a layer. Weight of output o (blocks one after another), run r and input i of the run:
/// values[o * output_stride + (r * run_inputs + i) * input_stride].
struct Weights {
  std::span<const std::int8_t> values;
  std::uint32_t output_stride = 1, input_stride = 1;
  /// Depthwise layers: block b has the channels b * run_inputs to b * run_inputs + run_inputs - 1, and a channel's weight of run r is
  /// values[channel * runs + r]. The strides have no effect.
  bool depthwise = false;
};

/// What is done to the sums of an output: MUL(sum + bias, multiplier, shift) (docs/isa/pim.md, SIMD). Spans are empty, or have an element
/// for each output. Without multipliers the packed factors are 0; kernels with int32 results do not use them.
struct Requantisation {
  std::span<const std::int32_t> biases;
  std::span<const std::int32_t> multipliers;
  std::span<const std::int8_t> shifts;  ///< MUL's s, -31 to 31: positive to the right
};

/// Writes mapping.bytes() bytes: for each pass the array's lines, biases, multipliers, shifts, masks and meta data. `mapping` is
/// choose_mapping()'s for `shape`. On an error nothing is written. Errors: those of check_thresholds(); shape_mismatch for spans that do
/// not fit the shape ("weights", "biases", "multipliers", "shifts", "packed"); field_out_of_range for a shift ("shifts") and for a weight
/// of more bits than the layer's ("weights", `index` the output); invalid_argument
/// ("window_inputs") if a macro's window has more inputs with a weight other than 0 than there are compartments, `index` the first output
/// of the macro; tensor_overlap
/// ("packed").
Status pack_weights(const LayerShape &shape, const Mapping &mapping, const isa::pim::Configuration &configuration, const Weights &weights,
                    const Requantisation &requantisation, std::span<std::byte> packed);

/// Chooses a threshold for each output of a bit-sparse layer: the least whose projection has a mean square error of at most `bound`, in
/// units of 2^-16 (ProjectionError::mean_square()). Returns what the projection changes in the whole layer. Errors: shape_mismatch
/// ("weights", "thresholds"); field_out_of_range ("bound") if two columns are too few for an output, `index` the output and `value` its
/// mean square error. Outputs before it have their thresholds.
[[nodiscard]] Result<ProjectionError> choose_thresholds(const LayerShape &shape, const Weights &weights, std::uint64_t bound,
                                                        std::span<std::uint8_t> thresholds);

/// Prunes weights for WeightForm::value_sparse: of each window of mapping.window_inputs inputs and the outputs of each macro, those inputs
/// stay whose weights have the largest sum of squares, as many as there are compartments. The weights of the others become 0 in `values`,
/// which has the strides of `weights`. Error: shape_mismatch ("weights").
Status prune_weights(const LayerShape &shape, const Mapping &mapping, const isa::pim::Configuration &configuration,
                     std::span<std::int8_t> values, const Weights &weights);

}  // namespace cox::kernels::pim
