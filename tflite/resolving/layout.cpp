// SPDX-License-Identifier: MIT
// Operators that move elements: RESHAPE and its relatives, PAD, CONCATENATION, PACK, SPLIT, UNPACK, TRANSPOSE, STRIDED_SLICE.
#include <algorithm>

#include "coxswain/tflite/resolving/operands.h"

namespace cox::tflite::resolving {

namespace {

/// Checks that an operand has the type and the quantisation of another one.
Status check_same_values(const Operands &operands, const TensorView &first, const TensorView &second) {
  if (first.type != second.type) {
    return operands.unsupported("output: type", static_cast<std::int32_t>(second.type), static_cast<std::int32_t>(first.type));
  }
  return operands.same_quantisation(first, second, "output's quantisation");
}

/// Checks that `whole` without dimension `axis` is `part`.
Status check_dropped(const Operands &operands, const Shape &whole, const Shape &part, std::uint32_t axis) {
  if (part.rank + 1 != whole.rank) return operands.mismatch("ranks of inputs and outputs", part.rank, whole.rank - 1);
  for (std::uint32_t i = 0; i < part.rank; ++i) {
    const std::int32_t size = whole[i < axis ? i : i + 1];
    if (part[i] != size) return operands.mismatch("shapes of inputs and outputs", part[i], size);
  }
  return {};
}

/// Checks that two shapes differ in dimension `axis` at most.
Status check_beside(const Operands &operands, const Shape &whole, const Shape &part, std::uint32_t axis) {
  if (part.rank != whole.rank) return operands.mismatch("ranks of inputs and outputs", part.rank, whole.rank);
  for (std::uint32_t i = 0; i < part.rank; ++i) {
    if (i != axis && part[i] != whole[i]) return operands.mismatch("shapes of inputs and outputs", part[i], whole[i]);
  }
  return {};
}

/// The elements that STRIDED_SLICE takes of one dimension.
struct Interval {
  std::int32_t begin = 0, count = 0;
};

Interval interval(std::int32_t size, std::int32_t begin, std::int32_t end, std::int32_t stride, bool from_start, bool to_end) {
  const std::int64_t lowest = stride > 0 ? 0 : -1, highest = stride > 0 ? size : size - 1;
  const auto place = [&](std::int64_t index) { return std::clamp(index < 0 ? index + size : index, lowest, highest); };
  const std::int64_t first = from_start ? (stride > 0 ? lowest : highest) : place(begin);
  const std::int64_t last = to_end ? (stride > 0 ? highest : lowest) : place(end);
  const std::int64_t distance = stride > 0 ? last - first : first - last;
  const std::int64_t step = stride > 0 ? stride : -std::int64_t{stride};
  return {static_cast<std::int32_t>(first), distance <= 0 ? 0 : static_cast<std::int32_t>((distance + step - 1) / step)};
}

}  // namespace

Status copy(Operation &result, const Operands &operands) {
  // The shape is in the output; a second input repeats it.
  if (Status status = operands.counts(1, 2); !status) return status;
  const TensorView input = operands.input(0), output = operands.output();
  if (Status status = check_same_values(operands, input, output); !status) return status;
  if (input.shape.elements() != output.shape.elements())
    return operands.mismatch("output's elements", output.shape.elements(), input.shape.elements());
  result = Copy{operands.op().inputs[0], operands.op().outputs[0]};
  return {};
}

Status pad(Operation &result, const Operands &operands) {
  auto &numbers = result.emplace<Pad>();
  const bool has_value = operands.op().code == OperatorCode::padv2;
  if (Status status = operands.counts(has_value ? 3 : 2, has_value ? 3 : 2); !status) return status;
  const TensorView input = operands.input(0), output = operands.output();
  if (Status status = operands.activation(input, "input: type"); !status) return status;
  if (Status status = operands.activation(output, "output: type"); !status) return status;
  if (Status status = operands.same_quantisation(input, output, "output's quantisation"); !status) return status;
  const Result<Operands::Numbers> pads = operands.constant(1, "paddings");
  if (!pads) return pads.status();
  if (pads.value().count != 2U * input.shape.rank) return operands.mismatch("paddings", pads.value().count, 2 * input.shape.rank);
  if (output.shape.rank != input.shape.rank) return operands.mismatch("output's rank", output.shape.rank, input.shape.rank);
  for (std::size_t i = 0; i < input.shape.rank; ++i) {
    numbers.before[i] = pads.value().values[2 * i];
    numbers.after[i] = pads.value().values[2 * i + 1];
    if (Status status = operands.range(numbers.before[i], 0, INT32_MAX, "paddings"); !status) return status;
    if (Status status = operands.range(numbers.after[i], 0, INT32_MAX, "paddings"); !status) return status;
    const std::int64_t size = std::int64_t{input.shape[i]} + numbers.before[i] + numbers.after[i];
    if (output.shape[i] != size) return operands.mismatch("output's shape", output.shape[i], narrow(size));
  }
  numbers.value = output.quantisation.zero_point();
  if (has_value) {
    const TensorView value = operands.input(2);
    if (Status status = operands.type(value, ElementType::int8, "value: type"); !status) return status;
    if (!value.constant()) return operands.unsupported("value is not constant", operands.op().inputs[2]);
    if (value.shape.elements() != 1) return operands.mismatch("value", value.shape.elements(), 1);
    if (Status status = operands.same_quantisation(value, output, "value's quantisation"); !status) return status;
    numbers.value = static_cast<std::int8_t>(value.data[0]);
  }
  numbers.input = operands.op().inputs[0];
  numbers.output = operands.op().outputs[0];
  return {};
}

Status concatenation(Operation &result, const Operands &operands, const ConcatenationOptions &options) {
  if (Status status = operands.counts(1, kMaxOperands); !status) return status;
  if (Status status = operands.counts(operands.op().inputs.size(), kMaxOperands); !status) return status;
  if (options.activation != Activation::none) return operands.unsupported("activation", static_cast<std::int32_t>(options.activation));
  const TensorView output = operands.output();
  const Result<std::uint32_t> axis = operands.axis(options.axis, output.shape.rank, "axis");
  if (!axis) return axis.status();
  std::int64_t size = 0;
  for (std::size_t i = 0; i < operands.op().inputs.size(); ++i) {
    const TensorView input = operands.input(i);
    if (Status status = check_same_values(operands, input, output); !status) return status;
    if (Status status = check_beside(operands, output.shape, input.shape, axis.value()); !status) return status;
    size += input.shape[axis.value()];
  }
  if (output.shape[axis.value()] != size) return operands.mismatch("output's shape", output.shape[axis.value()], narrow(size));
  result = Concatenation{operands.op().outputs[0], axis.value(), false};
  return {};
}

Status pack(Operation &result, const Operands &operands, const PackOptions &options) {
  if (Status status = operands.counts(1, kMaxOperands); !status) return status;
  if (Status status = operands.counts(operands.op().inputs.size(), kMaxOperands); !status) return status;
  const TensorView output = operands.output();
  const auto inputs = static_cast<std::int32_t>(operands.op().inputs.size());
  if (options.count != inputs) return operands.mismatch("values_count", options.count, inputs);
  const Result<std::uint32_t> axis = operands.axis(options.axis, output.shape.rank, "axis");
  if (!axis) return axis.status();
  if (output.shape[axis.value()] != inputs) return operands.mismatch("output's shape", output.shape[axis.value()], inputs);
  for (std::size_t i = 0; i < operands.op().inputs.size(); ++i) {
    const TensorView input = operands.input(i);
    if (Status status = check_same_values(operands, input, output); !status) return status;
    if (Status status = check_dropped(operands, output.shape, input.shape, axis.value()); !status) return status;
  }
  result = Concatenation{operands.op().outputs[0], axis.value(), true};
  return {};
}

Status split(Operation &result, const Operands &operands, const SplitOptions &options) {
  const std::size_t outputs = operands.op().outputs.size();
  if (options.parts < 1 || static_cast<std::size_t>(options.parts) != outputs)
    return operands.mismatch("num_splits", options.parts, signed_of(outputs));
  if (Status status = operands.counts(2, 2, outputs); !status) return status;
  const TensorView input = operands.input(1);
  const Result<Operands::Numbers> number = operands.constant(0, "axis");
  if (!number) return number.status();
  if (number.value().count != 1) return operands.mismatch("axis", number.value().count, 1);
  const Result<std::uint32_t> axis = operands.axis(number.value().values[0], input.shape.rank, "axis");
  if (!axis) return axis.status();
  std::int64_t size = 0;
  for (std::size_t i = 0; i < outputs; ++i) {
    const TensorView output = operands.output(i);
    if (Status status = check_same_values(operands, input, output); !status) return status;
    if (Status status = check_beside(operands, input.shape, output.shape, axis.value()); !status) return status;
    if (output.shape[axis.value()] != operands.output(0).shape[axis.value()]) {
      return operands.mismatch("outputs' shapes", output.shape[axis.value()], operands.output(0).shape[axis.value()]);
    }
    size += output.shape[axis.value()];
  }
  if (input.shape[axis.value()] != size) return operands.mismatch("outputs' shapes", narrow(size), input.shape[axis.value()]);
  result = Split{operands.op().inputs[1], axis.value(), false};
  return {};
}

Status unpack(Operation &result, const Operands &operands, const PackOptions &options) {
  const std::size_t outputs = operands.op().outputs.size();
  if (options.count < 1 || static_cast<std::size_t>(options.count) != outputs)
    return operands.mismatch("num", options.count, signed_of(outputs));
  if (Status status = operands.counts(1, 1, outputs); !status) return status;
  const TensorView input = operands.input(0);
  const Result<std::uint32_t> axis = operands.axis(options.axis, input.shape.rank, "axis");
  if (!axis) return axis.status();
  if (input.shape[axis.value()] != options.count) return operands.mismatch("num", options.count, input.shape[axis.value()]);
  for (std::size_t i = 0; i < outputs; ++i) {
    const TensorView output = operands.output(i);
    if (Status status = check_same_values(operands, input, output); !status) return status;
    if (Status status = check_dropped(operands, input.shape, output.shape, axis.value()); !status) return status;
  }
  result = Split{operands.op().inputs[0], axis.value(), true};
  return {};
}

Status transpose(Operation &result, const Operands &operands) {
  auto &numbers = result.emplace<Transpose>();
  if (Status status = operands.counts(2, 2); !status) return status;
  const TensorView input = operands.input(0), output = operands.output();
  if (Status status = check_same_values(operands, input, output); !status) return status;
  const Result<Operands::Numbers> permutation = operands.constant(1, "permutation");
  if (!permutation) return permutation.status();
  numbers.rank = input.shape.rank;
  if (permutation.value().count != numbers.rank) return operands.mismatch("permutation", permutation.value().count, numbers.rank);
  if (output.shape.rank != numbers.rank) return operands.mismatch("output's rank", output.shape.rank, numbers.rank);
  std::uint32_t seen = 0;
  for (std::uint32_t i = 0; i < numbers.rank; ++i) {
    const Result<std::uint32_t> from = operands.axis(permutation.value().values[i], numbers.rank, "permutation");
    if (!from) return from.status();
    if ((seen >> from.value() & 1) != 0) return operands.error(ErrorCode::image_malformed, "permutation", permutation.value().values[i]);
    seen |= 1U << from.value();
    if (output.shape[i] != input.shape[from.value()])
      return operands.mismatch("output's shape", output.shape[i], input.shape[from.value()]);
    numbers.permutation[i] = static_cast<std::uint8_t>(from.value());
  }
  numbers.input = operands.op().inputs[0];
  numbers.output = operands.op().outputs[0];
  return {};
}

Status slice(Operation &result, const Operands &operands, const StridedSliceOptions &options) {
  auto &numbers = result.emplace<Slice>();
  if (Status status = operands.counts(4, 4); !status) return status;
  if (options.ellipsis_mask != 0) return operands.unsupported("ellipsis_mask", options.ellipsis_mask);
  if (options.new_axis_mask != 0) return operands.unsupported("new_axis_mask", options.new_axis_mask);
  if (options.offset) return operands.unsupported("offset", 1);
  const TensorView input = operands.input(0), output = operands.output();
  if (Status status = check_same_values(operands, input, output); !status) return status;
  const Result<Operands::Numbers> begin = operands.constant(1, "begin"), end = operands.constant(2, "end"),
                                  stride = operands.constant(3, "strides");
  if (!begin) return begin.status();
  if (!end) return end.status();
  if (!stride) return stride.status();
  const std::uint32_t given = begin.value().count;
  if (given > input.shape.rank) return operands.mismatch("begin", given, input.shape.rank);
  if (end.value().count != given) return operands.mismatch("end", end.value().count, given);
  if (stride.value().count != given) return operands.mismatch("strides", stride.value().count, given);
  numbers.rank = input.shape.rank;
  std::uint32_t rank = 0;
  for (std::uint32_t i = 0; i < numbers.rank; ++i) {
    const bool all = i >= given;  // the operator takes all of the last dimensions
    const auto masked = [&](std::int32_t mask) { return all || (mask >> i & 1) != 0; };
    const bool dropped = !all && (options.shrink_axis_mask >> i & 1) != 0;
    const std::int32_t step = all ? 1 : stride.value().values[i];
    if (step == 0) return operands.error(ErrorCode::field_out_of_range, "strides", 0, 1);
    const std::int32_t first = all ? 0 : begin.value().values[i];
    if (dropped) {
      if (step < 0) return operands.unsupported("strides of a dropped dimension", step, 1);
      const std::int32_t size = input.shape[i];
      const std::int32_t place = masked(options.begin_mask) ? 0 : first;
      if (Status status = operands.range(place, -size, size - 1, "begin"); !status) return status;
      numbers.begin[i] = place < 0 ? place + size : place;
      numbers.stride[i] = 1;
      numbers.count[i] = 1;
      continue;
    }
    const Interval taken =
        interval(input.shape[i], first, all ? 0 : end.value().values[i], step, masked(options.begin_mask), masked(options.end_mask));
    if (rank >= output.shape.rank || output.shape[rank] != taken.count) {
      return operands.mismatch("output's shape", rank < output.shape.rank ? output.shape[rank] : 0, taken.count);
    }
    ++rank;
    numbers.begin[i] = taken.begin;
    numbers.stride[i] = step;
    numbers.count[i] = taken.count;
  }
  if (output.shape.rank != rank) return operands.mismatch("output's rank", output.shape.rank, rank);
  numbers.input = operands.op().inputs[0];
  numbers.output = operands.op().outputs[0];
  return {};
}

}  // namespace cox::tflite::resolving
