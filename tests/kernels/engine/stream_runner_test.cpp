// SPDX-License-Identifier: MIT
// How StreamRunner handles wrong completions: entries with flipped bits, doubled, out of order, without a stream, or lost (docs/faults.md,
// Kind by kind). tests/faults provokes the same faults on the model and checks the results of the streams.
#include "coxswain/kernels/engine/stream_runner.h"

#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <vector>

#include "tests/kernels/engine/fake_engine.h"

namespace cox::tests {
namespace {

using hal::Completion;
using hal::FaultAction;
using kernels::StreamRunner;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kLimit = 50'000;  // microseconds

class StreamRunnerTest : public testing::Test {
 protected:
  void SetUp() override { power_on(0); }
  /// `index`: value of the device's running indices after each reset.
  void power_on(std::uint32_t index) {
    runner = {};
    engine.reset();
    engine = std::make_unique<FakeEngine>(index);
    hal::Geometry geometry;
    geometry.contexts = 4;
    geometry.l2_bytes = 1U << 20;
    geometry.l2_block_bytes = 1024;
    geometry.wl0_units = 64;
    geometry.queue_size_log2_max = 5;
    geometry.engines |= 1U << 0;
    StreamRunner::Configuration configuration;
    configuration.context = FakeEngine::kContext;
    configuration.queue_size_log2 = 2;
    ASSERT_TRUE(runner.init(geometry, engine->memory(), configuration).ok());
    ASSERT_EQ(engine->resets, 1U);
    engine->resets = 0;
  }
  std::uint32_t submit() {
    const auto tag = runner.submit(code);
    EXPECT_TRUE(tag.ok());
    return tag.value();
  }
  void expect_lost(std::uint32_t tag, const char *what = "completion") {
    EXPECT_FALSE(runner.wait(tag, kLimit));
    EXPECT_EQ(runner.status().code(), ErrorCode::device_fault);
    EXPECT_STREQ(runner.status().what(), what);
  }
  /// Runs a stream for which the device does everything right. `index` is the running index of that stream.
  void expect_next_is_right(std::uint32_t index) {
    const std::uint32_t tag = submit();
    engine->on_sleep = [this, index] { engine->complete(index); };
    EXPECT_TRUE(runner.wait(tag, kLimit)) << error_name(runner.status().code()) << " " << runner.status().what();
    EXPECT_EQ(runner.in_flight(), 0U);
  }
  static std::vector<FaultAction> actions() {
    std::vector<FaultAction> all;
    for (std::uint32_t i = 0; i < hal::fault_log::size(); ++i) all.push_back(hal::fault_log::at(i).action);
    return all;
  }

  std::unique_ptr<FakeEngine> engine;
  StreamRunner runner;
  alignas(64) std::array<std::byte, 64> code{};
};

/// Returns the entry, which has 128 bits, with one bit flipped.
Completion flipped(Completion entry, unsigned bit) {
  std::uint32_t *const words[] = {&entry.identity, &entry.outcome, &entry.time_low, &entry.time_high};
  *words[bit / 32] ^= 1U << bit % 32;
  return entry;
}

// The runner checks the low 64 bits of an entry. The high 64 bits are the time.
TEST_F(StreamRunnerTest, EachFlippedBitThatMattersIsSeen) {
  for (unsigned bit = 0; bit < 128; ++bit) {
    SCOPED_TRACE(bit);
    power_on(0);
    const std::uint32_t tag = submit();
    bool written = false;
    engine->on_sleep = [&] {
      if (written) return;
      written = true;
      engine->end_silently(0);
      engine->write(flipped(engine->entry(0), bit));
    };
    if (bit >= 64) {
      EXPECT_TRUE(runner.wait(tag, kLimit));
      EXPECT_EQ(engine->resets, 0U);
      continue;
    }
    expect_lost(tag);
    EXPECT_EQ(engine->resets, 1U);
    EXPECT_LE(engine->now, 3 * FakeEngine::kTickUs * 1000);
    EXPECT_THAT(actions(), ElementsAre(FaultAction::reset, FaultAction::failed));
    expect_next_is_right(0);
  }
}

TEST_F(StreamRunnerTest, WhatACorruptedCompletionHasTakenRunsAgainUnderItsTags) {
  runner.set_retries(1);
  const std::uint32_t first = submit();
  const std::uint32_t second = submit();
  unsigned attempt = 0;
  engine->on_sleep = [&] {
    if (++attempt == 1) {
      engine->end_silently(0);
      engine->write(flipped(engine->entry(0), 9));
    } else {
      engine->complete(1);
    }
  };
  EXPECT_TRUE(runner.wait(first, kLimit));
  EXPECT_TRUE(runner.wait(second, kLimit));
  EXPECT_EQ(engine->resets, 1U);
  EXPECT_THAT(actions(), ElementsAre(FaultAction::reset, FaultAction::retried));
}

TEST_F(StreamRunnerTest, RetriesEndWithTheSameError) {
  runner.set_retries(2);
  const std::uint32_t tag = submit();
  engine->on_sleep = [&] { engine->write(flipped(engine->entry(0), 40)); };
  expect_lost(tag);
  expect_lost(tag);  // a second wait fails too
  EXPECT_EQ(engine->resets, 3U);
  using enum FaultAction;
  EXPECT_THAT(actions(), ElementsAre(reset, retried, reset, retried, reset, failed));
}

// A repeated completion of the previous stream does not end the current one, even if the 16 bits of the tag wrap between the two.
TEST_F(StreamRunnerTest, ADoubledCompletionIsPassedOver) {
  for (const std::uint32_t index : {0U, 0xFFFEU, 0xFFFFU, 0xFFFFFFFFU}) {
    SCOPED_TRACE(index);
    power_on(index);
    const std::uint32_t first = submit();
    engine->on_sleep = [&] {
      engine->complete(index);
      engine->write(engine->entry(index));
    };
    EXPECT_TRUE(runner.wait(first, kLimit));
    const std::uint64_t ended = runner.end_cycle();
    EXPECT_THAT(actions(), IsEmpty()) << "the runner has not looked yet";
    const std::uint32_t second = submit();
    engine->on_sleep = [&] { engine->complete(index + 1); };
    EXPECT_TRUE(runner.wait(second, kLimit));
    EXPECT_GT(runner.end_cycle(), ended) << "the end must come from the stream's own completion";
    EXPECT_EQ(engine->resets, 0U);
    EXPECT_THAT(actions(), ElementsAre(FaultAction::corrected));
  }
}

TEST_F(StreamRunnerTest, ADoubledCompletionDoesNotEndTheNextStream) {
  const std::uint32_t first = submit();
  engine->on_sleep = [&] {
    engine->complete(0);
    engine->write(engine->entry(0));
  };
  EXPECT_TRUE(runner.wait(first, kLimit));
  const std::uint32_t second = submit();
  engine->on_sleep = [] {};
  EXPECT_FALSE(runner.wait(second, 5 * FakeEngine::kTickUs));
  EXPECT_EQ(runner.status().code(), ErrorCode::timeout);
  EXPECT_THAT(actions(), ElementsAre(FaultAction::corrected, FaultAction::reset, FaultAction::failed));
  expect_next_is_right(0);
}

TEST_F(StreamRunnerTest, OneThatComesThreeTimesIsNotPassedOver) {
  const std::uint32_t first = submit();
  engine->on_sleep = [&] {
    engine->complete(0);
    engine->write(engine->entry(0));
    engine->write(engine->entry(0));
  };
  EXPECT_TRUE(runner.wait(first, kLimit));
  const std::uint32_t second = submit();
  engine->on_sleep = [] {};
  expect_lost(second);
  EXPECT_THAT(actions(), ElementsAre(FaultAction::corrected, FaultAction::reset, FaultAction::failed));
  expect_next_is_right(0);
}

// Each entry names a stream that is not the oldest in flight, or no stream at all. All streams in flight fail.
TEST_F(StreamRunnerTest, ACompletionOutOfTurnTakesAllInFlight) {
  for (const std::uint32_t named : {1U, 2U, 3U, 100U, 0xFFFEU}) {
    SCOPED_TRACE(named);
    power_on(0);
    const std::uint32_t first = submit();
    const std::uint32_t second = submit();
    engine->on_sleep = [&] { engine->write(engine->entry(named)); };
    expect_lost(second);
    expect_lost(first);
    EXPECT_EQ(engine->resets, 1U);
    EXPECT_EQ(runner.in_flight(), 0U);
    expect_next_is_right(0);
    EXPECT_EQ(runner.oldest(), second + 2) << "tags go on";
  }
}

// A completion comes while no stream is in flight. The runner notices this completion only when it waits for the next stream.
TEST_F(StreamRunnerTest, ACompletionOfNobodyIsAFault) {
  power_on(7);
  for (const std::uint32_t named : {6U, 20U}) {
    engine->write(engine->entry(named));  // no stream with this tag has run
    expect_lost(submit());
    expect_next_is_right(7);
    power_on(7);
  }
}

TEST_F(StreamRunnerTest, ALostCompletionIsMissedAtTheSecondLook) {
  const std::uint32_t tag = submit();
  engine->on_sleep = [&] { engine->end_silently(0); };
  expect_lost(tag);
  EXPECT_LE(engine->now, 4 * FakeEngine::kTickUs * 1000);
  EXPECT_THAT(actions(), ElementsAre(FaultAction::reset, FaultAction::failed));
  // The next completion is not lost but late: the device writes it only when the core sleeps for the second time. The runner waits for it.
  // The entry names index 0 again, because the reset has set the device's running indices back.
  const std::uint32_t late = submit();
  unsigned sleeps = 0;
  engine->on_sleep = [&] {
    engine->end_silently(0);
    if (++sleeps == 2) engine->write(engine->entry(0));
  };
  EXPECT_TRUE(runner.wait(late, kLimit));
  EXPECT_EQ(sleeps, 2U);
  EXPECT_EQ(engine->resets, 1U);
}

}  // namespace
}  // namespace cox::tests
