// SPDX-License-Identifier: MIT
// Tests the conversion of bytes to the text form and back, and the message for each kind of invalid stream.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "coxswain/isa/mx/table.h"
#include "tools/file/error.h"
#include "tools/mx/text.h"

namespace cox::tools::mx {
namespace {

std::vector<std::uint8_t> stream_of(const std::vector<std::uint64_t> &blocks) {
  std::vector<std::uint8_t> stream;
  for (const std::uint64_t block : blocks) {
    for (unsigned byte = 0; byte < 8; ++byte) stream.push_back(static_cast<std::uint8_t>(block >> 8 * byte));
  }
  return stream;
}

struct Refusal {
  std::string message;
  ErrorCode code = ErrorCode::ok;
};

Refusal refusal(const std::vector<std::uint8_t> &stream) {
  try {
    static_cast<void>(Text::print(stream, "test.mxs"));
  } catch (const tools::FileError &error) {
    return {error.what(), error.code()};
  }
  return {};
}

TEST(Disassemble, EveryInstruction) {
  // The encodings are worked out in tests/isa/mx/vectors_test.cpp.
  EXPECT_EQ(
      Text::print(stream_of({0x000000007C831040,                                          //
                             0x0004FE7F02F0E0C9, 0x00ABCDEF12345600, 0x00FEDCBA13579B00,  //
                             0xAB2222241111120B, 0x0000015533333600,                      //
                             0x80F0F0F00F0F0E1B, 0x0000000180000000,                      //
                             0x03654320FA2FE01A, 0x000000000A0B0C00,                      //
                             0x014000028040002A, 0x0000000040000000,                      //
                             0xFE0000240080003A, 0x0000000000004800,                      //
                             0x00005013B4E007CC, 0x000000007FFFFE00, 0x0000000000010200,  //
                             0x012000001000000D, 0x000000A000000050, 0x000000270000004F}),
                  "test.mxs"),
      "CONFBADDR InputBase1=1 InputBase2=2 OutputBase1=3 OutputBase2=4 WeightBase=31  # byte 0\n"
      "CONVACT InChannels=3 OutChannels=7 Kernel=3x3 Stride=1 Padding=1 Activation=SiLU Split=true InHeight=639 InWidth=319 "
      "InOffset=1193046 WeightOffset=11259375 OutOffset1=1267611 OutOffset2=16702650  # byte 8\n"
      "ELADD InOffset1=1118482 InOffset2=2236964 Length2=171 OutOffset=3355446 Length1=341  # byte 32\n"
      "ELMUL InOffset1=986894 InOffset2=15790320 Length2=128 OutOffset=8388608 Length1=1  # byte 48\n"
      "SMULI Immediate=-1 Length1=1000 InOffset=6636320 Length2=3 OutOffset=658188  # byte 64\n"
      "SIGMOID Length1=513 InOffset=4194306 Length2=1 OutOffset=4194304  # byte 80\n"
      "SOFTMAX Length1=2 InOffset=36 Length2=254 OutOffset=72  # byte 96\n"
      "POOL Channels=31 Padding=6 Mode=Average Kernel=13 Stride=2 InHeight=19 InWidth=20 InOffset=8388606 OutOffset1=258  # byte 112\n"
      "MOVE InOffset=1048576 OutOffset=2097152 Repeat=1 InStride=80 OutStride=160 Run=79 Count=39  # byte 136\n");
}

TEST(Disassemble, RandomStreamsComeBack) {
  std::mt19937 random(7);
  std::vector<std::uint8_t> stream;
  constexpr int kInstructionsWritten = 3000;
  for (int i = 0; i < kInstructionsWritten; ++i) {
    const isa::mx::Instruction &instruction = isa::mx::kInstructions[random() % std::size(isa::mx::kInstructions)];
    isa::mx::MachineCode code = isa::mx::begin(instruction.opcode);
    for (const isa::Field &field : instruction.fields) {
      ASSERT_TRUE(isa::mx::set(code, field, std::uniform_int_distribution(field.minimum, field.maximum)(random)).ok());
    }
    for (std::size_t byte = 0; byte < instruction.bytes; ++byte) {
      stream.push_back(static_cast<std::uint8_t>(code[byte / 4] >> byte % 4 * 8));
    }
  }
  EXPECT_EQ(Text::assemble(Text::print(stream, "test.mxs"), "test.mx"), stream);
}

TEST(Disassemble, UnknownOpcode) {
  const Refusal said = refusal(stream_of({0, 0x3F}));
  EXPECT_EQ(said.message, "test.mxs: byte 8: unknown_instruction: no instruction has 63 in bits [5:0]");
  EXPECT_EQ(said.code, ErrorCode::unknown_instruction);
}

/// The published description gives ELADD and ELMUL 8 bytes. This form is refused.
TEST(Disassemble, ThePublishedFormOfEladdAndElmul) {
  for (const std::uint64_t opcode : {0b001001U, 0b011001U}) {
    const std::uint64_t word = std::uint64_t{0x3400} << 32 | 0x1200 << 8 | opcode;
    const Refusal said = refusal(stream_of({0, word, word}));
    EXPECT_EQ(said.message,
              "test.mxs: byte 8: unknown_instruction: an 8-byte ELADD or ELMUL, which this instruction set does not have: opcode 0b1001 is "
              "CONVACT, and ELADD and ELMUL have 16 bytes with opcode 0b1011 (docs/isa/mx.md)");
    EXPECT_EQ(said.code, ErrorCode::unknown_instruction);
  }
}

TEST(Disassemble, ReservedBit) {
  const Refusal said = refusal(stream_of({0, 0x9, 1, 0}));
  EXPECT_EQ(said.message, "test.mxs: byte 8: reserved_bits: CONVACT: bit 64 must be 0");
  EXPECT_EQ(said.code, ErrorCode::reserved_bits);
}

TEST(Disassemble, FieldOutOfRange) {
  const Refusal said = refusal(stream_of({0x9 + (64U << 6), 0, 0}));
  EXPECT_EQ(said.message, "test.mxs: byte 0: field_out_of_range: CONVACT: InChannels: 64, the limit is 63");
  EXPECT_EQ(said.code, ErrorCode::field_out_of_range);
}

TEST(Disassemble, EndsInsideOfAnInstruction) {
  const Refusal said = refusal(stream_of({0, 0x9, 0}));
  EXPECT_EQ(said.message, "test.mxs: byte 8: stream_truncated: CONVACT: 16 bytes are left of 24");
  EXPECT_EQ(said.code, ErrorCode::stream_truncated);
  std::vector<std::uint8_t> odd = stream_of({0});
  odd.push_back(0);
  EXPECT_EQ(refusal(odd).message, "test.mxs: byte 8: stream_truncated: 1 bytes are left of 8");
}

TEST(Disassemble, NothingInIt) { EXPECT_EQ(refusal({}).message, "test.mxs: no instruction in it"); }

}  // namespace
}  // namespace cox::tools::mx
