// SPDX-License-Identifier: MIT
// Jobs of programs that use several engines.
#include <gmock/gmock.h>

#include <algorithm>

#include "hal/fault_log.h"
#include "isa/unity/program.h"
#include "tests/firmware/mixed_programs.h"
#include "tests/firmware/scheduled_tasks.h"
#include "tests/firmware/stream_jobs_fixture.h"

namespace cox::tests {
namespace {

using MixedJobs = StreamJobs;

TEST_F(MixedJobs, AProgramOfFiveEnginesRunsOnEachRunsWindows) {
  boot();
  const TaskText text = mixed_program();
  load(text, 0);
  std::vector<Request> runs;
  for (unsigned i = 0; i < 3; ++i) {
    runs.push_back(run_request(text, 0));
    fill(runs.back(), mixed_contents(i));
    add(runs.back());
  }
  serve_all();
  for (std::size_t i = 0; i <= runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned i = 0; i < runs.size(); ++i) expect_contents(runs[i], mixed_contents(i));
  EXPECT_EQ(hal::fault_log::size(), 0U);
}

/// Jobs of each engine by itself run beside a program that uses all of them.
TEST_F(MixedJobs, JobsOfTheOtherEnginesRunBesideIt) {
  boot();
  const TaskText texts[] = {mixed_program(), sum_program(4), product_program(), pim_program(3), copies_task(0, 3, 20)};
  for (std::uint32_t slot = 0; slot < 5; ++slot) load(texts[slot], slot, static_cast<std::uint8_t>(slot));
  std::vector<Request> runs;
  for (unsigned round = 0; round < 4; ++round) {
    for (std::uint32_t slot = 0; slot < 5; ++slot) {
      runs.push_back(run_request(texts[slot], slot, static_cast<std::uint8_t>(slot)));
      const WindowContents contents = slot == 0   ? mixed_contents(round)
                                      : slot == 1 ? sum_contents(round)
                                      : slot == 2 ? product_contents(round)
                                      : slot == 3 ? pim_contents(round)
                                                  : WindowContents();
      fill(runs.back(), contents);
      add(runs.back());
    }
  }
  serve_all();
  for (std::size_t i = 0; i < 5 + runs.size(); ++i) expect(i, ErrorCode::ok);
  for (unsigned round = 0; round < 4; ++round) {
    expect_contents(runs[5 * round], mixed_contents(round));
    expect_contents(runs[5 * round + 1], sum_contents(round));
    expect_contents(runs[5 * round + 2], product_contents(round));
    expect_contents(runs[5 * round + 3], pim_contents(round));
  }
}

}  // namespace
}  // namespace cox::tests
