// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/conv_act.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "coxswain/kernels/mx/pack_weights.h"
#include "sim/model/mx/arithmetic/execute.h"
#include "tests/kernels/mx/dram.h"
#include "tests/kernels/mx/refusal.h"

namespace cox::kernels::mx {
namespace conv_act_test {

using isa::mx::kBlockElements;
using tests::Block;
using tests::Dram;

struct Layer {
  std::uint32_t inputs = 16, outputs = 16, height = 4, width = 4;
  std::uint32_t kernel = 3, stride = 1, padding = 1;
  Activation activation = Activation::None;
  bool split = false;

  [[nodiscard]] std::string text() const {
    return std::to_string(inputs) + " to " + std::to_string(outputs) + " channels, " + std::to_string(height) + " x " +
           std::to_string(width) + ", kernel " + std::to_string(kernel) + ", stride " + std::to_string(stride) + ", padding " +
           std::to_string(padding) + ", activation " + std::to_string(static_cast<int>(activation)) + (split ? ", split" : "");
  }
};

/// A layer in memory with its packed weights and the weights before packing.
struct Placed {
  ConvActArguments call;
  std::vector<float> weights, biases;
};

std::byte *memory(std::uint64_t address) {
  return reinterpret_cast<std::byte *>(static_cast<std::uintptr_t>(address));  // NOLINT(performance-no-int-to-ptr)
}

/// Runs the model's reference of a convolution on the test's own tensors, as if an instruction's fields had unlimited ranges.
std::vector<Block> reference_part(const Placed &placed, std::uint32_t first_channel, std::uint32_t channels, std::uint64_t weights,
                                  Activation activation) {
  const ConvActArguments &call = placed.call;
  const std::uint32_t blocks = call.output.blocks() + call.split_output.blocks();
  const Tensor input = call.input.slice(first_channel, channels);
  std::vector<Block> result(std::size_t{blocks} * call.output.height * call.output.width);
  isa::mx::ConvAct operation;
  operation.input = {input.address, input.blocks(), input.height, input.width};
  operation.output1 = {0, blocks, call.output.height, call.output.width};
  operation.kernel = call.kernel;
  operation.stride = call.stride;
  operation.padding = call.padding;
  operation.activation = activation;
  model::mx::execute(operation,
                     {.input1 = memory(input.address), .weights = memory(weights), .output1 = reinterpret_cast<std::byte *>(result.data())},
                     model::mx::Path::reference);
  return result;
}

/// Combines two maps as docs/kernels/mx.md says (decompositions): in FP32, element by element, quantised after each step.
template <typename Function>
void combine(std::vector<Block> &left, const std::vector<Block> &right, Function function) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::array<float, kBlockElements> a = tests::values_of(left[i]);
    const std::array<float, kBlockElements> b = tests::values_of(right[i]);
    for (std::uint32_t j = 0; j < kBlockElements; ++j) a[j] = function(a[j], b[j]);
    left[i] = isa::mx::quantise(a);
  }
}

std::vector<Block> reference(const Placed &placed) {
  const ConvActArguments &call = placed.call;
  constexpr std::uint32_t kPart = 1024;
  if (call.input.channels <= kPart) return reference_part(placed, 0, call.input.channels, call.weights, call.activation);
  std::vector<Block> sum;
  std::uint64_t weights = call.weights;
  for (std::uint32_t first = 0; first < call.input.channels; first += kPart) {
    const std::uint32_t channels = std::min(call.input.channels - first, kPart);
    const std::vector<Block> part = reference_part(placed, first, channels, weights, Activation::None);
    weights += isa::mx::weight_bytes(call.kernel, isa::mx::blocks_of(channels), call.output.blocks() + call.split_output.blocks());
    if (first == 0) {
      sum = part;
    } else {
      combine(sum, part, [](float a, float b) { return a + b; });
    }
  }
  if (call.activation == Activation::SiLU) {
    std::vector<Block> sigmoid(sum.size());
    // The sigmoid's bits follow from the documented polynomial: docs/mx9.md, Exponential.
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const isa::mx::Elementwise op{.function = isa::mx::ElementwiseFunction::sigmoid, .blocks = 1};
      model::mx::execute(op, {.input1 = reinterpret_cast<std::byte *>(&sum[i]), .output1 = reinterpret_cast<std::byte *>(&sigmoid[i])},
                         model::mx::Path::reference);
    }
    combine(sum, sigmoid, [](float a, float b) { return a * b; });
  }
  if (call.activation == Activation::ReLU) combine(sum, sum, [](float a, float) { return a > 0 || std::isnan(a) ? a : 0.0F; });
  return sum;
}

Placed place(Dram &dram, const Layer &layer, std::mt19937 &random, bool nan = false) {
  Placed placed;
  ConvActArguments &call = placed.call;
  call.kernel = layer.kernel;
  call.stride = layer.stride;
  call.padding = layer.padding;
  call.activation = layer.activation;
  const auto side = [&](std::uint32_t input) { return isa::mx::output_side(input, layer.kernel, layer.stride, layer.padding); };
  call.input = dram.tensor(layer.inputs, layer.height, layer.width);
  call.output = dram.tensor(layer.split ? layer.outputs / 2 : layer.outputs, side(layer.height), side(layer.width));
  if (layer.split) call.split_output = dram.tensor(layer.outputs - layer.outputs / 2, side(layer.height), side(layer.width));
  tests::fill(dram.blocks(call.input), random, nan);

  const std::size_t positions = std::size_t{layer.kernel} * layer.kernel;
  placed.weights.resize(positions * layer.inputs * layer.outputs);
  placed.biases.resize(layer.outputs);
  std::normal_distribution<float> normal(0.0F, 1.0F / std::sqrt(static_cast<float>(positions * layer.inputs)));
  for (float &weight : placed.weights) weight = normal(random);
  for (float &bias : placed.biases) bias = normal(random);
  const WeightShape shape{layer.kernel, layer.inputs, layer.outputs};
  const Scratch packed = dram.scratch(packed_weights_bytes(shape).value());
  call.weights = packed.address;
  EXPECT_TRUE(pack_weights(shape, placed.weights, placed.biases, {memory(packed.address), static_cast<std::size_t>(packed.bytes)}).ok());
  const Result<std::uint64_t> scratch = conv_act_scratch_bytes(call);
  EXPECT_TRUE(scratch.ok()) << scratch.status().what();
  if (scratch.value() != 0) call.scratch = dram.scratch(scratch.value());
  return placed;
}

/// Returns both halves of the output.
std::vector<Block> output_of(const Dram &dram, const ConvActArguments &call) {
  const std::span<Block> first = dram.blocks(call.output);
  std::vector<Block> result(first.begin(), first.end());
  if (call.split_output.channels != 0) {
    const std::span<Block> second = dram.blocks(call.split_output);
    result.insert(result.end(), second.begin(), second.end());
  }
  return result;
}

/// Appends the convolution, runs it and compares the output. Returns the number of instructions.
unsigned expect_right(Dram &dram, const Layer &layer, std::mt19937 &random, bool nan = false) {
  dram.clear();
  const Placed placed = place(dram, layer, random, nan);
  const Status status = conv_act(dram.stream(), placed.call);
  EXPECT_TRUE(status.ok()) << layer.text() << ": " << error_name(status.code()) << ", " << status.what();
  const unsigned instructions = dram.run();
  const std::vector<Block> expected = reference(placed);
  const std::vector<Block> actual = output_of(dram, placed.call);
  EXPECT_TRUE(actual == expected) << layer.text();
  return instructions;
}

TEST(ConvAct, RandomShapesBitForBit) {
  Dram dram(1U << 20);
  std::mt19937 random(1);
  const auto number = [&](std::uint32_t least, std::uint32_t most) { return std::uniform_int_distribution(least, most)(random); };
  for (int i = 0; i < 250; ++i) {
    Layer layer;
    layer.kernel = number(0, 1) * 2 + 1;
    layer.stride = number(1, 2);
    layer.padding = number(0, 1);
    layer.inputs = number(1, 70);
    layer.outputs = number(1, 70);
    layer.split = number(0, 2) == 0;
    if (layer.split) layer.outputs = (layer.outputs + 31) / 32 * 32;
    layer.height = number(3, 11);
    layer.width = number(3, 11);
    layer.activation = static_cast<Activation>(number(0, 2));
    ASSERT_EQ(expect_right(dram, layer, random, i % 8 == 0), 1U) << layer.text();
    ASSERT_FALSE(HasFailure());
  }
}

/// The expected values are computed in double precision. The tolerance is the format's rounding bound.
TEST(ConvAct, WithinTheFormatsBoundOfRealNumbers) {
  Dram dram(1U << 20);
  std::mt19937 random(2);
  for (const Activation activation : {Activation::None, Activation::SiLU, Activation::ReLU}) {
    for (const Layer &shape :
         {Layer{20, 32, 7, 9, 3, 1, 1}, Layer{70, 16, 8, 5, 1, 1, 0}, Layer{33, 16, 9, 9, 3, 2, 1}, Layer{16, 48, 6, 6, 3, 1, 0}}) {
      Layer layer = shape;
      layer.activation = activation;
      dram.clear();
      const Placed placed = place(dram, layer, random);
      const ConvActArguments &call = placed.call;
      ASSERT_TRUE(conv_act(dram.stream(), call).ok());
      dram.run();
      const std::span<Block> input = dram.blocks(call.input);
      // Returns the value that a weight has after quantisation. A block has 16 input channels of one output channel and position.
      const auto weight = [&](std::uint32_t output, std::uint32_t in, std::uint32_t position) {
        std::array<float, kBlockElements> values{};
        const std::uint32_t first = in / kBlockElements * kBlockElements;
        for (std::uint32_t i = first; i < std::min(first + kBlockElements, layer.inputs); ++i)
          values[i - first] = placed.weights[(std::size_t{output} * layer.inputs + i) * layer.kernel * layer.kernel + position];
        return static_cast<double>(tests::values_of(isa::mx::quantise(values))[in % kBlockElements]);
      };
      for (std::uint32_t group = 0; group < call.output.blocks(); ++group) {
        std::vector<double> weights;
        for (std::uint32_t lane = 0; lane < kBlockElements; ++lane)
          for (std::uint32_t in = 0; in < layer.inputs; ++in)
            for (std::uint32_t position = 0; position < layer.kernel * layer.kernel; ++position)
              weights.push_back(weight(group * kBlockElements + lane, in, position));
        for (std::uint32_t y = 0; y < call.output.height; ++y) {
          for (std::uint32_t x = 0; x < call.output.width; ++x) {
            std::array<double, kBlockElements> numbers{};
            double magnitude = 0;
            for (std::uint32_t lane = 0; lane < kBlockElements; ++lane) {
              double sum = placed.biases[group * kBlockElements + lane];
              for (std::uint32_t in = 0; in < layer.inputs; ++in) {
                for (std::uint32_t position = 0; position < layer.kernel * layer.kernel; ++position) {
                  const std::int64_t row = std::int64_t{y} * layer.stride + position / layer.kernel - layer.padding;
                  const std::int64_t column = std::int64_t{x} * layer.stride + position % layer.kernel - layer.padding;
                  if (row < 0 || column < 0 || row >= layer.height || column >= layer.width) continue;
                  const std::size_t at = (std::size_t{in / kBlockElements} * layer.height + static_cast<std::size_t>(row)) * layer.width +
                                         static_cast<std::size_t>(column);
                  const double product = tests::values_of(input[at])[in % kBlockElements] *
                                         weights[(std::size_t{lane} * layer.inputs + in) * layer.kernel * layer.kernel + position];
                  sum += product;
                  magnitude += std::fabs(product);
                }
              }
              if (activation == Activation::SiLU) sum = sum / (1 + std::exp(-sum));
              if (activation == Activation::ReLU) sum = std::max(sum, 0.0);
              numbers[lane] = sum;
            }
            const auto actual =
                tests::values_of(dram.blocks(call.output)[(std::size_t{group} * call.output.height + y) * call.output.width + x]);
            for (std::uint32_t lane = 0; lane < kBlockElements; ++lane) {
              // The slack is for the rounding of FP32 sums.
              const double slack = magnitude * 1e-5;
              ASSERT_LE(std::fabs(actual[lane] - numbers[lane]), tests::format_bound(numbers, lane) + slack) << layer.text();
            }
          }
        }
      }
    }
  }
}

TEST(ConvAct, MoreChannelsThanAnInstructionTakes) {
  Dram dram(64U << 20);
  std::mt19937 random(3);
  // An instruction takes at most 64 blocks of output channels. So 65 blocks take two instructions, and 130 blocks take three. With Split,
  // 130 blocks are two halves of 65 blocks, and each half takes two instructions.
  EXPECT_EQ(expect_right(dram, {.inputs = 16, .outputs = 1024, .kernel = 1, .padding = 0}, random), 1U);
  EXPECT_EQ(expect_right(dram, {.inputs = 16, .outputs = 1025, .kernel = 1, .padding = 0}, random), 2U);
  EXPECT_EQ(expect_right(dram, {.inputs = 20, .outputs = 2080, .height = 3, .width = 3}, random), 3U);
  EXPECT_EQ(
      expect_right(dram, {.inputs = 20, .outputs = 2080, .height = 3, .width = 3, .activation = Activation::SiLU, .split = true}, random),
      4U);
  EXPECT_EQ(expect_right(dram, {.inputs = 20, .outputs = 1024, .height = 3, .width = 3, .split = true}, random), 1U);
  // An instruction takes at most 64 blocks of input channels. Each further 64 blocks take two more instructions: a convolution and an
  // addition of the sums. SiLU takes another two.
  EXPECT_EQ(expect_right(dram, {.inputs = 1024, .outputs = 16}, random), 1U);
  EXPECT_EQ(expect_right(dram, {.inputs = 1025, .outputs = 16}, random), 3U);
  EXPECT_EQ(expect_right(dram, {.inputs = 1040, .outputs = 40, .activation = Activation::SiLU}, random, true), 5U);
  EXPECT_EQ(expect_right(dram, {.inputs = 2080, .outputs = 33, .stride = 2}, random), 5U);
  EXPECT_EQ(expect_right(dram, {.inputs = 2048, .outputs = 32, .kernel = 1, .padding = 0, .split = true}, random), 6U);
  // ReLU takes four more instructions. One makes zeros, two copy the sums and the zeros into the windows of a POOL, and this POOL takes the
  // maxima.
  EXPECT_EQ(expect_right(dram, {.inputs = 1040, .outputs = 40, .activation = Activation::ReLU}, random, true), 7U);
  EXPECT_EQ(expect_right(dram, {.inputs = 1040, .outputs = 1040, .height = 2, .width = 2, .activation = Activation::ReLU}, random), 14U);
  // ReLU takes at most 8,192 blocks at a time through its scratch memory, in maps of 512 blocks. The first call has one block more. The
  // second call has 448 more, which do not fill the last map.
  expect_right(dram, {.inputs = 1040, .outputs = 16, .height = 3, .width = 2731, .kernel = 1, .padding = 0, .activation = Activation::ReLU},
               random);
  expect_right(dram, {.inputs = 1040, .outputs = 16, .height = 96, .width = 90, .kernel = 1, .padding = 0, .activation = Activation::ReLU},
               random, true);
}

TEST(ConvAct, MapsHigherAndWiderThanAnInstructionTakes) {
  Dram dram(64U << 20);
  std::mt19937 random(4);
  for (const std::uint32_t kernel : {1U, 3U}) {
    for (const std::uint32_t stride : {1U, 2U}) {
      for (const std::uint32_t padding : {0U, 1U}) {
        expect_right(dram,
                     {.inputs = 16, .outputs = 16, .height = 1025, .width = 5, .kernel = kernel, .stride = stride, .padding = padding},
                     random);
        expect_right(dram,
                     {.inputs = 3,
                      .outputs = 17,
                      .height = 3,
                      .width = 2100,
                      .kernel = kernel,
                      .stride = stride,
                      .padding = padding,
                      .activation = Activation::SiLU},
                     random, true);
      }
    }
  }
  expect_right(dram, {.inputs = 3, .outputs = 32, .height = 1030, .width = 7, .stride = 2, .activation = Activation::ReLU, .split = true},
               random);
  expect_right(dram, {.inputs = 1025, .outputs = 16, .height = 1, .width = 1030, .kernel = 1, .padding = 0, .activation = Activation::ReLU},
               random);
  // Height and width are too large for one instruction, so the kernel cuts the map along both.
  expect_right(dram, {.inputs = 3, .outputs = 3, .height = 1025, .width = 1026, .kernel = 1, .stride = 2, .padding = 0}, random);
  EXPECT_EQ(expect_right(dram, {.inputs = 16, .outputs = 16, .height = 1024, .width = 3}, random), 1U);
}

/// An instruction pads by at most 1 row and column on each side. For more padding, the kernel copies the map into scratch memory with zeros
/// around it.
TEST(ConvAct, MorePaddingThanAnInstructionTakes) {
  Dram dram(256U << 20);
  std::mt19937 random(7);
  for (const std::uint32_t kernel : {1U, 3U}) {
    for (const std::uint32_t stride : {1U, 2U}) {
      for (const std::uint32_t padding : {2U, 3U}) {
        for (const Activation activation : {Activation::None, Activation::SiLU, Activation::ReLU}) {
          const Layer layer{.inputs = 33,
                            .outputs = 64,
                            .height = 5,
                            .width = 7,
                            .kernel = kernel,
                            .stride = stride,
                            .padding = padding,
                            .activation = activation,
                            .split = stride == 2};
          // 2 instructions make a block of zeros. 1 copies it all over the padded map. 3 copy the three channel blocks into the map. 1 is
          // the convolution.
          ASSERT_EQ(expect_right(dram, layer, random), 7U);
          expect_right(dram, layer, random, true);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
  // A map of one pixel: some windows lie completely in the padding.
  expect_right(dram, {.inputs = 1, .outputs = 1, .height = 1, .width = 1, .padding = 3}, random);
  // Padding together with partial sums, with groups of output channels, and with a map that is too wide only because of its padding.
  expect_right(dram, {.inputs = 1040, .outputs = 20, .height = 2, .width = 3, .padding = 2, .activation = Activation::ReLU}, random, true);
  expect_right(dram, {.inputs = 20, .outputs = 1040, .height = 2, .width = 2, .padding = 3, .activation = Activation::SiLU}, random);
  expect_right(dram, {.inputs = 16, .outputs = 16, .height = 2, .width = 1023, .padding = 2}, random);
  expect_right(dram, {.inputs = 16, .outputs = 16, .height = 1100, .width = 250, .padding = 3}, random);
}

/// Tensors in different regions of 16 MiB, and one that crosses from one region to the next.
TEST(ConvAct, RegionsOf16MiB) {
  Dram dram(100U << 20);
  std::mt19937 random(5);
  Placed placed = place(dram, {.inputs = 32, .outputs = 64, .height = 20, .width = 20, .split = true}, random);
  const std::uint64_t boundary = (dram.base() >> 24) + 1;
  placed.call.output.address = ((boundary + 1) << 24) - 1000;
  placed.call.split_output.address = ((boundary + 3) << 24) - 2;
  ASSERT_TRUE(conv_act(dram.stream(), placed.call).ok());
  EXPECT_EQ(dram.stream().bases().size(), 3U);
  dram.run();
  EXPECT_TRUE(output_of(dram, placed.call) == reference(placed));
}

Status flush_dram(void *owner, Stream &) {
  static_cast<Dram *>(owner)->run();
  return {};
}

TEST(ConvAct, AStreamThatIsTooSmallIsFlushed) {
  Dram dram(16U << 20, 128);
  std::mt19937 random(6);
  dram.stream().set_flush(flush_dram, &dram);
  expect_right(dram, {.inputs = 1040, .outputs = 16, .height = 1, .width = 1300, .kernel = 1, .padding = 0, .activation = Activation::SiLU},
               random);
}

class ConvActRefusals : public testing::Test {
 protected:
  static constexpr std::uint64_t kDram = 0x6000'0000, kReadOnly = 0x7000'0000;
  tests::RefusingStream stream{{.base = kDram, .bytes = 0x100'0000, .read = true, .write = true},
                               {.base = kReadOnly, .bytes = 0x100'0000, .read = true, .write = false}};

  /// A convolution that needs one instruction.
  static ConvActArguments small() {
    ConvActArguments call;
    call.input = {kDram, 32, 8, 8};
    call.weights = kReadOnly;
    call.output = {kDram + 0x10'0000, 32, 8, 8};
    call.kernel = 3;
    call.padding = 1;
    return call;
  }
  /// A convolution that needs partial sums, a split output and scratch memory, and whose map does not fit one instruction.
  static ConvActArguments large() {
    ConvActArguments call;
    call.input = {kDram, 1040, 2, 1030};
    call.weights = kReadOnly;
    call.output = {kDram + 0x40'0000, 16, 2, 1030};
    call.split_output = {kDram + 0x50'0000, 16, 2, 1030};
    call.kernel = 3;
    call.padding = 1;
    call.activation = Activation::SiLU;
    call.scratch = {kDram + 0x60'0000, conv_act_scratch_bytes(call).value()};
    return call;
  }
  /// A convolution that needs zeros around the map, in scratch memory.
  static ConvActArguments wide_padding() {
    ConvActArguments call = small();
    call.padding = 3;
    call.output.height = call.output.width = 12;
    call.scratch = {kDram + 0x60'0000, conv_act_scratch_bytes(call).value()};
    return call;
  }
  template <typename Change>
  void expect(ConvActArguments call, Change change, ErrorCode code, const char *what) {
    change(call);
    stream.expect([&](Stream &to) { return conv_act(to, call); }, code, what);
  }
  template <typename Change>
  void expect_both(Change change, ErrorCode code, const char *what) {
    expect(small(), change, code, what);
    expect(large(), change, code, what);
  }
};

TEST_F(ConvActRefusals, Shapes) {
  using Call = ConvActArguments &;
  constexpr ErrorCode kArgument = ErrorCode::invalid_argument, kShape = ErrorCode::shape_mismatch;
  stream.expect_taken([](Stream &to) { return conv_act(to, small()); });
  stream.expect_taken([](Stream &to) { return conv_act(to, large()); });
  expect_both([](Call call) { call.input.channels = 0; }, kArgument, "input");
  expect_both([](Call call) { call.input.height = 0; }, kArgument, "input");
  expect_both([](Call call) { call.input.width = 0; }, kArgument, "input");
  expect_both([](Call call) { call.output.channels = 0; }, kArgument, "output");
  expect_both([](Call call) { call.output.height = 0; }, kArgument, "output");
  expect_both([](Call call) { call.output.width = 0; }, kArgument, "output");
  expect_both([](Call call) { call.kernel = 0; }, kArgument, "kernel");
  expect_both([](Call call) { call.kernel = 2; }, kArgument, "kernel");
  expect_both([](Call call) { call.kernel = 5; }, kArgument, "kernel");
  expect_both([](Call call) { call.stride = 0; }, kArgument, "stride");
  expect_both([](Call call) { call.stride = 3; }, kArgument, "stride");
  expect_both([](Call call) { call.padding = 4; }, kArgument, "padding");
  expect_both([](Call call) { call.padding = 2; }, kShape, "output");
  expect_both([](Call call) { call.activation = static_cast<Activation>(3); }, kArgument, "activation");
  expect_both([](Call call) { call.output.height += 1; }, kShape, "output");
  expect_both([](Call call) { call.output.width -= 1; }, kShape, "output");
  expect(
      small(), [](Call call) { call.input.height = 2, call.padding = 0; }, kShape, "input");
  expect(
      small(), [](Call call) { call.input.width = 2, call.padding = 0; }, kShape, "input");
  // Calls of a split convolution.
  expect(
      large(), [](Call call) { call.split_output.height = 3; }, kShape, "split_output");
  expect(
      large(), [](Call call) { call.split_output.width = 3; }, kShape, "split_output");
  expect(
      large(), [](Call call) { call.split_output.channels = 32; }, kShape, "split_output");
  expect(
      large(), [](Call call) { call.output.channels = 15; }, kArgument, "output");
  expect(
      large(), [](Call call) { call.split_output.height = 0; }, kArgument, "split_output");
  // Sizes that no window holds.
  expect_both([](Call call) { call.input.channels = 0xFFFFFFFF; }, ErrorCode::address_outside_window, "input");
  expect_both([](Call call) { call.input.channels = 0xFFFFFFF0; }, ErrorCode::address_outside_window, "input");
  expect_both([](Call call) { call.input.height = call.input.width = 0xFFFFFFFF; }, ErrorCode::address_outside_window, "input");
  ConvActArguments none = small();
  none.kernel = 2;
  EXPECT_EQ(conv_act_scratch_bytes(none).status().code(), kArgument);
  EXPECT_EQ(conv_act_scratch_bytes(small()).value(), 0U);
}

TEST_F(ConvActRefusals, Addresses) {
  using Call = ConvActArguments &;
  constexpr ErrorCode kWindow = ErrorCode::address_outside_window, kAlignment = ErrorCode::misaligned_address,
                      kOverlap = ErrorCode::tensor_overlap;
  expect_both([](Call call) { call.input.address += 1; }, kAlignment, "InOffset");
  expect_both([](Call call) { call.weights += 2; }, kAlignment, "WeightOffset");
  expect_both([](Call call) { call.output.address += 1; }, kAlignment, "OutOffset1");
  expect(
      large(), [](Call call) { call.split_output.address += 1; }, kAlignment, "OutOffset2");
  expect(
      large(), [](Call call) { call.scratch.address += 2; }, kAlignment, "scratch");
  expect_both([](Call call) { call.input.address = kDram - 2; }, kWindow, "InOffset");
  expect_both([](Call call) { call.weights = kReadOnly + 0x100'0000 - 64; }, kWindow, "WeightOffset");
  expect_both([](Call call) { call.output.address = kReadOnly + 0x80'0000; }, kWindow, "OutOffset1");
  expect(
      large(), [](Call call) { call.split_output.address = kReadOnly + 0x80'0000; }, kWindow, "OutOffset2");
  expect(
      large(), [](Call call) { call.scratch.address = kReadOnly + 0x80'0000; }, kWindow, "scratch");
  expect_both([](Call call) { call.input.address = ~std::uint64_t{1}; }, kWindow, "InOffset");
  expect_both([](Call call) { call.output.address = call.input.address + 18; }, kOverlap, "OutOffset1");
  expect_both([](Call call) { call.weights = call.output.address; }, kOverlap, "OutOffset1");
  expect(
      large(), [](Call call) { call.split_output.address = call.output.address + call.output.bytes() - 18; }, kOverlap, "OutOffset1");
  expect(
      large(), [](Call call) { call.scratch.address = call.input.address; }, kOverlap, "scratch");
  expect(
      large(), [](Call call) { call.scratch.address = call.split_output.address; }, kOverlap, "scratch");
  expect(
      large(), [](Call call) { call.scratch.address = call.output.address; }, kOverlap, "scratch");
  expect(
      large(), [](Call call) { call.weights = call.scratch.address; }, kOverlap, "scratch");
  expect(
      large(), [](Call call) { call.scratch.bytes -= 1; }, ErrorCode::no_room, "scratch");
  expect(
      large(), [](Call call) { call.scratch = {}; }, ErrorCode::no_room, "scratch");
}

TEST_F(ConvActRefusals, WidePadding) {
  using Call = ConvActArguments &;
  stream.expect_taken([](Stream &to) { return conv_act(to, wide_padding()); });
  expect(
      wide_padding(), [](Call call) { call.scratch.bytes -= 1; }, ErrorCode::no_room, "scratch");
  expect(
      wide_padding(), [](Call call) { call.scratch.address += 2; }, ErrorCode::misaligned_address, "scratch");
  expect(
      wide_padding(), [](Call call) { call.scratch.address = call.input.address; }, ErrorCode::tensor_overlap, "scratch");
  expect(
      wide_padding(), [](Call call) { call.scratch.address = kReadOnly + 0x80'0000; }, ErrorCode::address_outside_window, "scratch");
  expect(
      wide_padding(), [](Call call) { call.input.address += 1; }, ErrorCode::misaligned_address, "InOffset");
  expect(
      wide_padding(), [](Call call) { call.output.address = kReadOnly + 0x80'0000; }, ErrorCode::address_outside_window, "OutOffset1");
  expect(
      wide_padding(), [](Call call) { call.output.width = 11; }, ErrorCode::shape_mismatch, "output");
}

TEST_F(ConvActRefusals, AStreamThatIsTooSmall) {
  stream.expect_full_stream_refused([](Stream &to) { return conv_act(to, wide_padding()); });
  stream.expect_full_stream_refused([](Stream &to) { return conv_act(to, small()); });
  stream.expect_full_stream_refused([](Stream &to) { return conv_act(to, large()); });
}

}  // namespace conv_act_test
}  // namespace cox::kernels::mx
