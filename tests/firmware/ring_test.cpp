// SPDX-License-Identifier: MIT
// Tests what a boot does with the job ring that it finds in memory. After a watchdog reset the firmware continues this ring; otherwise it
// starts a new one. The counts of submitted and completed jobs wrap at 2^32.
#include "coxswain/firmware/job/ring.h"

#include "tests/firmware/job_ring.h"

namespace cox::tests {
namespace {

using board::ResetCause;
using firmware::job::kExited;
using firmware::job::kReady;
using firmware::job::Ring;

class RingTest : public JobRing {
 protected:
  /// Writes the state that the previous boot and the submitter left.
  void leave(std::uint32_t state, std::uint32_t completed, std::uint32_t submitted) {
    Header left{};
    left.magic = firmware::job::kMagic;
    left.version = version;
    left.capacity = capacity;
    left.flags = firmware::job::kExitWhenDone;
    left.submitted = submitted;
    left.completed = completed;
    left.firmware_state = state;
    std::memcpy(dram(), &left, sizeof(left));
  }
  Ring ring() { return Ring({address(0), device.dram().size()}); }
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

// A submitter with another layout finds the refusal where its layout has it, and the firmware writes nothing else.
TEST_F(RingTest, RefusesOtherVersions) {
  constexpr std::size_t kState = 24, kError = 28;  // in versions 1 and 2
  for (version = 1; version <= firmware::job::kVersion + 1; ++version) {
    if (version == firmware::job::kVersion) continue;
    SCOPED_TRACE(version);
    leave(0, 0, 1);
    std::vector<std::byte> expected(dram(), dram() + 4096);
    EXPECT_EQ(ring().look(), Ring::Look::refused);
    const bool old = version < firmware::job::kVersion;
    const std::uint32_t stopped = 3, error = static_cast<std::uint32_t>(ErrorCode::unsupported);
    std::memcpy(&expected[old ? kState : offsetof(Header, firmware_state)], &stopped, sizeof(stopped));
    std::memcpy(&expected[old ? kError : offsetof(Header, firmware_error)], &error, sizeof(error));
    EXPECT_EQ(std::vector<std::byte>(dram(), dram() + 4096), expected);
  }
}

// A descriptor that is used again holds the outcome of an earlier job, which must not be taken for that of the new one.
TEST_F(RingTest, AnOutcomeBelongsToTheJobWithItsNumber) {
  capacity = 8;
  leave(0, 0, 1);
  Ring left = ring();
  ASSERT_EQ(left.look(), Ring::Look::open);
  left.finish(0, {}, {});
  const auto outcome_of = [&](std::uint32_t job) {
    Outcome found;
    std::memcpy(&found, descriptor(job) + offsetof(Descriptor, outcome), sizeof(found));
    return found;
  };
  EXPECT_TRUE(outcome_of(0).is_done(0));
  EXPECT_FALSE(outcome_of(8).is_done(8));
  left.mark_running(8, 0);
  EXPECT_FALSE(outcome_of(8).is_done(8));
  left.finish(8, {}, {});
  EXPECT_TRUE(outcome_of(8).is_done(8));
}

// A submitter that takes a ring over has other jobs with the same numbers, and the cache may still hold their outcomes. A line may be
// evicted at any time.
TEST_F(RingTest, AnOutcomeInTheCacheDoesNotEndTheNextJobWithItsNumber) {
  leave(0, 0, 1);
  leave_state(0, State::done, 55);
  Ring left = ring();
  ASSERT_EQ(left.look(), Ring::Look::open);
  std::vector<State> states;  // in the cache, at each call of the cache's functions
  device.on_maintenance = [&] {
    Outcome found;
    const auto at = static_cast<std::size_t>(descriptor(0) - dram()) + offsetof(Descriptor, outcome);
    std::memcpy(&found, &device.core_dram()[at], sizeof(found));
    states.push_back(found.state);
  };
  left.finish(0, {}, {});
  EXPECT_EQ(states, (std::vector{State::running, State::done}));
}

// The counts wrap across several boots. Finished jobs stay finished, the job that ran is reported as cut off, and the rest are served in
// order.
TEST_F(RingTest, JobsAreServedAcrossTheEndOfTheCounts) {
  capacity = 8;
  device.cause = ResetCause::watchdog;
  constexpr std::uint32_t kFirst = 0xFFFFFFFC;
  jobs_ = kFirst;
  const std::size_t was_done = add(run_job(0));
  const std::size_t ran = add(run_job(0));
  const std::size_t waited = add(run_job(0));
  const std::size_t load = add(load_job(copy_task(), 0));
  const std::size_t run = add(run_job(0));
  const std::size_t cut = add(run_job(0));
  const std::size_t cancel = add(simple_job(Kind::cancel, 0, static_cast<std::uint32_t>(cut)));
  leave_state(was_done, State::done, 55);
  leave_state(ran, State::running);
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
