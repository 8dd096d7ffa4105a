// SPDX-License-Identifier: MIT
// Jobs of three engines in one boot, on the real image under QEMU and natively.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "tests/firmware/mixed_programs.h"
#include "tests/firmware/stream_programs.h"
#include "tests/target/firmware/jobs_on_board.h"
#include "tests/tools/run/small_task.h"
#include "tools/tile/image.h"

namespace cox::tests {
namespace {

using firmware::job::Request;
using firmware::job::State;
using tools::run::kTensor;

using StreamJobsTest = JobsOnBoard;

std::vector<std::uint8_t> image_of(const TaskText &text) {
  Image image(text);
  std::vector<std::uint8_t> bytes(image.bytes().size());
  std::memcpy(bytes.data(), image.bytes().data(), bytes.size());
  return bytes;
}

WindowContents contents_of(unsigned engine, unsigned seed) {
  if (engine == 1) return sum_contents(seed);
  if (engine == 2) return product_contents(seed);
  std::vector<std::uint8_t> before = tools::run::counting(2 * kTensor, seed), after = before;
  std::copy_n(after.begin(), kTensor, after.begin() + kTensor);
  return {{before}, {after}};
}

TEST_P(StreamJobsTest, ThreeEnginesInOneBoot) {
  constexpr unsigned kRounds = 4;
  JobList jobs(32);
  std::vector<std::size_t> all = {jobs.load(task::build_image(tools::run::copy_task()), 0), jobs.load(image_of(sum_program(3)), 1, 1),
                                  jobs.load(image_of(product_program()), 2, 2)};
  struct Run {
    WindowContents contents;
    std::vector<firmware::job::Window> windows;
  };
  std::vector<Run> runs;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (std::uint8_t engine = 0; engine <= 2; ++engine) {
      Run run{.contents = contents_of(engine, round), .windows = {}};
      Request request{};
      request.kind = firmware::job::Kind::run;
      request.task_slot = request.owner = engine;
      for (std::size_t i = 0; i < run.contents.before.size(); ++i) {
        request.windows[i] = {jobs.place(run.contents.before[i]), run.contents.before[i].size()};
        run.windows.push_back(request.windows[i]);
      }
      all.push_back(jobs.add(request));
      runs.push_back(std::move(run));
    }
  }
  execute(jobs);
  for (const std::size_t job : all) {
    const JobResult result = jobs.outcome(job);
    ASSERT_EQ(result.state, State::done) << job;
    ASSERT_EQ(result.error, ErrorCode::ok) << job << ": " << error_name(result.error) << " " << result.what;
  }
  for (const Run &run : runs) {
    for (std::size_t i = 0; i < run.windows.size(); ++i) {
      EXPECT_EQ(jobs.bytes(run.windows[i].address, run.windows[i].size), run.contents.after[i]) << i;
    }
  }
}

/// One program on five engines, several times, beside programs of single engines.
TEST_P(StreamJobsTest, AProgramOfFiveEngines) {
  constexpr unsigned kRounds = 3;
  JobList jobs(32);
  std::vector<std::size_t> all = {jobs.load(image_of(mixed_program()), 0), jobs.load(image_of(sum_program(3)), 1, 1)};
  struct Run {
    WindowContents contents;
    std::vector<std::uint64_t> addresses;
  };
  std::vector<Run> runs;
  for (unsigned round = 0; round < kRounds; ++round) {
    for (std::uint8_t slot = 0; slot < 2; ++slot) {
      Run run{.contents = slot == 0 ? mixed_contents(round) : sum_contents(round), .addresses = {}};
      Request request{};
      request.kind = firmware::job::Kind::run;
      request.task_slot = request.owner = slot;
      for (std::size_t i = 0; i < run.contents.before.size(); ++i) {
        run.addresses.push_back(jobs.place(run.contents.before[i]));
        request.windows[i] = {run.addresses.back(), run.contents.before[i].size()};
      }
      all.push_back(jobs.add(request));
      runs.push_back(std::move(run));
    }
  }
  execute(jobs);
  for (const std::size_t job : all) {
    const JobResult result = jobs.outcome(job);
    ASSERT_EQ(result.error, ErrorCode::ok) << job << ": " << error_name(result.error) << " " << result.what;
  }
  for (const Run &run : runs) {
    for (std::size_t i = 0; i < run.addresses.size(); ++i)
      EXPECT_EQ(jobs.bytes(run.addresses[i], run.contents.after[i].size()), run.contents.after[i]) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Native, StreamJobsTest, testing::Values(BoardKind::native));
INSTANTIATE_TEST_SUITE_P(Qemu, StreamJobsTest, testing::Values(BoardKind::qemu));

}  // namespace
}  // namespace cox::tests
