// SPDX-License-Identifier: MIT
// Tests what `cox run --jobs` and `cox stats` accept in their files, and the messages about everything else.
#include "tools/run/jobs/jobs_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/file/file.h"
#include "tools/registry/registry.h"
#include "tools/run/boards/temporary_folder.h"
#include "tools/run/jobs/job_list.h"
#include "tools/run/report/comparison.h"
#include "tools/run/report/statistics.h"
#include "tools/run/tile/task_program.h"

namespace cox::tools::run {
namespace {

using testing::HasSubstr;

class JobsFileTest : public testing::Test {
 protected:
  JobsFileTest() {
    tools::write_file(folder_.file("copy.cxt"), task::build_image(copy_task()));
    tools::write_file(folder_.file("x"), counting(128));
    tools::write_file(folder_.file("xx"), counting(256, 50));
  }
  std::vector<JobEntry> read(const std::string &text) const {
    tools::write_file(folder_.file("jobs.json"), text);
    return read_jobs_file(program_formats(), folder_.file("jobs.json"));
  }

  TemporaryFolder folder_;
};

constexpr const char *kTwo = R"([
  {"task": "copy.cxt", "owner": 3, "priority": 1, "share": 100, "cores": [1, 3], "retries": 15, "time_limit_us": 5000,
   "inputs": {"x": "xx"}, "outputs": {"y": "y3"}},
  {"task": "copy.cxt", "inputs": {"x": "x"}, "repeat": 2}])";

TEST_F(JobsFileTest, WhatAnEntrySays) {
  const std::vector<JobEntry> entries = read(kTwo);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].owner, 3);
  EXPECT_EQ(entries[0].priority, 1);
  EXPECT_EQ(entries[0].share, 100U);
  EXPECT_EQ(entries[0].core_mask, 0b1010);
  EXPECT_EQ(entries[0].retries, 15);
  EXPECT_EQ(entries[0].time_limit_us, 5000U);
  EXPECT_EQ(entries[0].workload.inferences, 2U);
  EXPECT_EQ(entries[0].outputs[0].file, folder_.file("y3"));
  EXPECT_FALSE(entries[0].repeated);
  EXPECT_EQ(entries[1].owner, 0);
  EXPECT_EQ(entries[1].core_mask, 0);
  EXPECT_EQ(entries[1].workload.inferences, 2U);
  EXPECT_TRUE(entries[1].repeated);
  EXPECT_EQ(cores_needed(entries), 4U);
}

TEST_F(JobsFileTest, EveryErrorIsNamed) {
  // Each row has the members of an entry besides its task and input, and the message about them.
  const std::vector<std::pair<const char *, const char *>> entries = {
      {R"("owner": 16)", "entry 0: 'owner' is 16; it should be a number from 0 to 15"},
      {R"("owner": -1)", "'owner' is -1"},
      {R"("owner": 18446744073709551616)", "'owner' should be a number"},
      {R"("owner": "me")", "'owner' should be a number from 0 to 15"},
      {R"("priority": 8)", "'priority' is 8; it should be a number from 0 to 7"},
      {R"("share": 0)", "'share' is 0; it should be a number from 1 to 100"},
      {R"("share": 101)", "'share' is 101"},
      {R"("retries": 16)", "'retries' is 16; it should be a number from 0 to 15"},
      {R"("retries": 1.5)", "'retries' should be a number"},
      {R"("repeat": 0)", "'repeat' is 0"},
      {R"("time_limit_us": 4294967296)", "'time_limit_us' is 4294967296"},
      {R"("cores": [])", "'cores' should be a list of cores, from 0 to 3"},
      {R"("cores": [4])", "'cores' should be a list of cores"},
      {R"("cores": 1)", "'cores' should be a list of cores"},
      {R"("cores": [1, 1])", "'cores' has core 1 twice"},
      {R"("outputs": {"z": "z"})", "entry 0: 'outputs': z: the task has no such output tensor; it has: y"},
      {R"("outputs": {"y": 3})", "'outputs' should have the name of a file for 'y'"},
      {R"("windows": ["w"])", "'windows' should be an object of names and files"},
      {R"("windows": {"7": "x"})", "'windows': 7: the task has no window"},
      {R"("colour": 1)", "'colour' is no member of an entry"},
  };
  for (const auto &[members, complaint] : entries) {
    try {
      static_cast<void>(read(std::string(R"([{"task": "copy.cxt", "inputs": {"x": "x"}, )") + members + "}]"));
      ADD_FAILURE() << "accepted: " << members;
    } catch (const Failure &failure) {
      EXPECT_THAT(failure.what(), HasSubstr(complaint));
      EXPECT_THAT(failure.what(), HasSubstr("jobs.json"));
    }
  }
  const std::vector<std::pair<std::string, const char *>> files = {
      {"[", "jobs.json:1:2: this is not JSON: it ends before its last value does"},
      {"[1e400]", "a number is too large"},
      {"{}", "it should be a list of entries"},
      {"[]", "one at least"},
      {"[3]", "entry 0: it should be an object"},
      {"[{}]", "entry 0: 'task' is missing"},
      {R"([{"task": 3}])", "'task' should be the name of a file"},
      {R"([{"task": "none.cxt"}])", "none.cxt"},
      {R"([{"task": "copy.cxt"}])", "input tensor 'x' (128 bytes) is not given"},
      {R"([{"task": "copy.cxt", "inputs": {"x": "x"}, "owner": 2, "share": 1}, {"task": "copy.cxt", "inputs": {"x": "x"}, "owner": 2, "share": 2}])",
       "entry 1: 'share' is 2; owner 2 has 1 already"},
      {R"([{"task": "copy.cxt", "inputs": {"x": "x"}, "owner": 2}, {"task": "copy.cxt", "owner": 2, "inputs": {"x": "x"}, "owner": 3}])",
       "jobs.json: entry 1: 'owner' is there twice"},
      {R"([{"task": "copy.cxt", "inputs": {"x": "x", "x": "y"}}])", "jobs.json: entry 0: 'x' is there twice"},
      {R"([{"task": "copy.cxt", "inputs": {"x": "x"}, "outputs": {"y": "o"}}, {"task": "copy.cxt", "inputs": {"x": "x"}, "outputs": {"y": "./o"}}])",
       "/./o, where output 'y' of entry 0 goes"},
      {"[{},{},{},{},{},{},{},{},{}]", "9 entries; the firmware keeps 8 tasks"},
  };
  for (const auto &[text, complaint] : files) {
    try {
      static_cast<void>(read(text));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Failure &failure) {
      EXPECT_THAT(failure.what(), HasSubstr(complaint));
    }
  }
  EXPECT_THROW(static_cast<void>(read_jobs_file(program_formats(), folder_.file("nowhere"))), Failure);
}

TEST_F(JobsFileTest, OwnersRunInOneBoot) {
  std::vector<JobEntry> entries = read(kTwo);
  entries[0].core_mask = 0b1000;
  ExecutionSettings settings;
  settings.machine.map = &native_board_map();
  settings.board = make_native_board;
  settings.machine.model_options = R"({"geometry": {"tile_cores": 4}})";
  const JobListResult result = execute(entries, settings);
  ASSERT_EQ(result.jobs.size(), 4U);
  for (const JobResult &job : result.jobs) EXPECT_EQ(job.error, "");
  EXPECT_EQ(result.jobs[0].first_core, 3U);
  EXPECT_EQ(result.jobs[1].first_core, 3U);
  EXPECT_EQ(result.outputs[0].at(1), counting(256, 50));
  std::ostringstream text;
  write_jobs_text(text, entries, result);
  EXPECT_THAT(text.str(), HasSubstr("entry 0, inference 1: copy, owner 3, priority 1: core "));
  EXPECT_THAT(text.str(), HasSubstr("4 jobs, 0 failed"));
}

TEST_F(JobsFileTest, OneThatFailsLeavesTheOthers) {
  std::vector<JobEntry> entries = read(kTwo);
  task::Task unbalanced = copy_task();
  isa::insert_bits(unbalanced.instructions[5].code, isa::tile::kPreviousBit, isa::tile::kClasses, 0);
  entries[0].workload.program = program_of(unbalanced);
  ExecutionSettings settings;
  settings.machine.map = &native_board_map();
  settings.board = make_native_board;
  settings.machine.model_options = R"({"geometry": {"tile_cores": 4}})";
  const JobListResult result = execute(entries, settings);
  EXPECT_TRUE(result.jobs[0].refused);
  EXPECT_THAT(result.jobs[0].error, HasSubstr("tokens_unbalanced"));
  EXPECT_EQ(result.jobs[2].error, "");
  std::ostringstream text;
  write_jobs_text(text, entries, result);
  EXPECT_THAT(text.str(), HasSubstr("entry 0, inference 0: copy, owner 3, priority 1: refused: "));
  EXPECT_THAT(text.str(), HasSubstr("4 jobs, 2 failed"));
  settings.largest_dram_bytes = 1000;
  EXPECT_THROW(static_cast<void>(execute(entries, settings)), Failure);
}

class ComparisonTest : public testing::Test {
 protected:
  // Returns the statistics of a run of `cycles` cycles.
  nlohmann::json statistics(std::uint64_t cycles) const {
    firmware::job::Outcome job{};
    job.end_cycle = cycles;
    job.control_instructions = UINT64_MAX;
    job.accelerator_instructions = 10;
    job.queues[3] = {.instructions = 4, .busy_cycles = 500, .stalled_cycles = 0, .bytes = 0};
    Statistics all;
    all.add(job, true);
    std::ostringstream out;
    write_statistics_json(out, all);
    return nlohmann::json::parse(out.str());
  }
  void expect_complaint(const std::string &text, const char *complaint) const {
    tools::write_file(folder_.file("a.json"), text);
    try {
      static_cast<void>(read_statistics(folder_.file("a.json")));
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code(), ExitCode::bad_input);
      EXPECT_THAT(failure.what(), testing::AllOf(HasSubstr("a.json"), HasSubstr(complaint)));
    }
  }
  static const Figure &figure(const std::vector<Figure> &figures, const std::string &name) {
    const auto found = std::ranges::find(figures, name, &Figure::name);
    return found == figures.end() ? (ADD_FAILURE() << name, figures.front()) : *found;
  }

  TemporaryFolder folder_;
};

TEST_F(ComparisonTest, RatiosOfFigures) {
  const std::vector<Figure> figures = compare(statistics(1000), statistics(2500));
  EXPECT_EQ(figure(figures, "cycles").change(), 2.5);
  EXPECT_EQ(figure(figures, "busy PE").first, 0.5);
  EXPECT_EQ(figure(figures, "busy PE").second, 0.2);
  EXPECT_EQ(figure(figures, "control core asleep").first, std::nullopt);
  EXPECT_EQ(figure(figures, "begun again").change(), std::nullopt);  // both numbers are 0, so they have no ratio
  EXPECT_TRUE(std::ranges::none_of(figures, [](const Figure &any) { return any.name == "busy VP"; }));
  std::ostringstream out;
  write_comparison_text(out, figures, "a.json", "b.json");
  EXPECT_THAT(out.str(), testing::ContainsRegex("cycles +1,000 +2,500 +x 2.500\n"));
  EXPECT_THAT(out.str(), testing::ContainsRegex("busy PE +50.0 % +20.0 % +x 0.400\n"));
  std::ostringstream json;
  write_comparison_json(json, figures, "a.json", "b.json");
  EXPECT_EQ(nlohmann::json::parse(json.str())["figures"][0],
            (nlohmann::json{{"name", "cycles"}, {"first", 1000.0}, {"second", 2500.0}, {"change", 2.5}}));
}

TEST_F(ComparisonTest, CoresWhereOneHasThem) {
  nlohmann::json second = statistics(1000);
  second["cores"].push_back(second["queues"]);
  for (nlohmann::json &one : second["cores"][0]) one["occupancy"] = one["utilisation"];
  const std::vector<Figure> figures = compare(statistics(1000), second);
  EXPECT_EQ(figure(figures, "occupied PE, core 0").first, std::nullopt);
  EXPECT_EQ(figure(figures, "occupied PE, core 0").second, 0.5);
}

TEST_F(ComparisonTest, EveryErrorIsNamed) {
  expect_complaint("{", ":1:2: this is not JSON: it ends before its last value does");
  expect_complaint("[]", "it should be an object");
  expect_complaint("{}", "'end_cycle' is missing");
  nlohmann::json bad = statistics(1);
  bad["retries"] = "none";
  expect_complaint(bad.dump(), "'retries' should be a number or null");
  bad = statistics(1);
  bad["queues"].erase("VP");
  expect_complaint(bad.dump(), "'queues.VP.utilisation' is missing");
  bad = statistics(1);
  bad["cores"] = nlohmann::json::array({3});
  expect_complaint(bad.dump(), "'cores[0]' should be an object");
  bad["cores"] = 3;
  expect_complaint(bad.dump(), "'cores' should be a list");
  EXPECT_THROW(static_cast<void>(read_statistics(folder_.file("nowhere"))), Failure);
}

}  // namespace
}  // namespace cox::tools::run
