// SPDX-License-Identifier: MIT
#include "tools/run/tile/durations.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/file/file.h"
#include "tools/run/boards/model_options.h"
#include "tools/run/boards/temporary_folder.h"

namespace cox::tools::run {
namespace {

using testing::HasSubstr;

const std::vector<std::string> kTimes = {"[0, 38]", "[38, 73]", "[0, 21]", "[73, 173]", "[0, 20]", "[173, 300]", "[300, 331]"};

class DurationsTest : public testing::Test {
 protected:
  std::string replay(const std::string &trace) const {
    tools::write_file(path_, trace);
    return replay_of_trace(path_, copy_task());
  }
  void expect_failure(const std::string &trace, const testing::Matcher<const char *> &message) const {
    try {
      static_cast<void>(replay(trace));
      FAIL() << "accepted";
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code(), ExitCode::bad_input);
      EXPECT_THAT(failure.what(), message);
    }
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("trace.txt");
};

TEST_F(DurationsTest, AListForEachClass) {
  EXPECT_EQ(nlohmann::json::parse(replay(timed_copy_stream(kTimes))),
            (nlohmann::json{{"CT", {38, 35, 31}}, {"LD", {21, 100}}, {"ST", {20, 127}}}));
}

TEST_F(DurationsTest, NoTimes) {
  std::vector<std::string> times = kTimes;
  times[3] = "";
  expect_failure(timed_copy_stream(times), HasSubstr("trace.txt:4: lda_mov (instruction 3): no {'inst_idx'"));
}

TEST_F(DurationsTest, AnEndBeforeTheStart) {
  std::vector<std::string> times = kTimes;
  times[5] = "[300, 173]";
  expect_failure(timed_copy_stream(times), HasSubstr("sta_mov (instruction 5): time: [300, 173]"));
}

TEST_F(DurationsTest, TheTraceOfAnotherTask) {
  const std::string trace = timed_copy_stream(kTimes);
  expect_failure(trace.substr(0, trace.rfind("[\"ct_ed\"")),
                 HasSubstr("a trace of 6 instructions; the task has 7"));  // the trace lacks an instruction
  tools::write_file(path_, trace);
  task::Task other = copy_task();
  std::swap(other.instructions[4], other.instructions[5]);
  try {
    static_cast<void>(replay_of_trace(path_, other));
    FAIL() << "accepted";
  } catch (const Failure &failure) {
    EXPECT_THAT(failure.what(), HasSubstr("trace.txt:5: sta_cfg (instruction 4): the task has another instruction there"));
  }
}

TEST_F(DurationsTest, AMissingFile) { EXPECT_THROW(static_cast<void>(replay_of_trace(folder_.file("nowhere"), copy_task())), Failure); }

TEST(ModelOptions, KeysWithDotsAreMembers) {
  EXPECT_EQ(parse_model_options({"geometry.doorbell_latency=0", "geometry.l2_mib=4", "path=reference", "hazards=true"}),
            (nlohmann::json{{"geometry", {{"doorbell_latency", 0}, {"l2_mib", 4}}}, {"path", "reference"}, {"hazards", true}}));
  EXPECT_EQ(parse_model_options({}), nlohmann::json::object());
}

TEST(ModelOptions, Refused) {
  EXPECT_THROW(static_cast<void>(parse_model_options({"hazards"})), Failure);
  EXPECT_THROW(static_cast<void>(parse_model_options({"=1"})), Failure);
  EXPECT_THROW(static_cast<void>(parse_model_options({"geometry=1", "geometry.l2_mib=4"})), Failure);
}

}  // namespace
}  // namespace cox::tools::run
