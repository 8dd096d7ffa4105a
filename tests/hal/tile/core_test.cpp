// SPDX-License-Identifier: MIT
#include "coxswain/hal/tile/core.h"

#include <gtest/gtest.h>

#include "tests/hal/strict_bus.h"
#include "tests/hal/test_geometry.h"

namespace cox::hal::tile {
namespace {

namespace r = registers;

TEST(TileCore, ResetWaitsForEveryQueue) {
  StrictBus bus;
  bus.expect_write(0x20, 0x2);
  for (std::uint32_t queue = 0; queue < 9; ++queue) {
    if (queue == 3) bus.expect_read(r::core::sq::status::offset(1, queue), 1);
    if (queue == 3) bus.expect_read(r::core::sq::status::offset(1, queue), 2);
    bus.expect_read(r::core::sq::status::offset(1, queue), 0);
  }
  EXPECT_TRUE(reset_core(two_cores(), 1).ok());
}

TEST(TileCore, ResetGivesUpOnAStuckQueue) {
  StrictBus bus;
  bus.expect_write(0x20, 0x1);
  bus.expect_read(r::core::sq::status::offset(0, 0), 0);
  for (unsigned poll = 1; poll < kResetPolls; ++poll) bus.expect_read(r::core::sq::status::offset(0, 1), 1);
  const Status status = reset_core(two_cores(), 0);
  EXPECT_EQ(status.code(), ErrorCode::timeout);
  EXPECT_EQ(status.index(), 1);
}

TEST(TileCore, ResetOfACoreThatIsNotThereTouchesNothing) {
  StrictBus bus;
  EXPECT_EQ(reset_core(two_cores(), 2).code(), ErrorCode::invalid_argument);
}

TEST(TileCore, Clocks) {
  StrictBus bus;
  bus.expect_read(0x58, 0xA3);
  bus.expect_write(0x58, 0xA2);
  EXPECT_TRUE(set_core_clocks(two_cores(), 2).ok());
  const Status refused = set_core_clocks(two_cores(), 4);
  EXPECT_EQ(refused.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(refused.what(), "cores");
  bus.expect_read(0x68, 7);
  bus.expect_read(0x6C, 1);
  EXPECT_EQ(clocked_cycles(two_cores(), 1).value(), 0x1'0000'0007U);
  EXPECT_EQ(clocked_cycles(two_cores(), 2).status().code(), ErrorCode::invalid_argument);
}

TEST(TileCore, CountersOfAQueue) {
  StrictBus bus;
  const std::uint32_t base = r::core::sq::base_lo::offset(1, 6);
  for (std::uint32_t counter = 0; counter < 4; ++counter) {
    bus.expect_read(base + 0x18 + 8 * counter, 10 + counter);
    bus.expect_read(base + 0x1C + 8 * counter, 20 + counter);
  }
  const Result<QueueCounters> counters = read_counters(two_cores(), 1, isa::tile::Class::ST);
  ASSERT_TRUE(counters.ok());
  EXPECT_EQ(counters.value().instructions, 20ULL << 32 | 10);
  EXPECT_EQ(counters.value().busy_cycles, 21ULL << 32 | 11);
  EXPECT_EQ(counters.value().stalled_cycles, 22ULL << 32 | 12);
  EXPECT_EQ(counters.value().bytes, 23ULL << 32 | 13);
  EXPECT_EQ(read_counters(two_cores(), 2, isa::tile::Class::ST).status().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(read_counters(two_cores(), 0, static_cast<isa::tile::Class>(9)).status().code(), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace cox::hal::tile
