// SPDX-License-Identifier: MIT
// Tests the conversion of slots to the text form and back, and the message for each kind of invalid stream.
#include "tools/cube/disassemble.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "coxswain/isa/cube/encode.h"
#include "tools/assembly/float32_text.h"
#include "tools/cube/assemble.h"
#include "tools/file/error.h"

namespace cox::tools::cube {
namespace {

using Slot = std::array<std::uint32_t, 8>;

std::vector<std::uint8_t> stream_of(const std::vector<Slot> &slots) {
  std::vector<std::uint8_t> stream;
  for (const Slot &slot : slots) {
    for (const std::uint32_t word : slot) {
      for (unsigned shift = 0; shift < 32; shift += 8) stream.push_back(static_cast<std::uint8_t>(word >> shift));
    }
  }
  return stream;
}

struct Refusal {
  std::string message;
  ErrorCode code = ErrorCode::ok;
};

Refusal refusal(const std::vector<std::uint8_t> &stream) {
  try {
    static_cast<void>(disassemble(stream, "test.cubes"));
  } catch (const tools::FileError &error) {
    return {error.what(), error.code()};
  }
  return {};
}

TEST(Disassemble, EveryInstruction) {
  // The encodings are worked out in tests/isa/cube/vectors_test.cpp.
  EXPECT_EQ(
      disassemble(
          stream_of({
              {0x01000001, 0x00000002, 0x0000005E},
              {0x80000002, 0x00000001, 0x00000067},
              {0x00000003, 0, 0x0000000A},
              {0x0000FF04, 0x0000A500, 0x60001234, 0x0309ABCD, 0x00001000, 0x0010012C, 0x00012200, 0x00000031},
              {10 + (1U << 16) + (1U << 25), 1U << 23, 0, 0x40, 0x8000, 512, 128 + (64U << 12), 17 + (2U << 12) + (7U << 15) - (2U << 15)},
              {10, 0, 0, 1, 0, 3U << 24, 0, 1},
              {11, 0, 0x3F000000, 0x80000000, 1U << 20, 0, (3U << 21) + (0xFDU << 24), 0x7F800000},
          }),
          "test.cubes"),
      "SET_FLAG Pipe=M Target=FIX Event=5 Wait=FIX:0 Set=MTE2:1  # 0\n"
      "WAIT_FLAG Pipe=FIX Origin=MTE1 Event=6 Wait=M:7 Set=MTE2:0  # 1\n"
      "BARRIER Pipes=MTE1,FIX  # 2\n"
      "DRAM_TO_L1 Source=1610617396 SourceHigh=43981 Rows=777 SourcePitch=4096 RowBytes=300 Format=Fractal Destination=74240 "
      "DestinationPitch=49 Wait=MTE1:0,MTE1:1,MTE1:2,MTE1:3,MTE1:4,MTE1:5,MTE1:6,MTE1:7 Set=M:0,M:2,M:5,M:7  # 3\n"
      "MAD BiasAddress=64 Left=32768 Right=512 M=128 K=64 N=17 Type=float KDirectionAlign=true CmatrixSource=true "
      "Wait=MTE1:0,FIX:1 Set=FIX:7  # 4\n"
      "MAD BiasAddress=1 SmaskOffset=3 N=1 Type=bfloat16  # 5\n"
      "OUT_CFG Scale=0.5 Beta=-0 ScaleMode=Tensor Activation=Clip ZeroPoint=-3 ActivationParameter=0x7F800000  # 6\n");
}

TEST(Disassemble, RandomStreamsComeBack) {
  std::mt19937 random(7);
  std::vector<Slot> slots;
  for (int i = 0; i < 2000; ++i) {
    const isa::cube::Instruction &instruction = isa::cube::kInstructions[random() % std::size(isa::cube::kInstructions)];
    Slot code = isa::cube::begin(instruction.opcode);
    const auto draw = [&](const isa::Field &field) {
      const bool any = field.kind == isa::Kind::floating_point;
      const std::int64_t value = any ? random() : std::uniform_int_distribution(field.minimum, field.maximum)(random);
      ASSERT_TRUE(isa::cube::set(code, field, value).ok());
    };
    for (const isa::Field &field : instruction.fields) draw(field);
    if (instruction.opcode != isa::cube::Opcode::BARRIER) {
      for (const isa::Field &field : isa::cube::kHeaderFields) draw(field);
    }
    ASSERT_TRUE(isa::cube::check(code).ok());
    slots.push_back(code);
  }
  const std::vector<std::uint8_t> stream = stream_of(slots);
  EXPECT_EQ(assemble(disassemble(stream, "test.cubes"), "test.cube"), stream);
}

/// The unit ignores nearly all fields of an empty MAD, so they may have values out of range.
TEST(Disassemble, RandomEmptyMadsComeBack) {
  std::mt19937 random(8);
  const isa::cube::Instruction &mad = isa::cube::instruction_of(isa::cube::Opcode::MAD);
  std::vector<Slot> slots;
  for (int i = 0; i < 500; ++i) {
    Slot code = isa::cube::begin(mad.opcode);
    for (const isa::Field &field : mad.fields) isa::insert_bits(code, field.bit, field.width, static_cast<std::uint32_t>(random()));
    const auto put = [&](const char *name, std::int64_t value) {
      EXPECT_TRUE(isa::cube::set(code, *isa::cube::find_field(mad, name), value));
    };
    put("Type", random() % 5);
    put(i % 3 == 0 ? "M" : i % 3 == 1 ? "K" : "N", 0);
    slots.push_back(code);
  }
  const std::vector<std::uint8_t> stream = stream_of(slots);
  EXPECT_EQ(assemble(disassemble(stream, "test.cubes"), "test.cube"), stream);
}

TEST(Disassemble, FloatsOfEveryExponentComeBack) {
  for (std::uint32_t high = 0; high < 0x10000; high += 0x40) {
    for (const std::uint32_t low : {0U, 1U, 0x8001U, 0xFFFFU}) {
      const std::uint32_t bits = high << 16 | low;
      const std::string text = assembly::float32_text(bits);
      SCOPED_TRACE(text);
      if ((bits & 0x7F800000U) == 0x7F800000U) {
        EXPECT_EQ(text.substr(0, 2), "0x");
        EXPECT_EQ(std::stoul(text, nullptr, 16), bits);
        continue;
      }
      const auto read = assembly::read_float32(text);
      ASSERT_TRUE(read.has_value());
      EXPECT_TRUE(read->in_range);
      EXPECT_EQ(read->bits, bits);
    }
  }
}

TEST(Disassemble, UnknownOpcode) {
  const Refusal said = refusal(stream_of({{10}, {0x1234560E}}));
  EXPECT_EQ(said.message, "test.cubes: instruction 1: unknown_instruction: no instruction has 14 in bits [7:0]");
  EXPECT_EQ(said.code, ErrorCode::unknown_instruction);
}

TEST(Disassemble, ReservedBit) {
  const Refusal said = refusal(stream_of({{10}, {10}, {9, 0, 0, 64U << 16, 1}}));
  EXPECT_EQ(said.message, "test.cubes: instruction 2 (L1_TO_BT): reserved_bits: bit 128 must be 0");
  EXPECT_EQ(said.code, ErrorCode::reserved_bits);
}

TEST(Disassemble, FieldOutOfRange) {
  const Refusal said = refusal(stream_of({{10, 0, 0, 0, 65536, 0, 1 + (1U << 12), 1}}));
  EXPECT_EQ(said.message, "test.cubes: instruction 0 (MAD): field_out_of_range: Left: 65536, the limit is 65535");
  EXPECT_EQ(said.code, ErrorCode::field_out_of_range);
}

TEST(Disassemble, EndsInsideOfASlot) {
  std::vector<std::uint8_t> stream = stream_of({{10}});
  stream.resize(56);
  const Refusal said = refusal(stream);
  EXPECT_EQ(said.message, "test.cubes: instruction 1: stream_truncated: 24 bytes are left of 32");
  EXPECT_EQ(said.code, ErrorCode::stream_truncated);
}

TEST(Disassemble, NothingInIt) { EXPECT_EQ(refusal({}).message, "test.cubes: no instruction in it"); }

}  // namespace
}  // namespace cox::tools::cube
