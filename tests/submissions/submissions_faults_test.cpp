// SPDX-License-Identifier: MIT
// What callers of handles see when the device fails.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/submissions/work.h"

namespace cox::tests {
namespace {

class SubmissionsFaultsTest : public SubmissionsTest {
 protected:
  /// Opens the engines of a model with this plan of faults.
  void start_with(const std::string &plan) {
    const auto file = std::filesystem::temp_directory_path() / ("submissions-" + std::to_string(::getpid()) + ".plan");
    std::ofstream(file) << plan << "\n";
    start(R"({"faults": ")" + file.string() + R"("})");
    std::filesystem::remove(file);
  }
  static void count(cox_handle /*handle*/, void *calls) { ++*static_cast<unsigned *>(calls); }
};

TEST_F(SubmissionsFaultsTest, AFailedStreamEndsInAPollWithItsError) {
  start_with("bus_error queue=MX access=3");
  const auto work = make(Kind::mx);
  cox_handle handle = 0;
  unsigned calls = 0;
  good(work->submit(handle));
  good(cox_call_at_end(handle, count, &calls, COX_CALL_FROM_INTERRUPT));
  pass(kEnough);
  EXPECT_EQ(calls, 0U) << "recovery takes too long for an interrupt";
  cox_poll();
  EXPECT_EQ(calls, 1U);
  const cox_status status = work->wait(handle);
  EXPECT_EQ(status.error, COX_ERROR_DEVICE_FAULT) << cox_error_name(status.error);
  good(work->submit(handle));
  good(work->wait(handle));
  EXPECT_TRUE(work->is_right());
}

TEST_F(SubmissionsFaultsTest, StreamsBehindAFailedOneFailEachOnce) {
  start_with("bus_error queue=MX access=3");
  const auto work = make(Kind::mx);
  std::vector<cox_handle> handles(4);
  for (cox_handle &handle : handles) good(work->submit(handle));
  pass(kEnough);
  for (const cox_handle handle : handles) {
    EXPECT_EQ(work->wait(handle).error, COX_ERROR_DEVICE_FAULT);
    refused(work->wait(handle), COX_ERROR_NOT_READY, "handle");
  }
  good(work->submit(handles[0]));
  good(work->wait(handles[0]));
  EXPECT_TRUE(work->is_right());
}

TEST_F(SubmissionsFaultsTest, AFailedTaskEndsInAPollWithItsError) {
  start_with("bus_error queue=LD core=0 access=3");
  const auto work = make(Kind::tile);
  cox_handle handle = 0;
  unsigned calls = 0;
  good(work->submit(handle));
  good(cox_call_at_end(handle, count, &calls, COX_CALL_FROM_INTERRUPT));
  for (int i = 0; i < 10; ++i) {
    pass(kEnough);
    cox_poll();
  }
  EXPECT_EQ(calls, 1U);
  EXPECT_EQ(work->wait(handle).error, COX_ERROR_DEVICE_FAULT);
  good(work->submit(handle));
  good(work->wait(handle));
  EXPECT_TRUE(work->is_right());
}

TEST_F(SubmissionsFaultsTest, AWaitOfTheEngineStopsAStreamAtItsLimit) {
  start_with("stuck queue=MX instruction=1");
  const auto work = make(Kind::mx);
  cox_handle handle = 0;
  good(work->submit(handle));
  refused(cox_wait_for(handle, 30'000), COX_ERROR_TIMEOUT, "wait");
  refused(cox_mx_wait(handle, 30'000), COX_ERROR_TIMEOUT, "stream");
  refused(cox_mx_wait(handle, 30'000), COX_ERROR_NOT_READY, "handle");
  good(work->submit(handle));
  good(work->wait(handle));
  EXPECT_TRUE(work->is_right());
}

TEST_F(SubmissionsFaultsTest, APollStopsAStreamAfterTenSeconds) {
  start_with("stuck queue=CUBE instruction=1");
  const auto work = make(Kind::cube);
  cox_handle handle = 0;
  good(work->submit(handle));
  constexpr std::uint64_t kCyclesASecond = 1'000'000'000;
  cox_poll();
  pass(9 * kCyclesASecond);
  EXPECT_FALSE(cox_has_ended(handle));
  pass(2 * kCyclesASecond);
  EXPECT_TRUE(cox_has_ended(handle));
  refused(cox_wait_for(handle, 0), COX_ERROR_TIMEOUT, "stream");
}

TEST_F(SubmissionsFaultsTest, ALostInterruptDelaysACallbackOnlyToTheNextPoll) {
  start_with("interrupt lost line=0 count=1");
  const auto work = make(Kind::mx);
  cox_handle handle = 0;
  unsigned calls = 0;
  good(work->submit(handle));
  good(cox_call_at_end(handle, count, &calls, COX_CALL_FROM_INTERRUPT));
  pass(kEnough);
  cox_poll();
  EXPECT_EQ(calls, 1U);
  good(work->wait(handle));
  EXPECT_TRUE(work->is_right());
}

TEST_F(SubmissionsFaultsTest, ALostInterruptDelaysATaskOnlyToTheNextPoll) {
  start_with("interrupt lost line=0 count=1");
  const auto work = make(Kind::tile);
  cox_handle handle = 0;
  good(work->submit(handle));
  pass(kEnough);
  for (int i = 0; i < 3 && !cox_has_ended(handle); ++i) pass(kEnough);
  EXPECT_TRUE(cox_has_ended(handle));
  good(work->wait(handle));
  EXPECT_TRUE(work->is_right());
}

TEST_F(SubmissionsFaultsTest, ALostCompletionFailsItsStreamInAPoll) {
  start_with("completion lost queue=4 count=1");
  const auto work = make(Kind::mx);
  cox_handle handle = 0;
  good(work->submit(handle));
  for (int i = 0; i < 10; ++i) {
    pass(kEnough);
    cox_poll();
  }
  EXPECT_TRUE(cox_has_ended(handle));
  refused(cox_wait_for(handle, 0), COX_ERROR_DEVICE_FAULT, "completion");
}

TEST_F(SubmissionsFaultsTest, ACancelledRunEndsForItsWaiter) {
  start_with("stuck queue=LD core=0 instruction=2");
  const auto work = make(Kind::tile);
  cox_handle handle = 0;
  unsigned calls = 0;
  good(work->submit(handle));
  good(cox_call_at_end(handle, count, &calls, COX_CALL_FROM_POLL));
  good(cox_cancel(handle));
  EXPECT_EQ(work->wait(handle).error, COX_ERROR_CANCELLED);
  cox_poll();
  EXPECT_EQ(calls, 0U) << "the wait came first";
  refused(cox_cancel(handle), COX_ERROR_NOT_READY, "handle");
}

}  // namespace
}  // namespace cox::tests
