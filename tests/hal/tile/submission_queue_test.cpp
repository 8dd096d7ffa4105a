// SPDX-License-Identifier: MIT
#include "coxswain/hal/tile/submission_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "tests/hal/strict_bus.h"
#include "tests/hal/test_geometry.h"

namespace cox::hal::tile {
namespace submission_queue_test {

using isa::tile::Class;
using isa::tile::MachineCode;

constexpr std::uint32_t kBase = 0x1000 + 0x400 * 1 + 0x40 * 3;  // core 1, PE
constexpr std::int32_t kLargestRing = 1 << 15;

struct alignas(32) Ring {
  std::array<std::byte, 4 * SubmissionQueue::kSlotBytes> bytes{};
  [[nodiscard]] std::span<std::byte> span() { return bytes; }
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(bytes.data()); }
  [[nodiscard]] MachineCode slot(unsigned index) const {
    MachineCode code;
    std::memcpy(code.data(), &bytes[index * SubmissionQueue::kSlotBytes], sizeof(code));
    return code;
  }
};

MachineCode instruction(std::uint32_t number) {
  return {0x44U, number, number + 1, number + 2, number + 3, number + 4, number + 5, number + 6};
}

void expect_init(StrictBus &bus, const Ring &ring, std::uint32_t index) {
  bus.expect_read(kBase + 0x0C, index);
  bus.expect_read(kBase + 0x10, index);
  bus.expect_write(kBase + 0x08, 0);
  bus.expect_write(kBase + 0x00, static_cast<std::uint32_t>(ring.address()));
  bus.expect_write(kBase + 0x04, static_cast<std::uint32_t>(ring.address() >> 32));
  bus.expect_write(kBase + 0x08, 0x21);
}

TEST(SubmissionQueue, HasNoRoomBeforeInit) {
  const SubmissionQueue queue;
  EXPECT_EQ(queue.room(), 0U);
  EXPECT_EQ(queue.in_flight(), 0U);
}

TEST(SubmissionQueue, InitSetsBaseWhileDisabled) {
  StrictBus bus;
  Ring ring;
  SubmissionQueue queue;
  expect_init(bus, ring, 0);
  EXPECT_TRUE(queue.init(two_cores(), 1, Class::PE, ring.span(), 2).ok());
  EXPECT_EQ(queue.room(), 4U);
}

TEST(SubmissionQueue, PushTouchesNoRegisterAndTheDoorbellIsOne) {
  StrictBus bus;
  Ring ring;
  SubmissionQueue queue;
  expect_init(bus, ring, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, Class::PE, ring.span(), 2).ok());
  ASSERT_TRUE(bus.done());
  EXPECT_EQ(queue.push(instruction(100), 0, false), 0U);
  EXPECT_EQ(queue.push(instruction(200), 255, true), 1U);
  EXPECT_EQ(queue.room(), 2U);
  EXPECT_EQ(queue.in_flight(), 2U);

  EXPECT_EQ(ring.slot(0), instruction(100));
  MachineCode second = instruction(200);
  second[0] = 0x1FF44;
  EXPECT_EQ(ring.slot(1), second);
  EXPECT_EQ(isa::tile::context_of(ring.slot(1)), 255U);
  EXPECT_TRUE(isa::tile::completion_of(ring.slot(1)));
  EXPECT_EQ(ring.slot(2), MachineCode{});

  bus.expect_write(kBase + 0x0C, 2);
  queue.ring_doorbell();
}

TEST(SubmissionQueue, PreparedInstructionsArePushedSideBySideAcrossTheEndOfTheRing) {
  StrictBus bus;
  Ring ring;
  SubmissionQueue queue;
  expect_init(bus, ring, 3);
  ASSERT_TRUE(queue.init(two_cores(), 1, Class::PE, ring.span(), 2).ok());
  MachineCode codes[] = {instruction(10), instruction(20), instruction(30)};
  codes[2][0] |= 1U << isa::tile::kCompletionBit;
  queue.push_prepared(codes, 3);
  EXPECT_EQ(queue.head(), 3U);
  EXPECT_EQ(queue.tail(), 6U);
  EXPECT_EQ(queue.room(), 1U);
  for (unsigned number = 0; number < 3; ++number) {
    EXPECT_EQ(ring.slot((3 + number) % 4), codes[number]);
  }
  EXPECT_EQ(ring.slot(2), MachineCode{}) << "no further slot may be written";
}

TEST(SubmissionQueue, ACompletionFreesItsSlotAndAllBefore) {
  StrictBus bus;
  Ring ring;
  SubmissionQueue queue;
  expect_init(bus, ring, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, Class::PE, ring.span(), 2).ok());
  for (std::uint32_t number = 0; number < 4; ++number) queue.push(instruction(number), 0, false);
  EXPECT_EQ(queue.room(), 0U);
  EXPECT_TRUE(queue.reclaim(2));
  EXPECT_EQ(queue.room(), 3U);
  EXPECT_FALSE(queue.reclaim(2)) << "again";
  EXPECT_FALSE(queue.reclaim(1)) << "an old index";
  EXPECT_FALSE(queue.reclaim(4)) << "never pushed";
  EXPECT_FALSE(queue.reclaim(0x8003));
  EXPECT_EQ(queue.room(), 3U);
  EXPECT_TRUE(queue.reclaim(3));
  EXPECT_EQ(queue.room(), 4U);
  EXPECT_FALSE(queue.reclaim(4)) << "nothing in flight";
}

TEST(SubmissionQueue, RunningIndicesWrap) {
  StrictBus bus;
  Ring ring;
  SubmissionQueue queue;
  expect_init(bus, ring, 0xFFFFFFFE);
  ASSERT_TRUE(queue.init(two_cores(), 1, Class::PE, ring.span(), 2).ok());
  EXPECT_EQ(queue.room(), 4U);
  EXPECT_EQ(queue.push(instruction(10), 0, false), 0xFFFFFFFEU);
  EXPECT_EQ(queue.push(instruction(20), 0, false), 0xFFFFFFFFU);
  EXPECT_EQ(queue.push(instruction(30), 0, false), 0U);
  EXPECT_EQ(queue.push(instruction(40), 0, false), 1U);
  EXPECT_EQ(queue.room(), 0U);
  EXPECT_EQ(ring.slot(2), instruction(10));
  EXPECT_EQ(ring.slot(3), instruction(20));
  EXPECT_EQ(ring.slot(0), instruction(30));
  EXPECT_EQ(ring.slot(1), instruction(40));
  bus.expect_write(kBase + 0x0C, 2);
  queue.ring_doorbell();
  EXPECT_FALSE(queue.reclaim(0xFFFD));
  EXPECT_TRUE(queue.reclaim(0xFFFF));
  EXPECT_EQ(queue.last_reclaimed(), 0xFFFFFFFFU);
  EXPECT_EQ(queue.slot(0xFFFFFFFF), instruction(20)) << "still there";
  EXPECT_EQ(queue.slot(0), instruction(30));
  EXPECT_EQ(queue.tail(), 2U);
  bus.expect_read(kBase + 0x10, 1);
  EXPECT_EQ(queue.device_head(), 1U);
  EXPECT_EQ(queue.room(), 2U);
  EXPECT_FALSE(queue.reclaim(2));
  EXPECT_TRUE(queue.reclaim(1));
  EXPECT_EQ(queue.in_flight(), 0U);
}

TEST(SubmissionQueue, WhatTheDeviceKnowsOfTheQueue) {
  StrictBus bus;
  Ring ring;
  SubmissionQueue queue;
  expect_init(bus, ring, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, Class::PE, ring.span(), 2).ok());
  queue.push(instruction(1), 0, false);
  bus.expect_read(kBase + 0x0C, 0);
  EXPECT_FALSE(queue.has_heard());
  bus.expect_read(kBase + 0x0C, 1);
  EXPECT_TRUE(queue.has_heard());
  bus.expect_read(kBase + 0x08, 0x21);
  EXPECT_TRUE(queue.is_enabled());
  bus.expect_read(kBase + 0x08, 0);
  EXPECT_FALSE(queue.is_enabled());
}

/// Reads the limit as the scheduler's loop in assembly does.
std::uint32_t limit_of(const SubmissionQueue &queue) {
  std::uint32_t limit = 0;
  std::memcpy(&limit, reinterpret_cast<const std::byte *>(&queue) + SubmissionQueue::Offsets::kLimit, sizeof(limit));
  return limit;
}

// The ring has 16 slots, of which 4 are kept free. Groups have at most 2 instructions.
TEST(SubmissionQueue, TheLimitIsTheEndOfTheRingOrOfItsRoom) {
  for (const std::uint32_t start : {0U, 0x30U, 0xFFFFFFF0U}) {
    StrictBus bus;
    alignas(32) std::array<std::byte, 16 * SubmissionQueue::kSlotBytes> ring{};
    SubmissionQueue queue;
    bus.expect_read(kBase + 0x0C, start);
    bus.expect_read(kBase + 0x10, start);
    bus.expect_write(kBase + 0x08, 0);
    const auto address = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(ring.data()));
    bus.expect_write(kBase + 0x00, static_cast<std::uint32_t>(address));
    bus.expect_write(kBase + 0x04, static_cast<std::uint32_t>(address >> 32));
    bus.expect_write(kBase + 0x08, 0x41);
    ASSERT_TRUE(queue.init(two_cores(), 1, Class::PE, ring, 4).ok());
    ASSERT_TRUE(bus.done());
    EXPECT_LT(static_cast<std::int32_t>(limit_of(queue) - start), -kLargestRing) << "no push before the first look, however small";

    queue.set_limit(4, 2);
    EXPECT_EQ(limit_of(queue), start + 12) << "4 of 16 slots are kept free";
    for (std::uint32_t i = 0; i < 10; ++i) queue.push(instruction(i), 0, false);
    queue.set_limit(4, 2);
    EXPECT_EQ(limit_of(queue), start + 12) << "a push does not make room";
    ASSERT_TRUE(queue.reclaim(start + 7));
    EXPECT_EQ(limit_of(queue), start + 12) << "the limit changes only at the next look";
    queue.set_limit(4, 2);
    EXPECT_EQ(limit_of(queue), start + 14) << "8 more are free, but a group of 2 from 15 on would come round";
    for (std::uint32_t i = 0; i < 5; ++i) queue.push(instruction(i), 0, false);
    queue.set_limit(4, 2);
    EXPECT_EQ(limit_of(queue), start + 14) << "15 is beyond the limit: a caller must look before it pushes there";
    queue.push(instruction(0), 0, false);
    queue.set_limit(4, 2);
    EXPECT_EQ(limit_of(queue), start + 20) << "the next lap ends at 32, room at 8 + 16 - 4";
  }
}

TEST(SubmissionQueue, OneThatIsFullTakesNothing) {
  const StrictBus bus;  // without expected accesses, so any access fails
  const SubmissionQueue full = SubmissionQueue::full();
  EXPECT_GT(full.in_flight(), std::uint32_t{kLargestRing}) << "more instructions than any ring has slots";
  EXPECT_LT(static_cast<std::int32_t>(limit_of(full) - full.tail()), -kLargestRing) << "far beyond its limit";
}

struct Refusal {
  const char *what;
  unsigned core = 1;
  Class queue = Class::PE;
  std::size_t skip = 0;
  std::size_t bytes = 128;
  unsigned size_log2 = 2;
};

TEST(SubmissionQueue, ABadArgumentTouchesNoRegister) {
  const Refusal refusals[] = {
      {.what = "core", .core = 2},
      {.what = "queue", .queue = static_cast<Class>(9)},
      {.what = "size_log2", .size_log2 = 0},
      {.what = "size_log2", .size_log2 = 6},
      {.what = "size_log2", .size_log2 = 64},
      {.what = "ring size", .bytes = 127},
      {.what = "ring address", .skip = 16, .bytes = 64, .size_log2 = 1},
  };
  for (const Refusal &refusal : refusals) {
    StrictBus bus;  // without expected accesses, so any access fails
    Ring ring;
    SubmissionQueue queue;
    const Status status =
        queue.init(two_cores(), refusal.core, refusal.queue, ring.span().subspan(refusal.skip, refusal.bytes), refusal.size_log2);
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), refusal.what);
    EXPECT_EQ(queue.room(), 0U);
  }
}

TEST(SubmissionQueue, AQueueInUseIsNotTakenOver) {
  StrictBus bus;
  Ring ring;
  SubmissionQueue queue;
  bus.expect_read(kBase + 0x0C, 5);
  bus.expect_read(kBase + 0x10, 4);
  EXPECT_EQ(queue.init(two_cores(), 1, Class::PE, ring.span(), 2).code(), ErrorCode::not_ready);
  EXPECT_EQ(queue.room(), 0U);
}

}  // namespace submission_queue_test
}  // namespace cox::hal::tile
