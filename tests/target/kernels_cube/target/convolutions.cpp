// SPDX-License-Identifier: MIT
// Compares conv2d on the core with plain loops, bit for bit.
#include <array>
#include <cstdio>

#include "coxswain/kernels/cube/conv2d.h"
#include "elements.h"
#include "selftest.h"

namespace selftest {
namespace {

namespace cube = cox::kernels::cube;
using cube::Conv2dArguments;

constexpr std::uint32_t bytes_of(std::uint32_t elements, Type type) { return elements * cox::isa::cube::element_bits(type) / 8; }

struct Problem {
  Conv2dArguments call;
  std::span<std::byte> input, weights, output, residual;
  std::span<float> bias, scales;
};

void allocate(Problem &problem) {
  Conv2dArguments &call = problem.call;
  call.output_height =
      cube::conv2d_output_side(call.height, call.pad_top, call.pad_bottom, call.kernel_height, call.dilation_y, call.stride_y);
  call.output_width =
      cube::conv2d_output_side(call.width, call.pad_left, call.pad_right, call.kernel_width, call.dilation_x, call.stride_x);
  const bool is_integer = cox::isa::cube::is_integer(call.type);
  problem.input = take(bytes_of(call.batch * call.height * call.width * call.channels, call.type));
  problem.weights =
      take(bytes_of(call.output_channels * call.kernel_height * call.kernel_width * (call.channels / call.groups), call.type));
  const std::uint32_t outputs = call.batch * call.output_height * call.output_width * call.output_channels;
  problem.output = take(std::size_t{outputs} * cox::isa::cube::element_bytes(call.output_type));
  problem.residual = take(problem.output.size());
  problem.bias = take_array<float>(call.output_channels);
  problem.scales = take_array<float>(call.output_channels);
  fill(problem.input, call.type);
  fill(problem.weights, call.type);
  fill(problem.bias);
  if (is_integer) {
    for (float &bias : problem.bias) bias = std::bit_cast<float>(random_bits() >> 20);
  }
  fill(problem.scales);
  if (is_integer) {
    for (float &scale : problem.scales) scale *= 0x1p-8F;
  }
  fill(problem.residual, call.output_type == OutputType::half       ? Type::half
                         : call.output_type == OutputType::bfloat16 ? Type::bfloat16
                         : call.output_type == OutputType::int8     ? Type::int8
                                                                    : Type::float32);
  call.input = address_of(problem.input);
  call.weights = address_of(problem.weights);
  call.output = address_of(problem.output);
  if (call.bias != 0) call.bias = address_of(problem.bias);
  if (call.scale_mode == ScaleMode::channel) call.scales = address_of(problem.scales);
  if (call.residual != 0) call.residual = address_of(problem.residual);
  for (const std::span<std::byte> memory : {problem.input, problem.weights, problem.output, problem.residual}) give(memory);
  give(std::as_bytes(problem.bias));
  give(std::as_bytes(problem.scales));
}

std::uint32_t element(const Problem &problem, std::uint32_t image, std::uint32_t y, std::uint32_t x, std::uint32_t channel) {
  const Conv2dArguments &call = problem.call;
  const std::uint32_t inputs = call.channels / call.groups;
  const std::uint32_t first = channel / (call.output_channels / call.groups) * inputs;
  const std::array<std::byte, 4> padding{static_cast<std::byte>(call.pad_value)};
  Sum sum(call.type);
  std::uint32_t weight = channel * call.kernel_height * call.kernel_width * inputs;
  for (std::uint32_t ky = 0; ky < call.kernel_height; ++ky) {
    for (std::uint32_t kx = 0; kx < call.kernel_width; ++kx) {
      const std::uint32_t row = y * call.stride_y + ky * call.dilation_y - call.pad_top;
      const std::uint32_t column = x * call.stride_x + kx * call.dilation_x - call.pad_left;
      const bool inside = row < call.height && column < call.width;
      for (std::uint32_t c = 0; c < inputs; ++c, ++weight) {
        const std::uint32_t at = ((image * call.height + row) * call.width + column) * call.channels + first + c;
        sum.add(inside ? problem.input.data() : padding.data(), inside ? at : 0, problem.weights.data(), weight);
      }
    }
  }
  const std::size_t index = ((std::size_t{image} * call.output_height + y) * call.output_width + x) * call.output_channels + channel;
  Ending ending{.to = call.output_type};
  ending.scaled = call.scale_mode != ScaleMode::none;
  ending.scale = call.scale_mode == ScaleMode::channel ? problem.scales[channel] : call.scale;
  ending.has_bias = call.bias != 0;
  ending.bias = problem.bias[channel];
  ending.integer_bias = std::bit_cast<std::int32_t>(problem.bias[channel]);
  ending.has_residual = call.residual != 0;
  ending.beta = call.beta;
  if (ending.has_residual) ending.residual = read_output(problem.residual.data(), index, call.output_type);
  ending.activation = call.activation;
  ending.parameter = call.activation_parameter;
  ending.zero_point = call.zero_point;
  return finish(sum, ending);
}

bool matches(const Problem &problem) {
  const Conv2dArguments &call = problem.call;
  fetch(problem.output);
  std::size_t index = 0;
  for (std::uint32_t image = 0; image < call.batch; ++image) {
    for (std::uint32_t y = 0; y < call.output_height; ++y) {
      for (std::uint32_t x = 0; x < call.output_width; ++x) {
        for (std::uint32_t channel = 0; channel < call.output_channels; ++channel, ++index) {
          const std::uint32_t made = read_bits(problem.output.data(), index, cox::isa::cube::element_bytes(call.output_type));
          if (made != element(problem, image, y, x, channel)) return false;
        }
      }
    }
  }
  return true;
}

std::uint32_t from_to(std::uint32_t least, std::uint32_t most) { return least + random_bits() % (most - least + 1); }

Conv2dArguments random_call(Type type) {
  Conv2dArguments call;
  call.type = type;
  call.batch = from_to(1, 2);
  call.groups = from_to(0, 3) == 0 ? 2 : 1;
  call.channels = call.groups * from_to(1, 20) * (type == Type::int4 ? 2 : 1);
  call.output_channels = call.groups * from_to(1, 20);
  call.kernel_height = from_to(1, 3);
  call.kernel_width = from_to(1, 3);
  call.stride_y = from_to(1, 2);
  call.stride_x = from_to(1, 2);
  call.dilation_y = from_to(1, 2);
  call.dilation_x = from_to(1, 2);
  call.height = from_to(5, 9);
  call.width = from_to(5, 9);
  call.pad_top = from_to(0, 2);
  call.pad_bottom = from_to(0, 2);
  call.pad_left = from_to(0, 2);
  call.pad_right = from_to(0, 2);
  call.bias = from_to(0, 1);
  const bool is_integer = cox::isa::cube::is_integer(type);
  constexpr OutputType kReal[] = {OutputType::float32, OutputType::half, OutputType::bfloat16};
  call.output_type = is_integer ? (from_to(0, 2) == 0 ? OutputType::int32 : OutputType::int8) : kReal[from_to(0, 2)];
  if (type == Type::int8) call.pad_value = static_cast<std::int32_t>(from_to(0, 255)) - 128;
  if (call.output_type == OutputType::int32) {
    call.activation = from_to(0, 1) == 0 ? Activation::None : Activation::ReLU;
    return call;
  }
  call.activation = static_cast<Activation>(from_to(0, 3));
  call.activation_parameter = 0.25F;
  call.scale_mode = is_integer ? static_cast<ScaleMode>(from_to(1, 2)) : static_cast<ScaleMode>(from_to(0, 2));
  call.scale = is_integer ? 0.003F : 0.7F;
  call.residual = from_to(0, 1);
  call.beta = 0.5F;
  if (is_integer) call.zero_point = static_cast<std::int32_t>(from_to(0, 20)) - 10;
  return call;
}

}  // namespace

void test_convolutions() {
  bool same = true;
  for (const Type type : {Type::bfloat16, Type::half, Type::float32, Type::int8, Type::int4}) {
    for (unsigned i = 0; i < 3; ++i) {
      release_memory();
      Problem problem;
      problem.call = random_call(type);
      allocate(problem);
      stream.clear();
      same = same && good(cube::conv2d(stream, problem.call)) && good(engine.run(stream, kLimit)) && matches(problem);
      if (!same) {
        std::printf("convolution %u of type %u\n", i, static_cast<unsigned>(type));
        break;
      }
    }
  }
  verdict("convolutions", same);
}

}  // namespace selftest
