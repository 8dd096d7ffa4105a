// SPDX-License-Identifier: MIT
// Writes random instructions to a stream and reads them back field by field.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <span>
#include <vector>

#include "tests/isa/mx/instruction.h"

namespace cox::isa::mx {
namespace {

TEST(RoundTrip, RandomStreams) {
  struct Written {
    const Instruction *instruction;
    std::vector<std::int64_t> values;
  };
  std::mt19937 random(20240607);
  std::vector<Written> written;
  std::vector<std::byte> stream;
  constexpr int kInstructionsWritten = 5000;
  for (int i = 0; i < kInstructionsWritten; ++i) {
    const Instruction &instruction = kInstructions[random() % std::size(kInstructions)];
    Written one{&instruction, std::vector<std::int64_t>(instruction.fields.size())};
    MachineCode code = begin(instruction.opcode);
    std::vector<std::size_t> order(instruction.fields.size());
    for (std::size_t f = 0; f < order.size(); ++f) order[f] = f;
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t f : order) {
      const Field &field = instruction.fields[f];
      one.values[f] = std::uniform_int_distribution<std::int64_t>(field.minimum, field.maximum)(random);
      ASSERT_TRUE(set(code, field, -1).code() == ErrorCode::field_out_of_range);
      ASSERT_TRUE(set(code, field, one.values[f]).ok()) << field.name;
    }
    const auto bytes = std::as_bytes(std::span(code)).first(instruction.bytes);
    stream.insert(stream.end(), bytes.begin(), bytes.end());
    written.push_back(one);
  }

  std::span<const std::byte> rest = stream;
  for (const Written &one : written) {
    const Result<Fetched> fetched = fetch(rest);
    ASSERT_TRUE(fetched.ok());
    ASSERT_EQ(fetched.value().instruction, one.instruction);
    ASSERT_TRUE(check(fetched.value().code).ok());
    for (std::size_t f = 0; f < one.values.size(); ++f) {
      ASSERT_EQ(read_integer(fetched.value().code, one.instruction->fields[f]), one.values[f]) << one.instruction->fields[f].name;
    }
    rest = rest.subspan(one.instruction->bytes);
  }
  EXPECT_TRUE(rest.empty());
}

}  // namespace
}  // namespace cox::isa::mx
