// SPDX-License-Identifier: MIT
// The fast path gives the reference's bits with every set of kernels that this host can run.
#include <gtest/gtest.h>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "tests/sim/unity/arithmetic/random_operands.h"

namespace cox::test::unity_equivalence_test {
namespace {

using namespace isa::unity;  // the operations
using model::unity::Kernels;
using unity_operands::Bytes;
using unity_operands::Random;
using unity_operands::set_dense;
using unity_operands::set_result_size;

Parameter random_parameter(Random &random, Bytes &bytes, Unit unit, const FeatureMap &result, bool planes, bool per_element) {
  Parameter parameter{.unit = unit};
  const std::int64_t mode = random(0, per_element ? 2 : 1);
  if (mode == 0) {
    parameter.value = static_cast<std::uint64_t>(random(0, 255)) & (bits_of(unit) == 4 ? 15 : 255);
    return parameter;
  }
  FeatureMap values = result;
  values.unit = unit;
  set_dense(values, planes);
  parameter.immediate = false;
  parameter.address = bytes.reserve(model::unity::extent_bytes(values));
  parameter.channel = mode == 1 ? nibbles_of(unit) : values.channel;
  parameter.row = mode == 1 ? 0 : values.row;
  parameter.column = mode == 1 ? 0 : values.column;
  return parameter;
}

Convolution random_convolution(Random &random, Bytes &bytes) {
  Convolution c;
  const bool planes = random(0, 3) == 0, depthwise = random(0, 2) == 0;
  c.op = depthwise ? Opcode::DEP_CONV : Opcode::UDEF_CONV;
  c.plain = random(0, 7) == 0;
  c.source.unit = random.one_of({Unit::s8, Unit::s8, Unit::u8, Unit::s4, Unit::u4, Unit::s16});
  c.kernel.unit = random.one_of({Unit::s8, Unit::s8, Unit::u8, Unit::s4, Unit::u4, Unit::s16});
  c.result.unit = c.plain ? Unit::s32 : random.one_of({Unit::s8, Unit::s8, Unit::u8, Unit::s4, Unit::u4, Unit::s16, Unit::u16, Unit::s32});
  c.groups = depthwise ? random.size(70) : random.one_of({1U, 1U, 2U, 3U});
  c.kernel.channels = depthwise ? 1 : random.size(random(0, 3) == 0 ? 70 : 9);
  c.kernel.number = c.groups * (depthwise ? random.one_of({1U, 1U, 2U, 3U}) : random.size(20));
  c.kernel.height = random.size(4);
  c.kernel.width = random.size(4);
  c.rate_vertical = random.size(2);
  c.rate_horizontal = random.size(2);
  c.stride_vertical = random.size(3);
  c.stride_horizontal = random.size(3);
  c.enlarge_vertical = random.one_of({1U, 1U, 2U});
  c.enlarge_horizontal = random.one_of({1U, 1U, 3U});
  for (std::uint32_t *pad : {&c.top, &c.bottom, &c.left, &c.right}) *pad = random.size(4) - 1;
  if (c.kernel.unit != Unit::s16 && random(0, 1) == 0) c.kernel_zero = static_cast<std::int32_t>(random(-128, 255));
  c.source.channels = c.groups * c.kernel.channels;
  c.source.height = random.size(6) + c.kernel.height * c.rate_vertical;
  c.source.width = random.size(6) + c.kernel.width * c.rate_horizontal;
  set_dense(c.source, planes);
  c.source.address = bytes.reserve(model::unity::extent_bytes(c.source));
  set_result_size(c);
  set_dense(c.result, planes);
  c.result.address = bytes.reserve(model::unity::extent_bytes(c.result));
  const std::uint64_t size = nibbles_of(c.kernel.unit);
  if (depthwise) {
    c.kernel.number_step = size;
    c.kernel.column = c.kernel.number * size;
    c.kernel.row = c.kernel.width * c.kernel.column;
  } else {
    c.kernel.channel = size;
    c.kernel.column = c.kernel.channels * size;
    c.kernel.row = c.kernel.width * c.kernel.column;
    c.kernel.number_step = c.kernel.height * c.kernel.row;
  }
  c.kernel.address = bytes.reserve(std::uint64_t{c.kernel.number} * c.kernel.height * c.kernel.width * c.kernel.channels * 2);
  c.padding = random_parameter(random, bytes, c.source.unit, c.source, planes, false);
  if (c.plain) return c;
  // Products of s16 are too large for sums of 32 bits, in which results without a multiplier are exact.
  const bool narrow = c.source.unit != Unit::s16 || bits_of(c.kernel.unit) < 8;
  c.has_multiplier = !(narrow && c.kernel.unit != Unit::s16) || random(0, 4) != 0;
  c.bias = random_parameter(random, bytes, random.one_of({Unit::s32, Unit::s8, Unit::u16}), c.result, planes, true);
  c.multiplier = random_parameter(random, bytes, Unit::s32, c.result, planes, true);
  if (c.multiplier.immediate) c.multiplier.value = static_cast<std::uint32_t>(random(INT32_MIN, INT32_MAX));
  c.scale = random_parameter(random, bytes, random.one_of({Unit::s8, Unit::u8, Unit::s32}), c.result, planes, true);
  c.shift = random_parameter(random, bytes, Unit::s8, c.result, planes, true);
  if (c.shift.immediate) {
    c.shift.value = static_cast<std::uint8_t>(random(-31, 30));
  } else {
    FeatureMap shifts = c.result;
    shifts.unit = Unit::s8;
    const std::uint64_t count = c.shift.row == 0 ? c.result.channels : model::unity::extent_bytes((set_dense(shifts, planes), shifts));
    for (std::uint64_t i = 0; i < count; ++i) bytes.set(c.shift.address + i, static_cast<std::byte>(random(-31, 30)));
  }
  if (random(0, 1) == 0) {
    c.clip = {.on = true, .minimum = static_cast<std::int32_t>(random(-300, 100))};
    c.clip.maximum = c.clip.minimum + static_cast<std::int32_t>(random(0, 300));
  }
  return c;
}

TEST(UnityEquivalence, Convolutions) {
  Random random(1);
  for (int number = 0; number < 300; ++number) {
    Bytes bytes(random);
    const Convolution operation = random_convolution(random, bytes);
    TestMemory reference = bytes.memory();
    model::unity::reference::convolution(operation, reference);
    const std::vector<std::byte> expected = reference.finish();
    for (const Kernels *kernels : model::unity::fast::supported_kernels()) {
      TestMemory memory = bytes.memory();
      ASSERT_TRUE(model::unity::fast::convolution(operation, memory, *kernels)) << number;
      ASSERT_TRUE(memory.finish() == expected) << number << ", " << kernels->name;
    }
  }
}

TEST(UnityEquivalence, WideUnitsAndRealMultipliersAreLeftToTheReference) {
  Random random(2);
  Bytes bytes(random);
  Convolution operation = random_convolution(random, bytes);
  while (operation.plain) operation = random_convolution(random, bytes);
  const Kernels &kernels = model::unity::fast::best_kernels();
  const auto is_done = [&](const Convolution &changed) {
    TestMemory memory = bytes.memory();
    return model::unity::fast::convolution(changed, memory, kernels);
  };
  ASSERT_TRUE(is_done(operation));
  const auto with = [&](auto change) {
    Convolution changed = operation;
    change(changed);
    return is_done(changed);
  };
  EXPECT_FALSE(with([](Convolution &c) { c.source.unit = Unit::u16; }));
  EXPECT_FALSE(with([](Convolution &c) { c.kernel.unit = Unit::s32; }));
  EXPECT_FALSE(with([](Convolution &c) { c.result.unit = Unit::s64; }));
  EXPECT_FALSE(with([](Convolution &c) { c.scale.unit = Unit::u32; }));
  EXPECT_FALSE(with([](Convolution &c) { c.bias.unit = Unit::s64; }));
  EXPECT_FALSE(with([](Convolution &c) { c.multiplier.unit = Unit::fp32; }));
  EXPECT_FALSE(with([](Convolution &c) {  // sums of more than 32 bits
    c.has_multiplier = false;
    c.source.unit = c.kernel.unit = Unit::s16;
    c.kernel_zero = 0;
  }));
}

TEST(UnityEquivalence, Sums) {
  Random random(3);
  for (int number = 0; number < 600; ++number) {
    Bytes bytes(random, std::size_t{1} << 15);
    QuantisedAdd operation{.op = random.one_of({Opcode::ELE_ADD, Opcode::ELE_SUB})};
    const bool bytes_only = random(0, 1) == 0;  // the units that the kernels have
    const auto unit = [&] {
      return bytes_only ? Unit::s8 : random.one_of({Unit::u4, Unit::s4, Unit::u8, Unit::s8, Unit::u16, Unit::s16, Unit::u32, Unit::s32});
    };
    const auto run = [&](std::uint64_t elements) { return isa::unity::Run{bytes.reserve(elements * 4), unit(), elements}; };
    operation.second = {random.size(random(0, 1) == 0 ? 1 : 3), random.size(300)};
    const std::uint64_t count = operation.second.repeat * operation.second.period * (random(0, 1) == 0 ? 1 : random.size(4));
    operation.source = {run(count), run(operation.second.period)};
    operation.result = bytes_only && random(0, 3) == 0 ? operation.source[0] : run(count);
    operation.has_multiplier = random(0, 3) != 0;
    operation.multiplier = static_cast<std::uint32_t>(random(INT32_MIN, INT32_MAX));
    operation.shift = static_cast<std::int32_t>(random(-31, 30));
    operation.left_shift = random(0, 2) == 0 ? 0 : static_cast<std::uint32_t>(random(1, 31));
    for (unsigned i = 0; i < 2; ++i) {
      operation.input_zero[i] = static_cast<std::int32_t>(random(-128, 127));
      operation.input_multiplier[i] = static_cast<std::int32_t>(random(INT32_MIN, INT32_MAX));
      operation.input_shift[i] = static_cast<std::int32_t>(random(-31, 30));
    }
    operation.output_zero = static_cast<std::int32_t>(random(-128, 127));
    if (random(0, 1) == 0) operation.clip = {.on = true, .minimum = -100, .maximum = static_cast<std::int32_t>(random(-100, 300))};
    TestMemory reference = bytes.memory();
    model::unity::reference::quantised_add(operation, reference);
    const std::vector<std::byte> expected = reference.finish();
    for (const Kernels *kernels : model::unity::fast::supported_kernels()) {
      TestMemory memory = bytes.memory();
      ASSERT_TRUE(model::unity::fast::quantised_add(operation, memory, *kernels)) << number;
      ASSERT_TRUE(memory.finish() == expected) << number << ", " << kernels->name;
    }
  }
}

TEST(UnityEquivalence, ElementsInSeveralBlocks) {
  Random random(5);
  unsigned fast = 0;
  for (int number = 0; number < 1500; ++number) {
    Bytes bytes(random, std::size_t{1} << 15);
    Elementwise operation{.sources = 2};
    operation.op =
        random.one_of({Opcode::ADD, Opcode::SUB,   Opcode::MUL,          Opcode::MAX,   Opcode::MIN,  Opcode::DIV,        Opcode::SEQ,
                       Opcode::SLT, Opcode::MINSI, Opcode::MAXSI,        Opcode::SGE,   Opcode::SLE,  Opcode::SNE,        Opcode::SGT,
                       Opcode::ABS, Opcode::SIGN,  Opcode::DATA_CONVERT, Opcode::ROUND, Opcode::SQRT, Opcode::RECIPROCAL, Opcode::CLIP});
    const auto unit = [&] {
      return random.one_of(
          {Unit::u4, Unit::s4, Unit::u8, Unit::s8, Unit::u16, Unit::s16, Unit::u32, Unit::s32, Unit::fp16, Unit::fp32, Unit::fp32});
    };
    if (operation.op >= Opcode::ROUND || operation.op == Opcode::ABS || operation.op == Opcode::SIGN || operation.op == Opcode::SQRT ||
        operation.op == Opcode::RECIPROCAL) {
      operation.sources = operation.op >= Opcode::SEQ && operation.op <= Opcode::SGT ? 2 : 1;
    }
    const std::uint64_t count = random.size(random(0, 1) == 0 ? 30 : 1700);
    operation.scalar_second = operation.sources == 2 && random(0, 3) == 0;
    for (unsigned i = 0; i < operation.sources; ++i) {
      const std::uint64_t elements = i == 1 && operation.scalar_second ? 1 : count;
      operation.source[i] = {bytes.reserve(elements * 4), unit(), elements};
    }
    operation.result = {bytes.reserve(count * 4), unit(), count};
    if (bits_of(operation.result.unit) == bits_of(operation.source[0].unit) && random(0, 1) == 0) {
      operation.result.address = operation.source[0].address;
    }
    operation.saturate = random(0, 1) == 0;
    operation.rounding = static_cast<Rounding>(random(operation.op == Opcode::ROUND ? 1 : 0, 3));
    if (operation.op == Opcode::CLIP)
      operation.clip = {.on = true, .minimum = -20, .maximum = 100, .float_minimum = -2, .float_maximum = 3};
    TestMemory reference = bytes.memory(), memory = bytes.memory();
    if (!model::unity::fast::elementwise(operation, memory)) continue;
    ++fast;
    model::unity::reference::elementwise(operation, reference);
    ASSERT_TRUE(memory.finish() == reference.finish()) << number << ", operation " << static_cast<int>(operation.op);
  }
  EXPECT_GT(fast, 900U);
}

TEST(UnityEquivalence, Pools) {
  Random random(4);
  for (int number = 0; number < 200; ++number) {
    Bytes bytes(random, std::size_t{1} << 15);
    Pool operation{.op = Opcode::UDEF_POOL, .kind = random.one_of({Pool::Kind::max, Pool::Kind::average})};
    operation.source.unit = random.one_of({Unit::s8, Unit::u8});
    operation.source.channels = random.size(40);
    operation.kernel_height = random.size(4);
    operation.kernel_width = random.size(4);
    operation.stride_vertical = random.size(4);
    operation.stride_horizontal = random.size(4);
    for (std::uint32_t *pad : {&operation.top, &operation.bottom, &operation.left, &operation.right})
      *pad = random.size(8) - 1;  // whole windows
    operation.source.height = random.size(6) + operation.kernel_height;
    operation.source.width = random.size(6) + operation.kernel_width;
    operation.result = operation.source;
    operation.result.height =
        (operation.source.height + operation.top + operation.bottom - operation.kernel_height) / operation.stride_vertical + 1;
    operation.result.width =
        (operation.source.width + operation.left + operation.right - operation.kernel_width) / operation.stride_horizontal + 1;
    set_dense(operation.source, false);
    set_dense(operation.result, false);
    operation.source.address = bytes.reserve(model::unity::extent_bytes(operation.source));
    operation.result.address = bytes.reserve(model::unity::extent_bytes(operation.result));
    operation.padding = random_parameter(random, bytes, operation.source.unit, operation.source, false, false);
    TestMemory reference = bytes.memory(), memory = bytes.memory();
    model::unity::reference::pool(operation, reference);
    ASSERT_TRUE(model::unity::fast::pool(operation, memory)) << number;
    ASSERT_TRUE(memory.finish() == reference.finish()) << number;
  }
}

}  // namespace
}  // namespace cox::test::unity_equivalence_test
