// SPDX-License-Identifier: MIT
// The C interface of the DMA engine, on the native board with the model of the engine.
#include "coxswain/hal/cox_dma.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cox_accelerator.h"

namespace cox::hal::cox_dma_test {
namespace {

constexpr std::uint32_t kBytes = 0x10000;

class CoxDma : public testing::Test {
 protected:
  void start(const std::string &plan = "", bool has_dma = true) {
    const std::string path = testing::TempDir() + "cox-dma-plan-" + std::to_string(getpid());
    std::ofstream(path) << plan;
    board::NativeBoardSettings settings;
    settings.dram_bytes = std::size_t{16} << 20;
    settings.model_options = R"({"faults": ")" + path + R"("})";
    settings.log = [](int, std::string_view) {};
    settings.has_dma = has_dma;
    std::string error;
    board_.reset();
    board_ = board::NativeBoard::create(std::move(settings), error);
    ASSERT_NE(board_, nullptr) << error;
    for (std::size_t i = 0; i < kBytes; ++i) memory(0x10000)[i] = static_cast<std::byte>(i * 5 + i / 253);
    const cox_options options = COX_OPTIONS;
    ASSERT_EQ(cox_open(&options).error, COX_OK);
    ASSERT_EQ(cox_dma_open().error, COX_OK);
  }
  void TearDown() override {
    static_cast<void>(cox_dma_close());
    static_cast<void>(cox_close());
  }
  [[nodiscard]] std::byte *memory(std::size_t offset) const { return board_->core_dram().data() + offset; }
  [[nodiscard]] cox_dma_copy copy() const { return {memory(0x10000), memory(0x200000), kBytes, 1, 0, 0}; }
  cox_dma_list submit(std::uint32_t time_limit_us = 0) {
    const cox_dma_copy one = copy();
    cox_dma_list list = 0;
    EXPECT_EQ(cox_dma_submit(&one, 1, time_limit_us, &list).error, COX_OK);
    EXPECT_NE(list, 0U);
    return list;
  }
  static void expect(const cox_status &status, cox_error error, const char *what) {
    EXPECT_EQ(status.error, static_cast<std::uint32_t>(error)) << cox_error_name(status.error);
    EXPECT_STREQ(status.what, what);
  }

  std::unique_ptr<board::NativeBoard> board_;
};

TEST_F(CoxDma, NothingWorksBeforeItIsOpen) {
  cox_dma_list list = 0;
  expect(cox_dma_open(), COX_ERROR_NOT_READY, "cox_open");
  expect(cox_dma_close(), COX_ERROR_NOT_READY, "cox_dma_open");
  expect(cox_dma_submit(nullptr, 0, 0, &list), COX_ERROR_NOT_READY, "cox_dma_open");
  expect(cox_dma_wait(1, 0), COX_ERROR_NOT_READY, "cox_dma_open");
  expect(cox_dma_abort(1), COX_ERROR_NOT_READY, "cox_dma_open");
  EXPECT_TRUE(cox_dma_has_ended(1));
  start();
  expect(cox_dma_open(), COX_ERROR_NOT_OWNER, "DMA");
}

TEST_F(CoxDma, CopiesAndReportsOnce) {
  for (const bool has_dma : {true, false}) {
    if (!has_dma) TearDown();
    start("", has_dma);
    const cox_dma_list list = submit();
    EXPECT_EQ(cox_dma_has_ended(list), !has_dma);
    EXPECT_EQ(cox_dma_wait(list, 1'000'000).error, COX_OK);
    EXPECT_EQ(std::memcmp(memory(0x10000), memory(0x200000), kBytes), 0);
    expect(cox_dma_wait(list, 0), COX_ERROR_INVALID_ARGUMENT, "handle");
    expect(cox_dma_abort(list), COX_ERROR_INVALID_ARGUMENT, "handle");
    EXPECT_TRUE(cox_dma_has_ended(list));
  }
}

TEST_F(CoxDma, RefusesWithTheIndexOfTheCopy) {
  start();
  cox_dma_copy copies[2] = {copy(), copy()};
  cox_dma_list list = 0;
  const auto refusal = [&] { return cox_dma_submit(copies, 2, 0, &list); };
  expect(cox_dma_submit(copies, 2, 0, nullptr), COX_ERROR_INVALID_ARGUMENT, "list");
  expect(cox_dma_submit(nullptr, 2, 0, &list), COX_ERROR_INVALID_ARGUMENT, "copies");
  expect(cox_dma_submit(copies, COX_DMA_COPIES + 1, 0, &list), COX_ERROR_INVALID_ARGUMENT, "copies");
  expect(refusal(), COX_ERROR_WINDOW_OVERLAP, "copies");
  copies[1].destination = memory(0x10000);
  expect(refusal(), COX_ERROR_WINDOW_OVERLAP, "destination");
  EXPECT_EQ(refusal().index, 1);
  copies[1].destination = memory(0x300000);
  copies[1].rows = 0;
  expect(refusal(), COX_ERROR_INVALID_ARGUMENT, "rows");
  copies[1].rows = 1;
  EXPECT_EQ(refusal().error, COX_OK);
}

TEST_F(CoxDma, AWaitHasALimitAndAListCanBeAborted) {
  start("stuck queue=dma0 instruction=1 cycles=5000000\n");
  const cox_dma_list list = submit();
  expect(cox_dma_wait(list, 1000), COX_ERROR_TIMEOUT, "wait");
  EXPECT_EQ(cox_dma_abort(list).error, COX_OK);
  EXPECT_FALSE(cox_dma_has_ended(list)) << "the channel may still write";
  expect(cox_dma_wait(list, 1'000'000), COX_ERROR_CANCELLED, "DMA");
}

TEST_F(CoxDma, AChannelThatHangsKeepsItsMemory) {
  start("stuck queue=dma0 instruction=1 cycles=100000000\n");
  expect(cox_dma_wait(submit(1000), 1'000'000), COX_ERROR_DEVICE_FAULT, "DMA channel");
  const cox_dma_copy one = copy();
  cox_dma_list list = 0;
  expect(cox_dma_submit(&one, 1, 0, &list), COX_ERROR_WINDOW_OVERLAP, "DMA channel");
  board_->advance(100'000'000);
  EXPECT_EQ(cox_dma_wait(submit(), 1'000'000).error, COX_OK);
}

}  // namespace
}  // namespace cox::hal::cox_dma_test
