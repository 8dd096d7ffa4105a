// SPDX-License-Identifier: MIT
// resolve() refuses outputs that share bytes with inputs or with each other. An element-wise output may equal its input.
#include <gtest/gtest.h>

#include "tests/isa/mx/operation.h"

namespace cox::isa::mx {
namespace {

constexpr std::uint64_t kMemory = 0x6000'0000;

/// Resolves the instruction with the same base register for all operands.
Result<Operation> in_one_memory(const MachineCode &code) {
  EXPECT_TRUE(check(code).ok());
  BaseRegisters registers;
  registers.address[0] = kMemory;
  registers.written = 1;
  return resolve(code, registers, Selection{true, 0, 0, 0, 0, 0});
}

void expect_overlap(const MachineCode &code, const char *field, std::int64_t output, std::int64_t other) {
  const auto memory = static_cast<std::int64_t>(kMemory);
  expect_refused(in_one_memory(code), ErrorCode::tensor_overlap, field, memory + output, memory + other);
}

/// A 1x1 convolution from 16 to 32 channels on 4 x 4 pixels. The input has 4 * 4 = 16 blocks of 18 bytes: 288 bytes.
/// Each 16 output channels have 16 * 18 = 288 bytes of weights and 64 bytes of biases: 2 * (288 + 64) = 704 bytes.
/// The output has 2 * 288 = 576 bytes. If it is split, it has two halves of 288 bytes.
MachineCode convolution(std::int64_t input, std::int64_t weights, std::int64_t output1, std::int64_t output2, bool split) {
  return instruction(Opcode::CONVACT, {{"OutChannels", 1},
                                       {"InHeight", 3},
                                       {"InWidth", 3},
                                       {"InOffset", input},
                                       {"WeightOffset", weights},
                                       {"OutOffset1", output1},
                                       {"OutOffset2", output2},
                                       {"Split", split ? 1 : 0}});
}

TEST(Overlap, Convact) {
  EXPECT_TRUE(in_one_memory(convolution(0, 288, 992, 0, false)).ok());            // input, weights and output follow each other
  EXPECT_TRUE(in_one_memory(convolution(576, 864, 0, 0, false)).ok());            // the output before the input
  expect_overlap(convolution(0, 288, 990, 0, false), "OutOffset1", 990, 288);     // overlaps the last 2 bytes of the weights
  expect_overlap(convolution(574, 864, 0, 0, false), "OutOffset1", 0, 574);       // overlaps the first 2 bytes of the input
  expect_overlap(convolution(0, 288, 0, 0, false), "OutOffset1", 0, 0);           // a convolution cannot work in place
  EXPECT_TRUE(in_one_memory(convolution(0, 288, 992, 1280, true)).ok());          // output 2 directly behind output 1
  expect_overlap(convolution(0, 288, 992, 1278, true), "OutOffset1", 992, 1278);  // the two outputs overlap
  expect_overlap(convolution(0, 288, 992, 286, true), "OutOffset2", 286, 0);      // output 2 overlaps the input
  EXPECT_TRUE(in_one_memory(convolution(0, 0, 992, 0, false)).ok());              // inputs may overlap
}

/// A sum of two tensors of 10 blocks of 18 bytes, so each operand has 180 bytes.
MachineCode sum(std::int64_t input1, std::int64_t input2, std::int64_t output) {
  return instruction(Opcode::ELADD, {{"InOffset1", input1}, {"InOffset2", input2}, {"OutOffset", output}, {"Length1", 10}});
}

TEST(Overlap, TwoTensors) {
  EXPECT_TRUE(in_one_memory(sum(0, 180, 360)).ok());
  EXPECT_TRUE(in_one_memory(sum(0, 180, 0)).ok());
  EXPECT_TRUE(in_one_memory(sum(0, 180, 180)).ok());
  EXPECT_TRUE(in_one_memory(sum(0, 0, 0)).ok());
  EXPECT_TRUE(in_one_memory(sum(0, 90, 180 + 90)).ok());
  expect_overlap(sum(0, 1000, 178), "OutOffset", 178, 0);
  expect_overlap(sum(18, 1000, 0), "OutOffset", 0, 18);
  expect_overlap(sum(0, 90, 0), "OutOffset", 0, 90);  // equal to input 1, but overlaps input 2
}

TEST(Overlap, OneTensor) {
  for (const Opcode opcode : {Opcode::SMULI, Opcode::SIGMOID, Opcode::SOFTMAX}) {
    const auto code = [opcode](std::int64_t input, std::int64_t output) {
      return instruction(opcode, {{"InOffset", input}, {"OutOffset", output}, {"Length1", 2}});
    };
    EXPECT_TRUE(in_one_memory(code(36, 36)).ok());
    EXPECT_TRUE(in_one_memory(code(36, 0)).ok());
    EXPECT_TRUE(in_one_memory(code(36, 72)).ok());
    expect_overlap(code(36, 2), "OutOffset", 2, 36);
    expect_overlap(code(36, 70), "OutOffset", 70, 36);
  }
}

TEST(Overlap, Pool) {
  // A pool from 6 x 6 blocks (648 bytes) to 3 x 3 blocks (162 bytes).
  const auto code = [](std::int64_t input, std::int64_t output) {
    return instruction(Opcode::POOL,
                       {{"Kernel", 2}, {"Stride", 2}, {"InHeight", 5}, {"InWidth", 5}, {"InOffset", input}, {"OutOffset1", output}});
  };
  EXPECT_TRUE(in_one_memory(code(0, 648)).ok());
  EXPECT_TRUE(in_one_memory(code(162, 0)).ok());
  expect_overlap(code(0, 646), "OutOffset1", 646, 0);
  expect_overlap(code(160, 0), "OutOffset1", 0, 160);
  expect_overlap(code(0, 0), "OutOffset1", 0, 0);
}

TEST(Overlap, MoveByItsBounds) {
  // Each operand has two runs of one block (18 bytes), 36 bytes apart. So it occupies 54 bytes, including the gap.
  const auto code = [](std::int64_t input, std::int64_t output) {
    return instruction(Opcode::MOVE, {{"InOffset", input}, {"OutOffset", output}, {"InStride", 2}, {"OutStride", 2}, {"Count", 1}});
  };
  EXPECT_TRUE(in_one_memory(code(0, 54)).ok());
  EXPECT_TRUE(in_one_memory(code(54, 0)).ok());
  expect_overlap(code(0, 52), "OutOffset", 52, 0);
  expect_overlap(code(0, 18), "OutOffset", 18, 0);  // in the input's gap, which counts as occupied
  expect_overlap(code(0, 0), "OutOffset", 0, 0);
}

/// Output 2 exceeds the end of the address space: this is the error. Addresses do not wrap to 0, so output 2 does not overlap output 1,
/// which is at address 0.
TEST(Overlap, TheEndOfTheAddressSpaceIsNoOverlap) {
  BaseRegisters registers = bases();
  registers.address[3] = 0;
  registers.address[4] = 0xFFFF'FFFF'FFFF'FFF0;
  const MachineCode code = instruction(Opcode::CONVACT, {{"OutChannels", 1}, {"Split", 1}});
  expect_refused(resolved(code, registers), ErrorCode::address_outside_window, "OutOffset2", -16);
}

}  // namespace
}  // namespace cox::isa::mx
