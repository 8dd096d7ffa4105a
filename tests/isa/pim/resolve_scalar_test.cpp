// SPDX-License-Identifier: MIT
// Scalar instructions: their values, loads and stores, and special registers.
#include <gtest/gtest.h>

#include "tests/isa/pim/core.h"

namespace cox::isa::pim {
namespace resolve_scalar_test {

using build::r;

constexpr std::uint32_t kLeast = 0x80000000, kMinus1 = 0xFFFFFFFF;

struct Row {
  const char *name;
  MachineCode code;  ///< of r1 and r2 to r3
  std::uint32_t a, b, result;
};

TEST(ResolveScalar, TwoRegisters) {
  constexpr MachineCode kAdd = build::add(r(3), r(1), r(2)), kSub = build::sub(r(3), r(1), r(2)), kMul = build::mul(r(3), r(1), r(2)),
                        kDiv = build::div(r(3), r(1), r(2)), kSll = build::sll(r(3), r(1), r(2)), kSrl = build::srl(r(3), r(1), r(2)),
                        kSra = build::sra(r(3), r(1), r(2)), kMod = build::mod(r(3), r(1), r(2));
  const auto negative = [](std::uint32_t value) { return 0U - value; };
  const Row kRows[] = {
      {"add", kAdd, 7, 5, 12},
      {"add", kAdd, kMinus1, 2, 1},
      {"sub", kSub, 7, 5, 2},
      {"sub", kSub, 5, 7, negative(2)},
      {"mul", kMul, 6, 7, 42},
      {"mul", kMul, 0x10001, 0x10001, 0x20001},  // the low half
      {"mul", kMul, negative(3), 5, negative(15)},
      {"div", kDiv, 7, 2, 3},
      {"div", kDiv, negative(7), 2, negative(3)},  // towards 0
      {"div", kDiv, 7, negative(2), negative(3)},
      {"div", kDiv, negative(7), negative(2), 3},
      {"div", kDiv, 7, 0, kMinus1},
      {"div", kDiv, 0, 0, kMinus1},
      {"div", kDiv, kLeast, kMinus1, kLeast},
      {"div", kDiv, kLeast, 1, kLeast},
      {"mod", kMod, 7, 2, 1},
      {"mod", kMod, negative(7), 2, kMinus1},
      {"mod", kMod, 7, negative(2), 1},
      {"mod", kMod, 7, 0, 7},
      {"mod", kMod, kLeast, 0, kLeast},
      {"mod", kMod, kLeast, kMinus1, 0},
      {"sll", kSll, 1, 31, kLeast},
      {"sll", kSll, 3, 33, 6},  // the low five bits
      {"sll", kSll, 3, 0, 3},
      {"srl", kSrl, kLeast, 31, 1},
      {"srl", kSrl, kMinus1, 36, 0x0FFFFFFF},
      {"sra", kSra, kLeast, 31, kMinus1},
      {"sra", kSra, 0x40000000, 30, 1},
      {"sra", kSra, negative(5), kMinus1 - 30, negative(3)},  // a shift by 1
  };
  for (const Row &row : kRows) {
    TestCore core;
    core.set_general({row.a, row.b});
    const auto op = core.resolved<SetGeneral>(row.code);
    EXPECT_EQ(op.number, 3) << row.name;
    EXPECT_EQ(op.value, row.result) << row.name << " " << row.a << " " << row.b;
    EXPECT_EQ(core.accesses(op), Accesses{});
  }
}

TEST(ResolveScalar, Immediates) {
  TestCore core;
  core.set_general({100});
  const struct {
    MachineCode code;
    std::uint32_t result;
  } kRows[] = {
      {build::addi(r(0), r(1), 5), 105},
      {build::addi(r(0), r(1), -101), kMinus1},
      {build::addi(r(0), r(1), -32768), 100U - 32768U},
      {build::muli(r(0), r(1), 32767), 3276700},
      {build::muli(r(0), r(1), -2), 0U - 200U},
      {build::lui(r(0), 1), 0x10000},
      {build::lui(r(0), -1), 0xFFFF0000},
      {build::lui(r(0), -32768), kLeast},
      {build::general_li(r(0), 2097151), 2097151},
      {build::general_li(r(0), 1 << 20), 1 << 20},
  };
  for (const auto &row : kRows) {
    const auto op = core.resolved<SetGeneral>(row.code);
    EXPECT_EQ(op.number, 0);
    EXPECT_EQ(op.value, row.result) << std::hex << row.code[0];
  }
  // lui ignores rs1.
  EXPECT_EQ(core.resolved<SetGeneral>(MachineCode{0b10'01'10'00001'00000'0000000000000010}).value, 0x20000U);
}

TEST(ResolveScalar, Constants) {
  for (const std::uint32_t value :
       {0U, 1U, 2097151U, 2097152U, 0x7FFFFFFFU, 0x80000000U, 0x8000FFFFU, 0xFFFF8000U, 0xFFFFFFFFU, 0x12348765U}) {
    TestCore core;
    for (const MachineCode &code : build::constant(r(9), value)) {
      const auto op = core.resolved<SetGeneral>(code);
      core.registers.general[op.number] = op.value;
    }
    EXPECT_EQ(core.registers.general[9], value);
  }
}

TEST(ResolveScalar, SpecialRegisters) {
  TestCore core;
  core.set_general({77});
  core.set(Special::simd_output_bit_width, 55);
  const auto li = core.resolved<SetSpecial>(build::special_li(Special::bit_sparse_meta, 2097151));
  EXPECT_EQ(li.name, Special::bit_sparse_meta);
  EXPECT_EQ(li.value, 2097151U);
  const auto to = core.resolved<SetSpecial>(build::general_to_special(Special::group_input, r(1)));
  EXPECT_EQ(to.name, Special::group_input);
  EXPECT_EQ(to.value, 77U);
  const auto from = core.resolved<SetGeneral>(build::special_to_general(r(31), Special::simd_output_bit_width));
  EXPECT_EQ(from.number, 31);
  EXPECT_EQ(from.value, 55U);
}

TEST(ResolveScalar, BoundSpecialRegistersAreGeneralOnes) {
  TestCore core;
  core.configuration.bound[7] = 30;
  core.registers.general[30] = 1234;
  core.registers.special[7] = 99;
  EXPECT_EQ(core.resolved<SetGeneral>(build::special_to_general(r(1), Special::value_sparse_mask)).value, 1234U);
  core.registers.write(core.configuration, Special::value_sparse_mask, 5);
  EXPECT_EQ(core.registers.general[30], 5U);
  EXPECT_EQ(core.registers.special[7], 99U);
  core.registers.write(core.configuration, Special::bit_sparse_meta, 6);
  EXPECT_EQ(core.registers.special[8], 6U);
}

TEST(ResolveScalar, LocalLoadsAndStores) {
  TestCore core;
  core.set_general({kInput + 100});
  const auto load = core.resolved<LoadStore>(build::load_local(r(7), r(1), -98));
  EXPECT_FALSE(load.store);
  EXPECT_FALSE(load.global);
  EXPECT_EQ(load.number, 7);
  EXPECT_EQ(load.address, kInput + 2);
  EXPECT_EQ(core.accesses(load), (Accesses{"rs1 r 0x100002 4"}));
  const auto store = core.resolved<LoadStore>(build::store_local(r(8), r(1), 5));
  EXPECT_TRUE(store.store);
  EXPECT_FALSE(store.global);
  EXPECT_EQ(store.number, 8);
  EXPECT_EQ(core.accesses(store), (Accesses{"rs1 w 0x100069 4"}));
  for (const bool is_store : {false, true}) {
    const auto code = [&](std::int32_t offset) {
      return is_store ? build::store_local(r(7), r(1), offset) : build::load_local(r(7), r(1), offset);
    };
    core.registers.general[1] = kInput + 0x40000;
    EXPECT_TRUE(core.resolve(code(-4)).ok());
    core.expect_outside(code(-3), "rs1", kInput + 0x3FFFD, kInput + 0x40000);
    core.expect_outside(code(0), "rs1", kInput + 0x40000, 0);
    core.registers.general[1] = 4;
    core.expect_outside(code(0), "rs1", 4, 0);  // the array
    core.expect_outside(code(-8), "rs1", 0xFFFFFFFC, 0);
    core.registers.general[1] = kDram;
    core.expect_outside(code(0), "rs1", kDram, 0);
  }
}

TEST(ResolveScalar, GlobalLoadsAndStores) {
  TestCore core;
  core.set_general({kDram + kDramPart});
  const auto load = core.resolved<LoadStore>(build::load_global(r(7), r(1), -4));
  EXPECT_FALSE(load.store);
  EXPECT_TRUE(load.global);
  EXPECT_EQ(core.accesses(load), (Accesses{"rs1 r 0x9ffffffc 4"}));
  const auto store = core.resolved<LoadStore>(build::store_global(r(7), r(1), 0));
  EXPECT_TRUE(store.store);
  EXPECT_TRUE(store.global);
  EXPECT_EQ(core.accesses(store), (Accesses{"rs1 w 0xa0000000 4"}));
  for (const bool is_store : {false, true}) {
    const auto expect_refused = [&](std::uint32_t base, std::int32_t offset, std::int64_t limit) {
      core.registers.general[1] = base;
      const MachineCode code = is_store ? build::store_global(r(7), r(1), offset) : build::load_global(r(7), r(1), offset);
      core.expect_refused(code, ErrorCode::address_outside_window, "rs1", base + static_cast<std::uint32_t>(offset), limit);
    };
    expect_refused(kDram + kDramPart, -3, 0xA0000000);
    expect_refused(0xFFFFFFFC, 1, 0x100000000);
    expect_refused(kDram, -4, 0);
    expect_refused(kInput, 0, 0);
    expect_refused(0, 0, 0);
  }
}

}  // namespace resolve_scalar_test
}  // namespace cox::isa::pim
