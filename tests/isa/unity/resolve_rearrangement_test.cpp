// SPDX-License-Identifier: MIT
// resolve() of operations that give elements other places, or say where they stand.
#include <gtest/gtest.h>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_rearrangement_test {

constexpr std::int64_t kU4 = 0, kU8 = 1, kS8 = 6, kS16 = 7, kS32 = 8, kFp32 = 11;

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}

TEST(UnityResolveRearrangement, Stack) {
  const TestInstruction stack(Opcode::STACK,
                              {{"S0", 0x1000}, {"S1", 0x1800}, {"D", 0x2000}, {"FN", 2}, {"FH", 3}, {"FW", 4}, {"FC", 5}, {"UNIT", kS16}});
  constexpr std::uint64_t kOuter[] = {1, 2, 6, 24, 120};
  for (unsigned axis = 0; axis <= 4; ++axis) {
    const auto c = stack.with({{"AXIS", axis}}).as<Concatenate>();
    EXPECT_EQ(c.outer, kOuter[axis]);
    EXPECT_EQ(c.first, 120 / kOuter[axis]);
    EXPECT_EQ(c.second, c.first);
    expect_run(c.source[0], 0x1000, kS16, 120);
    expect_run(c.source[1], 0x1800, kS16, 120);
    expect_run(c.result, 0x2000, kS16, 240);
  }
  expect_refused(stack.with({{"AXIS", 5}}), "AXIS", 5, 4);
  for (const char *field : {"FN", "FH", "FW", "FC"}) expect_refused(stack.with({{field, 0}}), field, 0, 1);
  expect_error(stack.with({{"D", 0x18EE}}), ErrorCode::tensor_overlap, "D", 0x18EE, 0);
  EXPECT_TRUE(stack.with({{"D", 0x18F0}}).resolve());
}

TEST(UnityResolveRearrangement, Reverse) {
  const TestInstruction reverse(Opcode::REVERSE,
                                {{"S0", 0x1000}, {"D", 0x2000}, {"FN", 2}, {"FH", 3}, {"FW", 4}, {"FC", 5}, {"UNIT", kS8}});
  constexpr std::uint64_t kViews[][3] = {{1, 2, 60}, {2, 3, 20}, {6, 4, 5}, {24, 5, 1}};
  for (unsigned axis = 0; axis < 4; ++axis) {
    const auto r = reverse.with({{"AXIS", axis}}).as<Reverse>();
    EXPECT_EQ(r.outer, kViews[axis][0]);
    EXPECT_EQ(r.extent, kViews[axis][1]);
    EXPECT_EQ(r.inner, kViews[axis][2]);
    expect_run(r.source, 0x1000, kS8, 120);
    expect_run(r.result, 0x2000, kS8, 120);
  }
  expect_refused(reverse.with({{"AXIS", 4}}), "AXIS", 4, 3);
  expect_refused(reverse.with({{"S1", 8}}), "S1", 8, 0);
  for (const char *field : {"FN", "FH", "FW", "FC"}) expect_refused(reverse.with({{field, 0}}), field, 0, 1);
  expect_error(reverse.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
}

TEST(UnityResolveRearrangement, Tile) {
  const TestInstruction tile(Opcode::TILE,
                             {{"S", 0x1000}, {"D", 0x2000}, {"REPEAT", 255}, {"FN", 2}, {"FH", 3}, {"FW", 4}, {"FC", 5}, {"UNIT", kU4}});
  const auto t = tile.as<Tile>();
  EXPECT_EQ(t.copies, 255U);
  expect_run(t.source, 0x1000, kU4, 120);
  expect_run(t.result, 0x2000, kU4, 255 * 120);
  expect_refused(tile.with({{"REPEAT", 0}}), "REPEAT", 0, 1);
  for (const char *field : {"FN", "FH", "FW", "FC"}) expect_refused(tile.with({{field, 0}}), field, 0, 1);
  expect_error(tile.with({{"D", 0x103B}}), ErrorCode::tensor_overlap, "D", 0x103B, 0);
}

TEST(UnityResolveRearrangement, RollShiftsBothWays) {
  const TestInstruction roll(Opcode::ROLL, {{"S", 0x1000}, {"D", 0x2000}, {"FH", 5}, {"FW", 7}, {"FC", 40}, {"UNIT", kS8}});
  using Shift = std::array<std::uint32_t, 3>;
  EXPECT_EQ(roll.as<Roll>().shift, (Shift{0, 0, 0}));
  EXPECT_EQ(roll.as<Roll>().extents, (Shift{5, 7, 40}));
  // 31 is the largest shift, -32 the smallest; the shifts of lines and channels lie in two fields.
  EXPECT_EQ(roll.with({{"SHIFT_H_LO", 15}, {"SHIFT_H_HI", 1}, {"SHIFT_W", 31}, {"SHIFT_C_LO", 15}, {"SHIFT_C_HI", 1}}).as<Roll>().shift,
            (Shift{1, 3, 31}));
  EXPECT_EQ(roll.with({{"SHIFT_H_HI", 2}, {"SHIFT_W", -32}, {"SHIFT_C_HI", 2}}).as<Roll>().shift, (Shift{3, 3, 8}));
  EXPECT_EQ(roll.with({{"SHIFT_H_LO", 15}, {"SHIFT_H_HI", 3}, {"SHIFT_W", -1}, {"SHIFT_C_LO", 14}, {"SHIFT_C_HI", 3}}).as<Roll>().shift,
            (Shift{4, 6, 38}));
  expect_run(roll.as<Roll>().result, 0x2000, kS8, 5 * 7 * 40);
  for (const char *field : {"FH", "FW", "FC"}) expect_refused(roll.with({{field, 0}}), field, 0, 1);
  expect_error(roll.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
}

TEST(UnityResolveRearrangement, Where) {
  const TestInstruction where(
      Opcode::WHERE, {{"COND", 0x1000}, {"S0", 0x1800}, {"S1", 0x2000}, {"D", 0x2800}, {"LEN", 9}, {"UNIT", kS16}, {"COND_UNIT", kU8}});
  const auto w = where.as<Select>();
  expect_run(w.condition, 0x1000, kU8, 9);
  expect_run(w.source[0], 0x1800, kS16, 9);
  expect_run(w.source[1], 0x2000, kS16, 9);
  expect_run(w.result, 0x2800, kS16, 9);
  expect_refused(where.with({{"LEN", 0}}), "LEN", 0, 1);
  for (const std::int64_t source : {0x1800, 0x2000}) EXPECT_TRUE(where.with({{"D", source}}).resolve());
  expect_error(where.with({{"D", 0x1802}}), ErrorCode::tensor_overlap, "D", 0x1802, 0);
  expect_error(where.with({{"D", 0x1000}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  EXPECT_TRUE(where.with({{"D", 0x1000}, {"COND_UNIT", kS16}}).resolve());
}

TEST(UnityResolveRearrangement, ArgMaxAndArgMin) {
  for (const Opcode op : {Opcode::ARG_MAX, Opcode::ARG_MIN}) {
    const TestInstruction arg(op, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"S0_UNIT", kFp32}, {"D_UNIT", kU4}});
    const auto s = arg.as<Search>();
    EXPECT_EQ(s.op, op);
    expect_run(s.source, 0x1000, kFp32, 9);
    expect_run(s.indices, 0x2000, kU4, 1);
    EXPECT_EQ(s.values.elements, 0U);
    EXPECT_FALSE(s.saturate);
    EXPECT_TRUE(arg.with({{"SAT", 1}}).as<Search>().saturate);
    expect_refused(arg.with({{"LEN", 0}}), "LEN", 0, 1);
    expect_refused(arg.with({{"S1_UNIT", 1}}), "S1_UNIT", 1, 0);
    expect_refused(arg.with({{"S2_UNIT", 2}}), "S2_UNIT", 2, 0);
    expect_refused(arg.with({{"ROUND", 3}}), "ROUND", 3, 0);
    expect_refused(arg.with({{"LESS", 1}}), "LESS", 1, 0);
    expect_refused(arg.with({{"SCALAR1", 1}}), "SCALAR1", 1, 0);
    expect_error(arg.with({{"D", 0x1023}}), ErrorCode::tensor_overlap, "D", 0x1023, 0);
  }
}

TEST(UnityResolveRearrangement, NonZero) {
  const TestInstruction non_zero(Opcode::NON_ZERO, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"S0_UNIT", kS8}, {"D_UNIT", kS32}});
  expect_run(non_zero.as<Search>().source, 0x1000, kS8, 9);
  expect_run(non_zero.as<Search>().indices, 0x2000, kS32, 10);
  expect_refused(non_zero.with({{"D_UNIT", kS16}}), "D_UNIT", kS16, 12);
  expect_refused(non_zero.with({{"SAT", 1}}), "SAT", 1, 0);
  expect_refused(non_zero.with({{"LEN", 0x80000000}}), "LEN", 0x80000000, INT32_MAX);
}

TEST(UnityResolveRearrangement, SortAndTopK) {
  const TestInstruction sort(Opcode::ARG_SORT, {{"S", 0x1000}, {"D0", 0x2000}, {"D1", 0x3000}, {"LEN", 9}, {"UNIT", kS16}});
  expect_run(sort.as<Search>().source, 0x1000, kS16, 9);
  expect_run(sort.as<Search>().values, 0x2000, kS16, 9);
  expect_run(sort.as<Search>().indices, 0x3000, kS32, 9);
  expect_refused(sort.with({{"LEN", 0}}), "LEN", 0, 1);
  expect_refused(sort.with({{"LEN", 0x80000000}}), "LEN", 0x80000000, INT32_MAX);
  expect_error(sort.with({{"D1", 0x2010}}), ErrorCode::tensor_overlap, "D1", 0x2010, 0);
  expect_error(sort.with({{"D1", 0x2012}}), ErrorCode::misaligned_address, "D1", 0x2012, 4);
  const TestInstruction top(Opcode::TOPK, {{"S", 0x1000}, {"D0", 0x2000}, {"D1", 0x3000}, {"LEN", 9}, {"K", 4}, {"UNIT", kS16}});
  expect_run(top.as<Search>().source, 0x1000, kS16, 9);
  expect_run(top.as<Search>().values, 0x2000, kS16, 4);
  expect_run(top.as<Search>().indices, 0x3000, kS32, 4);
  EXPECT_TRUE(top.with({{"K", 9}}).resolve());
  expect_refused(top.with({{"K", 0}}), "K", 0, 1);
  expect_refused(top.with({{"K", 10}}), "K", 10, 9);
  expect_refused(top.with({{"LEN", 0}}), "LEN", 0, 1);
}

}  // namespace resolve_rearrangement_test
}  // namespace
}  // namespace cox::isa::unity
