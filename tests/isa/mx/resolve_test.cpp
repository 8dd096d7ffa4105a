// SPDX-License-Identifier: MIT
// Shapes and addresses of each instruction, worked out by hand, and the refusals that depend on base registers.
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "tests/isa/mx/operation.h"

namespace cox::isa::mx {
namespace resolve_test {

TEST(Resolve, Confbaddr) {
  const MachineCode code =
      instruction(Opcode::CONFBADDR, {{"InputBase1", 5}, {"InputBase2", 6}, {"OutputBase1", 7}, {"OutputBase2", 8}, {"WeightBase", 31}});
  // CONFBADDR resolves although no register is written and no base is selected.
  const Result<Operation> result = resolve(code, {}, {});
  ASSERT_TRUE(result.ok());
  const auto *selection = std::get_if<Selection>(&result.value());
  ASSERT_NE(selection, nullptr);
  EXPECT_TRUE(selection->chosen);
  EXPECT_EQ(selection->input1, 5);
  EXPECT_EQ(selection->input2, 6);
  EXPECT_EQ(selection->output1, 7);
  EXPECT_EQ(selection->output2, 8);
  EXPECT_EQ(selection->weight, 31);
}

const std::vector<Setting> kConvolution = {{"InChannels", 3},  {"OutChannels", 7},  {"Kernel", 1},      {"Stride", 1},
                                           {"Padding", 1},     {"Activation", 1},   {"InHeight", 9},    {"InWidth", 6},
                                           {"InOffset", 1000}, {"WeightOffset", 8}, {"OutOffset1", 20}, {"OutOffset2", 0xFFFFFE}};

std::vector<Setting> with(std::vector<Setting> settings, const Setting &more) {
  settings.push_back(more);
  return settings;
}

TEST(Resolve, Convact) {
  const ConvAct op = operation_of_kind<ConvAct>(instruction(Opcode::CONVACT, kConvolution));
  EXPECT_EQ(op.input.address, 0x1'0000'03E8U);
  EXPECT_EQ(op.input.blocks, 4U);  // 64 channels
  EXPECT_EQ(op.input.height, 10U);
  EXPECT_EQ(op.input.width, 7U);
  EXPECT_EQ(op.weights, 0x5'0000'0008U);
  EXPECT_EQ(op.output1.address, 0x3'0000'0014U);
  EXPECT_EQ(op.output1.blocks, 8U);  // 128 channels
  EXPECT_EQ(op.output1.height, 5U);  // (height 10 + 2 * padding 1 - kernel 3) / stride 2 + 1
  EXPECT_EQ(op.output1.width, 4U);   // (width 7 + 2 * padding 1 - kernel 3) / stride 2 + 1
  EXPECT_EQ(op.output2.blocks, 0U);  // OutOffset2 is ignored without Split
  EXPECT_EQ(op.output_blocks(), 8U);
  EXPECT_EQ(op.kernel, 3U);
  EXPECT_EQ(op.stride, 2U);
  EXPECT_EQ(op.padding, 1U);
  EXPECT_EQ(op.activation, Activation::SiLU);
}

TEST(Resolve, ConvactSplit) {
  const ConvAct op = operation_of_kind<ConvAct>(instruction(Opcode::CONVACT, with(kConvolution, {"Split", 1})));
  EXPECT_EQ(op.output1.blocks, 4U);
  EXPECT_EQ(op.output2.blocks, 4U);
  EXPECT_EQ(op.output2.height, 5U);
  EXPECT_EQ(op.output2.width, 4U);
  EXPECT_EQ(op.output2.address, 0x4'00FF'FFFEU);
  EXPECT_EQ(op.output_blocks(), 8U);
}

TEST(Resolve, ConvactAtItsLimits) {
  const ConvAct one = operation_of_kind<ConvAct>(begin(Opcode::CONVACT));
  EXPECT_EQ(one.input.bytes(), 18U);
  EXPECT_EQ(one.output1.bytes(), 18U);
  EXPECT_EQ(one.kernel, 1U);
  EXPECT_EQ(one.stride, 1U);
  EXPECT_EQ(one.padding, 0U);
  EXPECT_EQ(one.activation, Activation::None);
  const ConvAct most = operation_of_kind<ConvAct>(
      instruction(Opcode::CONVACT, {{"InChannels", 63}, {"OutChannels", 63}, {"Padding", 1}, {"InHeight", 1023}, {"InWidth", 1023}}));
  EXPECT_EQ(most.input.bytes(), 64U * 1024 * 1024 * 18);
  EXPECT_EQ(most.output1.height, 1026U);  // 1,024 rows + 2 rows of padding, which a 1x1 kernel also covers
  EXPECT_EQ(most.output1.width, 1026U);
}

TEST(Resolve, ConvactThatDoesNotFitItsMap) {
  expect_refused(resolved(instruction(Opcode::CONVACT, {{"Kernel", 1}, {"InHeight", 1}, {"InWidth", 9}})), ErrorCode::shape_mismatch,
                 "InHeight", 2, 3);
  expect_refused(resolved(instruction(Opcode::CONVACT, {{"Kernel", 1}, {"InHeight", 9}, {"InWidth", 1}})), ErrorCode::shape_mismatch,
                 "InWidth", 2, 3);
  // One row of the map and two rows of padding have room for one position of the 3x3 kernel.
  EXPECT_EQ(operation_of_kind<ConvAct>(instruction(Opcode::CONVACT, {{"Kernel", 1}, {"Padding", 1}})).output1.count(), 1U);
}

TEST(Resolve, SplitOfAnOddNumberOfBlocks) {
  expect_refused(resolved(instruction(Opcode::CONVACT, {{"OutChannels", 2}, {"Split", 1}})), ErrorCode::shape_mismatch, "OutChannels", 3,
                 2);
}

TEST(Resolve, TwoTensors) {
  const std::vector<Setting> settings = {{"InOffset1", 2}, {"InOffset2", 4}, {"OutOffset", 6}, {"Length1", 1023}, {"Length2", 255}};
  for (const auto &[opcode, function] :
       {std::pair{Opcode::ELADD, ElementwiseFunction::add}, {Opcode::ELMUL, ElementwiseFunction::multiply}}) {
    const Elementwise op = operation_of_kind<Elementwise>(instruction(opcode, settings));
    EXPECT_EQ(op.function, function);
    EXPECT_EQ(op.input1, kInput1 + 2);
    EXPECT_EQ(op.input2, kInput2 + 4);
    EXPECT_EQ(op.output, kOutput1 + 6);
    EXPECT_EQ(op.blocks, 262143U);  // Length2 * 1024 + Length1
  }
}

TEST(Resolve, OneTensor) {
  const std::vector<Setting> settings = {{"InOffset", 2}, {"OutOffset", 6}, {"Length1", 5}, {"Length2", 3}};
  for (const auto &[opcode, function] : {std::pair{Opcode::SMULI, ElementwiseFunction::scale},
                                         {Opcode::SIGMOID, ElementwiseFunction::sigmoid},
                                         {Opcode::SOFTMAX, ElementwiseFunction::softmax}}) {
    const Elementwise op = operation_of_kind<Elementwise>(instruction(opcode, settings));
    EXPECT_EQ(op.function, function);
    EXPECT_EQ(op.input1, kInput1 + 2);
    EXPECT_EQ(op.output, kOutput1 + 6);
    EXPECT_EQ(op.blocks, 3077U);  // Length2 * 1024 + Length1
    EXPECT_EQ(op.immediate, 0U);
  }
  EXPECT_EQ(operation_of_kind<Elementwise>(instruction(Opcode::SMULI, {{"Immediate", 0xBF80}})).immediate, 0xBF80U);
}

TEST(Resolve, LengthZeroIs2To18) {
  for (const Opcode opcode : {Opcode::ELADD, Opcode::ELMUL, Opcode::SMULI, Opcode::SIGMOID, Opcode::SOFTMAX}) {
    EXPECT_EQ(operation_of_kind<Elementwise>(begin(opcode)).blocks, 262144U) << instruction_of(opcode).name;
  }
}

TEST(Resolve, Pool) {
  const Pool op = operation_of_kind<Pool>(instruction(Opcode::POOL, {{"Channels", 15},
                                                                     {"Padding", 2},
                                                                     {"Mode", 1},
                                                                     {"Kernel", 5},
                                                                     {"Stride", 3},
                                                                     {"InHeight", 19},
                                                                     {"InWidth", 12},
                                                                     {"InOffset", 8},
                                                                     {"OutOffset1", 10}}));
  EXPECT_EQ(op.input.address, kInput1 + 8);
  EXPECT_EQ(op.input.blocks, 16U);
  EXPECT_EQ(op.input.height, 20U);
  EXPECT_EQ(op.input.width, 13U);
  EXPECT_EQ(op.output.address, kOutput1 + 10);
  EXPECT_EQ(op.output.blocks, 16U);
  EXPECT_EQ(op.output.height, 7U);  // (height 20 + 2 * padding 2 - kernel 5) / stride 3 + 1
  EXPECT_EQ(op.output.width, 5U);   // (width 13 + 2 * padding 2 - kernel 5) / stride 3 + 1
  EXPECT_EQ(op.kernel, 5U);
  EXPECT_EQ(op.stride, 3U);
  EXPECT_EQ(op.padding, 2U);
  EXPECT_TRUE(op.average);
  EXPECT_FALSE(operation_of_kind<Pool>(smallest(Opcode::POOL)).average);
}

TEST(Resolve, PoolThatContradictsItself) {
  expect_refused(resolved(instruction(Opcode::POOL, {{"Kernel", 2}, {"Stride", 1}, {"Padding", 2}, {"InHeight", 9}, {"InWidth", 9}})),
                 ErrorCode::shape_mismatch, "Padding", 2, 1);
  expect_refused(resolved(instruction(Opcode::POOL, {{"Kernel", 13}, {"Stride", 1}, {"InHeight", 11}, {"InWidth", 12}})),
                 ErrorCode::shape_mismatch, "InHeight", 12, 13);
  expect_refused(resolved(instruction(Opcode::POOL, {{"Kernel", 13}, {"Stride", 1}, {"Padding", 1}, {"InHeight", 12}, {"InWidth", 9}})),
                 ErrorCode::shape_mismatch, "InWidth", 12, 13);
  EXPECT_TRUE(resolved(instruction(Opcode::POOL, {{"Kernel", 2}, {"Stride", 1}, {"Padding", 1}})).ok());
}

TEST(Resolve, Move) {
  const Move op = operation_of_kind<Move>(instruction(
      Opcode::MOVE, {{"InOffset", 18}, {"OutOffset", 36}, {"Repeat", 2}, {"InStride", 7}, {"OutStride", 12}, {"Run", 3}, {"Count", 9}}));
  EXPECT_EQ(op.from, kInput1 + 18);
  EXPECT_EQ(op.to, kOutput1 + 36);
  EXPECT_EQ(op.repeat, 3U);
  EXPECT_EQ(op.from_stride, 7U);
  EXPECT_EQ(op.to_stride, 12U);
  EXPECT_EQ(op.run, 4U);
  EXPECT_EQ(op.count, 10U);
}

TEST(Resolve, MoveWhoseRunsOverlap) {
  // Three copies of four blocks take twelve blocks. With a stride of eleven, the next run would write one block twice.
  const std::vector<Setting> settings = {{"Repeat", 2}, {"OutStride", 11}, {"Run", 3}};
  expect_refused(resolved(instruction(Opcode::MOVE, with(settings, {"Count", 1}))), ErrorCode::shape_mismatch, "OutStride", 11, 12);
  EXPECT_TRUE(resolved(instruction(Opcode::MOVE, settings)).ok());  // with one run the stride does not matter
}

TEST(Resolve, WithoutConfbaddr) {
  for (const Instruction &row : kInstructions) {
    if (row.opcode == Opcode::CONFBADDR) continue;
    expect_refused(resolve(smallest(row.opcode), bases(), {}), ErrorCode::missing_configuration, "CONFBADDR");
  }
}

TEST(Resolve, UnknownInstruction) {
  expect_refused(resolve(MachineCode{0x3F}, bases(), kSelection), ErrorCode::unknown_instruction, "opcode", 0x3F);
}

struct AddressField {
  Opcode opcode;
  const char *field;
  unsigned base;  ///< number of the base register that kSelection selects for the field
};

constexpr AddressField kAddressFields[] = {
    {Opcode::CONVACT, "InOffset", 1},   {Opcode::CONVACT, "WeightOffset", 31}, {Opcode::CONVACT, "OutOffset1", 3},
    {Opcode::CONVACT, "OutOffset2", 4}, {Opcode::ELADD, "InOffset1", 1},       {Opcode::ELADD, "InOffset2", 2},
    {Opcode::ELADD, "OutOffset", 3},    {Opcode::ELMUL, "InOffset1", 1},       {Opcode::ELMUL, "InOffset2", 2},
    {Opcode::ELMUL, "OutOffset", 3},    {Opcode::SMULI, "InOffset", 1},        {Opcode::SMULI, "OutOffset", 3},
    {Opcode::SIGMOID, "InOffset", 1},   {Opcode::SIGMOID, "OutOffset", 3},     {Opcode::SOFTMAX, "InOffset", 1},
    {Opcode::SOFTMAX, "OutOffset", 3},  {Opcode::POOL, "InOffset", 1},         {Opcode::POOL, "OutOffset1", 3},
    {Opcode::MOVE, "InOffset", 1},      {Opcode::MOVE, "OutOffset", 3},
};

/// Makes an instruction that uses all of its addresses. The offset in the field `one` is `offset`; the other offsets are 0.
MachineCode addressed(const AddressField &one, std::int64_t offset) {
  MachineCode code = smallest(one.opcode);
  const Instruction &entry = instruction_of(one.opcode);
  if (one.opcode == Opcode::CONVACT) {
    EXPECT_TRUE(set(code, *find_field(entry, "Split"), 1).ok());
    EXPECT_TRUE(set(code, *find_field(entry, "OutChannels"), 1).ok());
  }
  if (const Field *length = find_field(entry, "Length1")) {
    EXPECT_TRUE(set(code, *length, 1).ok());
  }
  EXPECT_TRUE(set(code, *find_field(entry, one.field), offset).ok());
  return code;
}

TEST(Resolve, BaseRegisterThatNobodyWrote) {
  for (const AddressField &one : kAddressFields) {
    SCOPED_TRACE(std::string(instruction_of(one.opcode).name) + " " + one.field);
    BaseRegisters registers = bases();
    registers.written &= ~(1U << one.base);
    expect_refused(resolved(addressed(one, 0), registers), ErrorCode::base_not_written, one.field, one.base);
  }
}

TEST(Resolve, BaseRegistersThatAreNotUsedNeedNotBeWritten) {
  BaseRegisters registers = bases();
  registers.written = 1U << 1 | 1U << 3 | 1U << 31;
  EXPECT_TRUE(resolved(begin(Opcode::CONVACT), registers).ok());  // output 2 is not used without Split
  EXPECT_TRUE(resolved(begin(Opcode::SMULI), registers).ok());
}

TEST(Resolve, MisalignedAddress) {
  for (const AddressField &one : kAddressFields) {
    SCOPED_TRACE(std::string(instruction_of(one.opcode).name) + " " + one.field);
    const bool weights = std::string_view(one.field) == "WeightOffset";
    const auto base = static_cast<std::int64_t>(bases().address[one.base]);
    expect_refused(resolved(addressed(one, 1)), ErrorCode::misaligned_address, one.field, base + 1, weights ? 4 : 2);
    if (weights) {
      expect_refused(resolved(addressed(one, 2)), ErrorCode::misaligned_address, one.field, base + 2, 4);
    } else {
      EXPECT_TRUE(resolved(addressed(one, 2)).ok());
    }
    EXPECT_TRUE(resolved(addressed(one, 4)).ok());
    // The sum of base and offset must be aligned. The offset itself need not be.
    BaseRegisters odd = bases();
    odd.address[one.base] += 1;
    expect_refused(resolved(addressed(one, 0), odd), ErrorCode::misaligned_address, one.field, base + 1, weights ? 4 : 2);
    EXPECT_TRUE(resolved(addressed(one, 3), odd).ok());
  }
}

TEST(Resolve, AddressBeyond64Bits) {
  for (const AddressField &one : kAddressFields) {
    SCOPED_TRACE(std::string(instruction_of(one.opcode).name) + " " + one.field);
    BaseRegisters registers = bases();
    registers.address[one.base] = 0xFFFF'FFFF'FFFF'FF00;
    // The address wraps to 0.
    expect_refused(resolved(addressed(one, 0x100), registers), ErrorCode::address_outside_window, one.field, 0);
    // The address is 4 bytes before the end of the address space. The tensor, of 18 bytes or more, exceeds it.
    expect_refused(resolved(addressed(one, 0xFC), registers), ErrorCode::address_outside_window, one.field, -4);
  }
}

/// An offset reaches up to 16 MiB beyond its base. Bases have 64 bits.
TEST(Resolve, AddressesHave64Bits) {
  BaseRegisters registers = bases();
  registers.address[1] = 0x8123'4567'89AB'CDE0;
  EXPECT_EQ(operation_of_kind<Move>(instruction(Opcode::MOVE, {{"InOffset", 0xFFFFFE}}), registers).from, 0x8123'4567'8AAB'CDDEU);
}

}  // namespace resolve_test
}  // namespace cox::isa::mx
