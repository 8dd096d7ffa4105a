// SPDX-License-Identifier: MIT
#include "tools/run/jobs/execution.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/run/jobs/inference_plan.h"
#include "tools/run/tile/task_program.h"

namespace cox::tools::run {
namespace {

Workload five_inferences() {
  Workload workload;
  workload.program = program_of(copy_task());
  workload.inferences = 5;
  workload.inputs[0] = counting(5 * 128);
  return workload;
}

TEST(Execution, ABatchThatDoesNotFitTakesSeveralBoots) {
  const Workload workload = five_inferences();
  int boots = 0;
  std::uint32_t largest_progress = 0;
  ExecutionSettings settings;
  settings.machine.map = &native_board_map();
  settings.board = [&](const BoardSettings &machine) {
    ++boots;
    return make_native_board(machine);
  };
  settings.machine.progress = [&](std::uint32_t done) { largest_progress = std::max(largest_progress, done); };
  settings.largest_dram_bytes = InferencePlan(workload, 0, 2, 0).bytes() + 64;
  const TemporaryFolder folder;
  settings.events_file = folder.file("events");
  const ExecutionResult result = execute(workload, settings);

  EXPECT_EQ(boots, 3);
  EXPECT_LE(largest_progress, 5U);
  EXPECT_EQ(result.outputs.at(1), workload.inputs.at(0));
  ASSERT_EQ(result.statistics.runs.size(), 5U);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_GE(result.statistics.runs[i].start_cycle, result.statistics.runs[i - 1].end_cycle);
  ASSERT_NE(result.recording, nullptr);
  std::ostringstream events;
  result.recording->write_events(events);
  const std::string table = events.str();
  EXPECT_EQ(std::ranges::count(table, '\n'), 1 + 7);  // a header line and the instructions
  EXPECT_THAT(table, testing::EndsWith("," + std::to_string(result.statistics.runs[0].end_cycle) + "\n"));
}

TEST(Execution, AJobThatFailsIsNamed) {
  const Workload workload = five_inferences();
  ExecutionSettings settings;
  settings.machine.map = &native_board_map();
  settings.board = make_native_board;
  settings.machine.model_options = R"({"geometry": {"load_setup_cycles": 1000000}})";
  settings.time_limit_us = 100;
  try {
    static_cast<void>(execute(workload, settings));
    FAIL() << "in time";
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code(), ExitCode::failed);
    EXPECT_THAT(failure.what(), testing::AllOf(testing::HasSubstr("copy, inference 0"), testing::HasSubstr("time_limit")));
  }
}

}  // namespace
}  // namespace cox::tools::run
