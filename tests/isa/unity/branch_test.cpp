// SPDX-License-Identifier: MIT
// Branches: their tables, and which program choose() picks.
#include <gtest/gtest.h>

#include "coxswain/isa/unity/branch.h"
#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace branch_test {

constexpr std::int64_t kS32 = 8, kFp32 = 11;

TEST(UnityBranch, Resolves) {
  const auto cond = TestInstruction(Opcode::COND, {{"PRED", 0x104}, {"TRUE", 0x200}, {"FALSE", 0}, {"UNIT", kS32}}).as<Branch>();
  EXPECT_EQ(cond.predicate.address, 0x104U);
  EXPECT_EQ(cond.predicate.unit, Unit::s32);
  EXPECT_EQ(cond.predicate.elements, 1U);
  EXPECT_EQ(cond.first, 0x200U);
  EXPECT_EQ(cond.second, 0U);
  const TestInstruction loop(Opcode::WHILE_LOOP, {{"PRED", 0x104}, {"CONDITION", 0x20}, {"BODY", 0x40}, {"UNIT", 1}, {"LIMIT", 0xFFFFFFFF}},
                             AddressSpace::bits16);
  const auto turns = loop.as<Branch>();
  EXPECT_EQ(turns.predicate.address, 0x40104U);
  EXPECT_EQ(turns.first, 0x40020U);
  EXPECT_EQ(turns.second, 0x40040U);
  EXPECT_EQ(turns.limit, 0xFFFFFFFFU);
  EXPECT_EQ(turns.page, 0x40000U);
  const auto pairs =
      TestInstruction(Opcode::CASE, {{"PAIRS", 0x308}, {"DEFAULT", 0x60}, {"UNIT", kFp32}, {"N", 255}}, AddressSpace::bits64).as<Branch>();
  EXPECT_EQ(pairs.list, 0x308U);
  EXPECT_EQ(pairs.entries, 255U);
  EXPECT_EQ(pairs.first, 0x60U);
  EXPECT_EQ(pairs.predicate.elements, 0U);
  EXPECT_EQ(pairs.unit, Unit::fp32);
  const auto index = TestInstruction(Opcode::SWITCH_CASE, {{"INDEX", 0x308}, {"PROGRAMS", 0x404}, {"DEFAULT", 0}, {"UNIT", 2}, {"N", 3}});
  EXPECT_EQ(index.as<Branch>().list, 0x404U);
  EXPECT_EQ(index.as<Branch>().predicate.unit, Unit::u16);
}

TEST(UnityBranch, Errors) {
  const TestInstruction cond(Opcode::COND, {{"PRED", 0x104}, {"TRUE", 0x200}, {"UNIT", kS32}});
  expect_error(cond.with({{"PRED", 0x106}}), ErrorCode::misaligned_address, "PRED", 0x106, 4);
  expect_error(cond.with({{"TRUE", 0x210}}), ErrorCode::misaligned_address, "TRUE", 0x210, 32);
  expect_error(cond.with({{"FALSE", 0x10}}), ErrorCode::misaligned_address, "FALSE", 0x10, 32);
  expect_refused(cond.with({{"UNIT", 13}}), "UNIT", 13, 12);
  const TestInstruction pairs(Opcode::CASE, {{"PAIRS", 0x308}, {"UNIT", kS32}, {"N", 1}});
  expect_refused(pairs.with({{"N", 0}}), "N", 0, 1);
  expect_error(pairs.with({{"PAIRS", 0x306}}), ErrorCode::misaligned_address, "PAIRS", 0x306, 4);
  expect_error(pairs.with({{"DEFAULT", 0x308}}), ErrorCode::misaligned_address, "DEFAULT", 0x308, 32);
  const TestInstruction index(Opcode::SWITCH_CASE, {{"INDEX", 0x308}, {"PROGRAMS", 0x400}, {"UNIT", kS32}, {"N", 1}});
  expect_refused(index.with({{"UNIT", kFp32}}), "UNIT", kFp32, 12);
  expect_refused(index.with({{"N", 0}}), "N", 0, 1);
  expect_error(index.with({{"PROGRAMS", 0x402}}), ErrorCode::misaligned_address, "PROGRAMS", 0x402, 4);
  const TestInstruction narrow(Opcode::CASE, {{"PAIRS", 0xFFFE}, {"UNIT", kS32}, {"N", 1}}, AddressSpace::bits16);
  expect_error(narrow, ErrorCode::address_outside_window, "PAIRS", 0x4FFFE, 0);
}

TEST(UnityBranch, Truth) {
  EXPECT_FALSE(is_true(Unit::s32, 0));
  EXPECT_TRUE(is_true(Unit::s32, 0x80000000));
  EXPECT_FALSE(is_true(Unit::fp32, 0x80000000));  // -0
  EXPECT_FALSE(is_true(Unit::fp16, 0x8000));
  EXPECT_FALSE(is_true(Unit::fp64, 0x8000000000000000));
  EXPECT_TRUE(is_true(Unit::fp16, 0x7E00));  // NaN
  EXPECT_TRUE(is_true(Unit::fp32, 1));
  EXPECT_TRUE(is_true(Unit::s4, 8));
}

std::uint64_t chosen(const Branch &branch, const TestMemory &memory) {
  const Result<Choice> choice = choose(branch, memory);
  EXPECT_TRUE(choice) << choice.status().what();
  return choice ? choice.value().program : UINT64_MAX;
}

TEST(UnityBranch, CondAndWhile) {
  TestMemory memory;
  Branch branch{.op = Opcode::COND, .predicate = {0x104, Unit::u4, 1}, .unit = Unit::u4, .first = 0x200, .second = 0x220};
  memory.write(0x104, 0xF0, 1);  // the high nibble is not the predicate's
  EXPECT_EQ(chosen(branch, memory), 0x220U);
  memory.write(0x104, 0x01, 1);
  EXPECT_EQ(chosen(branch, memory), 0x200U);
  branch.op = Opcode::WHILE_LOOP;
  EXPECT_EQ(chosen(branch, memory), 0x220U);
  EXPECT_TRUE(choose(branch, memory).value().taken);
  memory.write(0x104, 0, 1);
  EXPECT_EQ(chosen(branch, memory), 0U);
  EXPECT_FALSE(choose(branch, memory).value().taken);
  branch.predicate.address = 0x10000;
  EXPECT_EQ(choose(branch, memory).status().code(), ErrorCode::address_outside_window);
  EXPECT_STREQ(choose(branch, memory).status().what(), "PRED");
}

TEST(UnityBranch, CaseTakesTheFirstTruePair) {
  for (const AddressSpace space : kAddressSpaces) {
    const unsigned bytes = address_bits(space) / 8;
    const std::uint64_t page = space == AddressSpace::bits16 ? 0x40000 : 0;
    TestMemory memory(page, 0x1000);
    Branch branch{
        .op = Opcode::CASE, .unit = Unit::u16, .list = page + 0x300, .entries = 3, .first = page + 0x60, .space = space, .page = page};
    for (unsigned i = 0; i < 3; ++i) {
      memory.write(page + 0x300 + 2 * i * bytes, 0x100 + 2 * i, bytes);
      memory.write(page + 0x300 + (2 * i + 1) * bytes, 0x20 * i, bytes);
    }
    EXPECT_EQ(chosen(branch, memory), page + 0x60);
    memory.write(page + 0x104, 0x100, 2);
    EXPECT_EQ(chosen(branch, memory), page + 0x40);
    memory.write(page + 0x102, 1, 2);
    EXPECT_EQ(chosen(branch, memory), page + 0x20);
    memory.write(page + 0x100, 0xFFFF, 2);
    EXPECT_EQ(chosen(branch, memory), 0U);  // program 0: none
    EXPECT_TRUE(choose(branch, memory).value().taken);
  }
}

TEST(UnityBranch, SwitchOutsideTakesTheDefault) {
  TestMemory memory;
  Branch branch{.op = Opcode::SWITCH_CASE,
                .predicate = {0x100, Unit::s8, 1},
                .unit = Unit::s8,
                .list = 0x300,
                .entries = 2,
                .first = 0x80,
                .space = AddressSpace::bits32};
  memory.write(0x300, 0x20, 4);
  memory.write(0x304, 0x40, 4);
  const auto at = [&](std::uint64_t bits) {
    memory.write(0x100, bits, 8);
    return chosen(branch, memory);
  };
  EXPECT_EQ(at(0), 0x20U);
  EXPECT_EQ(at(1), 0x40U);
  EXPECT_EQ(at(2), 0x80U);
  EXPECT_EQ(at(0xFF), 0x80U);  // -1
  branch.unit = Unit::u8;
  EXPECT_EQ(at(0xFF), 0x80U);
  branch.unit = Unit::u64;
  branch.predicate.unit = Unit::u64;
  EXPECT_EQ(at(UINT64_MAX), 0x80U);
  EXPECT_EQ(at(0x100000001), 0x80U);
  EXPECT_EQ(at(1), 0x40U);
}

TEST(UnityBranch, ListErrors) {
  TestMemory memory;
  Branch branch{.op = Opcode::SWITCH_CASE,
                .predicate = {0x100, Unit::u8, 1},
                .unit = Unit::u8,
                .list = 0x300,
                .entries = 2,
                .space = AddressSpace::bits32};
  memory.write(0x100, 1, 1);
  memory.write(0x304, 0x30, 4);
  Status status = choose(branch, memory).status();
  EXPECT_EQ(status.code(), ErrorCode::misaligned_address);
  EXPECT_STREQ(status.what(), "PROGRAMS");
  EXPECT_EQ(status.index(), 1);
  EXPECT_EQ(status.value(), 0x30);
  branch.list = 0xFFFC;
  EXPECT_EQ(choose(branch, memory).status().code(), ErrorCode::address_outside_window);
  Branch pairs{.op = Opcode::CASE, .unit = Unit::u32, .list = 0x400, .entries = 1, .space = AddressSpace::bits32};
  memory.write(0x400, 0x102, 4);
  status = choose(pairs, memory).status();
  EXPECT_EQ(status.code(), ErrorCode::misaligned_address);
  EXPECT_STREQ(status.what(), "PAIRS");
  EXPECT_EQ(status.limit(), 4);
  memory.write(0x400, 0x20000, 4);
  status = choose(pairs, memory).status();
  EXPECT_EQ(status.code(), ErrorCode::address_outside_window);
  EXPECT_EQ(status.value(), 0x20000);
}

}  // namespace branch_test
}  // namespace
}  // namespace cox::isa::unity
