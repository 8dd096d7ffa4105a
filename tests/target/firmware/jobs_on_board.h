// SPDX-License-Identifier: MIT
// Runs lists of jobs through the whole firmware: on the real image under QEMU, and natively.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>

#include "tests/target/firmware/job_list.h"
#include "tests/target/firmware/tested_board.h"
#include "tools/command/failure.h"
#include "tools/run/boards/board.h"

namespace cox::tests {

enum class BoardKind { qemu, native };

inline void PrintTo(BoardKind kind, std::ostream *out) { *out << (kind == BoardKind::qemu ? "qemu" : "native"); }

/// Skips tests under QEMU if a file that they need was not built.
class JobsOnBoard : public testing::TestWithParam<BoardKind> {
 protected:
  void SetUp() override {
    if (GetParam() == BoardKind::native) return;
    try {
      files_ = tools::run::find_qemu_files(tested_board());
    } catch (const tools::Failure &failure) {
      GTEST_SKIP() << failure.what();
    }
  }

  void execute(JobList &jobs, const std::string &model_options = "{}") {
    tools::run::BoardSettings settings;
    if (GetParam() == BoardKind::qemu) settings.map = &tested_board();
    settings.host_seconds = 300;
    settings.model_options = model_options;
    board_ = GetParam() == BoardKind::qemu ? tools::run::make_qemu_board(settings, files_) : tools::run::make_native_board(settings);
    jobs.execute(*board_);
  }

  tools::run::QemuFiles files_;
  std::unique_ptr<tools::run::Board> board_;
};

}  // namespace cox::tests
