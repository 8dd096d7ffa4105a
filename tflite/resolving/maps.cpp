// SPDX-License-Identifier: MIT
// Operators on maps without weights: AVERAGE_POOL_2D, MAX_POOL_2D, MEAN, RESIZE_BILINEAR, RESIZE_NEAREST_NEIGHBOR.
#include <algorithm>
#include <bit>

#include "coxswain/tflite/resolving/operands.h"

namespace cox::tflite::resolving {

namespace {

constexpr std::int32_t kMaxWindowNumber = 1 << 15;  ///< largest stride or side of a window
constexpr std::int32_t kMaxResizedSide = 1 << 15;

}  // namespace

Status pool(Operation &result, const Operands &operands, const PoolOptions &options) {
  auto &numbers = result.emplace<Pool>();
  if (Status status = operands.counts(1, 1); !status) return status;
  const TensorView input = operands.input(0), output = operands.output();
  if (Status status = operands.activation(input, "input: type"); !status) return status;
  if (Status status = operands.activation(output, "output: type"); !status) return status;
  if (Status status = operands.same_quantisation(input, output, "output's quantisation"); !status) return status;
  if (input.shape.rank != 4) return operands.mismatch("input's rank", input.shape.rank, 4);
  if (output.shape.rank != 4) return operands.mismatch("output's rank", output.shape.rank, 4);
  if (Status status = operands.range(options.stride_height, 1, kMaxWindowNumber, "stride_h"); !status) return status;
  if (Status status = operands.range(options.stride_width, 1, kMaxWindowNumber, "stride_w"); !status) return status;
  if (Status status = operands.range(options.kernel_height, 1, kMaxWindowNumber, "filter_height"); !status) return status;
  if (Status status = operands.range(options.kernel_width, 1, kMaxWindowNumber, "filter_width"); !status) return status;
  if (output.shape[0] != input.shape[0]) return operands.mismatch("output's batch", output.shape[0], input.shape[0]);
  if (output.shape[3] != input.shape[3]) return operands.mismatch("output's channels", output.shape[3], input.shape[3]);
  const Extent rows = window_extent(options.padding, input.shape[1], options.kernel_height, options.stride_height, 1);
  const Extent columns = window_extent(options.padding, input.shape[2], options.kernel_width, options.stride_width, 1);
  if (output.shape[1] != rows.output) return operands.mismatch("output's height", output.shape[1], rows.output);
  if (output.shape[2] != columns.output) return operands.mismatch("output's width", output.shape[2], columns.output);
  const Result<Clamp> clamp = operands.clamp(options.activation, output);
  if (!clamp) return clamp.status();
  numbers.kind = operands.op().code == OperatorCode::max_pool_2d ? Pool::Kind::maximum : Pool::Kind::average;
  numbers.input = operands.op().inputs[0];
  numbers.output = operands.op().outputs[0];
  numbers.batch = input.shape[0];
  numbers.channels = input.shape[3];
  numbers.input_height = input.shape[1];
  numbers.input_width = input.shape[2];
  numbers.output_height = rows.output;
  numbers.output_width = columns.output;
  numbers.kernel_height = options.kernel_height;
  numbers.kernel_width = options.kernel_width;
  numbers.stride_height = options.stride_height;
  numbers.stride_width = options.stride_width;
  numbers.pads = {rows.before, columns.before, rows.after, columns.after};
  numbers.clamp = clamp.value();
  return {};
}

Status mean(Operation &result, const Operands &operands, const ReducerOptions &options) {
  auto &numbers = result.emplace<Mean>();
  if (Status status = operands.counts(2, 2); !status) return status;
  const TensorView input = operands.input(0), output = operands.output();
  if (Status status = operands.activation(input, "input: type"); !status) return status;
  if (Status status = operands.activation(output, "output: type"); !status) return status;
  const Result<Operands::Numbers> axes = operands.constant(1, "axes");
  if (!axes) return axes.status();
  for (std::uint32_t i = 0; i < axes.value().count; ++i) {
    const Result<std::uint32_t> axis = operands.axis(axes.value().values[i], input.shape.rank, "axes");
    if (!axis) return axis.status();
    numbers.axes |= 1U << axis.value();
  }
  std::size_t rank = 0;
  for (std::size_t i = 0; i < input.shape.rank; ++i) {
    const bool reduced = (numbers.axes >> i & 1) != 0;
    if (reduced) numbers.count *= input.shape[i];
    if (reduced && !options.keep_dimensions) continue;
    const std::int32_t size = reduced ? 1 : input.shape[i];
    if (rank >= output.shape.rank || output.shape[rank] != size) {
      return operands.mismatch("output's shape", rank < output.shape.rank ? output.shape[rank] : 0, size);
    }
    ++rank;
  }
  if (output.shape.rank != rank) return operands.mismatch("output's rank", output.shape.rank, signed_of(rank));
  numbers.input = operands.op().inputs[0];
  numbers.output = operands.op().outputs[0];
  numbers.input_zero = input.quantisation.zero_point();
  numbers.output_zero = output.quantisation.zero_point();
  const double scale = static_cast<double>(input.quantisation.scale()) / static_cast<double>(output.quantisation.scale());
  const QuantisedMultiplier whole = quantised_multiplier(scale);
  if (Status status = operands.multiplier(whole, "multiplier"); !status) return status;
  // The division by count goes into the multiplier, which is as long as possible before.
  const std::int32_t log2 = static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(numbers.count))) - 1;
  const std::int32_t bits = std::min<std::int32_t>({log2, 32, 31 + whole.shift});
  numbers.multiplier.multiplier = static_cast<std::int32_t>((std::int64_t{whole.multiplier} << bits) / numbers.count);
  numbers.multiplier.shift = whole.shift - bits;
  return {};
}

Status resize(Operation &result, const Operands &operands, const ResizeOptions &options) {
  auto &numbers = result.emplace<Resize>();
  if (Status status = operands.counts(2, 2); !status) return status;
  const TensorView input = operands.input(0), output = operands.output();
  if (Status status = operands.type(input, ElementType::int8, "input: type"); !status) return status;
  if (Status status = operands.type(output, ElementType::int8, "output: type"); !status) return status;
  if (Status status = operands.same_quantisation(input, output, "output's quantisation"); !status) return status;
  if (input.shape.rank != 4) return operands.mismatch("input's rank", input.shape.rank, 4);
  if (output.shape.rank != 4) return operands.mismatch("output's rank", output.shape.rank, 4);
  const Result<Operands::Numbers> size = operands.constant(1, "size");
  if (!size) return size.status();
  if (size.value().count != 2) return operands.mismatch("size", size.value().count, 2);
  if (options.align_corners && options.half_pixel_centers)
    return operands.error(ErrorCode::image_malformed, "align_corners and half_pixel_centers");
  for (std::size_t i = 0; i < 2; ++i) {
    if (output.shape[1 + i] != size.value().values[i])
      return operands.mismatch("output's shape", output.shape[1 + i], size.value().values[i]);
    if (Status status = operands.range(output.shape[1 + i], 1, kMaxResizedSide, "size"); !status) return status;
    if (Status status = operands.range(input.shape[1 + i], 1, kMaxResizedSide, "input's shape"); !status) return status;
  }
  if (output.shape[0] != input.shape[0]) return operands.mismatch("output's batch", output.shape[0], input.shape[0]);
  if (output.shape[3] != input.shape[3]) return operands.mismatch("output's channels", output.shape[3], input.shape[3]);
  numbers.bilinear = operands.op().code == OperatorCode::resize_bilinear;
  numbers.input = operands.op().inputs[0];
  numbers.output = operands.op().outputs[0];
  numbers.batch = input.shape[0];
  numbers.channels = input.shape[3];
  numbers.input_height = input.shape[1];
  numbers.input_width = input.shape[2];
  numbers.output_height = output.shape[1];
  numbers.output_width = output.shape[2];
  numbers.align_corners = options.align_corners;
  numbers.half_pixel_centers = options.half_pixel_centers;
  return {};
}

}  // namespace cox::tflite::resolving
