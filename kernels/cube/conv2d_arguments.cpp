// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d_arguments.h"

#include <array>
#include <limits>

#include "coxswain/isa/cube/operation.h"
#include "coxswain/kernels/cube/memory_check.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::is_integer;

constexpr std::uint64_t kMostBytes = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMostElements = kMostBytes * 2;  // the most elements: a byte holds two int4

/// Returns the product of 32-bit numbers, or the largest std::uint64_t if the product exceeds kMostElements.
template <typename... Numbers>
std::uint64_t product(Numbers... numbers) {
  std::uint64_t result = 1;
  for (const std::uint64_t number : {std::uint64_t{numbers}...}) {
    if (number != 0 && result > kMostElements / number) return std::numeric_limits<std::uint64_t>::max();
    result *= number;
  }
  return result;
}

struct Tensors {
  std::uint64_t input, weights, output, table;
};

/// Returns the tensors' sizes in bytes. A size over the limit gives some number over kMostBytes. Groups must divide channels.
Tensors bytes_of(const Conv2dArguments &arguments) {
  const auto packed = [&](std::uint64_t elements) {
    return elements > kMostElements ? elements : elements * element_bits(arguments.type) / 8;
  };
  Tensors tensors{};
  tensors.input = packed(product(arguments.batch, arguments.height, arguments.width, arguments.channels));
  tensors.weights =
      packed(product(arguments.output_channels, arguments.kernel_height, arguments.kernel_width, arguments.channels / arguments.groups));
  tensors.output = product(arguments.batch, arguments.output_height, arguments.output_width, arguments.output_channels,
                           isa::cube::element_bytes(arguments.output_type));
  tensors.table = std::uint64_t{arguments.output_channels} * isa::cube::kChannelBytes;
  return tensors;
}

Status check_numbers(const Conv2dArguments &arguments) {
  struct Number {
    const char *name;
    std::uint32_t value;
  };
  const std::array<Number, 14> numbers{{{"batch", arguments.batch},
                                        {"height", arguments.height},
                                        {"width", arguments.width},
                                        {"channels", arguments.channels},
                                        {"kernel_height", arguments.kernel_height},
                                        {"kernel_width", arguments.kernel_width},
                                        {"stride_y", arguments.stride_y},
                                        {"stride_x", arguments.stride_x},
                                        {"dilation_y", arguments.dilation_y},
                                        {"dilation_x", arguments.dilation_x},
                                        {"groups", arguments.groups},
                                        {"output_height", arguments.output_height},
                                        {"output_width", arguments.output_width},
                                        {"output_channels", arguments.output_channels}}};
  for (const Number &number : numbers) {
    if (number.value == 0) return invalid(number.name, 0, 1);
  }
  if (arguments.output_channels > kMostOutputChannels) return invalid("output_channels", arguments.output_channels, kMostOutputChannels);
  if (arguments.channels % arguments.groups != 0) return invalid("groups", arguments.groups, arguments.channels);
  if (arguments.output_channels % arguments.groups != 0) return invalid("groups", arguments.groups, arguments.output_channels);
  return {};
}

Status check_types(const Conv2dArguments &arguments) {
  const auto check_enumeration = [](auto value, auto last, const char *name) {
    return value > last ? invalid(name, static_cast<std::int64_t>(value), static_cast<std::int64_t>(last)) : Status();
  };
  if (const Status status = check_enumeration(arguments.type, Type::int4, "type"); !status) return status;
  if (const Status status = check_enumeration(arguments.output_type, OutputType::int8, "output_type"); !status) return status;
  if (const Status status = check_enumeration(arguments.scale_mode, ScaleMode::channel, "scale_mode"); !status) return status;
  if (const Status status = check_enumeration(arguments.activation, Activation::Clip, "activation"); !status) return status;
  if (arguments.scale_mode == ScaleMode::channel && arguments.scales == 0) return invalid("scales", 0, 1);
  if (arguments.type == Type::int4 && arguments.channels / arguments.groups % 2 != 0)
    return invalid("channels", arguments.channels / arguments.groups, 2);
  constexpr std::int32_t kLeast = -128, kMost = 127;  // the range of int8
  const auto check_int8 = [](std::int32_t value, bool has_one, const char *name) {
    if (value < kLeast || value > kMost) return invalid(name, value, value < 0 ? kLeast : kMost);
    return value != 0 && !has_one ? invalid(name, value, 0) : Status();
  };
  if (const Status status = check_int8(arguments.pad_value, arguments.type == Type::int8, "pad_value"); !status) return status;
  if (const Status status = check_int8(arguments.zero_point, arguments.output_type == OutputType::int8, "zero_point"); !status)
    return status;
  if (arguments.output_type != OutputType::int32) return {};
  const auto output_type = static_cast<std::int64_t>(arguments.output_type);
  if (!is_integer(arguments.type)) return invalid("output_type", output_type, static_cast<std::int64_t>(arguments.type));
  if (arguments.scale_mode != ScaleMode::none) return invalid("scale_mode", static_cast<std::int64_t>(arguments.scale_mode), 0);
  if (arguments.residual != 0) return invalid("residual", static_cast<std::int64_t>(arguments.residual), 0);
  if (arguments.activation > Activation::ReLU) return invalid("activation", static_cast<std::int64_t>(arguments.activation), 1);
  return {};
}

Status check_side(std::uint32_t side, std::uint32_t input, std::uint32_t before, std::uint32_t after, std::uint32_t kernel,
                  std::uint32_t dilation, std::uint32_t stride, const char *name) {
  const std::uint32_t expected = conv2d_output_side(input, before, after, kernel, dilation, stride);
  return side == expected ? Status() : Status(ErrorCode::shape_mismatch, name, -1, side, expected);
}

Status check_sizes(const Conv2dArguments &arguments) {
  const Tensors tensors = bytes_of(arguments);
  const auto check = [](std::uint64_t bytes, std::uint64_t address, const char *name) {
    return bytes > kMostBytes ? Status(ErrorCode::address_outside_window, name, -1, static_cast<std::int64_t>(address)) : Status();
  };
  if (const Status status = check(tensors.input, arguments.input, "input"); !status) return status;
  if (const Status status = check(tensors.weights, arguments.weights, "weights"); !status) return status;
  return check(tensors.output, arguments.output, "output");
}

}  // namespace

Result<Conv2dShape> shape_of(const Conv2dArguments &arguments) {
  if (const Status status = check_numbers(arguments); !status) return status;
  if (const Status status = check_types(arguments); !status) return status;
  if (const Status status = check_side(arguments.output_height, arguments.height, arguments.pad_top, arguments.pad_bottom,
                                       arguments.kernel_height, arguments.dilation_y, arguments.stride_y, "output_height");
      !status)
    return status;
  if (const Status status = check_side(arguments.output_width, arguments.width, arguments.pad_left, arguments.pad_right,
                                       arguments.kernel_width, arguments.dilation_x, arguments.stride_x, "output_width");
      !status)
    return status;
  if (const Status status = check_sizes(arguments); !status) return status;

  Conv2dShape shape;
  shape.type = arguments.type;
  shape.batch = arguments.batch;
  shape.height = arguments.height;
  shape.width = arguments.width;
  shape.channels = arguments.channels;
  shape.outputs = arguments.output_channels;
  shape.groups = arguments.groups;
  shape.kernel_height = arguments.kernel_height;
  shape.kernel_width = arguments.kernel_width;
  shape.stride_y = arguments.stride_y;
  shape.stride_x = arguments.stride_x;
  shape.dilation_y = arguments.dilation_y;
  shape.dilation_x = arguments.dilation_x;
  shape.pad_top = arguments.pad_top;
  shape.pad_left = arguments.pad_left;
  shape.out_height = arguments.output_height;
  shape.out_width = arguments.output_width;
  shape.output_bytes = element_bytes(arguments.output_type);
  shape.tables = (arguments.bias != 0 ? 1U : 0U) + (arguments.scale_mode == ScaleMode::channel ? 1U : 0U);
  shape.residual = arguments.residual != 0;
  shape.pixel_pitch = shape.pixel_bytes();
  shape.row_pitch = std::uint64_t{shape.width} * shape.pixel_pitch;
  shape.image_pitch = shape.height * shape.row_pitch;
  shape.leave_out_what_is_stepped_over();
  return shape;
}

Status check_memory(const Conv2dArguments &arguments, std::span<const isa::Window> windows) {
  const Tensors tensors = bytes_of(arguments);
  isa::cube::Footprint reads;
  const auto add = [&](std::uint64_t address, std::uint64_t bytes, const char *name) {
    reads.accesses[reads.count++] = {.start = address, .run = bytes, .field = name};
  };
  add(arguments.input, tensors.input, "input");
  add(arguments.weights, tensors.weights, "weights");
  if (arguments.bias != 0) add(arguments.bias, tensors.table, "bias");
  if (arguments.scale_mode == ScaleMode::channel) add(arguments.scales, tensors.table, "scales");
  if (arguments.residual != 0) add(arguments.residual, tensors.output, "residual");
  isa::cube::Footprint writes;
  writes.accesses[writes.count++] = {.write = true, .start = arguments.output, .run = tensors.output, .field = "output"};
  for (const isa::cube::Footprint &footprint : {reads, writes}) {
    if (const Status status = isa::cube::check_windows(footprint, windows); !status) return status;
    if (const Status status = isa::cube::check_bounds(footprint); !status) return status;
  }
  const isa::cube::Access &output = writes.accesses[0];
  for (unsigned i = 0; i < reads.count; ++i) {
    const isa::cube::Access &read = reads.accesses[i];
    if (read.start < output.end() && output.start < read.end())
      return Status(ErrorCode::tensor_overlap, "output", -1, static_cast<std::int64_t>(output.start),
                    static_cast<std::int64_t>(read.start));
  }
  return {};
}

}  // namespace cox::kernels::cube
