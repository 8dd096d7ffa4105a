// SPDX-License-Identifier: MIT
#include "coxswain/hal/mailbox.h"

#include <gtest/gtest.h>

#include "coxswain/device/mailbox_registers.h"
#include "tests/hal/strict_bus.h"

namespace cox::board {
namespace {

std::uintptr_t address = 0;
InterruptHandler interrupt = nullptr;

}  // namespace

// The functions of a board with a mailbox.
std::uintptr_t mailbox_address() { return address; }
void connect_mailbox_interrupt(InterruptHandler rung) { interrupt = rung; }

}  // namespace cox::board

namespace cox::hal::mailbox {
namespace {

namespace r = registers::mailbox;

/// StrictBus knows addresses by their distance from the accelerator's registers. The mailbox of this test is far behind them.
constexpr std::uint32_t kOffset = 0x00200000;

class MailboxTest : public testing::Test {
 protected:
  MailboxTest() { board::address = COX_NPU_BASE + kOffset; }
  ~MailboxTest() override { board::address = 0; }

  StrictBus bus;
};

TEST_F(MailboxTest, ARingIsClearedBeforeTheProgramHearsOfIt) {
  static StrictBus *accesses = nullptr;
  static int heard = 0;
  accesses = &bus;
  connect([] {
    EXPECT_TRUE(accesses->done()) << "the clearing or its barrier is still to come";
    ++heard;
  });
  ASSERT_NE(board::interrupt, nullptr);
  bus.expect_write(kOffset + r::to_core_clear::kOffset, r::to_core_clear::kClear.mask());
  bus.expect_barrier();
  board::interrupt();
  EXPECT_EQ(heard, 1);
}

TEST_F(MailboxTest, ConnectTouchesNoRegister) {
  // A ring from before then interrupts at once.
  connect([] {});
}

TEST_F(MailboxTest, TheHostIsRungBehindABarrier) {
  connect([] {});
  bus.expect_barrier();
  bus.expect_write(kOffset + r::to_host_set::kOffset, r::to_host_set::kRing.mask());
  ring_host();
}

TEST_F(MailboxTest, WithoutAMailboxNothingIsTouched) {
  board::address = 0;
  board::interrupt = nullptr;
  connect([] {});
  ring_host();
  EXPECT_EQ(board::interrupt, nullptr);
}

}  // namespace
}  // namespace cox::hal::mailbox
