// SPDX-License-Identifier: MIT
#include "coxswain/kernels/pim/pack_weights.h"

namespace cox::kernels::pim {

namespace {

/// What the projection of an output's weights changes.
ProjectionError error_of(const LayerShape &shape, const Weights &weights, std::uint32_t output, std::uint32_t threshold) {
  ProjectionError error;
  const std::size_t first = std::size_t{output} * weights.output_stride;
  for (std::size_t i = 0; i < shape.inputs(); ++i) {
    const std::int32_t weight = weights.values[first + i * weights.input_stride];
    error.add(weight, isa::numbers::nearest_weight(weight, threshold));
  }
  return error;
}

}  // namespace

Result<ProjectionError> choose_thresholds(const LayerShape &shape, const Weights &weights, std::uint64_t bound,
                                          std::span<std::uint8_t> thresholds) {
  if (shape.outputs == 0 || shape.inputs() == 0 || weights.depthwise ||
      (shape.outputs - 1) * std::uint64_t{weights.output_stride} + (shape.inputs() - 1) * weights.input_stride >= weights.values.size())
    return Status(ErrorCode::shape_mismatch, "weights", -1, signed_of(weights.values.size()));
  if (thresholds.size() != shape.outputs)
    return Status(ErrorCode::shape_mismatch, "thresholds", -1, signed_of(thresholds.size()), shape.outputs);
  ProjectionError all;
  for (std::uint32_t output = 0; output < shape.outputs; ++output) {
    std::uint32_t threshold = 1;
    ProjectionError error = error_of(shape, weights, output, threshold);
    if (error.mean_square() > bound) error = error_of(shape, weights, output, threshold = 2);
    if (error.mean_square() > bound)
      return Status(ErrorCode::field_out_of_range, "bound", static_cast<std::int32_t>(output), signed_of(error.mean_square()),
                    signed_of(bound));
    thresholds[output] = static_cast<std::uint8_t>(threshold);
    all.add(error);
  }
  return all;
}

}  // namespace cox::kernels::pim
