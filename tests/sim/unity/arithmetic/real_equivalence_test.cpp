// SPDX-License-Identifier: MIT
// The fast path on FP32, and moves, give the reference's bits with every set of kernels that this host can run.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "tests/sim/unity/arithmetic/random_operands.h"

namespace cox::test::unity_real_equivalence_test {
namespace {

using namespace isa::unity;  // the operations
using model::unity::Kernels;
using unity_operands::Bytes;
using unity_operands::Random;
using unity_operands::set_dense;
using unity_operands::set_result_size;

/// Memory whose operands lie where they are, so that a result can be a source, and addresses need not be aligned for vectors.
class PlainMemory final : public model::unity::Memory {
 public:
  explicit PlainMemory(const Bytes &bytes) : bytes_(bytes.all()) {}
  const std::byte *read(std::uint64_t address, std::uint64_t /*bytes*/) override { return &bytes_[address - TestMemory::kBase]; }
  std::byte *write(std::uint64_t address, std::uint64_t /*bytes*/) override { return &bytes_[address - TestMemory::kBase]; }
  [[nodiscard]] const std::vector<std::byte> &finish() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

/// The bits of an FP32 number: an edge, any bits, or a number of a usual size.
std::uint32_t random_float(Random &random) {
  switch (random(0, 3)) {
    case 0:
      return random.one_of<std::uint32_t>({0,          0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC12345, 0x7F800001,
                                           1,          0x80000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xFF7FFFFF, 0x3F800000,
                                           0xBF800000, 0x3F000000, 0x40200000, 0xC2AEAC50, 0x42B17218, 0xC2CFF1B5, 0x41102CB3,
                                           0x3D800000, 0x40C00000, 0x42FF0000, 0x437F8000});
    case 1: return static_cast<std::uint32_t>(random(0, 0xFFFFFFFF));
    case 2: return std::bit_cast<std::uint32_t>(static_cast<float>(random(-600, 600)) / 4);  // halves and quarters
    default: return std::bit_cast<std::uint32_t>(static_cast<float>(random(-8000000, 8000000)) / 1e6F);
  }
}

/// Elements that begin at any multiple of their size. `usual`: no Inf, no NaN.
Run random_floats(Random &random, Bytes &bytes, std::uint64_t elements, bool usual = false) {
  const std::uint64_t address = bytes.reserve((elements + 16) * 4) + 4 * static_cast<std::uint64_t>(random(0, 15));
  for (std::uint64_t i = 0; i < elements; ++i) {
    const std::uint32_t number =
        usual ? std::bit_cast<std::uint32_t>(static_cast<float>(random(-8000000, 8000000)) / 1e6F) : random_float(random);
    bytes.set(address + 4 * i, number);
  }
  return {address, Unit::fp32, elements};
}
/// Numbers whose sum depends on the order: a few large ones, which often cancel.
Run cancelling_floats(Random &random, Bytes &bytes, std::uint64_t elements) {
  const Run run = random_floats(random, bytes, elements, true);
  for (std::uint64_t i = 0; i < elements; ++i) {
    if (random(0, 7) == 0) bytes.set(run.address + 4 * i, std::bit_cast<std::uint32_t>(random.one_of({0x1p60F, -0x1p60F})));
  }
  return run;
}
Run result_of(Random &random, Bytes &bytes, Unit unit, std::uint64_t elements) {
  const std::uint64_t size = nibbles_of(unit) / 2;
  return {bytes.reserve((elements + 16) * size) + size * static_cast<std::uint64_t>(random(0, 15)), unit, elements};
}
std::uint64_t random_count(Random &random) { return random.size(random.one_of<std::uint32_t>({3, 40, 40, 300})); }

/// Compares `fast`, a function of memory and kernels, with the reference, a function of memory.
template <typename Reference, typename Fast>
void expect_same(const Bytes &bytes, Reference reference, Fast fast, const std::string &what) {
  TestMemory expected_memory = bytes.memory();
  reference(expected_memory);
  const std::vector<std::byte> expected = expected_memory.finish();
  for (const Kernels *kernels : model::unity::fast::supported_kernels()) {
    PlainMemory memory(bytes);
    ASSERT_TRUE(fast(memory, *kernels)) << what;
    ASSERT_TRUE(memory.finish() == expected) << what << ", " << kernels->name;
  }
}

std::string named(int number, Opcode op) { return std::to_string(number) + ", operation " + std::to_string(static_cast<int>(op)); }

constexpr std::size_t kBytes = std::size_t{1} << 15;

TEST(UnityRealEquivalence, Elements) {
  Random random(11);
  for (int number = 0; number < 1500; ++number) {
    Bytes bytes(random, kBytes);
    Elementwise operation;
    const bool pair = random(0, 1) == 0;
    operation.op = pair ? random.one_of({Opcode::ADD, Opcode::SUB, Opcode::MUL, Opcode::DIV, Opcode::MAX, Opcode::MIN})
                        : random.one_of({Opcode::ABS, Opcode::SQRT, Opcode::RECIPROCAL, Opcode::EXP, Opcode::TANH});
    const std::uint64_t count = random_count(random);
    operation.source[0] = random_floats(random, bytes, count);
    if (pair) {
      operation.sources = 2;
      operation.scalar_second = random(0, 2) == 0;
      operation.source[1] = random_floats(random, bytes, operation.scalar_second ? 1 : count);
    }
    operation.result = random(0, 2) == 0 ? operation.source[0] : result_of(random, bytes, Unit::fp32, count);
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::elementwise(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::real_elementwise(operation, memory, kernels); },
        named(number, operation.op));
  }
}

TEST(UnityRealEquivalence, Conversions) {
  Random random(12);
  for (int number = 0; number < 400; ++number) {
    Bytes bytes(random, kBytes);
    const std::uint64_t count = random_count(random);
    Elementwise operation{.op = Opcode::DATA_CONVERT};
    operation.source[0] = random_floats(random, bytes, count);
    operation.result = result_of(random, bytes, random.one_of({Unit::s8, Unit::u8, Unit::s16, Unit::u16}), count);
    operation.rounding = static_cast<Rounding>(random(0, 3));
    operation.saturate = random(0, 1) == 0;
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::elementwise(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::real_elementwise(operation, memory, kernels); },
        std::to_string(number));
  }
}

TEST(UnityRealEquivalence, Activations) {
  Random random(13);
  for (int number = 0; number < 600; ++number) {
    Bytes bytes(random, kBytes);
    const std::uint64_t count = random_count(random);
    Activation operation{.op = random.one_of({Opcode::RELU, Opcode::RELU6, Opcode::SIGMOID, Opcode::AI_TANH})};
    operation.source = random_floats(random, bytes, count);
    if (operation.op == Opcode::RELU)
      operation.source.unit = random.one_of({Unit::fp32, Unit::s8, Unit::u8, Unit::s16, Unit::u16, Unit::s32, Unit::u32});
    operation.result = random(0, 2) == 0 ? operation.source : result_of(random, bytes, operation.source.unit, count);
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::activation(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::activation(operation, memory, kernels); },
        named(number, operation.op));
  }
}

/// Numbers that exponents of all sizes reach, in small steps.
TEST(UnityRealEquivalence, FunctionsOverTheWholeRange) {
  Random random(14);
  for (const Opcode op : {Opcode::SIGMOID, Opcode::AI_TANH}) {
    Bytes bytes(random, std::size_t{1} << 18);
    constexpr std::uint64_t kCount = 25000;
    Activation operation{.op = op, .source = {bytes.reserve(4 * kCount), Unit::fp32, kCount}};
    for (std::uint32_t i = 0; i < kCount; ++i) bytes.set(operation.source.address + 4 * i, i * 171799);
    operation.result = {bytes.reserve(4 * kCount), Unit::fp32, kCount};
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::activation(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::activation(operation, memory, kernels); }, named(0, op));
    const Elementwise exponential{.op = Opcode::EXP, .source = {operation.source}, .result = operation.result};
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::elementwise(exponential, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::real_elementwise(exponential, memory, kernels); }, "EXP");
  }
}

TEST(UnityRealEquivalence, Reductions) {
  Random random(15);
  unsigned fast = 0;
  for (int number = 0; number < 900; ++number) {
    Bytes bytes(random, std::size_t{1} << 18);
    Reduction operation{.op = random.one_of({Opcode::REDUCE_SUM, Opcode::REDUCE_MEAN, Opcode::REDUCE_MAX, Opcode::REDUCE_MIN})};
    operation.height = random.size(random(0, 2) == 0 ? 1 : 7);
    operation.width = random.size(random.one_of<std::uint32_t>({1, 11, 45}));
    operation.channels = random.size(random.one_of<std::uint32_t>({1, 5, 40, 80}));
    operation.over_height = random(0, 1) == 0;
    operation.over_width = random(0, 1) == 0;
    operation.over_channels = random(0, 1) == 0;
    const std::uint64_t count = std::uint64_t{operation.height} * operation.width * operation.channels;
    const std::uint64_t results = count / ((operation.over_height ? operation.height : 1) * (operation.over_width ? operation.width : 1) *
                                           (operation.over_channels ? operation.channels : 1));
    operation.source = random(0, 2) == 0 ? cancelling_floats(random, bytes, count) : random_floats(random, bytes, count, random(0, 1) == 0);
    if (random(0, 2) == 0) operation.source.unit = random.one_of({Unit::s8, Unit::u8, Unit::s16, Unit::u16, Unit::s32, Unit::u32});
    operation.result = result_of(random, bytes, operation.source.unit, results);
    operation.saturate = random(0, 1) == 0;
    operation.rounding = static_cast<Rounding>(random(0, 3));
    PlainMemory probe(bytes);
    if (!model::unity::fast::reduction(operation, probe, model::unity::fast::best_kernels())) continue;
    ++fast;
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::reduction(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::reduction(operation, memory, kernels); },
        named(number, operation.op));
  }
  EXPECT_GT(fast, 600U);
}

TEST(UnityRealEquivalence, Softmax) {
  Random random(16);
  for (int number = 0; number < 200; ++number) {
    Bytes bytes(random, std::size_t{1} << 16);
    Softmax operation{.op = Opcode::SOFTMAX, .outer = random.size(5), .extent = random_count(random)};
    const std::uint64_t count = operation.outer * operation.extent;
    operation.source = random_floats(random, bytes, count, random(0, 3) != 0);
    operation.result = result_of(random, bytes, Unit::fp32, count);
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::softmax(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::softmax(operation, memory, kernels); },
        std::to_string(number));
  }
}

TEST(UnityRealEquivalence, LayerNorm) {
  Random random(17);
  for (int number = 0; number < 200; ++number) {
    Bytes bytes(random, std::size_t{1} << 16);
    Norm operation{.op = Opcode::LAYER_NORM, .batches = random.size(3), .spatial = random.size(3), .channels = random_count(random)};
    const std::uint64_t count = operation.batches * operation.spatial * operation.channels;
    const bool usual = random(0, 3) != 0;
    operation.source = random(0, 2) == 0 ? cancelling_floats(random, bytes, count) : random_floats(random, bytes, count, usual);
    if (random(0, 1) == 0) operation.weight = random_floats(random, bytes, operation.channels, usual);
    if (random(0, 1) == 0) operation.bias = random_floats(random, bytes, operation.channels, usual);
    operation.result = result_of(random, bytes, Unit::fp32, count);
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::norm(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::norm(operation, memory, kernels); }, std::to_string(number));
  }
}

TEST(UnityRealEquivalence, Transposes) {
  Random random(18);
  for (int number = 0; number < 300; ++number) {
    Bytes bytes(random, std::size_t{1} << 16);
    Transpose operation;
    std::uint64_t count = 1;
    for (std::uint32_t &extent : operation.extents) count *= extent = random.size(random(0, 2) == 0 ? 1 : number % 3 == 0 ? 37 : 6);
    if (count > 3000) continue;
    operation.order = {0, 1, 2, 3};
    for (unsigned i = 3; i > 0; --i) std::swap(operation.order[i], operation.order[random.size(i + 1) - 1]);
    const Unit unit = random.one_of({Unit::s8, Unit::fp16, Unit::fp32, Unit::s64});
    operation.source = result_of(random, bytes, unit, count);
    operation.result = result_of(random, bytes, unit, count);
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::transpose(operation, memory); },
        [&](auto &memory, const Kernels & /*kernels*/) { return model::unity::fast::transpose(operation, memory); },
        std::to_string(number));
  }
}

// --- Convolutions ---

/// A map of floats, dense.
void place_map(Random &random, Bytes &bytes, FeatureMap &map, bool planes, bool usual) {
  set_dense(map, planes);
  const std::uint64_t elements = std::uint64_t{map.height} * map.width * map.channels;
  map.address = map.unit == Unit::fp32 ? random_floats(random, bytes, elements, usual).address
                                       : result_of(random, bytes, map.unit, elements).address;  // any bits
}

Parameter random_parameter(Random &random, Bytes &bytes, Unit unit, std::uint32_t channels) {
  if (random(0, 1) == 0) return {.unit = unit, .value = random_float(random) & (unit == Unit::fp16 ? 0xFFFF : 0xFFFFFFFF)};
  return {.immediate = false, .unit = unit, .address = result_of(random, bytes, unit, channels).address, .channel = nibbles_of(unit)};
}

Convolution random_convolution(Random &random, Bytes &bytes) {
  Convolution c{.op = Opcode::UDEF_CONV};
  const bool planes = random(0, 3) == 0, usual = random(0, 3) != 0;
  const auto unit = [&] { return random.one_of({Unit::fp16, Unit::fp32, Unit::fp32}); };
  c.plain = random(0, 1) == 0;
  c.source.unit = unit();
  c.kernel.unit = unit();
  c.result.unit = c.plain ? Unit::fp32 : random.one_of({Unit::fp16, Unit::fp32, Unit::s8});
  c.groups = random.one_of({1U, 1U, 2U});
  c.kernel.number = c.groups * (7 + random.size(40));
  c.kernel.channels = random.size(random(0, 2) == 0 ? 60 : 5);
  c.kernel.height = random.size(3);
  c.kernel.width = random.size(3);
  c.rate_vertical = random.size(2);
  c.rate_horizontal = random.size(2);
  c.stride_vertical = random.size(2);
  c.stride_horizontal = random.size(2);
  c.enlarge_vertical = random.one_of({1U, 1U, 2U});
  c.enlarge_horizontal = random.one_of({1U, 1U, 3U});
  for (std::uint32_t *pad : {&c.top, &c.bottom, &c.left, &c.right}) *pad = random.size(3) - 1;
  c.source.channels = c.groups * c.kernel.channels;
  c.source.height = random.size(4) + c.kernel.height * c.rate_vertical;
  c.source.width = random.size(4) + c.kernel.width * c.rate_horizontal;
  place_map(random, bytes, c.source, planes, usual);
  set_result_size(c);
  place_map(random, bytes, c.result, planes, usual);
  FeatureMap weights{
      .unit = c.kernel.unit, .height = c.kernel.number, .width = c.kernel.height * c.kernel.width, .channels = c.kernel.channels};
  place_map(random, bytes, weights, false, usual);
  c.kernel.address = weights.address;
  c.kernel.channel = weights.channel;
  c.kernel.column = weights.column;
  c.kernel.row = c.kernel.width * weights.column;
  c.kernel.number_step = weights.row;
  c.padding = random_parameter(random, bytes, c.source.unit, c.source.channels);
  if (c.plain) return c;
  c.has_multiplier = random(0, 1) == 0;
  c.bias = random_parameter(random, bytes, unit(), c.result.channels);
  c.multiplier = random_parameter(random, bytes, unit(), c.result.channels);
  c.shift.unit = Unit::s8;
  c.scale = random_parameter(random, bytes, unit(), c.result.channels);
  if (random(0, 1) == 0) c.clip = {.on = true, .minimum = -20, .maximum = 90, .float_minimum = -20, .float_maximum = 90};
  return c;
}

TEST(UnityRealEquivalence, Convolutions) {
  Random random(19);
  for (int number = 0; number < 150; ++number) {
    Bytes bytes(random);
    const Convolution operation = random_convolution(random, bytes);
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::convolution(operation, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::real_convolution(operation, memory, kernels); },
        std::to_string(number));
  }
}

/// Rows that are read where they lie, and rows that are too few or too far apart for it.
TEST(UnityRealEquivalence, MatrixProducts) {
  Random random(21);
  for (int number = 0; number < 60; ++number) {
    Bytes bytes(random, std::size_t{1} << 20);
    Convolution c{.op = Opcode::MATRIX_MUL};
    c.plain = true;
    c.source.unit = c.kernel.unit = c.result.unit = c.padding.unit = Unit::fp32;
    c.groups = random.one_of({1U, 1U, 2U});
    c.kernel.channels = random.one_of({5U, 32U, 33U, 100U, 1024U}) / c.groups;
    c.kernel.number = c.groups * (8 + random.size(70));
    c.source.channels = c.groups * c.kernel.channels;
    c.source.height = random.size(2);
    c.source.width = random.size(30);
    place_map(random, bytes, c.source, false, number % 3 != 0);
    c.result.height = c.source.height;
    c.result.width = c.source.width;
    c.result.channels = c.kernel.number;
    place_map(random, bytes, c.result, false, true);
    FeatureMap weights{.unit = Unit::fp32, .width = c.kernel.number, .channels = c.kernel.channels};
    place_map(random, bytes, weights, false, number % 3 != 0);
    c.kernel.address = weights.address;
    c.kernel.channel = weights.channel;
    c.kernel.row = c.kernel.column = c.kernel.number_step = weights.column;
    expect_same(
        bytes, [&](auto &memory) { model::unity::reference::convolution(c, memory); },
        [&](auto &memory, const Kernels &kernels) { return model::unity::fast::real_convolution(c, memory, kernels); },
        std::to_string(number));
  }
}

TEST(UnityRealEquivalence, OtherUnitsAreLeftToTheReference) {
  Random random(20);
  Bytes bytes(random);
  const Kernels &kernels = model::unity::fast::best_kernels();
  Convolution operation = random_convolution(random, bytes);
  while (operation.plain) operation = random_convolution(random, bytes);
  operation.has_multiplier = true;
  const auto is_done = [&](auto change) {
    Convolution changed = operation;
    change(changed);
    PlainMemory memory(bytes);
    return model::unity::fast::real_convolution(changed, memory, kernels);
  };
  EXPECT_TRUE(is_done([](Convolution &) {}));
  EXPECT_FALSE(is_done([](Convolution &c) { c.source.unit = Unit::fp64; }));
  EXPECT_FALSE(is_done([](Convolution &c) { c.source.unit = Unit::s8; }));
  EXPECT_FALSE(is_done([](Convolution &c) { c.kernel.unit = Unit::fp64; }));
  EXPECT_FALSE(is_done([](Convolution &c) { c.result.unit = Unit::fp64; }));
  EXPECT_FALSE(is_done([](Convolution &c) { c.bias.unit = Unit::fp64; }));
  EXPECT_FALSE(is_done([](Convolution &c) { c.multiplier.unit = Unit::fp64; }));
  EXPECT_FALSE(is_done([](Convolution &c) { c.scale.unit = Unit::fp64; }));
  EXPECT_FALSE(is_done([](Convolution &c) { c.groups = c.kernel.number; }));
  PlainMemory memory(bytes);
  const isa::unity::Run halves{TestMemory::kBase, Unit::fp16, 4}, floats{TestMemory::kBase + 64, Unit::fp32, 4};
  using namespace model::unity;
  EXPECT_FALSE(fast::real_elementwise({.op = Opcode::EXP, .source = {halves}, .result = floats}, memory, kernels));
  EXPECT_FALSE(fast::real_elementwise({.op = Opcode::SIN, .source = {floats}, .result = floats}, memory, kernels));
  EXPECT_FALSE(fast::activation({.op = Opcode::SIGMOID, .source = halves, .result = halves}, memory, kernels));
  EXPECT_FALSE(fast::softmax({.op = Opcode::SOFTMAX, .source = halves, .result = halves, .extent = 4}, memory, kernels));
  EXPECT_FALSE(fast::softmax({.op = Opcode::LOGSOFTMAX, .source = floats, .result = floats, .extent = 4}, memory, kernels));
  EXPECT_FALSE(fast::softmax({.op = Opcode::SOFTMAX, .source = floats, .result = floats, .extent = 2, .inner = 2}, memory, kernels));
  EXPECT_FALSE(fast::norm({.op = Opcode::L2_NORM, .source = floats, .result = floats, .channels = 4}, memory, kernels));
  const Norm planes{.op = Opcode::LAYER_NORM, .source = floats, .result = floats, .spatial = 2, .channels = 2, .channels_last = false};
  EXPECT_FALSE(fast::norm(planes, memory, kernels));
}

}  // namespace
}  // namespace cox::test::unity_real_equivalence_test
