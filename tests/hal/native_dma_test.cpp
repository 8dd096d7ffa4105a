// SPDX-License-Identifier: MIT
// Tests the DMA driver with the native board and the model of the engine.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/dma.h"
#include "tests/sim/device/temporary_file.h"

namespace cox::hal {
namespace {

constexpr std::uint32_t kBytes = 0x10000;
constexpr std::uintptr_t kSource = BOARD_DRAM_BASE + 0x10000;
constexpr std::uintptr_t kDestination = BOARD_DRAM_BASE + 0x200000;

class NativeDma : public testing::Test {
 protected:
  /// Starts a board whose model has this fault plan.
  void start(const std::string &plan = "", std::optional<std::uint64_t> cache_seed = {}) {
    std::ofstream(plan_file_.path()) << plan;
    board::NativeBoardSettings settings;
    settings.dram_bytes = std::size_t{16} << 20;
    settings.model_options = R"({"faults": ")" + plan_file_.path() + R"("})";
    settings.log = [](int, std::string_view) {};
    settings.cache_seed = cache_seed;
    std::string error;
    native_ = board::NativeBoard::create(std::move(settings), error);
    ASSERT_NE(native_, nullptr) << error;
    for (std::size_t i = 0; i < kBytes; ++i) native_->dram()[0x10000 + i] = static_cast<std::byte>(i * 5 + i / 253);
    ASSERT_TRUE(dma_.open(board::queue_memory().first(Dma::kQueueBytes)).ok());
  }
  void TearDown() override {
    if (native_ != nullptr) static_cast<void>(dma_.close());
  }

  Dma::Handle submit(std::uint32_t time_limit_us = 0) {
    const std::vector copies{DmaCopy{kSource, kDestination, kBytes}};
    const Result<Dma::Handle> handle = dma_.submit(copies, time_limit_us);
    EXPECT_TRUE(handle.ok()) << handle.status().what();
    return handle.value();
  }
  [[nodiscard]] bool is_copied() const { return std::memcmp(&native_->dram()[0x10000], &native_->dram()[0x200000], kBytes) == 0; }

  test::TemporaryFile plan_file_{"native-dma-plan"};
  std::unique_ptr<board::NativeBoard> native_;
  Dma dma_;
};

TEST_F(NativeDma, TheInterruptEndsAList) {
  start();
  const Dma::Handle handle = submit();
  EXPECT_FALSE(dma_.has_ended(handle));
  native_->advance(2 * kBytes);
  EXPECT_TRUE(dma_.has_ended(handle));
  EXPECT_TRUE(dma_.take(handle).ok());
  EXPECT_TRUE(is_copied());
}

TEST_F(NativeDma, WaitSleepsUntilTheEnd) {
  start();
  std::vector<Dma::Handle> handles;
  for (unsigned i = 0; i < Dma::kLists; ++i) handles.push_back(submit());
  for (const Dma::Handle handle : handles) EXPECT_TRUE(dma_.wait(handle).ok());
  EXPECT_TRUE(is_copied());
  EXPECT_EQ(dma_.wait(handles[0]).code(), ErrorCode::invalid_argument);
  EXPECT_LT(native_->now(), board::NativeBoard::kTickCycles) << "no tick is waited for";
}

TEST_F(NativeDma, CloseEndsWhatIsUnderWay) {
  start();
  const Dma::Handle handle = submit();
  EXPECT_TRUE(dma_.close().ok());
  EXPECT_FALSE(dma_.has_ended(handle));
  EXPECT_EQ(dma_.take(handle).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(dma_.abort(handle).code(), ErrorCode::invalid_argument);
  EXPECT_EQ(dma_.wait(handle).code(), ErrorCode::invalid_argument);
}

TEST_F(NativeDma, ALostInterruptCostsATick) {
  start("interrupt lost line=2 count=1\n");
  EXPECT_TRUE(dma_.wait(submit()).ok());
  EXPECT_TRUE(is_copied());
  EXPECT_TRUE(dma_.wait(submit()).ok());
}

TEST_F(NativeDma, ALostStartIsRepeated) {
  start("doorbell lost queue=dma0 count=1\n");
  EXPECT_TRUE(dma_.wait(submit()).ok());
  EXPECT_TRUE(is_copied());
}

TEST_F(NativeDma, ASpuriousInterruptDoesNoHarm) {
  start("interrupt spurious line=2 at=100\ninterrupt doubled line=2 count=1\n");
  EXPECT_TRUE(dma_.wait(submit()).ok());
  EXPECT_TRUE(is_copied());
  EXPECT_TRUE(dma_.wait(submit()).ok());
}

TEST_F(NativeDma, ABusErrorEndsOneList) {
  start("bus_error queue=dma0 access=1\n");
  const Dma::Handle bad = submit();
  const Dma::Handle good = submit();
  const Status status = dma_.wait(bad);
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(status.what(), "bus_read");
  EXPECT_TRUE(dma_.wait(good).ok());
  EXPECT_TRUE(is_copied());
}

TEST_F(NativeDma, AStuckChannelEndsAtTheTimeLimit) {
  start("stuck queue=dma0 instruction=1\n");
  const Dma::Handle stuck = submit(500);
  EXPECT_TRUE(dma_.wait(submit()).ok()) << "on the other channel";
  EXPECT_EQ(dma_.wait(stuck).code(), ErrorCode::timeout);
  EXPECT_TRUE(dma_.wait(submit()).ok()) << "the channel works again";
}

TEST_F(NativeDma, AbortInTheMiddle) {
  start();
  const Dma::Handle handle = submit();
  native_->advance(1000);
  EXPECT_TRUE(dma_.abort(handle).ok());
  EXPECT_EQ(dma_.wait(handle).code(), ErrorCode::cancelled);
  EXPECT_TRUE(dma_.wait(submit()).ok());
  EXPECT_TRUE(is_copied());
}

// On memory that is not coherent. The core has the lines in its cache when the host writes the source, and bytes beside the destination.
// The core copies all of the small copy, and the ends of the large one.
TEST_F(NativeDma, WhatTheHostHasWrittenIsCopiedAndStays) {
  constexpr std::size_t kFrom = 0x10003, kTo = 0x200003, kBeside = 3;
  for (const std::uint32_t bytes : {500U, 5000U}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(seed);
      if (native_ != nullptr) static_cast<void>(dma_.close());
      native_.reset();
      start("", seed);
      const std::span<std::byte> core = native_->core_dram(), host = native_->dram();
      for (const std::size_t at : {kFrom, kTo}) invalidate_cache(&core[at - kBeside], bytes + 2 * kBeside);
      for (std::size_t i = 0; i < bytes; ++i) host[kFrom + i] = static_cast<std::byte>(i * 3 + 1);
      for (const std::size_t at : {kTo - kBeside, kTo + bytes}) std::memset(&host[at], 0x77, kBeside);
      const std::vector copies{DmaCopy{BOARD_DRAM_BASE + kFrom, BOARD_DRAM_BASE + kTo, bytes}};
      const Result<Dma::Handle> handle = dma_.submit(copies);
      ASSERT_TRUE(handle.ok()) << handle.status().what();
      EXPECT_TRUE(dma_.wait(handle.value()).ok());
      EXPECT_EQ(std::memcmp(&host[kTo], &host[kFrom], bytes), 0) << bytes;
      for (const std::size_t at : {kTo - kBeside, kTo + bytes}) {
        for (std::size_t i = 0; i < kBeside; ++i) EXPECT_EQ(host[at + i], std::byte{0x77}) << at + i;
      }
    }
  }
}

TEST_F(NativeDma, OpenAfterAResetOfTheCoreEndsWhatWasInProgress) {
  start();
  static_cast<void>(submit());
  native_->reset(board::ResetCause::watchdog);
  Dma after;
  ASSERT_TRUE(after.open(board::queue_memory().first(Dma::kQueueBytes)).ok());
  native_->advance(2 * kBytes);
  EXPECT_FALSE(is_copied());
  const std::vector copies{DmaCopy{kSource, kDestination, kBytes}};
  EXPECT_TRUE(after.wait(after.submit(copies).value()).ok());
  EXPECT_TRUE(is_copied());
  EXPECT_TRUE(after.close().ok());
}

// The bus does not answer the channel for 5 ms. The list is answered only when the channel can write no more.
TEST_F(NativeDma, AListIsNotAnsweredWhileItsChannelMayWrite) {
  start("stuck queue=dma0 instruction=1 cycles=5000000\n");
  const Dma::Handle handle = submit();
  EXPECT_TRUE(dma_.abort(handle).ok());
  EXPECT_FALSE(dma_.has_ended(handle));
  EXPECT_FALSE(is_copied());
  EXPECT_EQ(dma_.wait(handle).code(), ErrorCode::cancelled);
  EXPECT_GE(native_->now(), 5'000'000U);
  EXPECT_TRUE(is_copied()) << "the channel has written after the abort";
  std::memset(&native_->dram()[0x200000], 0, kBytes);
  native_->advance(10'000'000);
  EXPECT_EQ(native_->dram()[0x200000 + 1], std::byte{0}) << "and not after the answer";
  EXPECT_TRUE(dma_.wait(submit()).ok());
  EXPECT_TRUE(is_copied());
}

// The bus does not answer for a second. The outcome says that the memory is not safe, and the memory is not used before that second is
// over.
TEST_F(NativeDma, AChannelThatHangsKeepsItsMemoryUntilItStops) {
  start("stuck queue=dma0 instruction=1 cycles=1000000000\n");
  const Status status = dma_.wait(submit(500));
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(status.what(), "DMA channel");
  EXPECT_LT(native_->now(), 1000ULL * (500 + Dma::kStopLimit) + 2 * board::NativeBoard::kTickCycles);
  const std::vector copies{DmaCopy{kSource, kDestination, kBytes}}, others{DmaCopy{kSource, kDestination + kBytes, kBytes}};
  EXPECT_EQ(dma_.submit(copies).status().code(), ErrorCode::window_overlap);
  EXPECT_TRUE(dma_.wait(dma_.submit(others).value()).ok()) << "by the other channel";
  native_->advance(1'000'000'000);
  EXPECT_TRUE(is_copied()) << "the channel has written after the answer";
  dma_.supervise();
  std::memset(&native_->dram()[0x200000], 0, kBytes);
  EXPECT_TRUE(dma_.wait(dma_.submit(copies).value()).ok());
  EXPECT_TRUE(is_copied());
}

TEST_F(NativeDma, AWaitHasALimit) {
  start("stuck queue=dma0 instruction=1 cycles=50000000\n");
  const Dma::Handle handle = submit();
  const Status status = dma_.wait(handle, 20'000);
  EXPECT_EQ(status.code(), ErrorCode::timeout);
  EXPECT_STREQ(status.what(), "wait");
  EXPECT_EQ(dma_.wait(handle, 0).code(), ErrorCode::timeout);
  EXPECT_TRUE(dma_.wait(handle).ok());
  EXPECT_TRUE(is_copied());
}

}  // namespace
}  // namespace cox::hal
