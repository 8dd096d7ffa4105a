// SPDX-License-Identifier: MIT
#include "coxswain/hal/completion_queue.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "tests/hal/strict_bus.h"
#include "tests/hal/test_geometry.h"

namespace cox::hal {
namespace completion_queue_test {

constexpr std::uint32_t kBase = 0x100 + 0x20 * 1;

struct alignas(16) Ring {
  std::array<std::byte, 4 * sizeof(Completion)> bytes;
  Ring() { bytes.fill(std::byte{0xA5}); }
  [[nodiscard]] std::span<std::byte> span() { return bytes; }
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(bytes.data()); }

  /// Acts as the device: writes entry `index` with the phase of its lap. The lap of indices 0 to 3 has phase 1, the next lap has phase 0,
  /// and so on.
  void produce(std::uint32_t index, std::uint32_t tag) {
    const std::uint32_t phase = (index / 4) % 2 == 0 ? 1 : 0;
    const std::uint32_t outcome = phase << 31 | 3 << 16 | 6 << 8 | 12;
    const Completion completion{Completion::identity_of(tag, outcome), outcome, 7, 8};
    std::memcpy(&bytes[(index % 4) * sizeof(Completion)], &completion, sizeof(completion));
  }
};

void expect_init(StrictBus &bus, const Ring &ring, std::uint32_t index, std::uint32_t coalesce) {
  bus.expect_read(kBase + 0x10, index);
  bus.expect_read(kBase + 0x0C, index);
  bus.expect_barrier();  // the empty ring must be in memory
  bus.expect_write(kBase + 0x08, 0);
  bus.expect_write(kBase + 0x00, static_cast<std::uint32_t>(ring.address()));
  bus.expect_write(kBase + 0x04, static_cast<std::uint32_t>(ring.address() >> 32));
  bus.expect_write(kBase + 0x14, coalesce);
  bus.expect_write(kBase + 0x08, 0x21);
}

TEST(CompletionQueue, InitClearsTheRingBeforeItIsEnabled) {
  StrictBus bus;
  Ring ring;
  CompletionQueue queue;
  expect_init(bus, ring, 0, 0x00123405);
  ASSERT_TRUE(queue.init(two_cores(), 1, ring.span(), 2, {.count = 5, .cycles = 0x1234}).ok());
  for (const std::byte byte : ring.bytes) EXPECT_EQ(byte, std::byte{0});
  EXPECT_EQ(queue.peek(), nullptr);
}

// An entry is intact if the exclusive or of the four half-words of its first two words is 0xFFFF.
TEST(CompletionQueue, AnEntryIsIntactWhereItsHalfWordsSaySo) {
  const Completion good{0xE9CD0029, 0x8003960C, 1, 2};  // 0x0029 ^ 0xE9CD ^ 0x960C ^ 0x8003 = 0xFFEB, not 0xFFFF
  EXPECT_FALSE(good.is_intact());
  Completion entry{0xE9D90029, 0x8003960C, 1, 2};  // 0x0029 ^ 0xE9D9 ^ 0x960C ^ 0x8003 = 0xFFFF
  EXPECT_TRUE(entry.is_intact());
  EXPECT_EQ(entry.tag(), 41U);
  EXPECT_EQ(Completion::identity_of(0x12340029, 0x8003960C), 0xE9D90029U) << "the identity must not contain the high half of the tag";
  for (unsigned bit = 0; bit < 32; ++bit) {
    Completion flipped = entry;
    flipped.identity ^= 1U << bit;
    EXPECT_FALSE(flipped.is_intact()) << bit;
    flipped = entry;
    flipped.outcome ^= 1U << bit;
    EXPECT_FALSE(flipped.is_intact()) << bit;
  }
  EXPECT_FALSE((Completion{0, 0, 0, 0}).is_intact()) << "an entry that was never written";
  EXPECT_FALSE((Completion{0, 0x80000000, 0, 0}).is_intact());
}

TEST(CompletionQueue, AnEntryWithTheWrongPhaseBlocksTheQueue) {
  StrictBus bus;
  Ring ring;
  CompletionQueue queue;
  expect_init(bus, ring, 0, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, ring.span(), 2, {}).ok());
  bus.expect_read(kBase + 0x10, 0);
  EXPECT_FALSE(queue.is_blocked()) << "nothing was written";
  bus.expect_read(kBase + 0x10, 1);
  bus.expect_barrier();  // between the read of TAIL and that of the entry
  EXPECT_TRUE(queue.is_blocked());
  ring.produce(0, 1);
  bus.expect_read(kBase + 0x10, 1);
  bus.expect_barrier();
  EXPECT_FALSE(queue.is_blocked()) << "it is seen";
}

TEST(CompletionQueue, EntriesAreSeenWithoutARegisterAndGivenBackInOneStore) {
  StrictBus bus;
  Ring ring;
  CompletionQueue queue;
  expect_init(bus, ring, 0, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, ring.span(), 2, {}).ok());
  ASSERT_TRUE(bus.done());
  ring.produce(0, 41);
  ring.produce(1, 42);
  bus.expect_barrier();  // between the phase bit and the rest of the entry
  const Completion *completion = queue.peek();
  ASSERT_NE(completion, nullptr);
  EXPECT_TRUE(bus.done());
  EXPECT_EQ(completion->tag(), 41U);
  EXPECT_EQ(completion->queue(), 12U);
  EXPECT_EQ(completion->status(), FaultCode::cut);
  EXPECT_EQ(completion->context(), 3U);
  EXPECT_EQ(completion->time_low, 7U);
  EXPECT_EQ(completion->time_high, 8U);
  bus.expect_barrier();
  EXPECT_EQ(queue.peek(), completion) << "peek() must not advance";
  queue.pop();
  bus.expect_barrier();
  bus.expect_barrier();
  ASSERT_NE(queue.peek(), nullptr);
  EXPECT_EQ(queue.peek()->tag(), 42U);
  queue.pop();
  EXPECT_EQ(queue.peek(), nullptr);
  bus.expect_write(kBase + 0x0C, 2);
  queue.acknowledge();
  bus.expect_read(kBase + 0x10, 3);
  EXPECT_FALSE(queue.is_drained());
  bus.expect_read(kBase + 0x10, 2);
  EXPECT_TRUE(queue.is_drained());
}

/// Writes and takes batches of one to four entries in a ring of four, from index `start` on. An entry of the previous lap must not look
/// new.
void run_laps(std::uint32_t start) {
  StrictBus bus;
  Ring ring;
  CompletionQueue queue;
  expect_init(bus, ring, start, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, ring.span(), 2, {}).ok());
  ASSERT_EQ(queue.peek(), nullptr);
  std::uint32_t index = start;
  for (unsigned batch = 0; batch < 20; ++batch) {
    const unsigned entries = 1 + batch % 4;
    for (unsigned entry = 0; entry < entries; ++entry) ring.produce(index + entry, index + entry);
    for (unsigned entry = 0; entry < entries; ++entry, ++index) {
      bus.expect_barrier();
      const Completion *completion = queue.peek();
      ASSERT_NE(completion, nullptr) << index;
      EXPECT_EQ(completion->tag(), index & 0xFFFF);
      EXPECT_TRUE(completion->is_intact());
      queue.pop();
    }
    ASSERT_EQ(queue.peek(), nullptr) << index << ": an entry of the previous lap looks new";
    bus.expect_write(kBase + 0x0C, index);
    queue.acknowledge();
  }
}

/// Does the same as run_laps(), with a queue whose size is known at compile time.
void run_sized_laps(std::uint32_t start) {
  StrictBus bus;
  Ring ring;
  SizedCompletionQueue<2> queue;
  expect_init(bus, ring, start, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, ring.span(), {}).ok());
  std::uint32_t index = start;
  for (unsigned batch = 0; batch < 20; ++batch) {
    const unsigned entries = 1 + batch % 4;
    for (unsigned entry = 0; entry < entries; ++entry) ring.produce(index + entry, index + entry);
    SizedCompletionQueue<2>::Cursor walk = queue.cursor();
    for (unsigned entry = 0; entry < entries; ++entry, ++index) {
      ASSERT_TRUE(walk.is_written(walk.next())) << index;
      EXPECT_EQ(walk.next()->tag(), index & 0xFFFF);
      walk.pop();
    }
    ASSERT_FALSE(walk.is_written(walk.next())) << index << ": an entry of the previous lap looks new";
    EXPECT_EQ(queue.popped(), index - entries);
    bus.expect_write(kBase + 0x0C, index);
    queue.acknowledge(walk);
    queue.set_cursor(walk);
    EXPECT_EQ(queue.popped(), index);
    bus.expect_read(kBase + 0x10, index);
    EXPECT_FALSE(queue.is_blocked()) << "nothing was written";
    bus.expect_read(kBase + 0x10, index + 1);
    bus.expect_barrier();
    EXPECT_TRUE(queue.is_blocked());
  }
}

TEST(CompletionQueue, PhaseFlipsWithEachLap) {
  run_laps(0);
  run_sized_laps(0);
}
TEST(CompletionQueue, StartsInTheMiddleOfALap) {
  run_laps(6);
  run_sized_laps(6);
}
TEST(CompletionQueue, RunningIndicesWrap) {
  run_laps(0xFFFFFFF6);
  run_sized_laps(0xFFFFFFF6);
}

TEST(CompletionQueue, OneReadSaysWhichCoresHaveEntries) {
  constexpr std::uint32_t kIntStatus = 0x24;
  StrictBus bus;
  // Only bits [3:0], those of the cores, count. The higher bits are those of engines and faults.
  for (const auto &[status, cores, pending] :
       {std::array{0x0000000FU, 0xFU, 0xFU}, std::array{0x0000000AU, 0xEU, 0xAU}, std::array{0x00000001U, 0x2U, 0x0U},
        std::array{0xFFFFFFF0U, 0xFU, 0x0U}, std::array{0xFFFFFFFFU, 0x4U, 0x4U}, std::array{0U, 0xFU, 0U}}) {
    bus.expect_read(kIntStatus, status);
    EXPECT_EQ(CompletionRing::pending(cores), pending);
    EXPECT_TRUE(bus.done());
  }
}

TEST(CompletionQueue, CoalescingChangesWhileItIsInUse) {
  StrictBus bus;
  Ring ring;
  CompletionQueue queue;
  expect_init(bus, ring, 0, 0);
  ASSERT_TRUE(queue.init(two_cores(), 1, ring.span(), 2, {}).ok());
  bus.expect_write(kBase + 0x14, 0x004000FF);
  queue.set_coalescing({.count = 255, .cycles = 0x4000});
}

TEST(CompletionQueue, OfTheMxEngine) {
  constexpr std::uint32_t kMx = 0x100 + 0x20 * 4;
  StrictBus bus;
  Ring ring;
  CompletionQueue queue;
  Geometry geometry = two_cores();
  geometry.engines |= 1U << 0;
  EXPECT_EQ(queue.init(geometry, 5, ring.span(), 2, {}).code(), ErrorCode::invalid_argument) << "CUBE";
  bus.expect_read(kMx + 0x10, 0);
  bus.expect_read(kMx + 0x0C, 0);
  bus.expect_barrier();
  bus.expect_write(kMx + 0x08, 0);
  bus.expect_write(kMx + 0x00, static_cast<std::uint32_t>(ring.address()));
  bus.expect_write(kMx + 0x04, static_cast<std::uint32_t>(ring.address() >> 32));
  bus.expect_write(kMx + 0x14, 0);
  bus.expect_write(kMx + 0x08, 0x21);
  ASSERT_TRUE(queue.init(geometry, 4, ring.span(), 2, {}).ok());
}

struct Refusal {
  const char *what;
  unsigned core = 1;
  unsigned size_log2 = 2;
  std::size_t skip = 0;
  std::size_t bytes = 64;
  CompletionQueue::Coalescing coalescing = {};
  std::int64_t limit = -1;
};

TEST(CompletionQueue, ABadArgumentTouchesNothing) {
  const Refusal refusals[] = {
      {.what = "queue", .core = 2},
      {.what = "queue", .core = 3},
      {.what = "MX engine", .core = 4, .limit = 12},  // in the table of engines, but not in this device
      {.what = "queue", .core = 4 + 5, .limit = 12},  // the table of engines has no engine 5
      {.what = "queue", .core = 12, .limit = 12},
      {.what = "size_log2", .size_log2 = 0},
      {.what = "size_log2", .size_log2 = 6},
      {.what = "ring size", .bytes = 63},
      {.what = "ring address", .size_log2 = 1, .skip = 8, .bytes = 32},
      {.what = "coalescing count", .coalescing = {.count = 256}},
      {.what = "coalescing cycles", .coalescing = {.cycles = 1U << 24}},
  };
  for (const Refusal &refusal : refusals) {
    StrictBus bus;  // without expected accesses, so any access fails
    Ring ring;
    CompletionQueue queue;
    const Status status =
        queue.init(two_cores(), refusal.core, ring.span().subspan(refusal.skip, refusal.bytes), refusal.size_log2, refusal.coalescing);
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), refusal.what);
    if (refusal.limit >= 0) {
      EXPECT_EQ(status.value(), refusal.core);
      EXPECT_EQ(status.limit(), refusal.limit);
    }
    for (const std::byte byte : ring.bytes) EXPECT_EQ(byte, std::byte{0xA5});
  }
}

TEST(CompletionQueue, AQueueThatHoldsEntriesIsNotTakenOver) {
  StrictBus bus;
  Ring ring;
  CompletionQueue queue;
  bus.expect_read(kBase + 0x10, 9);
  bus.expect_read(kBase + 0x0C, 8);
  EXPECT_EQ(queue.init(two_cores(), 1, ring.span(), 2, {}).code(), ErrorCode::not_ready);
  EXPECT_EQ(ring.bytes[0], std::byte{0xA5});
}

}  // namespace completion_queue_test
}  // namespace cox::hal
