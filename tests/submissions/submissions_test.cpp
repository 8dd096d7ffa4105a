// SPDX-License-Identifier: MIT
// Handles, polling, waits with limits and callbacks, for each engine.
#include <gtest/gtest.h>

#include <functional>

#include "coxswain/hal/submissions.h"
#include "tests/submissions/work.h"

namespace cox::tests {
namespace {

constexpr std::uint32_t kForever = UINT32_MAX;

/// Calls a function at the end of work.
struct OnEnd {
  std::function<void(cox_handle)> function;
  static void call(cox_handle handle, void *argument) { static_cast<OnEnd *>(argument)->function(handle); }
};

TEST_F(SubmissionsTest, EachEngineAnswersAPoll) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0;
    good(work->submit(handle));
    EXPECT_FALSE(cox_has_ended(handle));
    pass(kEnough);
    EXPECT_TRUE(cox_has_ended(handle));
    good(cox_wait_for(handle, 0));
    EXPECT_TRUE(work->is_right());
  }
}

TEST_F(SubmissionsTest, AWaitThatReachesItsLimitChangesNothing) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0;
    good(work->submit(handle));
    refused(cox_wait_for(handle, 0), COX_ERROR_TIMEOUT, "wait");
    good(cox_wait_for(handle, kForever));
    EXPECT_TRUE(work->is_right());
  }
}

TEST_F(SubmissionsTest, AllEnginesWorkAtTheSameTime) {
  start();
  std::vector<std::unique_ptr<Work>> works;
  std::vector<cox_handle> handles;
  for (const Kind kind : kKinds) {
    works.push_back(make(kind));
    good(works.back()->submit(handles.emplace_back()));
  }
  // Waits in another order than that of the ends.
  for (std::size_t i = works.size(); i-- != 0;) {
    good(works[i]->wait(handles[i]));
    EXPECT_TRUE(works[i]->is_right());
  }
}

TEST_F(SubmissionsTest, AHandleIsValidOnce) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0;
    good(work->submit(handle));
    good(work->wait(handle));
    const cox_handle before = handle;
    refused(work->wait(before), COX_ERROR_NOT_READY, "handle");
    refused(cox_wait_for(before, 0), COX_ERROR_NOT_READY, "handle");
    refused(cox_call_at_end(before, OnEnd::call, nullptr, COX_CALL_FROM_POLL), COX_ERROR_NOT_READY, "handle");
    EXPECT_TRUE(cox_has_ended(before)) << "a wait returns at once";
    // The next submission has the same index, but another generation.
    good(work->submit(handle));
    EXPECT_NE(handle, before);
    EXPECT_EQ(hal::Handle(handle).index(), hal::Handle(before).index());
    refused(work->wait(before), COX_ERROR_NOT_READY, "handle");
    good(work->wait(handle));
  }
}

TEST_F(SubmissionsTest, AHandleOfAnEarlierRuntimeIsRefused) {
  start();
  std::vector<cox_handle> before;
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    good(work->submit(before.emplace_back()));
    if (kind == Kind::tile) good(work->wait(before.back()));  // tasks must have ended before the engine is closed
  }
  // The streams are still in flight.
  close_engines();
  for (const cox_handle handle : before) refused(cox_wait_for(handle, 0), COX_ERROR_NOT_READY, "handle");
  open_engines();
  for (const cox_handle handle : before) refused(cox_wait_for(handle, 0), COX_ERROR_NOT_READY, "handle");
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0;
    good(work->submit(handle));
    for (const cox_handle each : before) {
      EXPECT_NE(handle, each);
      refused(cox_wait_for(each, 0), COX_ERROR_NOT_READY, "handle");
    }
    good(work->wait(handle));
    EXPECT_TRUE(work->is_right());
  }
}

TEST_F(SubmissionsTest, AHandleOfAnotherEngineIsRefused) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0;
    good(work->submit(handle));
    if (kind != Kind::tile) refused(cox_cancel(handle), COX_ERROR_INVALID_ARGUMENT, "engine");
    for (const Kind other : kKinds) {
      if (other != kind) refused(make(other)->wait(handle), COX_ERROR_INVALID_ARGUMENT, "engine");
    }
    good(work->wait(handle));
    EXPECT_TRUE(work->is_right()) << "the refused calls have changed nothing";
  }
}

TEST_F(SubmissionsTest, WhatIsNoHandleIsRefused) {
  start();
  const cox_handle none[] = {0, 1, 0x00FFFFFF, 0x10000000, 0xF0000001, UINT32_MAX};
  for (const cox_handle handle : none) {
    const cox_status status = cox_wait_for(handle, 0);
    EXPECT_TRUE(status.error == COX_ERROR_INVALID_ARGUMENT || status.error == COX_ERROR_NOT_READY) << handle;
    EXPECT_STREQ(status.what, "handle") << handle;
    EXPECT_TRUE(cox_has_ended(handle));
    EXPECT_NE(cox_mx_wait(handle, 0).error, 0U);
    EXPECT_NE(cox_wait(handle, nullptr).error, 0U);
    EXPECT_NE(cox_cancel(handle).error, 0U);
  }
  refused(cox_wait_for(0, 0), COX_ERROR_INVALID_ARGUMENT, "handle");
  refused(cox_wait_for(0xF0000001, 0), COX_ERROR_INVALID_ARGUMENT, "handle");
}

TEST_F(SubmissionsTest, WhatCallAtEndRefuses) {
  start();
  const auto work = make(Kind::mx);
  cox_handle handle = 0;
  good(work->submit(handle));
  refused(cox_call_at_end(handle, nullptr, nullptr, COX_CALL_FROM_POLL), COX_ERROR_INVALID_ARGUMENT, "callback");
  refused(cox_call_at_end(handle, OnEnd::call, nullptr, 2), COX_ERROR_INVALID_ARGUMENT, "from");
  unsigned calls = 0;
  OnEnd count{[&](cox_handle) { ++calls; }};
  good(cox_call_at_end(handle, OnEnd::call, &count, COX_CALL_FROM_POLL));
  refused(cox_call_at_end(handle, OnEnd::call, &count, COX_CALL_FROM_INTERRUPT), COX_ERROR_NOT_READY, "callback");
  pass(kEnough);
  cox_poll();
  cox_poll();
  EXPECT_EQ(calls, 1U);
  good(work->wait(handle));
}

TEST_F(SubmissionsTest, ACallbackFromPollWaitsForPoll) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0, seen = 0;
    OnEnd end{[&](cox_handle each) { seen = each; }};
    good(work->submit(handle));
    good(cox_call_at_end(handle, OnEnd::call, &end, COX_CALL_FROM_POLL));
    cox_poll();
    EXPECT_EQ(seen, 0U) << "the work has not ended";
    pass(kEnough);
    EXPECT_TRUE(cox_has_ended(handle));
    EXPECT_EQ(seen, 0U) << "only cox_poll() calls";
    cox_poll();
    EXPECT_EQ(seen, handle);
    good(work->wait(handle));
    EXPECT_TRUE(work->is_right());
  }
}

TEST_F(SubmissionsTest, ACallbackFromTheInterruptNeedsNoCall) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0, seen = 0;
    OnEnd end{[&](cox_handle each) { seen = each; }};
    good(work->submit(handle));
    good(cox_call_at_end(handle, OnEnd::call, &end, COX_CALL_FROM_INTERRUPT));
    EXPECT_EQ(seen, 0U);
    pass(kEnough);
    EXPECT_EQ(seen, handle);
    good(work->wait(handle));
    EXPECT_TRUE(work->is_right());
  }
}

TEST_F(SubmissionsTest, ACallbackForEndedWorkIsCalledAtOnce) {
  start();
  for (const Kind kind : kKinds) {
    const auto work = make(kind);
    cox_handle handle = 0, seen = 0;
    OnEnd end{[&](cox_handle each) { seen = each; }};
    good(work->submit(handle));
    pass(kEnough);
    EXPECT_TRUE(cox_has_ended(handle));
    good(cox_call_at_end(handle, OnEnd::call, &end, COX_CALL_FROM_INTERRUPT));
    EXPECT_EQ(seen, handle);
    good(work->wait(handle));
  }
}

/// Callbacks that submit: each takes the outcome of its work and submits the work again, until it was done `kRounds` times.
class Chain {
 public:
  static constexpr unsigned kRounds = 20;

  Chain(Work &work, std::uint32_t from) : work_(work), from_(from) {}
  void begin() {
    work_.spoil();
    cox_handle handle = 0;
    const cox_status submitted = work_.submit(handle);
    ASSERT_EQ(submitted.error, 0U) << cox_error_name(submitted.error) << " of " << submitted.what;
    ASSERT_EQ(cox_call_at_end(handle, next, this, from_).error, 0U);
  }
  [[nodiscard]] unsigned rounds() const { return rounds_; }

 private:
  static void next(cox_handle handle, void *argument) {
    auto &chain = *static_cast<Chain *>(argument);
    EXPECT_EQ(chain.work_.wait(handle).error, 0U);
    EXPECT_TRUE(chain.work_.is_right());
    if (++chain.rounds_ < kRounds) chain.begin();
  }
  Work &work_;
  std::uint32_t from_;
  unsigned rounds_ = 0;
};

TEST_F(SubmissionsTest, CallbacksFromTheInterruptSubmit) {
  start();
  std::vector<std::unique_ptr<Work>> works;
  std::vector<Chain> chains;
  for (const Kind kind : kKinds) chains.emplace_back(*works.emplace_back(make(kind)), COX_CALL_FROM_INTERRUPT);
  for (Chain &chain : chains) chain.begin();
  for (unsigned round = 0; round < Chain::kRounds; ++round) pass(kEnough);
  for (const Chain &chain : chains) EXPECT_EQ(chain.rounds(), Chain::kRounds);
}

TEST_F(SubmissionsTest, CallbacksFromPollSubmit) {
  start();
  std::vector<std::unique_ptr<Work>> works;
  std::vector<Chain> chains;
  for (const Kind kind : kKinds) chains.emplace_back(*works.emplace_back(make(kind)), COX_CALL_FROM_POLL);
  for (Chain &chain : chains) chain.begin();
  for (unsigned round = 0; round < Chain::kRounds; ++round) {
    pass(kEnough);
    cox_poll();
  }
  for (const Chain &chain : chains) EXPECT_EQ(chain.rounds(), Chain::kRounds);
}

TEST_F(SubmissionsTest, ACallbackFromTheInterruptMustNotWait) {
  start();
  const auto first = make(Kind::mx), second = make(Kind::cube);
  cox_handle short_one = 0, other = 0;
  cox_status status{};
  OnEnd end{[&](cox_handle) {
    good(second->submit(other));
    status = cox_wait_for(other, kForever);
    cox_poll();  // does nothing
  }};
  good(first->submit(short_one));
  good(cox_call_at_end(short_one, OnEnd::call, &end, COX_CALL_FROM_INTERRUPT));
  pass(kEnough);
  refused(status, COX_ERROR_NOT_READY, "interrupt");
  good(second->wait(other));
  EXPECT_TRUE(second->is_right());
  good(first->wait(short_one));
}

TEST_F(SubmissionsTest, ACallbackFromPollMayWaitAndPoll) {
  start();
  const auto first = make(Kind::tile), second = make(Kind::mx);
  cox_handle handle = 0;
  unsigned calls = 0;
  OnEnd end{[&](cox_handle each) {
    ++calls;
    good(first->wait(each));
    cox_handle other = 0;
    good(second->submit(other));
    cox_poll();
    good(second->wait(other));
  }};
  good(first->submit(handle));
  good(cox_call_at_end(handle, OnEnd::call, &end, COX_CALL_FROM_POLL));
  pass(kEnough);
  cox_poll();
  EXPECT_EQ(calls, 1U);
  EXPECT_TRUE(second->is_right());
}

TEST_F(SubmissionsTest, AFullQueueRefusesAndChangesNothing) {
  start();
  constexpr unsigned kMany = 40;
  for (const Kind kind : kKinds) {
    std::vector<std::unique_ptr<Work>> works;
    for (unsigned i = 0; i < kMany; ++i) works.push_back(make(kind));
    // Each submitter tries again until its work is accepted, and waits for it once.
    std::vector<cox_handle> handles(kMany);
    std::vector<bool> submitted(kMany), ended(kMany);
    unsigned refusals = 0, left = kMany;
    for (unsigned turn = 0; left != 0 && turn < 10 * kMany; ++turn) {
      for (unsigned i = 0; i < kMany; ++i) {
        if (submitted[i]) continue;
        const cox_status status = works[i]->submit(handles[i]);
        submitted[i] = status.error == 0;
        if (submitted[i]) continue;
        EXPECT_EQ(status.error, COX_ERROR_NO_ROOM) << status.what;
        EXPECT_EQ(handles[i], 0U) << "a refused call writes nothing";
        EXPECT_FALSE(works[i]->is_right()) << "and runs nothing";
        ++refusals;
      }
      pass(kEnough);
      for (unsigned i = 0; i < kMany; ++i) {
        if (!submitted[i] || ended[i] || !cox_has_ended(handles[i])) continue;
        good(works[i]->wait(handles[i]));
        EXPECT_TRUE(works[i]->is_right());
        ended[i] = true;
        --left;
      }
    }
    EXPECT_EQ(left, 0U);
    EXPECT_GT(refusals, 0U);
  }
}

TEST_F(SubmissionsTest, OutcomesThatNobodyTakesFillTheTable) {
  start();
  const auto work = make(Kind::mx);
  std::vector<cox_handle> handles(hal::Submissions::kMost);
  for (cox_handle &handle : handles) {
    good(work->submit(handle));
    pass(kEnough);
    EXPECT_TRUE(cox_has_ended(handle));
  }
  cox_handle one_more = 0;
  refused(work->submit(one_more), COX_ERROR_NO_ROOM, "submissions");
  EXPECT_EQ(one_more, 0U);
  good(work->wait(handles[7]));
  good(work->submit(one_more));
  good(work->wait(one_more));
  handles.erase(handles.begin() + 7);
  for (const cox_handle handle : handles) good(work->wait(handle));
}

TEST_F(SubmissionsTest, AnEngineWithAnAttachedStreamHasNoCallsFromTheInterrupt) {
  start();
  const auto work = make(Kind::cube);
  cox_handle handle = 0;
  unsigned calls = 0;
  OnEnd end{[&](cox_handle) { ++calls; }};
  cox_cube_stream stream{};
  constexpr std::size_t kBytes = 8192;
  good(cox_cube_stream_init(&stream, take(kBytes), kBytes, 2));

  good(work->submit(handle));
  good(cox_call_at_end(handle, OnEnd::call, &end, COX_CALL_FROM_INTERRUPT));
  refused(cox_cube_attach(&stream), COX_ERROR_NOT_READY, "callback");
  pass(kEnough);
  EXPECT_EQ(calls, 1U);
  good(work->wait(handle));

  good(cox_cube_attach(&stream));
  good(work->submit(handle));
  refused(cox_call_at_end(handle, OnEnd::call, &end, COX_CALL_FROM_INTERRUPT), COX_ERROR_NOT_READY, "stream");
  good(work->wait(handle));

  // A callback of another engine must not submit to the unit, because the thread may be feeding the stream.
  const auto addition = make(Kind::mx);
  cox_status status{};
  OnEnd submit{[&](cox_handle) { status = work->submit(handle); }};
  cox_handle sum = 0;
  good(addition->submit(sum));
  good(cox_call_at_end(sum, OnEnd::call, &submit, COX_CALL_FROM_INTERRUPT));
  pass(kEnough);
  refused(status, COX_ERROR_NOT_READY, "stream");
  good(addition->wait(sum));
}

}  // namespace
}  // namespace cox::tests
