// SPDX-License-Identifier: MIT
// An application that runs tasks on the native board through firmware/coxswain.h. It uses memory as the control core sees it, also if DRAM
// is not coherent (docs/hal.md, Memory that is not coherent).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
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

  /// Returns memory for cox_run_once().
  cox_memory memory(std::size_t bytes = 0x10000) { return {take(bytes), bytes}; }

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

using Tensors = std::array<std::uint8_t, 2 * kTensor>;

/// Returns an input that copy_task() copies to the second half.
Tensors copy_input(unsigned first) {
  Tensors tensors{};
  for (std::size_t i = 0; i < kTensor; ++i) tensors[i] = static_cast<std::uint8_t>(i * 7 + first);
  return tensors;
}

cox_status run_once(Image &image, Tensors &tensors, const cox_memory &memory) {
  const cox_window windows[COX_WINDOWS] = {{tensors.data(), tensors.size()}};
  return cox_run_once(image.bytes().data(), image.bytes().size(), windows, memory);
}

TEST_F(ApplicationTest, RunsATaskOnceInOrdinaryMemory) {
  Image image(copy_task());
  for (unsigned round = 0; round < 20; ++round) {
    Tensors tensors = copy_input(round);
    const cox_status status = run_once(image, tensors, cox_dram());
    ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
    EXPECT_TRUE(std::equal(tensors.begin(), tensors.begin() + kTensor, tensors.begin() + kTensor)) << round;
  }
  EXPECT_EQ(cox_tile_open().error, COX_ERROR_NOT_OWNER) << "the engine stays open if it was open";
}

TEST_F(ApplicationTest, RunningOnceOpensAndClosesTheEngine) {
  ASSERT_EQ(cox_tile_close().error, COX_OK);
  Image image(copy_task());
  Tensors tensors = copy_input(1);
  EXPECT_EQ(run_once(image, tensors, memory()).error, COX_OK);
  EXPECT_EQ(tensors[kTensor], 1);
  EXPECT_EQ(run_once(image, tensors, {}).error, COX_ERROR_INVALID_ARGUMENT);
  ASSERT_EQ(cox_close().error, COX_OK) << "no engine is open";
  const cox_status closed = run_once(image, tensors, memory());
  EXPECT_EQ(closed.error, COX_ERROR_NOT_READY);
  EXPECT_STREQ(closed.what, "cox_open");
  const cox_options options = COX_OPTIONS;
  EXPECT_EQ(cox_open(&options).error, COX_OK);
  EXPECT_EQ(cox_tile_open().error, COX_OK);
}

// The task only reads window 1, which is constant memory of the program. Window 0 is at an odd address.
TEST_F(ApplicationTest, RunningOnceWritesOnlyWhatTheTaskChanged) {
  TaskText text = constant_task(kTensor);
  text.constants.clear();
  text.windows.back() = {1, kTensor, false};
  Image image(text);
  static constexpr std::array<std::uint8_t, kTensor> constant = {1, 2, 3};
  std::array<std::uint8_t, 2 * kTensor + 1> tensors{};
  const cox_window windows[COX_WINDOWS] = {{tensors.data() + 1, 2 * kTensor}, {const_cast<std::uint8_t *>(constant.data()), kTensor}};
  const cox_status status = cox_run_once(image.bytes().data(), image.bytes().size(), windows, memory());
  ASSERT_EQ(status.error, COX_OK) << cox_error_name(status.error) << " " << status.what;
  EXPECT_TRUE(std::equal(constant.begin(), constant.end(), tensors.begin() + 1 + kTensor));
}

TEST_F(ApplicationTest, RunningOnceStaysInItsMemory) {
  Image image(copy_task());
  Tensors tensors = copy_input(3);
  constexpr std::size_t kBytes = 0x4000;
  std::byte *const around = take(kBytes);
  std::memset(around, 0x5A, kBytes);
  ASSERT_EQ(run_once(image, tensors, {around + 100, kBytes - 200}).error, COX_OK);
  EXPECT_EQ(std::count(around, around + 128, std::byte{0x5A}), 128);
  EXPECT_EQ(std::count(around + kBytes - 128, around + kBytes, std::byte{0x5A}), 128);
}

TEST_F(ApplicationTest, RunningOnceRefusesByName) {
  Image image(copy_task());
  Tensors tensors = copy_input(9);
  const Tensors before = tensors;
  const auto refused = [&](const cox_status &status, cox_error error, const char *what) {
    EXPECT_EQ(status.error, error) << cox_error_name(status.error);
    EXPECT_STREQ(status.what, what);
    EXPECT_EQ(tensors, before);
    return status;
  };
  const cox_window windows[COX_WINDOWS] = {};
  refused(cox_run_once(nullptr, 1, windows, memory()), COX_ERROR_INVALID_ARGUMENT, "image");
  refused(cox_run_once(image.bytes().data(), image.bytes().size(), nullptr, memory()), COX_ERROR_INVALID_ARGUMENT, "windows");
  refused(run_once(image, tensors, {tensors.data(), tensors.size()}), COX_ERROR_INVALID_ARGUMENT, "memory");
  const cox_memory dram = cox_dram();
  refused(run_once(image, tensors, {dram.address, dram.bytes + 1}), COX_ERROR_INVALID_ARGUMENT, "memory");
  const cox_status small = refused(run_once(image, tensors, memory(1024)), COX_ERROR_NO_ROOM, "memory");
  EXPECT_EQ(small.value, 1024);
  EXPECT_GT(small.limit, 1024);
  refused(run_once(image, tensors, {take(64), 1}), COX_ERROR_NO_ROOM, "memory");
  const std::size_t without_workspace = sizeof(cox_task) + (image.bytes().size() + 63) / 64 * 64 + sizeof(tensors);
  EXPECT_EQ(refused(run_once(image, tensors, memory(without_workspace)), COX_ERROR_NO_ROOM, "memory").limit, without_workspace + 64);
  refused(run_once(image, tensors, memory(without_workspace + 64)), COX_ERROR_NO_ROOM, "workspace");
  refused(cox_run_once(image.bytes().data(), image.bytes().size(), windows, memory()), COX_ERROR_WINDOW_MISSING, "windows");
  const cox_window huge[COX_WINDOWS] = {{tensors.data(), SIZE_MAX}};
  refused(cox_run_once(image.bytes().data(), image.bytes().size(), huge, memory()), COX_ERROR_NO_ROOM, "memory");
}

}  // namespace
}  // namespace cox::tests
