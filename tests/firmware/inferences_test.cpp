// SPDX-License-Identifier: MIT
// Runs that compute several inferences (docs/jobs.md, Several inferences), on a device without engines.
#include <vector>

#include "coxswain/hal/bus.h"
#include "tests/firmware/job_ring.h"
#include "tests/firmware/scheduled_tasks.h"

namespace cox::tests {
namespace {

using firmware::job::kInferences;
using firmware::job::kMostInferences;
using isa::tile::MachineCode;
using isa::tile::Opcode;
using testing::ElementsAre;

class InferencesTest : public JobRing {
 protected:
  InferencesTest() {
    device.duration = [this](unsigned, const MachineCode &code) -> std::uint64_t {
      if (isa::tile::opcode_of(code) == Opcode::ct_st) begun.push_back(device.windows_of_context[isa::tile::context_of(code)][0]);
      return duration;
    };
  }
  /// A run of `count` inferences of copy_task(), whose windows are `stride` bytes apart.
  Request several(std::uint32_t count, std::uint64_t stride = 256, std::uint8_t owner = 0) {
    Request job = run_job(0, owner);
    reserve(std::size_t{255} * (count < 16 ? count : 1));
    firmware::job::set_inferences(job, count, {stride, 0, 0, 0});
    return job;
  }
  std::vector<std::uint64_t> windows(std::size_t job, unsigned count, std::uint64_t stride = 256) {
    std::vector<std::uint64_t> all;
    for (unsigned i = 0; i < count; ++i) all.push_back(request(job).windows[0].address + i * stride);
    return all;
  }
  /// Submits a cancel of `job` when `count` of its inferences have begun.
  void cancel_after(std::size_t job, std::size_t count) {
    device.on_feed = [this, job, count, done = false]() mutable {
      if (done || begun.size() < count) return;
      done = true;
      submit(simple_job(Kind::cancel, request(job).owner, static_cast<std::uint32_t>(job)));
    };
    device.ticks = true;
    duration = FakeDevice::kTick;
  }
  void expect_refused(const Request &run, ErrorCode error, std::int64_t value) {
    const std::size_t job = add(run);
    begun.clear();
    EXPECT_EQ(serve(), 0);
    expect(job, error, "windows");
    EXPECT_EQ(outcome(job).error_index, 0);
    EXPECT_EQ(outcome(job).error_value, value);
    EXPECT_EQ(outcome(job).inferences, 0U);
    EXPECT_THAT(begun, testing::IsEmpty());
  }

  std::uint64_t duration = 100;      ///< cycles of each instruction
  std::vector<std::uint64_t> begun;  ///< window 0 of each inference, in the order in which they began
};

TEST_F(InferencesTest, EachHasItsWindowAndTheOutcomeIsTheirSum) {
  add(load_job(copy_task(), 0));
  const std::size_t single = add(run_job(0));
  const std::size_t job = add(several(5, 512));
  const std::size_t after = add(run_job(0));
  EXPECT_EQ(serve(), 0);
  for (const std::size_t good : {single, job, after}) expect(good, ErrorCode::ok);
  std::vector<std::uint64_t> expected = windows(single, 1);
  for (const std::uint64_t window : windows(job, 5, 512)) expected.push_back(window);
  expected.push_back(request(after).windows[0].address);
  EXPECT_EQ(begun, expected);
  EXPECT_EQ(outcome(single).inferences, 1U);
  EXPECT_EQ(outcome(job).inferences, 5U);
  EXPECT_EQ(outcome(job).accelerator_instructions, 35U);
  EXPECT_GE(outcome(job).start_cycle, outcome(single).end_cycle);
  EXPECT_GE(outcome(job).end_cycle - outcome(job).start_cycle, 5 * (outcome(single).end_cycle - outcome(single).start_cycle));
  EXPECT_GE(outcome(after).start_cycle, outcome(job).end_cycle);
  EXPECT_EQ(outcome(0).inferences, 0U) << "a load";
}

TEST_F(InferencesTest, CountersAreTheSumOfAll) {
  add(load_job(copy_task(), 0));
  Request run = several(3);
  run.flags |= firmware::job::kReadCounters;
  const std::size_t job = add(run);
  EXPECT_EQ(serve(), 0);
  expect(job, ErrorCode::ok);
  EXPECT_EQ(outcome(job).counted, 1);
  EXPECT_EQ(outcome(job).queues[static_cast<std::size_t>(isa::tile::Class::LD)].instructions, 6U);
  EXPECT_EQ(begun, windows(job, 3));
}

TEST_F(InferencesTest, TheFirstAndTheLargestCount) {
  add(load_job(copy_task(), 0));
  const std::size_t none = add(several(0)), one = add(several(1, 8)), over = add(several(kMostInferences + 1, 0));
  const std::size_t most = add(several(kMostInferences, 0));
  cancel_after(most, 20);
  duration = 100;
  EXPECT_EQ(serve(), 0);
  for (const std::size_t refused : {none, over}) {
    expect(refused, ErrorCode::invalid_argument, "argument");
    EXPECT_EQ(outcome(refused).error_limit, kMostInferences);
  }
  expect(one, ErrorCode::ok);
  expect(most, ErrorCode::cancelled, "task");
  EXPECT_GE(outcome(most).inferences, 10U);
  EXPECT_LT(outcome(most).inferences, kMostInferences);
}

TEST_F(InferencesTest, AStrideMustKeepTheWindowsAlignedAndInDram) {
  const Request load = load_job(copy_task(), 0);
  add(load);
  const auto end = static_cast<std::int64_t>(hal::dram_range().address + board::dram_size());
  Request run = several(3, 260);
  expect_refused(run, ErrorCode::misaligned_address, 260);
  const auto room = end - static_cast<std::int64_t>(run.windows[0].address) - 256;
  const auto most = static_cast<std::uint64_t>(room / 2 / 8 * 8);
  for (const std::uint64_t stride : {most + 8, std::uint64_t{1} << 62, std::uint64_t{1} << 63, ~std::uint64_t{7}}) {
    firmware::job::set_inferences(run, 3, {stride, 0, 0, 0});
    expect_refused(run, ErrorCode::window_outside_dram, static_cast<std::int64_t>(stride));
    EXPECT_EQ(outcome(jobs_ - 1).error_limit, room);
  }
  firmware::job::set_inferences(run, 3, {most, ~std::uint64_t{0}, 7, 9});  // windows 1 to 3 are not the task's
  const std::size_t fits = add(run);
  EXPECT_EQ(serve(), 0);
  expect(fits, ErrorCode::ok);
}

TEST_F(InferencesTest, NoWindowMayLieInTheImageOfATask) {
  Request run = several(3, 256);
  const Request load = load_job(copy_task(), 0);
  add(load);
  firmware::job::set_inferences(run, 3, {(load.image_address - run.windows[0].address) / 8 * 8 / 2 / 8 * 8, 0, 0, 0});
  expect_refused(run, ErrorCode::window_overlap, static_cast<std::int64_t>(run.windows[0].address));
}

TEST_F(InferencesTest, AFaultSaysWhichInferenceFailed) {
  add(load_job(copy_task(), 0));
  const std::size_t job = add(several(5));
  const std::size_t after = add(run_job(0));
  device.outcome = [this](unsigned, const MachineCode &code) {
    return isa::tile::opcode_of(code) == Opcode::sta_mov && begun.size() == 3 ? hal::FaultCode::bus_error : hal::FaultCode::none;
  };
  EXPECT_EQ(serve(), 0);
  expect(job, ErrorCode::device_fault, "bus_error");
  EXPECT_EQ(outcome(job).inferences, 2U);
  expect(after, ErrorCode::ok);
  std::vector<std::uint64_t> expected = windows(job, 3);
  expected.push_back(request(after).windows[0].address);
  EXPECT_EQ(begun, expected);
}

TEST_F(InferencesTest, OnlyTheInferenceWithTheFaultBeginsAgain) {
  add(load_job(copy_task(), 0));
  Request run = several(4);
  run.retries = 1;
  const std::size_t job = add(run);
  device.outcome = [this](unsigned, const MachineCode &code) {
    const bool fails = begun.size() == 2 || begun.size() == 5;
    return isa::tile::opcode_of(code) == Opcode::sta_mov && fails ? hal::FaultCode::bus_error : hal::FaultCode::none;
  };
  EXPECT_EQ(serve(), 0);
  expect(job, ErrorCode::ok);
  EXPECT_EQ(outcome(job).inferences, 4U);
  EXPECT_EQ(outcome(job).retried, 2U);
  const std::vector<std::uint64_t> all = windows(job, 4);
  EXPECT_THAT(begun, ElementsAre(all[0], all[1], all[1], all[2], all[3], all[3]));
}

TEST_F(InferencesTest, ACancelEndsTheInferenceAndTheJob) {
  add(load_job(copy_task(), 0));
  const std::size_t job = add(several(10));
  const std::size_t after = add(run_job(0));
  cancel_after(job, 3);
  EXPECT_EQ(serve(), 0);
  EXPECT_EQ(outcome(job).state, State::done);
  EXPECT_EQ(static_cast<ErrorCode>(outcome(job).error), ErrorCode::cancelled);
  EXPECT_GE(outcome(job).inferences, 2U);
  EXPECT_LT(outcome(job).inferences, 9U);
  expect(after, ErrorCode::ok);
  EXPECT_EQ(outcome(after).inferences, 1U);
  EXPECT_EQ(begun.back(), request(after).windows[0].address);
}

TEST_F(InferencesTest, TheWindowsOfAllInferencesBelongToTheRun) {
  add(load_job(copy_task(), 0, 1));
  add(load_job(copy_task(), 1, 2));
  const std::size_t job = add(several(4, 256, 1));
  Request other = run_job(1, 2);
  other.windows[0].address = request(job).windows[0].address + 3 * 256;
  const std::size_t overlaps = add(other);
  EXPECT_EQ(serve(), 0);
  expect(job, ErrorCode::ok);
  expect(overlaps, ErrorCode::window_overlap, "windows");
}

}  // namespace
}  // namespace cox::tests
