// SPDX-License-Identifier: MIT
// Tests what a boot does with the job ring that it finds in memory. After a watchdog reset the firmware continues this ring; otherwise it
// starts a new one. The counts of submitted and completed jobs wrap at 2^32.
#include "firmware/job/ring.h"

#include "tests/firmware/job_ring.h"

namespace cox::tests {
namespace {

using board::ResetCause;
using firmware::job::Ring;

constexpr std::uint32_t kReady = 1, kExited = 2;

class RingTest : public JobRing {
 protected:
  /// Writes the state that the previous boot and the submitter left.
  void leave(std::uint32_t state, std::uint32_t completed, std::uint32_t submitted) {
    const Header left{firmware::job::kMagic, version, capacity, firmware::job::kExitWhenDone, submitted, completed, state, 0, 0, 0, {}};
    std::memcpy(dram(), &left, sizeof(left));
  }
  Ring ring() { return Ring({address(0), device.dram.size() * sizeof(device.dram[0])}); }
};

TEST_F(RingTest, IsTakenUpWhereTheWatchdogFoundIt) {
  capacity = 8;
  device.cause = ResetCause::watchdog;
  for (const std::uint32_t completed : {0U, 1U, 7U, 8U, 0xFFFFFFF8U, 0xFFFFFFFDU, 0xFFFFFFFFU}) {
    for (const std::uint32_t jobs : {0U, 1U, 7U, 8U}) {
      SCOPED_TRACE(testing::Message() << completed << " and " << jobs);
      leave(kReady, completed, completed + jobs);
      Ring left = ring();
      ASSERT_EQ(left.look(), Ring::Look::open);
      EXPECT_EQ(left.completed(), completed);
      EXPECT_EQ(left.taken(), completed);
      EXPECT_EQ(left.submitted(), completed + jobs);
      EXPECT_FALSE(left.is_left_over(completed - 1));
      for (std::uint32_t i = 0; i < jobs; ++i) EXPECT_TRUE(left.is_left_over(completed + i)) << i;
      // Job number `completed + jobs` is the first of this boot.
      EXPECT_FALSE(left.is_left_over(completed + jobs));
      leave(kReady, completed, completed + 8);
      ASSERT_EQ(left.look(), Ring::Look::open);
      EXPECT_EQ(left.submitted(), completed + 8);
      EXPECT_EQ(left.is_left_over(completed + 7), jobs == 8);
      EXPECT_EQ(header().firmware_state, kReady);
    }
  }
}

TEST_F(RingTest, IsBegunAnewWhereNobodyWasInterrupted) {
  capacity = 8;
  struct Left {
    ResetCause cause;
    std::uint32_t state, completed, submitted;
  };
  // The firmware starts a new ring after power-on, or if the counts are impossible. It also starts a new ring if the watchdog reset came
  // before the firmware had reached the ring, or after it had left the ring.
  for (const Left &each :
       {Left{ResetCause::power_on, kReady, 3, 5}, Left{ResetCause::watchdog, 0, 3, 5}, Left{ResetCause::watchdog, kExited, 3, 5},
        Left{ResetCause::watchdog, kReady, 6, 5}, Left{ResetCause::watchdog, kReady, 0xFFFFFFFD, 6}}) {
    device.cause = each.cause;
    leave(each.state, each.completed, each.submitted);
    Ring left = ring();
    ASSERT_EQ(left.look(), Ring::Look::open);
    EXPECT_EQ(left.completed(), 0U);
    EXPECT_EQ(left.taken(), 0U);
    EXPECT_EQ(left.submitted(), each.submitted);
    for (const std::uint32_t number : {0U, 3U, 4U, 0xFFFFFFFFU}) EXPECT_FALSE(left.is_left_over(number)) << number;
  }
  // These counts are impossible for a continued ring and for a new one.
  device.cause = ResetCause::watchdog;
  leave(kReady, 0xFFFFFFFD, 9);
  EXPECT_EQ(ring().look(), Ring::Look::refused);
}

TEST_F(RingTest, RefusesCountsAtTheirEdges) {
  capacity = 8;
  device.cause = ResetCause::watchdog;
  leave(kReady, 0xFFFFFFFE, 0xFFFFFFFF);
  Ring left = ring();
  ASSERT_EQ(left.look(), Ring::Look::open);
  EXPECT_EQ(left.take(), 0xFFFFFFFEU);
  leave(kReady, 0xFFFFFFFE, 6);
  ASSERT_EQ(left.look(), Ring::Look::open) << "as many jobs as descriptors";
  EXPECT_EQ(left.take(), 0xFFFFFFFFU);
  EXPECT_EQ(left.take(), 0U);
  left.retire(0xFFFFFFFF);
  EXPECT_EQ(header().completed, 0xFFFFFFFFU);
  leave(kReady, 0xFFFFFFFF, 7);
  EXPECT_EQ(left.look(), Ring::Look::open) << "one job was given back";
  leave(kReady, 0xFFFFFFFF, 8);
  EXPECT_EQ(left.look(), Ring::Look::refused) << "one too many";
  EXPECT_EQ(header().firmware_error, static_cast<std::uint32_t>(ErrorCode::invalid_argument));
  leave(kReady, 0xFFFFFFFF, 0);
  EXPECT_EQ(left.look(), Ring::Look::refused) << "two jobs were taken";
}

// The counts wrap across several boots. Finished jobs stay finished, the job that ran is reported as cut off, and the rest are served in
// order.
TEST_F(RingTest, JobsAreServedAcrossTheEndOfTheCounts) {
  capacity = 8;
  device.cause = ResetCause::watchdog;
  constexpr std::uint32_t kFirst = 0xFFFFFFFC;
  jobs_ = kFirst;
  Descriptor done = run_job(0);
  done.error = 55;
  const std::size_t was_done = add(done);
  const std::size_t ran = add(run_job(0));
  const std::size_t waited = add(run_job(0));
  const std::size_t load = add(load_job(copy_task(), 0));
  const std::size_t run = add(run_job(0));
  const std::size_t cut = add(run_job(0));
  const std::size_t cancel = add(simple_job(Kind::cancel, 0, static_cast<std::uint32_t>(cut)));
  for (const auto &[job, state] : {std::pair{was_done, State::done}, std::pair{ran, State::running}})
    std::memcpy(dram() + sizeof(Header) + job % capacity * sizeof(Descriptor), &state, sizeof(state));
  leave(kReady, kFirst, static_cast<std::uint32_t>(jobs_));
  EXPECT_EQ(firmware::firmware_main(), 0);
  EXPECT_EQ(outcome(was_done).error, 55U);
  expect(ran, ErrorCode::cancelled, "watchdog");
  expect(waited, ErrorCode::not_ready, "task_slot");
  expect(load, ErrorCode::ok);
  expect(run, ErrorCode::ok);
  EXPECT_EQ(outcome(run).accelerator_instructions, 7U);
  expect(cut, ErrorCode::cancelled, "job");
  expect(cancel, ErrorCode::ok);
  EXPECT_EQ(header().completed, 3U);
  EXPECT_EQ(header().firmware_state, kExited);
}

}  // namespace
}  // namespace cox::tests
