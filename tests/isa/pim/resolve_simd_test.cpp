// SPDX-License-Identifier: MIT
// simd-compute: forms, registers, addresses, and operands whose values are refused.
#include <gtest/gtest.h>

#include "tests/isa/pim/core.h"

namespace cox::isa::pim {
namespace resolve_simd_test {

using build::r;

/// rs1 = r1 (and r2), rs2 = r3 (and r4), rs3 = r5, rd = r6.
MachineCode simd(SimdOpcode opcode, unsigned inputs) { return build::simd_compute(opcode, inputs, r(6), r(1), r(3), r(5)); }

/// 10 elements. Inputs in four memories, so that each address is told from the others. Widths 8, 16, 32, 8, output 4.
TestCore ready() {
  TestCore core;
  core.set_general({kInput + 1, kData + 2, kInputBuffer + 3, kMetaBuffer + 4, 10, kOutput + 5});
  core.set(Special::simd_input1_bit_width, 8);
  core.set(Special::simd_input2_bit_width, 16);
  core.set(Special::simd_input3_bit_width, 32);
  core.set(Special::simd_input4_bit_width, 8);
  core.set(Special::simd_output_bit_width, 4);
  return core;
}

TEST(ResolveSimd, AddressesOfOneToFourInputs) {
  const TestCore core = ready();
  EXPECT_EQ(core.accesses(core.resolved<Simd>(simd(SimdOpcode::relu, 1))), (Accesses{"rs1 r 0x100001 10", "rd w 0x200005 5"}));
  EXPECT_EQ(core.accesses(core.resolved<Simd>(simd(SimdOpcode::add, 2))),
            (Accesses{"rs1 r 0x100001 10", "rs2 r 0x400003 20", "rd w 0x200005 5"}));
  EXPECT_EQ(core.accesses(core.resolved<Simd>(simd(SimdOpcode::quantify, 3))),
            (Accesses{"rs1 r 0x100001 10", "rs1 r 0x300002 20", "rs2 r 0x400003 40", "rd w 0x200005 5"}));
  EXPECT_EQ(core.accesses(core.resolved<Simd>(simd(SimdOpcode::quantify, 4))),
            (Accesses{"rs1 r 0x100001 10", "rs1 r 0x300002 20", "rs2 r 0x400003 40", "rs2 r 0x700004 1", "rd w 0x200005 5"}));
}

TEST(ResolveSimd, EveryForm) {
  TestCore core = ready();
  core.write_words(kInputBuffer + 3, {1});  // a divisor of average
  const struct {
    SimdOpcode opcode;
    unsigned inputs;
    std::vector<SimdKind> kinds;
    std::vector<std::uint64_t> bytes;
  } kRows[] = {
      {SimdOpcode::add, 2, {SimdKind::vector, SimdKind::vector}, {10, 20}},
      {SimdOpcode::add_scalar, 2, {SimdKind::vector, SimdKind::scalar}, {10, 2}},
      {SimdOpcode::multiply, 2, {SimdKind::vector, SimdKind::vector}, {10, 20}},
      {SimdOpcode::quantify, 2, {SimdKind::vector, SimdKind::vector}, {10, 20}},
      {SimdOpcode::quantify, 3, {SimdKind::vector, SimdKind::vector, SimdKind::vector}, {10, 20, 40}},
      {SimdOpcode::quantify, 4, {SimdKind::vector, SimdKind::vector, SimdKind::vector, SimdKind::scalar}, {10, 20, 40, 1}},
      {SimdOpcode::quantify_resadd, 3, {SimdKind::vector, SimdKind::vector, SimdKind::block}, {10, 20, 36}},
      {SimdOpcode::quantify_multiply, 3, {SimdKind::vector, SimdKind::vector, SimdKind::block}, {10, 20, 20}},
      {SimdOpcode::maximum, 2, {SimdKind::vector, SimdKind::vector}, {10, 20}},
      {SimdOpcode::relu, 1, {SimdKind::vector}, {10}},
      {SimdOpcode::average, 2, {SimdKind::vector, SimdKind::scalar}, {10, 2}},
  };
  for (const auto &row : kRows) {
    SCOPED_TRACE(testing::Message() << static_cast<unsigned>(row.opcode) << " " << row.inputs);
    const auto op = core.resolved<Simd>(simd(row.opcode, row.inputs));
    EXPECT_EQ(op.opcode, row.opcode);
    EXPECT_EQ(op.inputs, row.inputs);
    EXPECT_EQ(op.length, 10U);
    EXPECT_EQ(op.output_width, 4);
    for (unsigned i = 0; i < row.inputs; ++i) {
      EXPECT_EQ(op.kinds[i], row.kinds[i]) << i;
      EXPECT_EQ(op.input_bytes(i), row.bytes[i]) << i;
    }
  }
}

TEST(ResolveSimd, OtherFormsAreRefused) {
  const TestCore core = ready();
  unsigned forms = 0;
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    for (unsigned inputs = 1; inputs <= 4; ++inputs) {
      if (core.configuration.find_simd(opcode, inputs) != nullptr) {
        ++forms;
        continue;
      }
      const bool known = opcode <= 5 || (opcode >= 0x80 && opcode <= 0x82);
      core.expect_refused(simd(static_cast<SimdOpcode>(opcode), inputs), ErrorCode::unsupported, known ? "input_num" : "opcode",
                          known ? inputs - 1 : opcode, 0);
    }
  }
  EXPECT_EQ(forms, 11U);
}

TEST(ResolveSimd, Widths) {
  const TestCore core = ready();
  const MachineCode quantify = simd(SimdOpcode::quantify, 4);
  core.expect_special_refused(quantify, Special::simd_input1_bit_width, "simd_input1_bit_width", 0, 0, 32);
  core.expect_special_refused(quantify, Special::simd_input2_bit_width, "simd_input2_bit_width", 24, 24, 32);
  core.expect_special_refused(quantify, Special::simd_input3_bit_width, "simd_input3_bit_width", 64, 64, 32);
  core.expect_special_refused(quantify, Special::simd_input4_bit_width, "simd_input4_bit_width", 5, 5, 32);
  core.expect_special_refused(quantify, Special::simd_output_bit_width, "simd_output_bit_width", 0xFFFFFFFF, 0xFFFFFFFF, 32);
}

TEST(ResolveSimd, OnlyWidthsInUseAreChecked) {
  TestCore core = ready();
  for (const Special name : {Special::simd_input2_bit_width, Special::simd_input3_bit_width, Special::simd_input4_bit_width}) {
    core.set(name, 3);
  }
  EXPECT_TRUE(core.resolve(simd(SimdOpcode::relu, 1)).ok());
  core.set(Special::simd_input2_bit_width, 8);
  EXPECT_TRUE(core.resolve(simd(SimdOpcode::add, 2)).ok());
  // Blocks hold 32-bit numbers.
  EXPECT_TRUE(core.resolve(simd(SimdOpcode::quantify_resadd, 3)).ok());
  EXPECT_EQ(core.resolved<Simd>(simd(SimdOpcode::quantify_multiply, 3)).input_width[2], 32);
  core.expect_out_of_range(simd(SimdOpcode::quantify, 3), "simd_input3_bit_width", 3, 32);
}

TEST(ResolveSimd, Lengths) {
  TestCore core = ready();
  core.registers.general[5] = 0xFFFFFFFF;
  core.expect_out_of_range(simd(SimdOpcode::add, 2), "rs3", -1, 0);
  core.set_general({0x900000, 0x900000, 0x900000, 0x900000, 0, 0x900000});
  for (const auto &[opcode, inputs] : {std::pair(SimdOpcode::quantify, 4U), std::pair(SimdOpcode::quantify_resadd, 3U),
                                       std::pair(SimdOpcode::quantify_multiply, 3U), std::pair(SimdOpcode::average, 2U)}) {
    EXPECT_EQ(core.accesses(core.resolved<Simd>(simd(opcode, inputs))), Accesses{});
  }
  EXPECT_EQ(core.reads, 0U);
}

TEST(ResolveSimd, Addresses) {
  const struct {
    unsigned general;
    const char *what;
    std::uint32_t end, bytes;
  } kRows[] = {
      {1, "rs1", 0x140000, 10}, {2, "rs1", 0x340000, 20}, {3, "rs2", 0x404000, 40}, {4, "rs2", 0x740000, 1}, {6, "rd", 0x240000, 5}};
  const MachineCode code = simd(SimdOpcode::quantify, 4);
  for (const auto &row : kRows) {
    TestCore core = ready();
    core.registers.general[row.general] = row.end - row.bytes;
    EXPECT_TRUE(core.resolve(code).ok()) << row.what;
    core.registers.general[row.general] = row.end - row.bytes + 1;
    core.expect_outside(code, row.what, row.end - row.bytes + 1, row.bytes == 1 ? 0 : row.end);
    for (const std::uint32_t address : {0U, kDram}) {
      core.registers.general[row.general] = address;
      core.expect_outside(code, row.what, address, 0);
    }
  }
}

TEST(ResolveSimd, RegisterNumbersUpTo31) {
  TestCore core = ready();
  for (unsigned i = 28; i < 32; ++i) core.registers.general[i] = kInput + i;
  core.registers.general[5] = 1;
  const auto op = core.resolved<Simd>(build::simd_compute(SimdOpcode::quantify, 4, r(6), r(28), r(30), r(5)));
  EXPECT_EQ(op.input, (std::array<std::uint32_t, 4>{kInput + 28, kInput + 29, kInput + 30, kInput + 31}));
}

void expect_value_refused(const TestCore &core, const MachineCode &code, const char *what, std::int64_t value, std::int64_t limit,
                          std::int32_t index) {
  core.expect_refused(code, ErrorCode::field_out_of_range, what, value, limit, index);
}

TEST(ResolveSimd, DivisorsOfAverage) {
  const MachineCode code = simd(SimdOpcode::average, 2);
  for (const std::int64_t divisor : {0, -1, -32768}) {
    TestCore core = ready();
    core.write_words(kInputBuffer + 3, {divisor});
    expect_value_refused(core, code, "rs2", divisor, 1, 0);
  }
  TestCore core = ready();
  for (const std::int64_t divisor : {1, 2, 32767, 0x10001}) {  // of the last only the low 16 bits count
    core.write_words(kInputBuffer + 3, {divisor});
    EXPECT_TRUE(core.resolve(code).ok()) << divisor;
  }
}

TEST(ResolveSimd, VectorsOfDivisors) {
  TestCore core = ready();
  core.configuration.simd[10].kinds[1] = SimdKind::vector;
  core.set(Special::simd_input2_bit_width, 4);
  core.registers.general[5] = 301;
  for (std::uint32_t i = 0; i < 151; ++i) core.write_bytes(kInputBuffer + 3 + i, {0x11});
  EXPECT_TRUE(core.resolve(simd(SimdOpcode::average, 2)).ok());
  core.write_bytes(kInputBuffer + 3 + 150, {0x0});  // element 300
  expect_value_refused(core, simd(SimdOpcode::average, 2), "rs2", 0, 1, 300);
  core.write_bytes(kInputBuffer + 3 + 150, {0x81});  // element 301 does not count
  EXPECT_TRUE(core.resolve(simd(SimdOpcode::average, 2)).ok());
  core.write_bytes(kInputBuffer + 3 + 64, {0x81});  // element 129 is -8
  expect_value_refused(core, simd(SimdOpcode::average, 2), "rs2", -8, 1, 129);
}

TEST(ResolveSimd, ShiftsOfQuantify) {
  for (const unsigned inputs : {3U, 4U}) {
    const MachineCode code = simd(SimdOpcode::quantify, inputs);
    for (const std::int32_t element : {0, 1, 9, 15, 16, 39}) {
      TestCore core = ready();
      core.registers.general[5] = 40;
      const auto set = [&](std::int64_t value) { core.write_words(kInputBuffer + 3 + 4 * static_cast<std::uint32_t>(element), {value}); };
      for (const std::int64_t shift : {31, -31, 0}) {
        set(shift);
        EXPECT_TRUE(core.resolve(code).ok()) << shift;
      }
      set(32);
      expect_value_refused(core, code, "rs2", 32, 31, element);
      set(-32);
      expect_value_refused(core, code, "rs2", -32, -31, element);
      set(-0x80000000LL);
      expect_value_refused(core, code, "rs2", -0x80000000LL, -31, element);
      core.registers.general[5] = static_cast<std::uint32_t>(element);  // the elements before it
      EXPECT_TRUE(core.resolve(code).ok()) << element;
    }
  }
}

TEST(ResolveSimd, NarrowShifts) {
  TestCore core = ready();
  const MachineCode code = simd(SimdOpcode::quantify, 3);
  core.set(Special::simd_input3_bit_width, 8);
  core.write_bytes(kInputBuffer + 3 + 7, {0xE1});  // -31
  EXPECT_TRUE(core.resolve(code).ok());
  core.write_bytes(kInputBuffer + 3 + 7, {0xE0});
  expect_value_refused(core, code, "rs2", -32, -31, 7);
  core.write_bytes(kInputBuffer + 3 + 7, {0x20});
  expect_value_refused(core, code, "rs2", 32, 31, 7);
  core.set(Special::simd_input3_bit_width, 16);
  expect_value_refused(core, code, "rs2", 0x2000, 31, 3);
  core.write_bytes(kInputBuffer + 3 + 6, {0xE1, 0xFF});
  EXPECT_TRUE(core.resolve(code).ok());
}

TEST(ResolveSimd, AScalarShift) {
  TestCore core = ready();
  core.configuration.simd[4].kinds[2] = SimdKind::scalar;
  core.write_words(kInputBuffer + 3, {31, 99});
  const auto op = core.resolved<Simd>(simd(SimdOpcode::quantify, 3));
  EXPECT_EQ(op.input_bytes(2), 4U);
  core.write_words(kInputBuffer + 3, {-32});
  expect_value_refused(core, simd(SimdOpcode::quantify, 3), "rs2", -32, -31, 0);
}

TEST(ResolveSimd, ShiftsInBlocks) {
  const struct {
    SimdOpcode opcode;
    std::uint32_t numbers;
    std::vector<std::uint32_t> shifts;
  } kRows[] = {{SimdOpcode::quantify_resadd, 9, {2, 5, 7}}, {SimdOpcode::quantify_multiply, 5, {3}}};
  for (const auto &row : kRows) {
    for (std::uint32_t number = 0; number < row.numbers; ++number) {
      const bool is_shift = std::find(row.shifts.begin(), row.shifts.end(), number) != row.shifts.end();
      for (const std::int64_t value : {-32, -31, 31, 32}) {
        TestCore core = ready();
        core.write_words(kInputBuffer + 3 + 4 * number, {value});
        const MachineCode code = simd(row.opcode, 3);
        if (is_shift && (value > 31 || value < -31)) {
          expect_value_refused(core, code, "rs2", value, value < 0 ? -31 : 31, static_cast<std::int32_t>(number));
        } else {
          EXPECT_TRUE(core.resolve(code).ok()) << number << " " << value;
        }
      }
    }
  }
}

TEST(ResolveSimd, ResaddHasInputsOfAtMost16Bits) {
  TestCore core = ready();
  core.set(Special::simd_input1_bit_width, 16);
  const MachineCode code = simd(SimdOpcode::quantify_resadd, 3);
  EXPECT_TRUE(core.resolve(code).ok());
  core.expect_special_refused(code, Special::simd_input1_bit_width, "simd_input1_bit_width", 32, 32, 16);
  core.expect_special_refused(code, Special::simd_input2_bit_width, "simd_input2_bit_width", 32, 32, 16);
}

}  // namespace resolve_simd_test
}  // namespace cox::isa::pim
