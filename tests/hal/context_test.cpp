// SPDX-License-Identifier: MIT
#include "coxswain/hal/context.h"

#include <gtest/gtest.h>

#include "tests/hal/strict_bus.h"
#include "tests/hal/test_geometry.h"

namespace cox::hal {
namespace context_test {

constexpr std::uint32_t kBase = 0x4000 + 0x80 * 2;

ContextConfiguration some_configuration() {
  ContextConfiguration configuration;
  configuration.l2_first = 7;
  configuration.l2_last = 1023;
  configuration.wl0_first = 3;
  configuration.wl0_last = 63;
  configuration.first_core = 1;
  configuration.last_core = 2;
  configuration.owner = 12;
  configuration.windows[0] = {0x60000000, 0x1000, true, true};
  configuration.windows[1] = {0xFFFFFFFF00000000, 0xFFFFFFFF, true, false};
  configuration.windows[3] = {0xFFFFFFFFFFFFFFFF, 1, false, true};  // the last byte of the address space
  return configuration;
}

TEST(Context, ConfigureWritesEverythingBetweenResetAndValid) {
  StrictBus bus;
  bus.expect_write(kBase + 0x00, 0x4);
  bus.expect_write(kBase + 0x04, 7);
  bus.expect_write(kBase + 0x08, 1023);
  bus.expect_write(kBase + 0x0C, 63 << 16 | 3);
  bus.expect_write(kBase + 0x10, 2 << 8 | 1);
  bus.expect_write(kBase + 0x14, 12);
  const std::uint32_t windows[4][4] = {
      {0x60000000, 0, 0x1000, 3}, {0, 0xFFFFFFFF, 0xFFFFFFFF, 1}, {0, 0, 0, 0}, {0xFFFFFFFF, 0xFFFFFFFF, 1, 2}};
  for (std::uint32_t window = 0; window < 4; ++window) {
    for (std::uint32_t word = 0; word < 4; ++word) bus.expect_write(kBase + 0x20 + 0x10 * window + 4 * word, windows[window][word]);
  }
  bus.expect_write(kBase + 0x00, 0x1);
  EXPECT_TRUE(configure_context(two_cores(), 2, some_configuration()).ok());
}

TEST(Context, NothingButWindowsIsTheDefault) {
  StrictBus bus;
  bus.expect_write(kBase + 0x00, 0x4);
  bus.expect_write(kBase + 0x04, 1);
  bus.expect_write(kBase + 0x08, 0);
  bus.expect_write(kBase + 0x0C, 1);
  bus.expect_write(kBase + 0x10, 3 << 8);
  bus.expect_write(kBase + 0x14, 0xFF);
  for (std::uint32_t word = 0; word < 16; ++word) bus.expect_write(kBase + 0x20 + 4 * word, 0);
  bus.expect_write(kBase + 0x00, 0x1);
  EXPECT_TRUE(configure_context(two_cores(), 2, {}).ok());
}

void expect_refused(unsigned context, const ContextConfiguration &configuration, const char *what, std::int32_t index) {
  StrictBus bus;  // without expected accesses, so any access fails
  const Status status = configure_context(two_cores(), context, configuration);
  EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
  EXPECT_STREQ(status.what(), what);
  EXPECT_EQ(status.index(), index);
}

TEST(Context, ABadArgumentWritesNothing) {
  expect_refused(3, some_configuration(), "context", -1);
  ContextConfiguration configuration = some_configuration();
  configuration.l2_last = 1024;
  expect_refused(2, configuration, "l2_last", -1);
  configuration = some_configuration();
  configuration.l2_first = 1000;
  configuration.l2_last = 999;
  expect_refused(2, configuration, "l2_first", -1);
  configuration.l2_first = 2;
  configuration.l2_last = 0;
  expect_refused(2, configuration, "l2_first", -1);
  configuration.l2_first = 2;
  configuration.l2_last = 1;
  expect_refused(2, configuration, "l2_first", -1);
  configuration = some_configuration();
  configuration.wl0_last = 64;
  expect_refused(2, configuration, "wl0", -1);
  configuration = some_configuration();
  configuration.wl0_first = 64;
  expect_refused(2, configuration, "wl0", -1);
  configuration.wl0_first = 0x10000;  // the register would truncate it to 0
  configuration.wl0_last = 0;
  expect_refused(2, configuration, "wl0", -1);
  configuration = some_configuration();
  configuration.last_core = 4;
  expect_refused(2, configuration, "cores", -1);
  configuration = some_configuration();
  configuration.first_core = 3;
  expect_refused(2, configuration, "cores", -1);
  configuration = some_configuration();
  configuration.windows[3].bytes = 0x100000000;
  expect_refused(2, configuration, "window size", 3);
  configuration = some_configuration();
  configuration.windows[3].bytes = 2;
  expect_refused(2, configuration, "window base", 3);
}

TEST(Context, OnlyWindowsThatMoveAreWritten) {
  ContextConfiguration before = some_configuration();
  ContextConfiguration after = before;
  after.windows[0].base += 0x100000100;
  after.windows[2].base = 8;  // of a closed window
  StrictBus bus;
  bus.expect_write(kBase + 0x00, 0x4);
  bus.expect_write(kBase + 0x20, 0x60000100);
  bus.expect_write(kBase + 0x24, 1);
  bus.expect_write(kBase + 0x40, 8);
  bus.expect_write(kBase + 0x44, 0);
  bus.expect_write(kBase + 0x00, 0x1);
  move_windows(2, before.windows, after.windows);
  for (unsigned index = 0; index < kWindows; ++index) EXPECT_EQ(before.windows[index].base, after.windows[index].base);
}

TEST(Context, AbortKeepsTheValidBit) {
  StrictBus bus;
  bus.expect_read(kBase, 0x101);
  bus.expect_write(kBase, 0x3);
  EXPECT_TRUE(abort_context(two_cores(), 2).ok());
  bus.expect_read(kBase, 0x0);
  bus.expect_write(kBase, 0x2);
  EXPECT_TRUE(abort_context(two_cores(), 2).ok());
  EXPECT_EQ(abort_context(two_cores(), 3).code(), ErrorCode::invalid_argument);
}

TEST(Context, Release) {
  StrictBus bus;
  bus.expect_write(kBase, 0x4);
  EXPECT_TRUE(release_context(two_cores(), 2).ok());
  EXPECT_EQ(release_context(two_cores(), 3).code(), ErrorCode::invalid_argument);
}

TEST(Context, Quarantine) {
  StrictBus bus;
  bus.expect_read(kBase, 0x101);
  bus.expect_read(kBase, 0x001);
  EXPECT_TRUE(is_quarantined(two_cores(), 2).value());
  EXPECT_FALSE(is_quarantined(two_cores(), 2).value());
  EXPECT_EQ(is_quarantined(two_cores(), 3).status().code(), ErrorCode::invalid_argument);
}

}  // namespace context_test
}  // namespace cox::hal
