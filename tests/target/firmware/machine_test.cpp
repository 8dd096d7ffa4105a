// SPDX-License-Identifier: MIT
// Messages about a machine that does not behave as expected.
#include <gmock/gmock.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <tuple>

#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/trace/trace.h"
#include "tests/target/firmware/job_list.h"
#include "tests/target/firmware/tested_board.h"
#include "tests/tools/run/small_task.h"
#include "tools/command/failure.h"
#include "tools/file/file.h"
#include "tools/run/boards/board.h"
#include "tools/run/boards/temporary_folder.h"

namespace cox::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using tools::ExitCode;
using tools::Failure;
using tools::run::Board;
using tools::run::BoardSettings;

class MachineTest : public testing::Test {
 protected:
  void SetUp() override {
    try {
      files_ = tools::run::find_qemu_files(tested_board());
    } catch (const Failure &failure) {
      GTEST_SKIP() << failure.what();
    }
  }
  static void expect_failure(Board &board, const testing::Matcher<const char *> &message) {
    try {
      board.run();
      FAIL() << "ended well";
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code(), ExitCode::failed);
      EXPECT_THAT(failure.what(), message);
    }
  }

  tools::run::QemuFiles files_;
};

TEST_F(MachineTest, AFirmwareThatWaitsForJobsIsEndedAfterItsTime) {
  const auto begin = std::chrono::steady_clock::now();
  const auto board = tools::run::make_qemu_board({.map = &tested_board(), .host_seconds = 1},
                                                 files_);  // the test submits no jobs, so the firmware waits for ever
  expect_failure(*board, AllOf(HasSubstr("did not finish within 1 s"), HasSubstr("coxswain: ")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(MachineTest, ARingThatTheFirmwareDoesNotKnow) {
  const auto board = tools::run::make_qemu_board({.map = &tested_board(), .host_seconds = 60}, files_);
  firmware::job::Header header{};
  header.magic = firmware::job::kMagic;
  header.version = firmware::job::kVersion + 1;
  header.capacity = 1;
  header.submitted = 1;
  std::memcpy(board->dram().data(), &header, sizeof(header));
  expect_failure(*board, AllOf(HasSubstr("after 0 of 1 jobs"), HasSubstr("stopped on error"), HasSubstr("the job ring is not one")));
}

// The image coxswain-trace.elf records the actions of the control core. The test checks their order.
TEST_F(MachineTest, TheFirmwareTracesItself) {
  using firmware::trace::Kind;
  const std::filesystem::path traced = std::filesystem::path(files_.firmware).replace_filename("coxswain-trace.elf");
  if (!std::filesystem::exists(traced)) GTEST_SKIP() << traced << ": there is no such file";
  files_.firmware = traced.string();
  JobList jobs(8);
  std::ignore = jobs.load(task::build_image(tools::run::copy_task()), 0);
  const std::uint64_t window = jobs.place(std::vector<std::uint8_t>(256));
  const std::size_t run = jobs.run(0, {{window, 256}});
  firmware::job::Request reading{};
  reading.kind = firmware::job::Kind::read_trace;
  reading.windows[0] = {jobs.place(std::vector<std::uint8_t>(4096)), 4096};
  const std::size_t read = jobs.add(reading);
  const auto board = tools::run::make_qemu_board({.map = &tested_board(), .host_seconds = 60}, files_);
  jobs.execute(*board);
  EXPECT_EQ(jobs.outcome(run).error, ErrorCode::ok);
  EXPECT_EQ(jobs.outcome(read).error, ErrorCode::ok);

  const std::vector<std::uint8_t> bytes = jobs.bytes(reading.windows[0].address, 4096);
  firmware::job::TraceReading header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  ASSERT_GT(header.events, 10U);
  ASSERT_LE(header.events, (4096 - sizeof(header)) / sizeof(firmware::trace::Event));
  std::vector<firmware::trace::Event> events(header.events);
  std::memcpy(events.data(), bytes.data() + sizeof(header), events.size() * sizeof(events[0]));
  const std::vector<Kind> wanted = {Kind::run_start, Kind::dispatch, Kind::completion, Kind::dispatch, Kind::run_end, Kind::job_end};
  auto next = wanted.begin();
  std::uint32_t time = 0;
  for (const firmware::trace::Event &event : events) {
    EXPECT_GE(event.time, time);
    time = event.time;
    const auto kind = static_cast<Kind>(event.what & 15);
    const bool of_another_job = (kind == Kind::job_start || kind == Kind::job_end) && event.what >> 16 != run;
    if (next != wanted.end() && kind == *next && !of_another_job) ++next;
  }
  EXPECT_EQ(next - wanted.begin(), static_cast<std::ptrdiff_t>(wanted.size()));
}

TEST_F(MachineTest, WhatQemuSaysIsPassedOn) {
  files_.firmware = "/nowhere/coxswain.elf";
  expect_failure(*tools::run::make_qemu_board({.map = &tested_board()}, files_),
                 AllOf(HasSubstr("QEMU ended with exit status 1"), HasSubstr("/nowhere/coxswain.elf")));
}

TEST_F(MachineTest, OptionsThatTheModelRefuses) {
  expect_failure(*tools::run::make_qemu_board({.map = &tested_board(), .model_options = R"({"colour": "red, or so"})"}, files_),
                 HasSubstr("colour"));
}

TEST_F(MachineTest, AProgramThatCannotBeStarted) {
  const tools::run::TemporaryFolder folder;
  tools::write_file(folder.file("qemu"), std::string_view("no program"));
  files_.qemu = folder.file("qemu");
  expect_failure(*tools::run::make_qemu_board({.map = &tested_board()}, files_),
                 AllOf(HasSubstr("exit status 127"), HasSubstr("Permission denied")));
}

}  // namespace
}  // namespace cox::tests
