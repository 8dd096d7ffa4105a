// SPDX-License-Identifier: MIT
// resolve() of element-wise operations, activations, ELE_ADD and ELE_SUB; and the errors that all operations share.
#include <gtest/gtest.h>

#include <bit>

#include "tests/isa/unity/program.h"

namespace cox::isa::unity {
namespace {
namespace resolve_elements_test {

constexpr std::int64_t kU4 = 0, kU8 = 1, kU32 = 3, kU64 = 4, kS4 = 5, kS8 = 6, kS16 = 7, kS32 = 8, kS64 = 9, kFp16 = 10, kFp32 = 11,
                       kFp64 = 12;

void expect_run(const Run &run, std::uint64_t address, std::int64_t unit, std::uint64_t elements) {
  EXPECT_EQ(run.address, address);
  EXPECT_EQ(static_cast<std::int64_t>(run.unit), unit);
  EXPECT_EQ(run.elements, elements);
}

TestInstruction add() {
  return TestInstruction(
      Opcode::ADD, {{"S0", 0x1000}, {"S1", 0x2000}, {"D", 0x3000}, {"LEN", 10}, {"S0_UNIT", kS8}, {"S1_UNIT", kS16}, {"D_UNIT", kS32}});
}

TEST(UnityResolveElements, Binary) {
  const auto e = add().with({{"SAT", 1}, {"ROUND", 2}, {"SCALAR1", 1}}).as<Elementwise>();
  EXPECT_EQ(e.op, Opcode::ADD);
  EXPECT_EQ(e.sources, 2);
  expect_run(e.source[0], 0x1000, kS8, 10);
  expect_run(e.source[1], 0x2000, kS16, 1);
  expect_run(e.result, 0x3000, kS32, 10);
  EXPECT_TRUE(e.saturate);
  EXPECT_EQ(e.rounding, Rounding::half_from_zero);
  EXPECT_TRUE(e.scalar_second);
  EXPECT_FALSE(e.less);
  expect_run(add().as<Elementwise>().source[1], 0x2000, kS16, 10);
}

TEST(UnityResolveElements, AddressSpaces) {
  for (const AddressSpace space : kAddressSpaces) {
    TestInstruction instruction(Opcode::MUL, {{"S0", 0x1000}, {"S1", 0x2000}, {"D", 0x3000}, {"LEN", 0x100}, {"S0_UNIT", kFp16}}, space);
    instruction.set({{"S1_UNIT", kFp16}, {"D_UNIT", kFp16}});
    const std::uint64_t page = space == AddressSpace::bits16 ? TestInstruction::kPage : 0;
    const auto e = instruction.as<Elementwise>();
    expect_run(e.source[0], page + 0x1000, kFp16, 0x100);
    expect_run(e.source[1], page + 0x2000, kFp16, 0x100);
    expect_run(e.result, page + 0x3000, kFp16, 0x100);
    // The last byte of the space is the last that may be touched.
    const std::uint64_t last = UINT64_MAX >> (64 - address_bits(space));
    instruction.set({{"D", static_cast<std::int64_t>(last - 0x1FF)}});
    EXPECT_TRUE(instruction.resolve());
    instruction.set({{"D", static_cast<std::int64_t>(last - 0x1FD)}});
    expect_error(instruction, ErrorCode::address_outside_window, "D", static_cast<std::int64_t>(page + last - 0x1FD), 0);
  }
}

TEST(UnityResolveElements, TablesOfRelativeContainers) {
  // The table lies 0x80 bytes behind 0x500000; its addresses are device addresses.
  TestMemory memory(0x500000, 0x1000);
  std::vector<std::byte> bytes(20);
  add().table().copy_to(bytes);
  memory.write(0x500080, bytes);
  const Surroundings around{memory, 0, 0x500000};
  const Result<Operation> operation = resolve(add().code(), around);
  ASSERT_TRUE(operation);
  expect_run(std::get<Elementwise>(operation.value()).source[0], 0x1000, kS8, 10);
  std::uint64_t table = 0;
  for_each_access(add().code(), around, operation.value(), [&](const Access &access) {
    if (access.field == std::string_view("table")) table = access.start;
  });
  EXPECT_EQ(table, 0x500080U);
}

TEST(UnityResolveElements, TableErrors) {
  TestInstruction instruction = add();
  instruction.code()[2] = 0x2000;
  expect_error(instruction, ErrorCode::address_outside_window, "table", 0x2000, 0);
  instruction = add();
  instruction.code()[2] = 0x82;
  expect_error(instruction, ErrorCode::misaligned_address, "table", 0x82, 4);
  instruction.code()[0] = 5;
  EXPECT_EQ(instruction.resolve().status().code(), ErrorCode::unknown_instruction);
  instruction = add();
  instruction.code()[0] |= 3U << 6;
  const TestMemory memory;
  EXPECT_STREQ(resolve(instruction.code(), {memory, 0}).status().what(), "address_space");
  // Bits of OP Mode that no field has: 21 to 31 of the word behind four addresses.
  for (unsigned bit = 128 + 21; bit < 160; ++bit) expect_error(add().with_bit(bit), ErrorCode::reserved_bits, "table", bit, 0);
}

TEST(UnityResolveElements, ReservedBitsOfEveryTable) {
  unsigned checked = 0;
  for (const Instruction &row : Set::instructions()) {
    if (row.layout == nullptr) continue;
    for (const AddressSpace space : kAddressSpaces) {
      std::vector<bool> taken(table_bits(*row.layout, space, false));
      for_each_field(*row.layout, false, [&](const Placed &placed) {
        for (unsigned i = 0; i < placed.place.width(space); ++i) taken[placed.place.bit(space) + i] = true;
        return true;
      });
      for (unsigned bit = 0; bit < taken.size(); ++bit) {
        if (taken[bit]) continue;
        expect_error(TestInstruction(row.opcode, {}, space).with_bit(bit), ErrorCode::reserved_bits, "table", bit, 0);
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 5000U);
}

TEST(UnityResolveElements, UnitsOfEveryTable) {
  for (const Instruction &row : Set::instructions()) {
    if (row.layout == nullptr) continue;
    for_each_field(*row.layout, false, [&](const Placed &placed) {
      if (placed.field->holds != Holds::unit) return true;
      for (std::int64_t code = 13; code < 16; ++code) {
        expect_refused(TestInstruction(row.opcode, {{placed.field->name, code}}), placed.field->name, code, 12);
      }
      return true;
    });
  }
}

TEST(UnityResolveElements, LaterOperationsAreRefusedByName) {
  for (const Instruction &row : Set::instructions()) {
    if (row.stage != Stage::later) continue;
    expect_error(TestInstruction(row.opcode), ErrorCode::unsupported, row.name, 0, 0);
  }
  // Their reserved bits and addresses are checked before.
  expect_error(TestInstruction(Opcode::ADAM, {{"P", 2}, {"UNIT", kFp32}}), ErrorCode::misaligned_address, "P", 2, 4);
  expect_error(TestInstruction(Opcode::ADAM).with_bit(5 * 32 + 5), ErrorCode::reserved_bits, "table", 165, 0);
  EXPECT_TRUE(std::holds_alternative<Exit>(resolve(Set::begin(Opcode::EXIT), {kNoMemory, 0}).value()));
}

TEST(UnityResolveElements, LengthsAndLackingFields) {
  expect_refused(add().with({{"LEN", 0}}), "LEN", 0, 1);
  expect_refused(add().with({{"S2_UNIT", 1}}), "S2_UNIT", 1, 0);
  expect_refused(add().with({{"LESS", 1}}), "LESS", 1, 0);
  const TestInstruction root(Opcode::SQRT, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 4}, {"S0_UNIT", kFp32}, {"D_UNIT", kFp32}});
  EXPECT_EQ(root.as<Elementwise>().sources, 1);
  expect_refused(root.with({{"S1_UNIT", 1}}), "S1_UNIT", 1, 0);
  expect_refused(root.with({{"SCALAR1", 1}}), "SCALAR1", 1, 0);
  TestInstruction wide(Opcode::ADD, {{"S0", 0x1000}, {"S1", 0x1000}, {"D", 0x1000}, {"LEN", -1}}, AddressSpace::bits64);
  expect_refused(wide, "LEN", -1, std::int64_t{1} << 58);
  wide.set({{"LEN", std::int64_t{1} << 58}});
  EXPECT_TRUE(wide.resolve());
  wide.set({{"D", -8}});
  expect_error(wide, ErrorCode::address_outside_window, "D", -8, 0);
}

TEST(UnityResolveElements, Alignment) {
  expect_error(add().with({{"S1", 0x2001}}), ErrorCode::misaligned_address, "S1", 0x2001, 2);
  expect_error(add().with({{"D", 0x3002}}), ErrorCode::misaligned_address, "D", 0x3002, 4);
  EXPECT_TRUE(add().with({{"S0", 0x1001}}).resolve());
  EXPECT_TRUE(add().with({{"S0", 0x1001}, {"S0_UNIT", kS4}}).resolve());
}

TEST(UnityResolveElements, UnitRules) {
  const auto unary = [](Opcode op, std::int64_t source, std::int64_t result) {
    return TestInstruction(op, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 4}, {"S0_UNIT", source}, {"D_UNIT", result}});
  };
  const auto binary = [](Opcode op, std::int64_t first, std::int64_t second, std::int64_t result) {
    return TestInstruction(
        op, {{"S0", 0x1000}, {"S1", 0x1800}, {"D", 0x2000}, {"LEN", 4}, {"S0_UNIT", first}, {"S1_UNIT", second}, {"D_UNIT", result}});
  };
  EXPECT_TRUE(unary(Opcode::ABS, kS4, kU64).resolve());
  expect_refused(unary(Opcode::ABS, kU8, kS8), "S0_UNIT", kU8, 12);
  EXPECT_TRUE(unary(Opcode::SQRT, kU8, kFp16).resolve());
  EXPECT_TRUE(unary(Opcode::LOG2, kFp16, kS8).resolve());
  expect_refused(unary(Opcode::RSQRT, kU8, kS8), "D_UNIT", kS8, 12);
  EXPECT_TRUE(binary(Opcode::POW, kS8, kU8, kS64).resolve());
  expect_refused(binary(Opcode::POW, kFp32, kU8, kS64), "S0_UNIT", kFp32, 12);
  expect_refused(binary(Opcode::POW, kS8, kFp16, kS64), "S1_UNIT", kFp16, 12);
  expect_refused(binary(Opcode::POW, kS8, kU8, kFp64), "D_UNIT", kFp64, 12);
  EXPECT_TRUE(binary(Opcode::COS_SIM, kS8, kFp32, kS32).resolve());
  expect_refused(binary(Opcode::COS_SIM, kS8, kS8, kS32), "D_UNIT", kS32, 12);
  expect_refused(binary(Opcode::COS_SIM, kS8, kFp32, kS32).with({{"SCALAR1", 1}}), "SCALAR1", 1, 0);
  // Shifts keep the unit; ASR has no 64 bits.
  EXPECT_TRUE(binary(Opcode::ASR, kS32, kU8, kS32).resolve());
  expect_refused(binary(Opcode::ASR, kS64, kU8, kS64), "S0_UNIT", kS64, 12);
  EXPECT_TRUE(binary(Opcode::ROR, kU64, kS4, kU64).resolve());
  expect_error(binary(Opcode::ROR, kU64, kS4, kS64), ErrorCode::shape_mismatch, "D_UNIT", kS64, kU64);
  expect_refused(binary(Opcode::LSL, kU32, kFp16, kU32), "S1_UNIT", kFp16, 12);
  expect_refused(binary(Opcode::LSL, kFp16, kU8, kFp16), "S0_UNIT", kFp16, 12);
  // NSR halves the width, saturates and rounds.
  const TestInstruction narrow = binary(Opcode::NSR, kS32, kU8, kS16).with({{"SAT", 1}, {"ROUND", 3}});
  EXPECT_TRUE(narrow.resolve());
  expect_refused(narrow.with({{"SAT", 0}}), "SAT", 0, 1);
  expect_refused(narrow.with({{"ROUND", 0}}), "ROUND", 0, 1);
  expect_refused(narrow.with({{"D_UNIT", kS8}}), "D_UNIT", kS8, 12);
  expect_refused(narrow.with({{"S0_UNIT", kS4}, {"D_UNIT", kU4}}), "S0_UNIT", kS4, 12);
  // SXT and UXT widen one source.
  const TestInstruction wider(Opcode::SXT, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 4}, {"S0_UNIT", kU8}, {"D_UNIT", kS32}});
  EXPECT_EQ(wider.as<Elementwise>().sources, 1);
  expect_refused(wider.with({{"S1", 0x40}}), "S1", 0x40, 0);
  expect_refused(wider.with({{"S1_UNIT", 1}}), "S1_UNIT", 1, 0);
  expect_refused(wider.with({{"SCALAR1", 1}}), "SCALAR1", 1, 0);
  expect_refused(wider.with({{"D_UNIT", kS8}}), "D_UNIT", kS8, 12);
  expect_refused(wider.with({{"S0_UNIT", kS64}}), "S0_UNIT", kS64, 12);
}

TEST(UnityResolveElements, SpecialForms) {
  const auto sum =
      TestInstruction(Opcode::ASUM, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"S0_UNIT", kS8}, {"D_UNIT", kS64}}).as<Elementwise>();
  expect_run(sum.source[0], 0x1000, kS8, 9);
  expect_run(sum.result, 0x2000, kS64, 1);
  const auto middle =
      TestInstruction(Opcode::MEDIAN, {{"S0", 0x1000}, {"S1", 0x1100}, {"S2", 0x1200}, {"D", 0x2000}, {"LEN", 9}, {"S2_UNIT", kFp32}})
          .as<Elementwise>();
  EXPECT_EQ(middle.sources, 3);
  expect_run(middle.source[2], 0x1200, kFp32, 9);
  EXPECT_TRUE(
      TestInstruction(Opcode::THRES, {{"S0", 0x1000}, {"S1", 0x1100}, {"D", 0x2000}, {"LEN", 9}, {"LESS", 1}}).as<Elementwise>().less);
  const auto bits = TestInstruction(Opcode::XOR, {{"S0", 0x1000}, {"S1", 0x1100}, {"D", 0x2000}, {"LEN", 9}}).as<Elementwise>();
  expect_run(bits.source[1], 0x1100, kU8, 9);
  const TestInstruction inverse(Opcode::INV, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 9}});
  EXPECT_EQ(inverse.as<Elementwise>().sources, 1);
  expect_refused(inverse.with({{"S1", 1}}), "S1", 1, 0);
  expect_refused(inverse.with({{"LEN", 0}}), "LEN", 0, 1);
  const auto converted =
      TestInstruction(Opcode::DATA_CONVERT,
                      {{"S", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"S_UNIT", kFp64}, {"D_UNIT", kS4}, {"SAT", 1}, {"ROUND", 1}})
          .as<Elementwise>();
  expect_run(converted.source[0], 0x1000, kFp64, 9);
  expect_run(converted.result, 0x2000, kS4, 9);
  EXPECT_EQ(converted.rounding, Rounding::half_up);
  EXPECT_TRUE(converted.saturate);
  expect_refused(TestInstruction(Opcode::DATA_CONVERT, {{"S", 0x1000}, {"D", 0x2000}}), "LEN", 0, 1);
  const auto sign = TestInstruction(Opcode::SIGN_BIT, {{"S", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"UNIT", kS16}}).as<Elementwise>();
  expect_run(sign.result, 0x2000, kS16, 9);
  const TestInstruction round(Opcode::ROUND, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"S0_UNIT", kFp32}, {"D_UNIT", kFp32}});
  EXPECT_EQ(round.as<Elementwise>().rounding, Rounding::half_even);
  EXPECT_EQ(round.with({{"ROUND", 1}}).as<Elementwise>().rounding, Rounding::half_up);
}

TEST(UnityResolveElements, Bounds) {
  const TestInstruction clip(Opcode::CLIP, {{"S0", 0x1000}, {"D", 0x2000}, {"LEN", 9}, {"S0_UNIT", kS32}, {"D_UNIT", kS8}});
  EXPECT_FALSE(clip.as<Elementwise>().clip.on);
  const Clip with_sign = clip.with({{"CLIP_MAX", 5}, {"CLIP_MIN", -7}}).as<Elementwise>().clip;
  EXPECT_TRUE(with_sign.on);
  EXPECT_EQ(with_sign.maximum, 5);
  EXPECT_EQ(with_sign.minimum, -7);
  const Clip without = clip.with({{"CLIP_MAX", 0xFFFF}, {"CLIP_MIN", 0x8000}, {"D_UNIT", kU8}}).as<Elementwise>().clip;
  EXPECT_EQ(without.maximum, 65535);
  EXPECT_EQ(without.minimum, 32768);
  const Clip floats = clip.with({{"CLIP_MAX", 0x3C00}, {"CLIP_MIN", 0xC000}, {"D_UNIT", kFp64}}).as<Elementwise>().clip;
  EXPECT_EQ(floats.float_maximum, 1.0F);
  EXPECT_EQ(floats.float_minimum, -2.0F);
  expect_error(clip.with({{"CLIP_MAX", 5}, {"CLIP_MIN", 6}}), ErrorCode::shape_mismatch, "CLIP_MIN", 6, 5);
  expect_error(clip.with({{"CLIP_MAX", 0x7E00}, {"D_UNIT", kFp16}}), ErrorCode::shape_mismatch, "CLIP_MIN", 0, 0x7E00);
}

TEST(UnityResolveElements, InPlaceRule) {
  const TestInstruction same = add().with({{"S0_UNIT", kU32}, {"D", 0x1000}, {"LEN", 16}});
  EXPECT_TRUE(same.resolve());  // the same width and place
  EXPECT_TRUE(same.with({{"S0_UNIT", kFp32}}).resolve());
  expect_error(same.with({{"D", 0x1004}}), ErrorCode::tensor_overlap, "D", 0x1004, 0);
  expect_error(same.with({{"S0_UNIT", kS16}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  EXPECT_TRUE(same.with({{"D", 0x1040}}).resolve());  // right behind source 0
  expect_error(add().with({{"D", 0x2000}, {"S1_UNIT", kS32}, {"SCALAR1", 1}}), ErrorCode::tensor_overlap, "D", 0x2000, 0);
  EXPECT_TRUE(add().with({{"D", 0x2000}, {"S1_UNIT", kS32}}).resolve());
  // A nibble more than the bytes before: 4-bit runs end with their last byte.
  const TestInstruction nibbles = add().with({{"S0_UNIT", kS4}, {"LEN", 3}, {"D", 0x1002}, {"D_UNIT", kS8}});
  EXPECT_TRUE(nibbles.resolve());
  expect_error(nibbles.with({{"LEN", 5}}), ErrorCode::tensor_overlap, "D", 0x1002, 0);
  expect_error(TestInstruction(Opcode::ASUM, {{"S0", 0x1000}, {"D", 0x1000}, {"LEN", 2}}), ErrorCode::tensor_overlap, "D", 0x1000, 0);
  // As many bytes, but elements of another width.
  const TestInstruction sum(Opcode::ASUM, {{"S0", 0x1000}, {"D", 0x1000}, {"LEN", 2}, {"D_UNIT", kS8}});
  expect_error(sum, ErrorCode::tensor_overlap, "D", 0x1000, 0);
  EXPECT_TRUE(sum.with({{"LEN", 1}, {"D_UNIT", kU4}}).resolve());
}

TestInstruction activation(Opcode op, std::int64_t unit) {
  return TestInstruction(op, {{"S", 0x1000}, {"D", 0x2000}, {"LEN", 12}, {"UNIT", unit}});
}

TEST(UnityResolveElements, Activations) {
  for (const Opcode op :
       {Opcode::RELU, Opcode::RELU6, Opcode::THRESHOLD_RELU, Opcode::LEAKY_RELU, Opcode::HARD_SHRINK, Opcode::BRELU, Opcode::HARD_TANH}) {
    for (std::int64_t unit = kU4; unit <= kFp64; ++unit) EXPECT_TRUE(activation(op, unit).resolve()) << unit;
  }
  for (const Opcode op : {Opcode::SIGMOID, Opcode::AI_TANH, Opcode::SOFTPLUS, Opcode::SOFT_SIGN, Opcode::GELU, Opcode::SWISH,
                          Opcode::HARD_SWISH, Opcode::ERF, Opcode::TANH_SHRINK}) {
    for (std::int64_t unit = kU4; unit <= kFp64; ++unit) {
      if (unit >= kFp16) {
        EXPECT_TRUE(activation(op, unit).resolve());
      } else {
        expect_refused(activation(op, unit), "UNIT", unit, 12);
      }
    }
  }
  const auto relu = activation(Opcode::RELU, kS8).as<Activation>();
  expect_run(relu.source, 0x1000, kS8, 12);
  expect_run(relu.result, 0x2000, kS8, 12);
  expect_refused(activation(Opcode::RELU, kS8).with({{"LEN", 0}}), "LEN", 0, 1);
  EXPECT_TRUE(activation(Opcode::RELU, kS8).with({{"D", 0x1000}}).resolve());
  const auto word = [](float value) { return static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(value)); };
  EXPECT_EQ(activation(Opcode::LEAKY_RELU, kS8).with({{"P0", word(0.25F)}}).as<Activation>().parameter[0], 0.25F);
  const TestInstruction bounds = activation(Opcode::BRELU, kFp16).with({{"P0", word(-1.5F)}, {"P1", word(24)}});
  EXPECT_EQ(bounds.as<Activation>().parameter, (std::array<float, 2>{-1.5F, 24}));
  expect_error(bounds.with({{"P1", word(-2)}}), ErrorCode::shape_mismatch, "P1", word(-2), word(-1.5F));
  const TestInstruction elu = activation(Opcode::ELU, kFp32).with({{"ALPHA", 0x3C00}, {"A_UNIT", kFp16}});
  EXPECT_EQ(elu.as<Activation>().parameter[0], 1.0F);
  expect_refused(elu.with({{"ALPHA", 0x13C00}}), "ALPHA", 0x13C00, 0xFFFF);
  expect_refused(elu.with({{"A_UNIT", kFp64}}), "A_UNIT", kFp64, 12);
  expect_refused(elu.with({{"A_UNIT", kS8}}), "A_UNIT", kS8, 12);
  const TestInstruction selu =
      activation(Opcode::SELU, kFp64).with({{"GAMMA", word(1.5F)}, {"G_UNIT", kFp32}, {"A", word(2)}, {"A_UNIT", kFp32}});
  EXPECT_EQ(selu.as<Activation>().parameter, (std::array<float, 2>{1.5F, 2}));
  expect_refused(selu.with({{"G_UNIT", kU8}}), "G_UNIT", kU8, 12);
  const TestInstruction hard =
      activation(Opcode::HARD_SIGMOID, kFp64).with({{"A", word(0.5F)}, {"A_UNIT", kFp32}, {"B", 0x4000}, {"B_UNIT", kFp16}});
  EXPECT_EQ(hard.as<Activation>().parameter, (std::array<float, 2>{0.5F, 2}));
  expect_refused(hard.with({{"B_UNIT", kFp64}}), "B_UNIT", kFp64, 12);
}

TEST(UnityResolveElements, Prelu) {
  const TestInstruction one =
      activation(Opcode::PRELU, kS8).with({{"M_UNIT", kS16}, {"S_UNIT", kU8}, {"I", 1}, {"B", 1}, {"MUL", 0x4000}, {"SHIFT", 0x5000}});
  const auto a = one.as<Activation>();
  expect_run(a.multiplier, 0x4000, kS16, 1);
  expect_run(a.shift, 0x5000, kU8, 1);
  EXPECT_EQ(a.broadcast.index(11), 0U);
  const TestInstruction channels = one.with({{"I", 0}, {"VALID", 3}});
  EXPECT_EQ(channels.as<Activation>().broadcast.index(4), 1U);
  EXPECT_EQ(channels.with({{"FORMAT", 1}}).as<Activation>().broadcast.index(4), 1U);
  EXPECT_EQ(channels.with({{"FORMAT", 1}}).as<Activation>().broadcast.index(11), 2U);
  expect_run(channels.as<Activation>().multiplier, 0x4000, kS16, 3);
  EXPECT_EQ(one.with({{"I", 0}, {"B", 0}}).as<Activation>().broadcast.index(11), 11U);
  expect_refused(one.with({{"B", 0}}), "I", 1, 0);
  expect_refused(one.with({{"VALID", 3}}), "VALID", 3, 0);
  expect_refused(one.with({{"FORMAT", 1}}), "FORMAT", 1, 0);
  expect_refused(channels.with({{"VALID", 0}}), "VALID", 0, 1);
  expect_refused(channels.with({{"FORMAT", 2}}), "FORMAT", 2, 1);
  expect_error(channels.with({{"VALID", 5}}), ErrorCode::shape_mismatch, "VALID", 5, 12);
  expect_refused(one.with({{"M_UNIT", kFp16}}), "M_UNIT", kFp16, 12);
  expect_refused(one.with({{"S_UNIT", kFp16}}), "S_UNIT", kFp16, 12);
  EXPECT_EQ(one.with({{"SHIFT", 0}}).as<Activation>().shift.elements, 0U);
  expect_error(one.with({{"MUL", 0x4001}}), ErrorCode::misaligned_address, "MUL", 0x4001, 2);
  const TestInstruction floats = one.with({{"UNIT", kFp32}, {"M_UNIT", kFp16}, {"S_UNIT", 0}, {"SHIFT", 0}});
  EXPECT_EQ(floats.as<Activation>().shift.elements, 0U);
  expect_refused(floats.with({{"S_UNIT", 1}}), "S_UNIT", 1, 0);
  expect_refused(floats.with({{"SHIFT", 4}}), "SHIFT", 4, 0);
  // The source has the unit of the elements, not that of the shifts.
  expect_error(floats.with({{"S", 0x1002}}), ErrorCode::misaligned_address, "S", 0x1002, 4);
  EXPECT_TRUE(one.with({{"S", 0x1001}, {"S_UNIT", kS16}}).resolve());
  expect_error(one.with({{"D", 0x4000}}), ErrorCode::tensor_overlap, "D", 0x4000, 0);
}

TestInstruction sum() {
  return TestInstruction(Opcode::ELE_ADD,
                         {{"S0", 0x1000}, {"S1", 0x1800}, {"D", 0x2000}, {"LEN", 12}, {"S0_UNIT", kS8}, {"S1_UNIT", kS8}, {"D_UNIT", kS8}});
}

TEST(UnityResolveElements, QuantisedAdd) {
  const auto plain = sum().with({{"IZERO", 0xFD}, {"OZERO", 5}}).as<QuantisedAdd>();
  EXPECT_EQ(plain.op, Opcode::ELE_ADD);
  EXPECT_FALSE(plain.has_multiplier);
  EXPECT_EQ(plain.input_zero, (std::array<std::int32_t, 2>{-3, -3}));
  EXPECT_EQ(plain.output_zero, 5);
  EXPECT_EQ(plain.second.index(7), 7U);
  EXPECT_EQ(sum().with({{"IZERO", 0xFD}, {"S0_UNIT", kU8}}).as<QuantisedAdd>().input_zero[1], 253);
  const TestInstruction scaled = sum().with({{"MUL", 0x40000000},
                                             {"M_UNIT", kS32},
                                             {"SHIFT", 0xE1},
                                             {"LSHIFT", 20},
                                             {"MUL0", 0x7FFFFFFF},
                                             {"MUL1", 5},
                                             {"SHIFT0", 0xFF},
                                             {"SHIFT1", 30},
                                             {"IZERO", 1},
                                             {"IZERO1", 0x80}});
  const auto q = scaled.as<QuantisedAdd>();
  EXPECT_TRUE(q.has_multiplier);
  EXPECT_EQ(q.multiplier, 0x40000000U);
  EXPECT_EQ(q.shift, -31);
  EXPECT_EQ(q.left_shift, 20U);
  EXPECT_EQ(q.input_multiplier, (std::array<std::int32_t, 2>{0x7FFFFFFF, 5}));
  EXPECT_EQ(q.input_shift, (std::array<std::int32_t, 2>{-1, 30}));
  EXPECT_EQ(q.input_zero, (std::array<std::int32_t, 2>{1, -128}));
  EXPECT_EQ(scaled.with({{"MUL0", 0xFFFFFFFF}}).as<QuantisedAdd>().input_multiplier[0], -1);
  expect_refused(scaled.with({{"SHIFT", 0xE0}}), "SHIFT", -32, -31);
  expect_refused(scaled.with({{"SHIFT1", 31}}), "SHIFT1", 31, 30);
  expect_refused(scaled.with({{"SHIFT0", 0x80}}), "SHIFT0", -128, -31);
  expect_refused(scaled.with({{"LSHIFT", 32}}), "LSHIFT", 32, 31);
  expect_refused(scaled.with({{"MUL", 0x100000000}}), "MUL", 0x100000000, 0xFFFFFFFF);
  expect_refused(scaled.with({{"M_UNIT", kFp32}}), "M_UNIT", kFp32, 12);
  expect_refused(scaled.with({{"M_UNIT", kU32}}), "M_UNIT", kU32, 12);
  expect_refused(sum().with({{"SHIFT", 1}}), "SHIFT", 1, 0);
  expect_refused(sum().with({{"S1_UNIT", kFp32}}), "S1_UNIT", kFp32, 12);
  expect_refused(sum().with({{"D_UNIT", kFp32}}), "D_UNIT", kFp32, 12);
  expect_refused(sum().with({{"LEN", 0}}), "LEN", 0, 1);
  const auto channels = sum().with({{"B", 1}, {"VALID", 4}, {"FORMAT", 1}}).as<QuantisedAdd>();
  EXPECT_EQ(channels.second.index(5), 1U);
  EXPECT_EQ(channels.second.index(2), 0U);
  expect_run(channels.source[1], 0x1800, kS8, 4);
  expect_run(sum().with({{"B", 1}, {"I", 1}}).as<QuantisedAdd>().source[1], 0x1800, kS8, 1);
  // The extension has reserved bits of its own.
  expect_error(scaled.with_bit(4 * 32 + 248), ErrorCode::reserved_bits, "table", 4 * 32 + 248, 0);
  EXPECT_TRUE(sum().with_bit(4 * 32 + 248).resolve());
}

TEST(UnityResolveElements, FloatAdd) {
  const TestInstruction floats =
      sum().with({{"S0_UNIT", kFp32}, {"S1_UNIT", kFp16}, {"D_UNIT", kFp64}, {"MUL", 0x3C00}, {"M_UNIT", kFp16}});
  const auto q = floats.as<QuantisedAdd>();
  EXPECT_TRUE(q.has_multiplier);
  EXPECT_EQ(q.multiplier_unit, Unit::fp16);
  expect_refused(floats.with({{"MUL", 0x13C00}}), "MUL", 0x13C00, 0xFFFF);
  expect_refused(floats.with({{"M_UNIT", kS32}}), "M_UNIT", kS32, 12);
  for (const char *field : {"SHIFT", "OZERO", "IZERO", "LSHIFT"}) expect_refused(floats.with({{field, 1}}), field, 1, 0);
  expect_refused(floats.with({{"S1_UNIT", kS8}}), "S1_UNIT", kS8, 12);
}

}  // namespace resolve_elements_test
}  // namespace
}  // namespace cox::isa::unity
