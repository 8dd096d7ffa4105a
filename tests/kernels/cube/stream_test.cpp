// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/stream.h"

#include <gtest/gtest.h>

#include <vector>

#include "coxswain/isa/cube/build.h"

namespace cox::kernels::cube {
namespace {

using isa::Window;
using isa::cube::encode;
using isa::cube::kSlotBytes;
using isa::cube::MachineCode;

constexpr std::uint64_t kDram = 0x6000'0000;
const Window kAll[] = {{.base = kDram, .bytes = 0x1000, .read = true, .write = false}};

MachineCode load(std::uint64_t source, std::uint32_t bytes = 64) {
  return encode(isa::cube::DramToL1{.source = source, .row_bytes = bytes, .destination_pitch = bytes});
}
const MachineCode kConfigured = encode(isa::cube::OutputConfiguration{});
const MachineCode kStore = encode(isa::cube::Output{.configuration = {}, .to_l1 = true, .destination_pitch = 64, .columns = 16});

struct alignas(32) Slot {
  MachineCode code{};
};

class StreamTest : public testing::Test {
 protected:
  void init(unsigned slots, unsigned segments = 1) {
    memory.assign(slots, {});
    const Status status = stream.init(std::as_writable_bytes(std::span(memory)), kAll, segments);
    ASSERT_TRUE(status.ok()) << status.what();
  }
  void fill(unsigned slots) {
    for (unsigned i = 0; i < slots; ++i) {
      MachineCode *const slot = stream.reserve(1);
      ASSERT_NE(slot, nullptr) << i;
      *slot = MachineCode{i};
    }
  }

  std::vector<Slot> memory;
  Stream stream;
};

TEST_F(StreamTest, SlotsStandSideBySide) {
  EXPECT_EQ(stream.reserve(1), nullptr);
  EXPECT_EQ(stream.status().code(), ErrorCode::not_ready);
  EXPECT_TRUE(stream.code().empty());
  init(70);
  EXPECT_EQ(stream.reserve(2), &memory[0].code);
  EXPECT_EQ(stream.reserve(64), &memory[2].code);
  EXPECT_EQ(stream.slots(), 66U);
  EXPECT_EQ(stream.code().size(), 66 * kSlotBytes);
  EXPECT_EQ(stream.reserve(5), nullptr);
  EXPECT_EQ(stream.status().code(), ErrorCode::no_room);
  EXPECT_STREQ(stream.status().what(), "stream");
  EXPECT_EQ(stream.status().value(), 71);
  EXPECT_EQ(stream.status().limit(), 70);
  EXPECT_EQ(stream.slots(), 66U) << "nothing was taken";
  EXPECT_EQ(stream.reserve(4), &memory[66].code);
  stream.clear();
  EXPECT_EQ(stream.slots(), 0U);
  EXPECT_EQ(stream.reserve(1), &memory[0].code);
}

TEST_F(StreamTest, WhatInitRefuses) {
  memory.assign(128, {});
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(memory));
  const auto refused = [&](std::span<std::byte> span, std::span<const Window> windows, unsigned segments, const char *what) {
    const Status status = stream.init(span, windows, segments);
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), what);
  };
  refused(bytes.subspan(8), kAll, 1, "stream address");
  refused(bytes.first(31), kAll, 1, "stream size");
  refused(bytes.first(2 * 64 * 32 - 1), kAll, 2, "stream size");
  refused(bytes, kAll, 0, "segments");
  refused(bytes, kAll, 3, "segments");
  refused(bytes, kAll, 32, "segments");
  refused(bytes, std::vector<Window>(5, kAll[0]), 1, "windows");
  EXPECT_TRUE(stream.init(bytes.first(63), kAll).ok());
  EXPECT_NE(stream.reserve(1), nullptr);
  EXPECT_EQ(stream.reserve(1), nullptr) << "a whole slot";
  EXPECT_TRUE(stream.init(bytes, kAll, 2).ok());
}

TEST_F(StreamTest, WhatTheDeviceWouldRefuseIsNotWritten) {
  init(8);
  const auto refused = [&](const MachineCode &code, ErrorCode error, const char *what) {
    const Status status = stream.append(code);
    EXPECT_EQ(status.code(), error) << what;
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(stream.slots(), 0U);
  };
  refused(MachineCode{0xFF}, ErrorCode::unknown_instruction, "opcode");
  refused(load(kDram + 0x1000 - 63), ErrorCode::address_outside_window, "Source");
  refused(encode(isa::cube::Mad{.left = 3, .m = 1, .k = 1, .n = 1}), ErrorCode::misaligned_address, "Left");
  refused(kStore, ErrorCode::missing_configuration, "OUT_CFG");
  EXPECT_TRUE(stream.append(load(kDram + 0x1000 - 64)).ok());
  EXPECT_EQ(memory[0].code, load(kDram + 0x1000 - 64));
}

TEST_F(StreamTest, ConfigurationsAreFollowed) {
  init(8);
  const Stream::Mark before = stream.mark();
  ASSERT_TRUE(stream.append(kConfigured).ok());
  ASSERT_TRUE(stream.append(kStore).ok());
  stream.roll_back(before);
  EXPECT_EQ(stream.slots(), 0U);
  EXPECT_EQ(stream.append(kStore).code(), ErrorCode::missing_configuration) << "the configuration was rolled back";
  *stream.reserve(1) = kConfigured;
  const Stream::Mark after = stream.mark();
  ASSERT_TRUE(stream.append(kStore).ok()) << "a kernel has set it";
  stream.roll_back(after);
  EXPECT_EQ(stream.slots(), 1U);
  EXPECT_TRUE(stream.append(kStore).ok());
  stream.clear();
  EXPECT_EQ(stream.append(kStore).code(), ErrorCode::missing_configuration);
}

/// Takes each full segment, so that the stream continues in the next one.
struct Taker {
  static Result<std::span<std::byte>> feed(void *owner, Stream &stream) {
    auto &self = *static_cast<Taker *>(owner);
    self.slots.push_back(stream.code().size() / kSlotBytes);
    if (self.slots.size() == self.fails_at) return Status(ErrorCode::timeout, "test");
    return stream.segment(static_cast<unsigned>(self.slots.size()) % stream.segments());
  }
  std::vector<std::size_t> slots;
  std::size_t fails_at = 0;
};

TEST_F(StreamTest, AFullSegmentIsFed) {
  init(2 * 64 + 1, 2);
  Taker taker;
  stream.set_feed(Taker::feed, &taker);
  fill(63);
  EXPECT_EQ(stream.reserve(2), &memory[64].code) << "a reserved range must lie in one segment";
  EXPECT_EQ(stream.slots(), 65U);
  EXPECT_EQ(stream.fed_slots(), 63U);
  EXPECT_EQ(stream.code().size(), 2 * kSlotBytes);
  fill(62);
  EXPECT_EQ(stream.reserve(1), &memory[0].code) << "the stream starts again at the front; the remaining slot is not used";
  EXPECT_EQ(taker.slots, (std::vector<std::size_t>{63, 64}));
  stream.set_feed(nullptr, nullptr);
  fill(63);
  EXPECT_EQ(stream.reserve(1), nullptr);
  EXPECT_EQ(stream.status().code(), ErrorCode::no_room);
}

TEST_F(StreamTest, OfAStreamThatWasFedTheSegmentIsTakenBack) {
  init(2 * 64, 2);
  Taker taker;
  stream.set_feed(Taker::feed, &taker);
  fill(60);
  const Stream::Mark mark = stream.mark();
  fill(10);
  ASSERT_EQ(stream.fed_slots(), 64U);
  stream.roll_back(mark);
  EXPECT_EQ(stream.slots(), 64U);
  EXPECT_EQ(stream.reserve(1), &memory[64].code);
}

TEST_F(StreamTest, AFeedThatFailsEndsIt) {
  init(2 * 64, 2);
  Taker taker;
  taker.fails_at = 2;
  stream.set_feed(Taker::feed, &taker);
  fill(128);
  EXPECT_EQ(stream.reserve(1), nullptr);
  EXPECT_EQ(stream.status().code(), ErrorCode::timeout);
  EXPECT_EQ(stream.reserve(1), nullptr) << "no further slot is available";
  EXPECT_EQ(stream.append(load(kDram)).code(), ErrorCode::timeout);
  EXPECT_EQ(taker.slots.size(), 2U);
  stream.clear();
  EXPECT_EQ(stream.reserve(1), &memory[0].code);
}

/// append() keeps the configuration when a segment is handed over, unless fill() has written the segment's last slots.
TEST_F(StreamTest, ConfigurationsGoFromSegmentToSegment) {
  init(2 * 64, 2);
  Taker taker;
  stream.set_feed(Taker::feed, &taker);
  ASSERT_TRUE(stream.append(kConfigured).ok());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(stream.append(kStore).ok()) << i;
  EXPECT_EQ(taker.slots.size(), 1U);
  const Stream::Mark mark = stream.mark();
  ASSERT_TRUE(stream.append(kStore).ok());
  stream.roll_back(mark);
  ASSERT_TRUE(stream.append(kStore).ok());
  fill(40);
  EXPECT_EQ(stream.append(kStore).code(), ErrorCode::missing_configuration) << "the configuration was in a segment that was fed";
}

}  // namespace
}  // namespace cox::kernels::cube
