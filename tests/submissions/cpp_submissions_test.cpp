// SPDX-License-Identifier: MIT
// Handles and callbacks of all engines through the C++ class. submissions_test.cpp has the same tests, and more, through the C interface.
#include <gtest/gtest.h>

#include "coxswain/hal/submissions.h"
#include "tests/submissions/work.h"

namespace cox::tests {
namespace cpp_submissions_test {

constexpr std::uint64_t kLimit = 1'000'000;

hal::Submissions &submissions_of(hal::Handle handle) {
  const Result<hal::Submissions *> found = hal::Submissions::of(handle);
  EXPECT_TRUE(found.ok()) << found.status().what();
  return *found.value();
}

class CppSubmissionsTest : public SubmissionsTest {
 protected:
  static hal::Handle submitted(Work &work) {
    work.spoil();
    cox_handle handle = 0;
    SubmissionsTest::good(work.submit(handle));
    return hal::Handle(handle);
  }
  static void good(const Status &status) { EXPECT_TRUE(status.ok()) << error_name(status.code()) << " of " << status.what(); }
  static void refused(const Status &status, ErrorCode code, const char *what) {
    EXPECT_EQ(status.code(), code) << error_name(status.code());
    EXPECT_STREQ(status.what(), what);
  }
};

TEST_F(CppSubmissionsTest, AHandleIsValidOnce) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    const hal::Handle handle = submitted(*work);
    hal::Submissions &submissions = submissions_of(handle);
    good(submissions.wait(handle, kLimit));
    EXPECT_TRUE(work->is_right());
    refused(submissions.wait(handle, kLimit), ErrorCode::not_ready, "handle");
    refused(submissions.call_at_end(handle, {.function = [](std::uint32_t, void *) {}}), ErrorCode::not_ready, "handle");
    EXPECT_TRUE(submissions.has_ended(handle)) << "a wait returns at once";
    const hal::Handle next = submitted(*work);
    refused(submissions.wait(handle, kLimit), ErrorCode::not_ready, "handle");
    good(submissions.wait(next, kLimit));
  }
}

TEST_F(CppSubmissionsTest, WhatIsNoHandleOfTheEngineIsRefused) {
  start();
  const auto copy = make(Kind::tile), sum = make(Kind::mx);
  const hal::Handle of_task = submitted(*copy), of_stream = submitted(*sum);
  hal::Submissions &tasks = submissions_of(of_task), &streams = submissions_of(of_stream);
  refused(tasks.wait(of_stream, kLimit), ErrorCode::invalid_argument, "engine");
  refused(streams.wait(of_task, kLimit), ErrorCode::invalid_argument, "engine");
  refused(tasks.wait(hal::Handle(), kLimit), ErrorCode::invalid_argument, "handle");
  refused(hal::Submissions::of(hal::Handle(0xF, 0, 1)).status(), ErrorCode::invalid_argument, "handle");
  good(tasks.wait(of_task, kLimit));
  good(streams.wait(of_stream, kLimit));
  EXPECT_TRUE(copy->is_right() && sum->is_right()) << "the refused calls have changed nothing";
}

TEST_F(CppSubmissionsTest, AHandleOfAnEarlierRuntimeIsRefused) {
  start();
  std::vector<hal::Handle> before;
  {
    const auto copy = make(Kind::tile), sum = make(Kind::mx), product = make(Kind::cube);
    before = {submitted(*copy), submitted(*sum), submitted(*product)};
    good(submissions_of(before[0]).wait(before[0], kLimit));  // the streams are still in flight
  }
  close_engines();
  for (const hal::Handle handle : before) refused(hal::Submissions::of(handle).status(), ErrorCode::not_ready, "handle");
  open_engines();
  // Each engine has work in flight again.
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    const hal::Handle handle = submitted(*work);
    for (const hal::Handle each : before) refused(submissions_of(each).wait(each, kLimit), ErrorCode::not_ready, "handle");
    good(submissions_of(handle).wait(handle, kLimit));
    EXPECT_TRUE(work->is_right());
  }
}

/// A callback that takes the outcome of its work and submits the work again.
struct Chain {
  Work &work;
  hal::CallFrom from;
  unsigned rounds = 0;

  static constexpr unsigned kRounds = 10;
  void begin() {
    work.spoil();
    cox_handle handle = 0;
    ASSERT_EQ(work.submit(handle).error, 0U);
    const hal::EndCall call{.function = next, .argument = this, .from = from};
    EXPECT_TRUE(submissions_of(hal::Handle(handle)).call_at_end(hal::Handle(handle), call).ok());
  }
  static void next(std::uint32_t handle, void *argument) {
    Chain &chain = *static_cast<Chain *>(argument);
    EXPECT_TRUE(submissions_of(hal::Handle(handle)).wait(hal::Handle(handle), 0).ok());
    EXPECT_TRUE(chain.work.is_right());
    if (++chain.rounds < kRounds) chain.begin();
  }
};

TEST_F(CppSubmissionsTest, CallbacksSubmit) {
  start();
  for (const hal::CallFrom from : {hal::CallFrom::interrupt, hal::CallFrom::poll}) {
    for (const Kind kind : kKinds) {
      const auto work = make(kind);
      Chain chain{*work, from};
      chain.begin();
      for (unsigned round = 0; round < Chain::kRounds; ++round) {
        pass(kEnough);
        hal::Submissions::poll_all();
      }
      EXPECT_EQ(chain.rounds, Chain::kRounds);
    }
  }
}

}  // namespace cpp_submissions_test
}  // namespace cox::tests
