// SPDX-License-Identifier: MIT
// What is told when the machine itself does not do as it should.
#include <gmock/gmock.h>

#include <chrono>
#include <cstring>

#include "firmware/job/job_queue.h"
#include "tools/command/failure.h"
#include "tools/run/board.h"
#include "tools/run/temporary_folder.h"
#include "tools/task/file.h"

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
      files_ = tools::run::find_qemu_files();
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
  const auto board = tools::run::make_qemu_board({.host_seconds = 1}, files_);  // no jobs are handed over
  expect_failure(*board, AllOf(HasSubstr("did not finish within 1 s"), HasSubstr("coxswain: ")));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(MachineTest, ARingThatTheFirmwareDoesNotKnow) {
  const auto board = tools::run::make_qemu_board({.host_seconds = 60}, files_);
  firmware::job::Header header{};
  header.magic = firmware::job::kMagic;
  header.version = firmware::job::kVersion + 1;
  header.capacity = 1;
  header.submitted = 1;
  std::memcpy(board->dram().data(), &header, sizeof(header));
  expect_failure(*board, AllOf(HasSubstr("after 0 of 1 jobs"), HasSubstr("stopped on error"), HasSubstr("the job ring is not one")));
}

TEST_F(MachineTest, WhatQemuSaysIsPassedOn) {
  files_.firmware = "/nowhere/coxswain.elf";
  expect_failure(*tools::run::make_qemu_board({}, files_),
                 AllOf(HasSubstr("QEMU ended with exit status 1"), HasSubstr("/nowhere/coxswain.elf")));
}

TEST_F(MachineTest, OptionsThatTheModelRefuses) {
  expect_failure(*tools::run::make_qemu_board({.model_options = R"({"colour": "red, or so"})"}, files_), HasSubstr("colour"));
}

TEST_F(MachineTest, AProgramThatCannotBeStarted) {
  const tools::run::TemporaryFolder folder;
  task::write_file(folder.file("qemu"), std::string_view("no program"));
  files_.qemu = folder.file("qemu");
  expect_failure(*tools::run::make_qemu_board({}, files_), AllOf(HasSubstr("exit status 127"), HasSubstr("Permission denied")));
}

}  // namespace
}  // namespace cox::tests
