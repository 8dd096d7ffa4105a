// SPDX-License-Identifier: MIT
// Tests the scheduler on the native board with the accelerator's model. These tests check values; tests/firmware/scheduler_test.cpp checks
// only order.
#include <gmock/gmock.h>

#include <cstring>
#include <memory>

#include "boards/native/native_board.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/device.h"
#include "coxswain/kernels/mx/engine.h"
#include "tests/firmware/model_fixture.h"

namespace cox::tests {
namespace {

TEST(SchedulerOnTheModel, TwoTasksSideBySideHaveTheirOwnValues) {
  std::string error;
  const auto board = board::NativeBoard::create(board::NativeBoardSettings(), error);
  ASSERT_NE(board, nullptr) << error;
  constexpr unsigned kCopyRounds = 100;
  constexpr std::size_t kHalf = kCopyRounds * kTensorBytes;
  std::byte *const dram = board->dram().data();
  std::byte *const windows[] = {dram, dram + 3 * kHalf};
  for (std::size_t i = 0; i < 6 * kHalf; ++i) dram[i] = static_cast<std::byte>(0xEE);
  for (std::size_t i = 0; i < kHalf; ++i) {
    windows[0][i] = static_cast<std::byte>(i * 7 + i / 256);
    windows[1][i] = static_cast<std::byte>(i * 11 + 3 + i / 128);
  }
  const std::vector<std::byte> before(dram, dram + 6 * kHalf);
  Loaded one(copies_task(0, 3, kCopyRounds), board->address_of(windows[0]));
  Loaded two(copies_task(4, 9, kCopyRounds), board->address_of(windows[1]));

  const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open().ok());
  ASSERT_TRUE(scheduler->initialise(accelerator).ok());
  const auto first = scheduler->start(one.task, one.windows);
  const auto second = scheduler->start(two.task, two.windows);
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_NE(first.value(), second.value());
  const auto report_one = scheduler->wait(first.value());
  const auto report_two = scheduler->wait(second.value());
  ASSERT_TRUE(report_one.ok() && report_two.ok());
  EXPECT_TRUE(report_one.value().status.ok()) << report_one.value().status.what();
  EXPECT_TRUE(report_two.value().status.ok()) << report_two.value().status.what();
  // Both runs were on the core at the same time.
  EXPECT_LT(report_two.value().start_cycle, report_one.value().end_cycle);
  EXPECT_LT(report_one.value().start_cycle, report_two.value().end_cycle);
  EXPECT_EQ(report_one.value().accelerator_instructions, 2 * kCopyRounds + 5);

  // The second half of each window equals the first half, and all other memory is unchanged.
  std::vector<std::byte> expected = before;
  for (const std::size_t base : {std::size_t{0}, 3 * kHalf}) std::memcpy(&expected[base + kHalf], &expected[base], kHalf);
  EXPECT_EQ(std::memcmp(dram, expected.data(), expected.size()), 0);
  EXPECT_NE(expected, before);
}

// Instructions take about 200 cycles each, so completions wake the control core more often than ticks do. It must check time limits at
// ticks nevertheless.
TEST(SchedulerOnTheModel, ATimeLimitIsSeenWithinATick) {
  std::string error;
  const auto board = board::NativeBoard::create(board::NativeBoardSettings(), error);
  ASSERT_NE(board, nullptr) << error;
  Loaded loaded(copies_task(0, 3, 10'000), hal::dram_range().address);
  const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open().ok());
  ASSERT_TRUE(scheduler->initialise(accelerator).ok());
  const auto context = scheduler->start(loaded.task, loaded.windows, {.time_limit_us = 1500});
  ASSERT_TRUE(context.ok()) << context.status().what();
  const auto report = scheduler->wait(context.value());
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report.value().status.code(), ErrorCode::time_limit);
  EXPECT_GE(report.value().end_cycle, 1'500'000U);
  EXPECT_LE(report.value().end_cycle, 1'500'000U + board::NativeBoard::kTickCycles + 10'000);
}

// An MX engine runs a stream while the tile cores run a task (docs/hal.md, The accelerator).
TEST(SchedulerOnTheModel, AnMxEngineRunsBesideATask) {
  std::string error;
  const auto board = board::NativeBoard::create(board::NativeBoardSettings(), error);
  ASSERT_NE(board, nullptr) << error;
  constexpr unsigned kCopyRounds = 300;
  constexpr std::size_t kHalf = kCopyRounds * kTensorBytes;
  std::byte *const dram = board->dram().data();
  for (std::size_t i = 0; i < kHalf; ++i) dram[i] = static_cast<std::byte>(i * 7 + i / 256);
  Loaded loaded(copies_task(0, 3, kCopyRounds), hal::dram_range().address);

  const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open().ok());
  ASSERT_TRUE(scheduler->initialise(accelerator).ok());
  constexpr std::size_t kBlocks = 4096;
  constexpr std::uint64_t kBytes = kBlocks * isa::mx::kBlockBytes;
  const std::uint64_t input = hal::dram_range().address + (std::uint64_t{1} << 20);
  const isa::mx::Window window[] = {{.base = input, .bytes = 2 * kBytes, .read = true, .write = true}};
  kernels::mx::Engine engine;
  kernels::mx::Engine::Configuration configuration;
  configuration.windows = window;
  ASSERT_TRUE(engine.init(accelerator, configuration).ok());
  auto *const blocks = reinterpret_cast<isa::mx::Block *>(board->dram().data() + (std::size_t{1} << 20));
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks[i].exponent = 127;
    blocks[i].elements.fill(static_cast<std::uint8_t>(64 + i % 64));
  }
  const std::span<std::byte> stream_memory = board->core_dram().last(4096);
  kernels::mx::Stream stream;
  ASSERT_TRUE(stream.init(stream_memory, engine.windows()).ok());
  const isa::mx::Elementwise twice{
      .function = isa::mx::ElementwiseFunction::add, .input1 = input, .input2 = input, .output = input + kBytes, .blocks = kBlocks};
  ASSERT_TRUE(stream.append(twice).ok());

  const auto context = scheduler->start(loaded.task, loaded.windows);
  ASSERT_TRUE(context.ok());
  const std::uint64_t begun = hal::device_cycles();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(engine.run(stream, 100'000).ok()) << i;
  const auto report = scheduler->wait(context.value());
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report.value().status.ok()) << report.value().status.what();
  EXPECT_LT(begun, report.value().end_cycle) << "the runs were not on the device at the same time";
  EXPECT_GT(engine.end_cycle(), report.value().start_cycle);
  EXPECT_EQ(std::memcmp(dram, dram + kHalf, kHalf), 0);
  for (std::size_t i = 0; i < kBlocks; ++i) {
    ASSERT_EQ(blocks[kBlocks + i].exponent, 128U) << i;
    ASSERT_EQ(blocks[kBlocks + i].elements, blocks[i].elements) << i;
  }
  EXPECT_FALSE(hal::read_fault().has_value());
}

// The fault of a stream raises the line that tasks also use. The accelerator clears the device's record, and the task goes on.
TEST(SchedulerOnTheModel, AFaultOfAnEngineDoesNotDisturbATask) {
  std::string error;
  const auto board = board::NativeBoard::create(board::NativeBoardSettings(), error);
  ASSERT_NE(board, nullptr) << error;
  Loaded loaded(copies_task(0, 3, 300), hal::dram_range().address);
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open().ok());
  const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
  ASSERT_TRUE(scheduler->initialise(accelerator).ok());
  const std::uint64_t input = hal::dram_range().address + (std::uint64_t{1} << 20);
  const isa::mx::Window window[] = {{.base = input, .bytes = 64, .read = true, .write = true}};
  const isa::mx::Window larger[] = {{.base = input, .bytes = 4096, .read = true, .write = true}};
  kernels::mx::Engine engine;
  ASSERT_TRUE(engine.init(accelerator, {.windows = window}).ok());
  kernels::mx::Stream stream;
  ASSERT_TRUE(stream.init(board->core_dram().last(4096), larger).ok());
  ASSERT_TRUE(stream.append(isa::mx::Move{.from = input, .to = input + 1024}).ok()) << "outside of the engine's window";

  const auto context = scheduler->start(loaded.task, loaded.windows);
  ASSERT_TRUE(context.ok());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(engine.run(stream, 100'000).code(), ErrorCode::device_fault);
    EXPECT_FALSE(hal::read_fault().has_value());
    ASSERT_TRUE(accelerator.last_fault().has_value());
    EXPECT_EQ(accelerator.last_fault()->queue_number, registers::kFirstEngineQueueNumber);
  }
  EXPECT_FALSE(scheduler->has_ended(context.value())) << "the task was not beside the faults";
  const auto report = scheduler->wait(context.value());
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report.value().status.ok()) << report.value().status.what();
}

// Scheduler and MX engine share one accelerator, whichever comes first, and either may leave while the other stays.
TEST(SchedulerOnTheModel, ClientsComeAndGoInAnyOrder) {
  std::string error;
  const auto board = board::NativeBoard::create(board::NativeBoardSettings(), error);
  ASSERT_NE(board, nullptr) << error;
  Loaded loaded(copies_task(0, 3, 3), hal::dram_range().address);
  const std::uint64_t input = hal::dram_range().address + (std::uint64_t{1} << 20);
  const isa::mx::Window window[] = {{.base = input, .bytes = 64, .read = true, .write = true}};
  hal::Accelerator accelerator;
  ASSERT_TRUE(accelerator.open().ok());
  const auto scheduler = std::make_unique<firmware::schedule::Scheduler>();
  kernels::mx::Engine engine;
  const auto open_engine = [&] { ASSERT_TRUE(engine.init(accelerator, {.context = 0, .windows = window}).ok()); };
  const auto open_scheduler = [&] { ASSERT_TRUE(scheduler->initialise(accelerator).ok()); };
  const auto run_task = [&](unsigned expected_context) {
    const auto context = scheduler->start(loaded.task, loaded.windows);
    ASSERT_TRUE(context.ok()) << context.status().what();
    EXPECT_EQ(context.value(), expected_context);
    EXPECT_STREQ(scheduler->close().what(), "runs");
    const auto report = scheduler->wait(context.value());
    ASSERT_TRUE(report.ok());
    EXPECT_TRUE(report.value().status.ok()) << report.value().status.what();
  };
  const auto run_stream = [&] {
    kernels::mx::Stream stream;
    ASSERT_TRUE(stream.init(board->core_dram().last(4096), engine.windows()).ok());
    const isa::mx::Move move{.from = input, .to = input + isa::mx::kBlockBytes};
    ASSERT_TRUE(stream.append(move).ok());
    EXPECT_TRUE(engine.run(stream, 100'000).ok());
  };
  for (int round = 0; round < 2; ++round) {
    open_engine();
    open_scheduler();
    run_task(1);  // the engine has context 0
    run_stream();
    ASSERT_TRUE(engine.close().ok());
    run_task(0);
    open_engine();
    run_task(1);
    run_stream();
    ASSERT_TRUE(scheduler->close().ok());
    EXPECT_EQ(scheduler->start(loaded.task, loaded.windows).status().code(), ErrorCode::not_ready);
    run_stream();
    open_scheduler();
    run_task(1);
    ASSERT_TRUE(engine.close().ok());
    EXPECT_EQ(accelerator.close().code(), ErrorCode::not_owner);
    ASSERT_TRUE(scheduler->close().ok());
    EXPECT_EQ(scheduler->close().code(), ErrorCode::not_ready);
    ASSERT_TRUE(accelerator.close().ok());
    ASSERT_TRUE(accelerator.open().ok());
  }
}

}  // namespace
}  // namespace cox::tests
