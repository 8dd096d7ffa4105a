// SPDX-License-Identifier: MIT
// An application that runs tasks on the native board through firmware/coxswain.h. It uses memory as the control core sees it, also if DRAM
// is not coherent (docs/hal.md, Memory that is not coherent).
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "boards/native/native_board.h"
#include "coxswain/firmware/coxswain.h"
#include "coxswain/hal/board.h"
#include "tests/firmware/task_builder.h"

namespace cox::tests {
namespace {

constexpr std::size_t kTensor = 128;

class ApplicationTest : public testing::Test {
 protected:
  ApplicationTest() {
    std::string error;
    board_ = board::NativeBoard::create({}, error);
    EXPECT_NE(board_, nullptr) << error;
    const cox_options options = COX_OPTIONS;
    EXPECT_EQ(cox_open(&options).error, COX_OK);
    EXPECT_EQ(cox_tile_open().error, COX_OK);
  }
  ~ApplicationTest() override {
    EXPECT_EQ(cox_tile_close().error, COX_OK);
    EXPECT_EQ(cox_close().error, COX_OK);
  }
  /// Returns memory that shares no cache line with other memory of the program.
  std::byte *take(std::size_t bytes, std::size_t remainder = 0) {
    while (top_ % 64 != remainder) ++top_;
    std::byte *const memory = &board_->core_dram()[top_];
    top_ += bytes;
    while (top_ % 64 != 0) ++top_;
    return memory;
  }
  cox_task load(const TaskText &text) {
    Image image(text);
    std::byte *const place = take(image.bytes().size(), 48);
    std::memcpy(place, image.bytes().data(), image.bytes().size());
    std::size_t workspace = 0;
    EXPECT_EQ(cox_workspace_bytes(place, image.bytes().size(), &workspace).error, 0U);
    cox_task task;
    EXPECT_EQ(cox_load(&task, place, image.bytes().size(), take(workspace), workspace).error, 0U);
    return task;
  }
  static void run(cox_task &task, const cox_window (&windows)[COX_WINDOWS]) {
    const cox_status status = cox_run(&task, windows, 0, nullptr);
    EXPECT_EQ(status.error, 0U) << cox_error_name(status.error) << " " << status.what;
  }

  std::unique_ptr<board::NativeBoard> board_;
  std::size_t top_ = 0;
};

TEST_F(ApplicationTest, SeesTheOutputsOfEachRun) {
  cox_task task = load(copy_task());
  std::byte *const window = take(2 * kTensor);
  for (unsigned round = 0; round < 20; ++round) {
    for (std::size_t i = 0; i < kTensor; ++i) window[i] = static_cast<std::byte>(i * 7 + round);
    std::memset(window + kTensor, static_cast<int>(0x80 + round), kTensor);
    run(task, {{window, 2 * kTensor}});
    EXPECT_EQ(std::memcmp(window, window + kTensor, kTensor), 0) << round;
  }
}

/// A task that copies a constant from window 1, through L2 block `block`. Byte i of the constant is 3 * i + `first`.
TaskText constant_task(std::uint64_t window_bytes, std::int64_t block = 0, unsigned first = 1) {
  TaskText text = copy_task(block, block);
  text.windows.push_back({1, window_bytes, false});
  text.code[kLoadConfiguration] =
      make(isa::tile::Opcode::lda_cfg, {{"BAS", {1}}, {"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}});
  ConstantText constant{1, 0, {}};
  for (std::size_t i = 0; i < kTensor; ++i) constant.data.push_back(static_cast<std::uint8_t>(i * 3 + first));
  text.constants = {constant};
  return text;
}

TEST_F(ApplicationTest, UsesConstantsInTheImage) {
  cox_task task = load(constant_task(kTensor));
  std::byte *const window = take(2 * kTensor);
  run(task, {{window, 2 * kTensor}});
  for (std::size_t i = 0; i < kTensor; ++i) EXPECT_EQ(window[kTensor + i], static_cast<std::byte>(i * 3 + 1)) << i;
}

TEST_F(ApplicationTest, UsesConstantsThatAreCopied) {
  cox_task task = load(constant_task(kTensor + 8));
  std::byte *const window = take(2 * kTensor);
  std::byte *const constants = take(kTensor + 8);
  for (unsigned round = 0; round < 20; ++round) {
    std::memset(constants, static_cast<int>(round), kTensor + 8);
    run(task, {{window, 2 * kTensor}, {constants, kTensor + 8}});
    for (std::size_t i = 0; i < kTensor; ++i) EXPECT_EQ(window[kTensor + i], static_cast<std::byte>(i * 3 + 1)) << i;
    for (std::size_t i = kTensor; i < kTensor + 8; ++i) EXPECT_EQ(constants[i], static_cast<std::byte>(round)) << "behind the constant";
  }
}

// The task only reads window 1, but the constants are written there.
TEST_F(ApplicationTest, TwoRunsDoNotShareTheWindowOfTheirConstants) {
  cox_task one = load(constant_task(kTensor + 8, 0, 1)), two = load(constant_task(kTensor + 8, 1, 2));
  std::byte *const of_one = take(2 * kTensor), *const of_two = take(2 * kTensor), *const constants = take(kTensor + 8);
  const cox_window windows[COX_WINDOWS] = {{of_one, 2 * kTensor}, {constants, kTensor + 8}};
  const cox_window same[COX_WINDOWS] = {{of_two, 2 * kTensor}, {constants, kTensor + 8}};
  std::uint32_t run_of_one = 0, none = 0;
  ASSERT_EQ(cox_start(&one, windows, nullptr, &run_of_one).error, COX_OK);
  const cox_status refused = cox_start(&two, same, nullptr, &none);
  EXPECT_EQ(refused.error, COX_ERROR_WINDOW_OVERLAP);
  EXPECT_STREQ(refused.what, "windows");
  EXPECT_EQ(refused.index, 1);
  ASSERT_EQ(cox_wait(run_of_one, nullptr).error, COX_OK);
  for (std::size_t i = 0; i < kTensor; ++i) EXPECT_EQ(of_one[kTensor + i], static_cast<std::byte>(i * 3 + 1)) << i;
  run(two, {{of_two, 2 * kTensor}, {constants, kTensor + 8}});
  for (std::size_t i = 0; i < kTensor; ++i) EXPECT_EQ(of_two[kTensor + i], static_cast<std::byte>(i * 3 + 2)) << i;
}

TEST_F(ApplicationTest, TwoWindowsOfARunDoNotShareConstants) {
  TaskText text = constant_task(kTensor + 8);
  text.windows.push_back({2, kTensor + 8, false});
  text.constants.push_back({2, 0, std::vector<std::uint8_t>(kTensor, 9)});
  cox_task task = load(text);
  std::byte *const window = take(2 * kTensor), *const constants = take(kTensor + 8);
  const cox_window windows[COX_WINDOWS] = {{window, 2 * kTensor}, {constants, kTensor + 8}, {constants, kTensor + 8}};
  const cox_status refused = cox_run(&task, windows, 0, nullptr);
  EXPECT_EQ(refused.error, COX_ERROR_WINDOW_OVERLAP);
  EXPECT_EQ(refused.index, 2);
}

// The constants would land in the window of a run.
TEST_F(ApplicationTest, AStartThatIsRefusedWritesNoConstants) {
  cox_task running = load(copy_task());
  cox_task refused = load(constant_task(kTensor + 8));
  std::byte *const window = take(2 * kTensor);
  std::byte *const other = take(2 * kTensor);
  for (std::size_t i = 0; i < kTensor; ++i) window[i] = static_cast<std::byte>(i * 7);
  const cox_window of_running[COX_WINDOWS] = {{window, 2 * kTensor}};
  const cox_window of_refused[COX_WINDOWS] = {{other, 2 * kTensor}, {window, kTensor + 8}};
  std::uint32_t run = 0, none = 0;
  ASSERT_EQ(cox_start(&running, of_running, nullptr, &run).error, COX_OK);
  EXPECT_EQ(cox_start(&refused, of_refused, nullptr, &none).error, COX_ERROR_WINDOW_OVERLAP);
  ASSERT_EQ(cox_wait(run, nullptr).error, COX_OK);
  for (std::size_t i = 0; i < kTensor; ++i) {
    EXPECT_EQ(window[i], static_cast<std::byte>(i * 7)) << i;
    EXPECT_EQ(window[kTensor + i], static_cast<std::byte>(i * 7)) << i;
  }
}

}  // namespace
}  // namespace cox::tests
