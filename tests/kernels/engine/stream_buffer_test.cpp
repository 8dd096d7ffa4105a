// SPDX-License-Identifier: MIT
#include "coxswain/kernels/engine/stream_buffer.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace cox::tests {
namespace {

using kernels::StreamBuffer;

class StreamBufferTest : public testing::Test {
 protected:
  static constexpr std::size_t kUnit = 16;

  void init(std::size_t units, unsigned segments = 1) {
    ASSERT_TRUE(buffer.init(std::span(memory.bytes).first(units * kUnit), {}, {.unit = kUnit, .least = kUnit, .segments = segments}).ok());
  }
  std::byte *at(std::size_t unit) { return &memory.bytes[unit * kUnit]; }

  /// Takes each full segment, so that the stream continues in the next one.
  static Result<std::span<std::byte>> take(void *owner, StreamBuffer &buffer) {
    auto &self = *static_cast<StreamBufferTest *>(owner);
    self.taken.push_back(buffer.code().size() / kUnit);
    if (!self.outcome.ok()) return self.outcome;
    return buffer.segment(static_cast<unsigned>(self.taken.size()) % buffer.segments());
  }

  struct alignas(64) Memory {
    std::array<std::byte, 256> bytes{};
  } memory;
  StreamBuffer buffer;
  std::vector<std::size_t> taken;
  Status outcome;
};

TEST_F(StreamBufferTest, WhatInitRefuses) {
  const std::span<std::byte> bytes(memory.bytes);
  const auto refused = [&](std::span<std::byte> span, std::size_t windows, unsigned segments, const char *what) {
    const std::vector<isa::Window> many(windows);
    const Status status = buffer.init(span, many, {.unit = kUnit, .least = 32, .segments = segments});
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(buffer.reserve(kUnit), nullptr);
    EXPECT_EQ(buffer.status().code(), ErrorCode::not_ready);
  };
  refused(bytes.subspan(8), 1, 1, "stream address");
  refused(bytes, 1, 3, "segments");
  refused(bytes, 1, 32, "segments");
  refused(bytes.first(63), 1, 2, "stream size");
  refused(bytes, kernels::kWindows + 1, 1, "windows");
}

TEST_F(StreamBufferTest, AFullBufferRefusesAndStaysAsItWas) {
  init(3);
  EXPECT_EQ(buffer.reserve(kUnit), at(0));
  EXPECT_EQ(buffer.reserve(3 * kUnit), nullptr);
  EXPECT_EQ(buffer.status().code(), ErrorCode::no_room);
  EXPECT_EQ(buffer.status().value(), 4);
  EXPECT_EQ(buffer.status().limit(), 3);
  EXPECT_EQ(buffer.reserve(2 * kUnit), at(1));
  EXPECT_EQ(buffer.code().size(), 3 * kUnit);
  buffer.clear();
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_EQ(buffer.reserve(kUnit), at(0));
}

TEST_F(StreamBufferTest, AFullBufferIsHandedOverAndGoesOnInTheNextSegment) {
  init(5, 2);  // two segments of 2 units; the fifth unit is not used
  buffer.set_hand_over(take, this);
  const StreamBuffer::Mark mark = buffer.mark();
  for (const std::size_t unit : {0, 1, 2, 3, 0}) EXPECT_EQ(buffer.reserve(kUnit), at(unit));
  EXPECT_EQ(taken, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(buffer.handed_over(), 4U);
  EXPECT_EQ(buffer.reserve(3 * kUnit), nullptr) << "no segment is that large";
  EXPECT_FALSE(buffer.roll_back(mark)) << "a roll-back cannot remove units that were handed over";
  EXPECT_TRUE(buffer.is_empty());
  EXPECT_EQ(buffer.reserve(kUnit), at(0));
  buffer.clear();
  EXPECT_EQ(buffer.handed_over(), 0U);
}

TEST_F(StreamBufferTest, AfterAFailedHandOverNothingMoreIsTaken) {
  init(4);
  buffer.set_hand_over(take, this);
  ASSERT_NE(buffer.reserve(kUnit), nullptr);
  const StreamBuffer::Mark mark = buffer.mark();
  ASSERT_NE(buffer.reserve(2 * kUnit), nullptr);
  outcome = Status(ErrorCode::timeout, "test");
  EXPECT_EQ(buffer.reserve(2 * kUnit), nullptr);
  EXPECT_EQ(buffer.status().code(), ErrorCode::timeout);
  EXPECT_EQ(buffer.code().size(), 3 * kUnit) << "it keeps what it holds";
  EXPECT_EQ(buffer.reserve(kUnit), nullptr) << "although there was room";
  EXPECT_TRUE(buffer.roll_back(mark));
  EXPECT_EQ(buffer.reserve(kUnit), nullptr);
  EXPECT_EQ(taken.size(), 1U) << "no second attempt";
  outcome = {};
  buffer.set_hand_over(nullptr, nullptr);
  EXPECT_EQ(buffer.reserve(kUnit), at(1));
  buffer.clear();
  EXPECT_EQ(buffer.reserve(kUnit), at(0));
}

}  // namespace
}  // namespace cox::tests
