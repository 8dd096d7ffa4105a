// SPDX-License-Identifier: MIT
// ContainerBuilder: containers of several groups and units, refusals that leave the container as it was, operands that move.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "coxswain/kernels/unity/data.h"
#include "coxswain/kernels/unity/elementwise.h"
#include "tests/kernels/unity/unity_bench.h"

namespace cox::tests::unity::builder_test {
namespace {

using namespace kernels::unity;  // NOLINT(google-build-using-namespace)
using Bytes = std::vector<std::int8_t>;

std::vector<std::byte> copy_of(const ContainerBuilder &builder) { return {builder.code().begin(), builder.code().end()}; }

TEST(UnityBuilder, RunsMoreThanOneGroup) {
  constexpr unsigned kInstructions = 100;
  Bench bench({.instructions = kInstructions + 1});
  const std::uint64_t output = bench.put(Bytes(kInstructions));
  for (unsigned i = 0; i < kInstructions; ++i) {
    ASSERT_TRUE(fill(bench.builder, {output + i, 1, static_cast<std::int32_t>(i)}));
    EXPECT_TRUE(isa::unity::Container::open(bench.builder.code())) << i;
  }
  EXPECT_EQ(bench.builder.instructions(0), kInstructions);
  bench.run();
  const Bytes values = Bench::get<std::int8_t>(output, kInstructions);
  for (unsigned i = 0; i < kInstructions; ++i) EXPECT_EQ(values[i], static_cast<std::int8_t>(i));
  bench.builder.clear();
  EXPECT_EQ(bench.builder.instructions(0), 0U);
  bench.run();
}

TEST(UnityBuilder, GivesEachUnitItsProgram) {
  Bench bench({.units = 3, .instructions = 40});
  const std::uint64_t input = bench.put(Bytes{5, 6, 7}), output = bench.put(Bytes(3));
  ASSERT_TRUE(bench.builder.begin_kernel());
  for (unsigned unit = 0; unit < 3; ++unit) {
    Table<Opcode::RESHAPE> table;
    table.set<"S">(input + unit);
    table.set<"D">(output + unit);
    table.set<"LEN">(1);
    table.set<"UNIT">(code_of(Unit::s8));
    bench.builder.add(table, unit);
  }
  ASSERT_TRUE(bench.builder.end_kernel());
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(output, 3), (Bytes{5, 6, 7}));
  EXPECT_EQ(bench.machine->counters(2).instructions, 1U);
}

TEST(UnityBuilder, NamesWhatIsFull) {
  Bench bench({.instructions = 3});
  const std::uint64_t output = bench.put(Bytes(4 * kMostSide));
  ASSERT_TRUE(fill(bench.builder, {output, 1, 1}));
  const std::vector<std::byte> before = copy_of(bench.builder);
  // The first instruction of this kernel has room, the second one has not.
  const Status status = look_up(bench.builder, {output, output, output + 2 * kMostSide, kMostSide + 1});
  EXPECT_EQ(status.code(), ErrorCode::no_room);
  EXPECT_STREQ(status.what(), "instructions");
  EXPECT_EQ(status.value(), 4);
  EXPECT_EQ(status.limit(), 3);
  EXPECT_EQ(copy_of(bench.builder), before);
  ASSERT_TRUE(fill(bench.builder, {output + 1, 1, 2}));
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(output, 2), (Bytes{1, 2}));

  Bench narrow({.instructions = 8}, 1 << 16, 384);
  Status full;
  std::vector<std::byte> last;
  unsigned kernels = 0;
  for (; full && kernels < 8; ++kernels) {
    last = copy_of(narrow.builder);
    full = fill(narrow.builder, {narrow.put(Bytes(1)), 1, 1});
  }
  EXPECT_EQ(full.code(), ErrorCode::no_room);
  EXPECT_STREQ(full.what(), "stream");
  EXPECT_EQ(copy_of(narrow.builder), last);
  narrow.run();
}

TEST(UnityBuilder, TakesBackMoreThanOneGroup) {
  constexpr unsigned kInstructions = 70, kAgain = 40;
  Bench bench({.instructions = kInstructions});
  const std::uint64_t output = bench.put(Bytes(std::size_t{kInstructions} * kMostSide));
  ASSERT_TRUE(fill(bench.builder, {output, 1, 1}));
  EXPECT_STREQ(look_up(bench.builder, {output, output, output, kInstructions * kMostSide}).what(), "instructions");
  EXPECT_EQ(bench.builder.instructions(0), 1U);
  EXPECT_TRUE(isa::unity::Container::open(bench.builder.code()));
  for (unsigned i = 1; i <= kAgain; ++i) {
    ASSERT_TRUE(fill(bench.builder, {output + i, 1, 2}));
    EXPECT_TRUE(isa::unity::Container::open(bench.builder.code())) << i;
  }
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(output + kAgain, 2), (Bytes{2, 0}));
}

TEST(UnityBuilder, LeavesATableToItsCaller) {
  Bench bench;
  const std::uint64_t input = bench.put(Bytes{5, 6, 7}), output = bench.put(Bytes(3));
  ASSERT_TRUE(bench.builder.begin_kernel());
  std::uint32_t *const place = bench.builder.append<Opcode::RESHAPE>();
  ASSERT_NE(place, nullptr);
  Table<Opcode::RESHAPE> table;
  table.set<"S">(input);
  table.set<"D">(output);
  table.set<"LEN">(3);
  table.set<"UNIT">(code_of(Unit::s8));
  table.copy_to(place);
  EXPECT_EQ(bench.builder.append<Opcode::RESHAPE>(1), nullptr);
  EXPECT_EQ(bench.builder.append<Opcode::RESHAPE>(), nullptr);  // after the error
  EXPECT_STREQ(bench.builder.end_kernel().what(), "unit");
  ASSERT_TRUE(bench.builder.begin_kernel());
  std::uint32_t *const again = bench.builder.append<Opcode::RESHAPE>();
  ASSERT_EQ(again, place);
  table.copy_to(again);
  ASSERT_TRUE(bench.builder.end_kernel());
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(output, 3), (Bytes{5, 6, 7}));
}

TEST(UnityBuilder, RefusesBadMemory) {
  alignas(64) std::byte memory[4096];
  ContainerBuilder builder;
  EXPECT_EQ(builder.begin_kernel().code(), ErrorCode::not_ready);
  EXPECT_STREQ(builder.init(memory, {}, {.units = 0}).what(), "units");
  EXPECT_STREQ(builder.init(memory, {}, {.units = 9}).what(), "units");
  EXPECT_STREQ(builder.init(memory, {}, {.instructions = 0}).what(), "instructions");
  EXPECT_STREQ(builder.init(memory, {}, {.instructions = 65536}).what(), "instructions");
  EXPECT_STREQ(builder.init(std::span(memory).subspan(16), {}, {.instructions = 8}).what(), "stream address");
  const Status small = builder.init(memory, {}, {.units = 2, .instructions = 200});
  EXPECT_EQ(small.code(), ErrorCode::no_room);
  EXPECT_GT(small.value(), 2 * 200 * 16);
  EXPECT_TRUE(builder.init(memory, {}, {.units = 2, .instructions = 64}));
}

TEST(UnityBuilder, RefusesOperandsOutsideOfWindows) {
  Bench bench;
  const std::uint64_t inside = bench.put(Bytes(8)), end = bench.windows[0].base + bench.windows[0].bytes;
  const std::vector<std::byte> before = copy_of(bench.builder);
  EXPECT_STREQ(extremum(bench.builder, {true, {inside, end - 7}, inside, 8}).what(), "inputs");
  EXPECT_STREQ(extremum(bench.builder, {true, {inside, inside}, end - 7, 8}).what(), "output");
  EXPECT_EQ(look_up(bench.builder, {inside, end - 255, inside, 8}).code(), ErrorCode::address_outside_window);
  EXPECT_STREQ(look_up(bench.builder, {inside, end - 255, inside, 8}).what(), "table");
  EXPECT_EQ(copy_of(bench.builder), before);
}

TEST(UnityBuilder, MovesOperands) {
  Bench bench;
  const Bytes first = {1, -2, 3, -4}, second = {0, 1, 5, -100};
  const std::uint64_t a = bench.put(first), b = bench.put(second), fixed = bench.put(Bytes{2, 2, 2, 2});
  const std::uint64_t to_a = a + 4, to_b = b + 4;  // the same places in other bytes of the lines
  ASSERT_TRUE(extremum(bench.builder, {true, {a, fixed}, a, 4}));
  ASSERT_TRUE(extremum(bench.builder, {false, {a, b}, b, 4}));
  EXPECT_STREQ(bench.builder.move_operands(a, 4, bench.windows[0].base + bench.windows[0].bytes - 3).what(), "operands");
  ASSERT_TRUE(bench.builder.move_operands(a, 4, to_a));
  ASSERT_TRUE(bench.builder.move_operands(b, 4, to_b));
  std::memcpy(reinterpret_cast<void *>(to_a), Bytes{9, 1, -7, 4}.data(), 4);
  std::memcpy(reinterpret_cast<void *>(to_b), Bytes{5, 6, 7, 3}.data(), 4);
  bench.run();
  EXPECT_EQ(Bench::get<std::int8_t>(a, 4), first);
  EXPECT_EQ(Bench::get<std::int8_t>(b, 4), second);
  EXPECT_EQ(Bench::get<std::int8_t>(to_a, 4), (Bytes{9, 2, 2, 4}));
  EXPECT_EQ(Bench::get<std::int8_t>(to_b, 4), (Bytes{5, 2, 2, 3}));
}

}  // namespace
}  // namespace cox::tests::unity::builder_test
