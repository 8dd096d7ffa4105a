// SPDX-License-Identifier: MIT
// ContainerBuilder: signals, by which units wait for each other.
#include <gtest/gtest.h>

#include <vector>

#include "coxswain/kernels/unity/data.h"
#include "coxswain/kernels/unity/elementwise.h"
#include "tests/kernels/unity/unity_bench.h"

namespace cox::tests::unity::signals_test {
namespace {

using namespace kernels::unity;  // NOLINT(google-build-using-namespace)
using Elements = std::vector<std::int8_t>;

/// The bytes that the device looks at.
std::vector<std::byte> parts_of(const ContainerBuilder &builder) {
  std::vector<std::byte> bytes;
  builder.for_each_part([&](std::span<const std::byte> part) { bytes.insert(bytes.end(), part.begin(), part.end()); });
  return bytes;
}

TEST(UnitySignals, OrderUnits) {
  Bench bench({.units = 3, .instructions = 8});
  const std::uint64_t from = bench.put(Elements{7}), to = bench.put(Elements(3));
  ContainerBuilder &builder = bench.builder;
  // Unit 2 copies what units 0 and 1 write; both need several instructions.
  const unsigned ready = builder.add_signal().value();
  for (unsigned unit = 0; unit < 2; ++unit) {
    ASSERT_TRUE(builder.select_unit(unit));
    ASSERT_TRUE(fill(builder, {to + unit, 1, 1}));
    ASSERT_TRUE(repeat(builder, {from, to + unit}));
    ASSERT_TRUE(builder.give_key(ready));
  }
  ASSERT_TRUE(builder.select_unit(2));
  ASSERT_TRUE(builder.take_keys(ready, 2));
  ASSERT_TRUE(repeat(builder, {to + 1, to + 2}));
  EXPECT_EQ(builder.instructions(2), 1U);
  for (int i = 0; i < 2; ++i) {
    bench.run();
    EXPECT_EQ(Bench::get<std::int8_t>(to, 3), (Elements{7, 7, 7}));
    EXPECT_EQ(bench.keys(), 0U);
  }
}

TEST(UnitySignals, SeveralOfOneInstructionTakeIdleInstructions) {
  Bench bench({.units = 3, .instructions = 8});
  const std::uint64_t from = bench.put(Elements{9}), to = bench.put(Elements(3));
  ContainerBuilder &builder = bench.builder;
  const unsigned first = builder.add_signal().value(), second = builder.add_signal().value();
  ASSERT_TRUE(repeat(builder, {from, to}));
  ASSERT_TRUE(builder.give_key(first));
  ASSERT_TRUE(builder.give_key(second));
  EXPECT_EQ(builder.instructions(0), 2U);
  for (unsigned unit = 1; unit < 3; ++unit) {
    ASSERT_TRUE(builder.select_unit(unit));
    ASSERT_TRUE(builder.take_keys(unit == 1 ? first : second, 1));
    ASSERT_TRUE(repeat(builder, {to, to + unit}));
  }
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(to, 3), (Elements{9, 9, 9}));
  EXPECT_EQ(bench.keys(), 0U);
}

TEST(UnitySignals, AreTakenWithoutAnInstructionToo) {
  Bench bench({.units = 2, .instructions = 8});
  const std::uint64_t to = bench.put(Elements(1));
  ContainerBuilder &builder = bench.builder;
  const unsigned first = builder.add_signal().value(), second = builder.add_signal().value();
  ASSERT_TRUE(fill(builder, {to, 1, 5}));
  ASSERT_TRUE(builder.give_key(first));
  ASSERT_TRUE(builder.give_key(second));
  ASSERT_TRUE(builder.select_unit(1));
  ASSERT_TRUE(builder.take_keys(first, 1));
  ASSERT_TRUE(builder.take_keys(second, 1));
  ASSERT_TRUE(builder.finish());
  EXPECT_EQ(builder.instructions(1), 2U);
  bench.run();
  EXPECT_EQ(bench.keys(), 0U);
}

TEST(UnitySignals, StartAtZeroWhateverTheTablesHold) {
  Bench bench({.units = 2, .instructions = 8});
  const std::uint64_t to = bench.put(Elements(2));
  ContainerBuilder &builder = bench.builder;
  const unsigned signal = builder.add_signal().value();
  ASSERT_TRUE(fill(builder, {to, 1, 5}));
  ASSERT_TRUE(builder.give_key(signal));
  ASSERT_TRUE(builder.select_unit(1));
  ASSERT_TRUE(builder.take_keys(signal, 1));
  ASSERT_TRUE(repeat(builder, {to, to + 1}));
  ASSERT_TRUE(bench.machine->set_key({0, 0}, 3));
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(to, 2), (Elements{5, 5}));
  EXPECT_EQ(bench.keys(), 0U);
}

TEST(UnitySignals, AFailedKernelLeavesItsWaitToTheNextOne) {
  Bench bench({.units = 2, .instructions = 3});
  const std::uint64_t to = bench.put(Elements(4 * kMostSide));
  ContainerBuilder &builder = bench.builder;
  const unsigned signal = builder.add_signal().value();
  ASSERT_TRUE(fill(builder, {to, 1, 5}));
  ASSERT_TRUE(builder.give_key(signal));
  ASSERT_TRUE(builder.select_unit(1));
  ASSERT_TRUE(builder.take_keys(signal, 1));
  const std::vector<std::byte> before = parts_of(builder);
  // The first of three instructions, which would take the key, has room.
  const Status full = look_up(builder, {to, to, to + kMostSide, 2 * kMostSide + 1});
  EXPECT_STREQ(full.what(), "instructions");
  EXPECT_EQ(parts_of(builder), before);
  ASSERT_TRUE(repeat(builder, {to, to + 1}));
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(to, 2), (Elements{5, 5}));
  EXPECT_EQ(bench.keys(), 0U);
}

TEST(UnitySignals, AreRefusedByName) {
  Bench bench({.units = 2, .instructions = 8, .signals = 2});
  ContainerBuilder &builder = bench.builder;
  EXPECT_STREQ(builder.select_unit(2).what(), "unit");
  EXPECT_STREQ(builder.give_key(0).what(), "signal");
  EXPECT_STREQ(builder.take_keys(0, 1).what(), "signal");
  EXPECT_EQ(builder.add_signal().value(), 0U);
  EXPECT_STREQ(builder.take_keys(0, 0).what(), "keys");
  EXPECT_EQ(builder.take_keys(0, isa::unity::kMostKeys + 1).limit(), isa::unity::kMostKeys);
  EXPECT_EQ(builder.add_signal().value(), 1U);
  const Status full = builder.add_signal().status();
  EXPECT_EQ(full.code(), ErrorCode::no_room);
  EXPECT_STREQ(full.what(), "signals");
  EXPECT_EQ(full.limit(), 2);
  builder.clear();
  EXPECT_EQ(builder.add_signal().value(), 0U);
  alignas(64) std::byte memory[4096];
  ContainerBuilder other;
  EXPECT_EQ(other.add_signal().status().code(), ErrorCode::not_ready);
  EXPECT_STREQ(other.init(memory, {}, {.units = 2, .instructions = 8, .signals = ContainerBuilder::kMostSignals + 1}).what(), "signals");
  ASSERT_TRUE(other.init(memory, {}, {.instructions = 8}));
  EXPECT_EQ(other.add_signal().status().limit(), 0);  // with one unit there is nothing to wait for
}

}  // namespace
}  // namespace cox::tests::unity::signals_test
