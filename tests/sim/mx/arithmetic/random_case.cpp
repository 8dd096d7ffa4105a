// SPDX-License-Identifier: MIT
#include "random_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace cox::test {
namespace {

using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;

std::byte exponent_of(Random &random, Style style) {
  switch (style) {
    case Style::varied: return static_cast<std::byte>(random.in(70, 170));
    case Style::extreme:
      return static_cast<std::byte>(random.one_of(2) ? random.in(0, 254) : random.one_of(2) ? random.in(1, 3) : random.in(252, 254));
    case Style::nan: return static_cast<std::byte>(random.one_of(60) ? 255 : random.one_of(10) ? 0 : random.in(120, 132));
    default: return random.byte();
  }
}

void usual_block(Random &random, std::byte *block) {
  std::array<float, kBlockElements> values{};
  for (float &value : values) value = random.one_of(20) ? 0.0F : random.normal();
  const isa::mx::Block quantised = isa::mx::quantise(values);
  std::memcpy(block, &quantised, kBlockBytes);
}

float random_bias(Random &random) {
  constexpr float kSpecial[] = {0.0F,
                                -0.0F,
                                1e-42F,
                                3e38F,
                                -3e38F,
                                std::numeric_limits<float>::infinity(),
                                -std::numeric_limits<float>::infinity(),
                                std::numeric_limits<float>::quiet_NaN()};
  return random.one_of(60) ? kSpecial[random.in(0, 7)] : random.normal();
}

}  // namespace

void fill(Random &random, Bytes &blocks, Style style) {
  for (std::size_t at = 0; at + kBlockBytes <= blocks.size(); at += kBlockBytes) {
    std::byte *block = blocks.data() + at;
    if (style == Style::usual) {
      usual_block(random, block);
      continue;
    }
    for (std::uint32_t i = 1; i < kBlockBytes; ++i) block[i] = random.byte();
    block[0] = exponent_of(random, style);
  }
}

Style random_style(Random &random) {
  constexpr Style kStyles[] = {Style::usual, Style::usual, Style::varied, Style::extreme, Style::nan, Style::noise};
  return kStyles[random.in(0, 5)];
}

Case convolution(Random &random, const Shape &shape, Style inputs, Style weights) {
  Case result;
  isa::mx::ConvAct op;
  op.kernel = shape.kernel;
  op.stride = shape.stride;
  op.padding = shape.padding;
  op.activation = shape.activation;
  op.input = {0, shape.input_blocks, shape.height, shape.width};
  op.output1 = {0, shape.output_blocks, isa::mx::output_side(shape.height, shape.kernel, shape.stride, shape.padding),
                isa::mx::output_side(shape.width, shape.kernel, shape.stride, shape.padding)};
  if (shape.split) {
    op.output2 = op.output1;
    op.output1.blocks = op.output2.blocks = shape.output_blocks / 2;
  }
  result.input1 = Bytes(random, op.input.bytes());
  fill(random, result.input1, inputs);
  result.weights = Bytes(random, isa::mx::weight_bytes(op.kernel, shape.input_blocks, shape.output_blocks));
  const std::uint64_t group = isa::mx::weight_bytes(op.kernel, shape.input_blocks, 1);
  constexpr std::uint64_t kBiasBytes = kBlockElements * sizeof(float);
  Bytes blocks(random, group - kBiasBytes);
  for (std::uint32_t g = 0; g < shape.output_blocks; ++g) {
    fill(random, blocks, weights);
    std::byte *to = result.weights.data() + g * group;
    std::copy_n(blocks.data(), blocks.size(), to);
    for (std::uint32_t i = 0; i < kBlockElements; ++i) {
      const float bias = random_bias(random);
      std::memcpy(to + blocks.size() + i * sizeof bias, &bias, sizeof bias);
    }
  }
  result.output1_bytes = op.output1.bytes();
  result.output2_bytes = op.output2.bytes();
  result.operation = op;
  return result;
}

Case random_convolution(Random &random) {
  constexpr double kMostProducts = 3e4;  // limit for products of blocks, because the reference is slow
  for (;;) {
    Shape shape;
    shape.kernel = random.one_of(2) ? 3 : 1;
    shape.stride = random.in(1, 2);
    shape.padding = random.in(0, 1);
    shape.input_blocks = random.one_of(6) ? random.in(1, 64) : random.in(1, 6);
    shape.output_blocks = random.one_of(6) ? random.in(1, 64) : random.in(1, 6);
    shape.height = random.one_of(5) ? 1 : random.in(1, 12);
    shape.width = random.one_of(5) ? 1 : random.in(1, 40);
    shape.split = shape.output_blocks % 2 == 0 && random.one_of(2);
    shape.activation = static_cast<isa::mx::Activation>(random.in(0, 2));
    const double outputs = static_cast<double>(isa::mx::output_side(shape.height, shape.kernel, shape.stride, shape.padding)) *
                           isa::mx::output_side(shape.width, shape.kernel, shape.stride, shape.padding);
    const double products = outputs * shape.kernel * shape.kernel * shape.input_blocks * shape.output_blocks * kBlockElements;
    if (outputs == 0 || products > kMostProducts) continue;
    const Style inputs = random_style(random);
    return convolution(random, shape, inputs, random.one_of(3) ? random_style(random) : inputs);
  }
}

Case random_elementwise(Random &random, isa::mx::ElementwiseFunction function) {
  using Function = isa::mx::ElementwiseFunction;
  Case result;
  isa::mx::Elementwise op;
  op.function = function;
  op.blocks = random.in(1, 70);
  const Style style = random_style(random);
  result.input1 = Bytes(random, std::uint64_t{op.blocks} * kBlockBytes);
  fill(random, result.input1, style);
  if (takes_two_tensors(function)) {
    result.input2 = Bytes(random, result.input1.size());
    fill(random, result.input2, random.one_of(2) ? style : random_style(random));
  }
  if (function == Function::scale)
    op.immediate = static_cast<std::uint16_t>(random.one_of(3) ? random.in(0, 0xFFFF) : random.in(0x3F00, 0x4100));
  result.output1_bytes = result.input1.size();
  result.operation = op;
  return result;
}

Case random_pool(Random &random, bool average) {
  Case result;
  isa::mx::Pool op;
  op.average = average;
  do {
    op.kernel = random.one_of(3) ? random.in(1, 15) : random.in(1, 5);
    op.stride = random.in(1, 3);
    op.padding = random.in(0, std::min(op.kernel - 1, 7U));
    op.input = {0, random.in(1, 4), random.in(1, 20), random.in(1, 40)};
    op.output = {0, op.input.blocks, isa::mx::output_side(op.input.height, op.kernel, op.stride, op.padding),
                 isa::mx::output_side(op.input.width, op.kernel, op.stride, op.padding)};
  } while (op.output.height == 0 || op.output.width == 0);
  result.input1 = Bytes(random, op.input.bytes());
  fill(random, result.input1, random_style(random));
  result.output1_bytes = op.output.bytes();
  result.operation = op;
  return result;
}

Case random_move(Random &random) {
  Case result;
  isa::mx::Move op;
  op.run = random.in(1, 20);
  op.count = random.in(1, 12);
  op.repeat = random.in(1, 4);
  op.from_stride = random.in(0, 30);
  op.to_stride = op.run * op.repeat + random.in(0, 9);
  result.input1 = Bytes(random, (std::uint64_t{op.count - 1} * op.from_stride + op.run) * kBlockBytes);
  fill(random, result.input1, Style::noise);
  result.output1_bytes = (std::size_t{op.count - 1} * op.to_stride + std::size_t{op.run} * op.repeat) * kBlockBytes;
  result.operation = op;
  return result;
}

Outputs fresh_outputs(Random &random, const Case &test_case) {
  return {Bytes(random, test_case.output1_bytes), Bytes(random, test_case.output2_bytes)};
}

model::mx::Operands operands_of(const Case &test_case, Outputs &outputs) {
  return {test_case.input1.data(), test_case.input2.data(), test_case.weights.data(), outputs.output1.data(), outputs.output2.data()};
}

}  // namespace cox::test
