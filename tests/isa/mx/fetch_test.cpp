// SPDX-License-Identifier: MIT
// fetch() reads instructions of all lengths from a stream. It must refuse streams that end too early.
#include <gtest/gtest.h>

#include <iterator>
#include <span>
#include <vector>

#include "tests/isa/mx/instruction.h"

namespace cox::isa::mx {
namespace {

struct Length {
  Opcode opcode;
  std::size_t bytes;
};

constexpr Length kLengths[] = {
    {Opcode::CONFBADDR, 8}, {Opcode::CONVACT, 24}, {Opcode::ELADD, 16}, {Opcode::ELMUL, 16}, {Opcode::SMULI, 16},
    {Opcode::SIGMOID, 16},  {Opcode::SOFTMAX, 16}, {Opcode::POOL, 24},  {Opcode::MOVE, 24},
};
static_assert(std::size(kLengths) == std::size(kInstructions), "each instruction has an entry");

/// The instruction, followed by bytes that do not belong to it.
std::vector<std::byte> stream_with(const MachineCode &code, std::size_t bytes, std::size_t behind) {
  std::vector<std::byte> stream(bytes + behind, std::byte{0xEE});
  std::memcpy(stream.data(), code.data(), bytes);
  return stream;
}

/// Sets bits in every block of the instruction.
MachineCode marked(const Length &length) {
  MachineCode code = begin(length.opcode);
  for (std::size_t word = 1; word < length.bytes / 4; ++word) code[word] = 0x01010100;
  return code;
}

TEST(Fetch, TakesItsLengthAndNoMore) {
  for (const Length &length : kLengths) {
    for (const std::size_t behind : {0, 1, 7, 8, 16}) {
      SCOPED_TRACE(testing::Message() << instruction_of(length.opcode).name << " and " << behind);
      const MachineCode code = marked(length);
      const Result<Fetched> fetched = fetch(stream_with(code, length.bytes, behind));
      ASSERT_TRUE(fetched.ok());
      EXPECT_EQ(fetched.value().instruction, &instruction_of(length.opcode));
      EXPECT_EQ(fetched.value().instruction->bytes, length.bytes);
      EXPECT_EQ(fetched.value().code, code);  // the words behind the instruction are zero
    }
  }
}

TEST(Fetch, EndsInsideOfTheInstruction) {
  for (const Length &length : kLengths) {
    const std::vector<std::byte> whole = stream_with(marked(length), length.bytes, 0);
    for (std::size_t left = 0; left < length.bytes; ++left) {
      SCOPED_TRACE(testing::Message() << instruction_of(length.opcode).name << " of " << left << " bytes");
      // The copy is exactly as long as the stream, so that a sanitizer sees a read beyond it.
      const std::vector<std::byte> stream(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(left));
      const Status status = fetch(stream).status();
      EXPECT_EQ(status.code(), ErrorCode::stream_truncated);
      EXPECT_EQ(status.value(), static_cast<std::int64_t>(left));
      if (left < 8) {
        EXPECT_STREQ(status.what(), "stream");
        EXPECT_EQ(status.limit(), 8);
      } else {
        EXPECT_STREQ(status.what(), instruction_of(length.opcode).name);
        EXPECT_EQ(status.limit(), static_cast<std::int64_t>(length.bytes));
      }
    }
  }
}

TEST(Fetch, UnknownOpcodeWhateverIsLeft) {
  for (const std::size_t bytes : {8, 16, 24, 25}) {
    std::vector<std::byte> stream(bytes);
    stream[0] = std::byte{0xCF};  // bits [5:0] are 0x0F; bits 7 and 6 do not belong to the opcode
    const Status status = fetch(stream).status();
    EXPECT_EQ(status.code(), ErrorCode::unknown_instruction);
    EXPECT_STREQ(status.what(), "opcode");
    EXPECT_EQ(status.value(), 0x0F);
  }
}

TEST(Fetch, ReservedBitsAreForTheCheck) {
  std::vector<std::byte> stream(8);
  stream[7] = std::byte{0x80};  // bit 63 of a CONFBADDR
  const Result<Fetched> fetched = fetch(stream);
  ASSERT_TRUE(fetched.ok());
  EXPECT_EQ(check(fetched.value().code).code(), ErrorCode::reserved_bits);
}

}  // namespace
}  // namespace cox::isa::mx
