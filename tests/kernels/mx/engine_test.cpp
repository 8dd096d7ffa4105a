// SPDX-License-Identifier: MIT
// Tests the engine's driver on the accelerator's model with the native board.
#include "coxswain/kernels/mx/engine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <vector>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mx/base.h"
#include "coxswain/hal/stream_engine.h"
#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/stream.h"
#include "tests/kernels/device_test.h"

namespace cox::kernels::mx {
namespace {

using isa::mx::Block;
using isa::mx::Elementwise;
using isa::mx::ElementwiseFunction;
using isa::mx::Window;

constexpr unsigned kContext = 3;

class EngineTest : public tests::DeviceTest {
 protected:
  [[nodiscard]] Engine::Configuration configuration() const { return {.context = kContext, .windows = windows}; }
  void init() {
    const Status status = engine.init(accelerator, configuration());
    ASSERT_TRUE(status.ok()) << status.what();
  }
  /// A stream at the end of DRAM, outside of the windows: the engine may fetch from anywhere.
  Stream stream(unsigned number, std::span<const Window> seen = {}) {
    const std::span<std::byte> memory = board_->core_dram().last(kMiB * (number + 1)).first(kMiB);
    Stream result;
    EXPECT_TRUE(result.init(memory, seen.empty() ? std::span<const Window>(windows) : seen).ok());
    return result;
  }
  Block &block(std::uint64_t offset) { return *reinterpret_cast<Block *>(board_->dram().data() + offset); }
  static Elementwise sum(std::uint64_t a, std::uint64_t b, std::uint64_t out, std::uint32_t blocks = 1) {
    return {.function = ElementwiseFunction::add, .input1 = at(a), .input2 = at(b), .output = at(out), .blocks = blocks};
  }
  /// A block of which all elements are 1.0 times 2^(exponent - 127).
  static Block ones(std::uint8_t exponent = 127) {
    Block result{.exponent = exponent};
    result.elements.fill(64);
    return result;
  }

  Engine engine;
};

TEST_F(EngineTest, AStreamRunsAndRunsAgain) {
  init();
  Stream one = stream(0);
  ASSERT_TRUE(one.append(sum(0, 18, 36)).ok());
  ASSERT_TRUE(one.append(sum(36, 36, 16 * kMiB + 54)).ok()) << "another base register";
  block(0) = block(18) = ones();
  ASSERT_TRUE(engine.run(one).ok());
  EXPECT_EQ(block(36), ones(128));
  EXPECT_EQ(block(16 * kMiB + 54), ones(129));
  const std::uint64_t first_end = engine.end_cycle();
  EXPECT_GT(first_end, 0U);
  EXPECT_LE(first_end, board_->now());
  block(0) = block(18) = ones(120);
  ASSERT_TRUE(engine.run(one).ok());
  EXPECT_EQ(block(16 * kMiB + 54), ones(122));
  EXPECT_GT(engine.end_cycle(), first_end);
}

TEST_F(EngineTest, StreamsInFlightEndInOrder) {
  init();
  Stream one = stream(0), two = stream(1);
  ASSERT_TRUE(one.append(sum(0, 0, 36)).ok());
  ASSERT_TRUE(two.append(sum(36, 36, 72)).ok());
  block(0) = ones();
  const Result<std::uint32_t> first = engine.submit(one);
  const Result<std::uint32_t> second = engine.submit(two);
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_TRUE(engine.wait(second.value(), 1000).ok());
  EXPECT_EQ(block(72), ones(129));
  EXPECT_TRUE(engine.wait(first.value(), 0).ok()) << "the stream has ended before";
  EXPECT_EQ(engine.wait(second.value() + 1, 0).code(), ErrorCode::invalid_argument);
}

TEST_F(EngineTest, BasesOfStreamsInFlightStay) {
  init();
  Stream one = stream(0), two = stream(1), longer = stream(2);
  ASSERT_TRUE(one.append(sum(0, 0, 36)).ok());
  ASSERT_TRUE(two.append(sum(16 * kMiB, 16 * kMiB, 16 * kMiB + 36)).ok());
  ASSERT_TRUE(longer.append(sum(36, 36, 16 * kMiB)).ok());
  block(0) = ones();
  const Result<std::uint32_t> first = engine.submit(one);
  ASSERT_TRUE(first.ok());
  const Status status = engine.submit(two).status();
  EXPECT_EQ(status.code(), ErrorCode::not_ready);
  EXPECT_STREQ(status.what(), "base registers");
  const Result<std::uint32_t> second = engine.submit(longer);
  ASSERT_TRUE(second.ok()) << "an additional register must not have an effect";
  ASSERT_TRUE(engine.wait(second.value(), 1000).ok());
  ASSERT_TRUE(engine.run(two).ok());
  EXPECT_EQ(block(36), ones(128));
  EXPECT_EQ(block(16 * kMiB + 36), ones(130));
}

TEST_F(EngineTest, NoMoreStreamsThanTheQueueHolds) {
  Engine::Configuration small = configuration();
  small.queue_size_log2 = 1;
  ASSERT_TRUE(engine.init(accelerator, small).ok());
  Stream one = stream(0);
  EXPECT_EQ(engine.submit(one).status().code(), ErrorCode::invalid_argument) << "empty";
  ASSERT_TRUE(one.append(sum(0, 0, 36)).ok());
  ASSERT_TRUE(engine.submit(one).ok());
  const Result<std::uint32_t> last = engine.submit(one);
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(engine.submit(one).status().code(), ErrorCode::no_room);
  ASSERT_TRUE(engine.wait(last.value(), 1000).ok());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(engine.run(one).ok()) << i;
}

/// The stream claims windows that the context does not have. So the device reports an error that the kernel could not see.
TEST_F(EngineTest, AFaultIsExplainedAndTheContextIsReadyAgain) {
  init();
  Stream good = stream(0), behind = stream(1);
  const Window everything[] = {{.base = hal::dram_range().address, .bytes = kDramBytes, .read = true, .write = true}};
  Stream bad = stream(2, everything);
  ASSERT_TRUE(good.append(sum(0, 0, 36)).ok());
  ASSERT_TRUE(behind.append(sum(0, 0, 72)).ok());
  ASSERT_TRUE(bad.append(sum(0, 0, 54)).ok());
  ASSERT_TRUE(bad.append(sum(0, kWindowBytes, 90)).ok());
  ASSERT_TRUE(bad.append(sum(0, 0, 108)).ok());
  block(0) = ones();
  const Result<std::uint32_t> first = engine.submit(good);
  ASSERT_TRUE(engine.wait(first.value(), 1000).ok());
  const Result<std::uint32_t> second = engine.submit(bad);
  const Result<std::uint32_t> third = engine.submit(behind);
  ASSERT_TRUE(second.ok() && third.ok());
  const Status status = engine.wait(third.value(), 1000);
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(status.what(), "InOffset2");
  EXPECT_EQ(status.index(), 3) << "CONFBADDR, ELADD, CONFBADDR, ELADD";
  EXPECT_EQ(status.value(), static_cast<std::int64_t>(hal::FaultCode::window));
  EXPECT_EQ(status.limit(), 8 + 16 + 8);
  EXPECT_EQ(engine.fault().code, hal::FaultCode::window);
  EXPECT_EQ(engine.fault().address, bad.address() + 32);
  EXPECT_EQ(engine.fault().instruction, 3);
  EXPECT_STREQ(engine.fault().name, "ELADD");
  EXPECT_STREQ(engine.fault().field, "InOffset2");
  EXPECT_EQ(block(54), ones(128)) << "before the fault";
  EXPECT_EQ(block(90), Block()) << "the instruction with the fault must not write";
  EXPECT_EQ(block(108), Block()) << "after it";
  EXPECT_EQ(block(72), Block()) << "another stream of the context";
  EXPECT_EQ(engine.wait(second.value(), 0).code(), ErrorCode::device_fault) << "asked again";
  EXPECT_EQ(engine.wait(third.value(), 0).code(), ErrorCode::device_fault) << "it did not run";
  EXPECT_FALSE(hal::read_fault().has_value()) << "the record is given back";
  EXPECT_FALSE(hal::is_quarantined(geometry, kContext).value());

  EXPECT_TRUE(engine.run(behind).ok());
  EXPECT_EQ(block(72), ones(128));
  EXPECT_TRUE(engine.run(good).ok());
}

/// Kernels append no instruction that the device refuses, so the test writes such instructions into the stream's memory.
TEST_F(EngineTest, EveryFaultOfAStreamNamesItsInstruction) {
  init();
  const auto expect = [&](std::uint64_t word, hal::FaultCode code, const char *name, const char *field) {
    Stream broken = stream(0);
    ASSERT_TRUE(broken.append(sum(0, 0, 36)).ok());
    ASSERT_TRUE(broken.append(sum(0, 0, 36)).ok());
    std::memcpy(board_->core_dram().last(kMiB).data() + 24, &word, sizeof word);
    const Status status = engine.run(broken, 1000);
    EXPECT_EQ(status.code(), ErrorCode::device_fault);
    EXPECT_EQ(engine.fault().code, code) << name;
    EXPECT_EQ(engine.fault().instruction, 2) << name;
    EXPECT_STREQ(engine.fault().name, name);
    EXPECT_STREQ(engine.fault().field, field) << name;
    EXPECT_STREQ(status.what(), field);
    EXPECT_EQ(status.limit(), 24);
  };
  expect(0x0F, hal::FaultCode::unknown_instruction, "instruction", "instruction");
  expect(0x0B | 1U << 6, hal::FaultCode::field_out_of_range, "ELADD", "instruction");
  expect(0x0B | 1U << 8, hal::FaultCode::misaligned, "ELADD", "InOffset1");
  expect(0x09, hal::FaultCode::stream_truncated, "instruction", "instruction");
  expect(0x3FULL << 56 | 0x0B, hal::FaultCode::overlap, "ELADD", "OutOffset");
  Stream fine = stream(1);
  ASSERT_TRUE(fine.append(sum(0, 0, 36)).ok());
  EXPECT_TRUE(engine.run(fine).ok());
}

TEST_F(EngineTest, ATimeoutResetsTheEngine) {
  init();
  Stream slow = stream(0), fast = stream(1);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(slow.append(sum(0, 0, 8 * kMiB, 1U << 18)).ok());
  ASSERT_TRUE(fast.append(sum(16 * kMiB, 16 * kMiB, 36)).ok());
  block(16 * kMiB) = ones();
  const std::uint64_t start = board::microseconds();
  const Result<std::uint32_t> tag = engine.submit(slow);
  ASSERT_TRUE(engine.submit(slow).ok());
  const Status status = engine.wait(tag.value(), 1500);
  EXPECT_EQ(status.code(), ErrorCode::timeout);
  EXPECT_GE(board::microseconds() - start, 1500U);
  EXPECT_LE(board::microseconds() - start, 1500U + 2000U) << "a tick later at most";
  EXPECT_TRUE(engine.run(fast).ok());
  EXPECT_EQ(block(36), ones(128));
  EXPECT_TRUE(engine.run(slow).ok()) << "given time";
}

TEST_F(EngineTest, AFullStreamIsFlushedThroughTheEngine) {
  init();
  Stream chained;
  const std::span<std::byte> memory = board_->core_dram().last(kMiB).first(64);
  ASSERT_TRUE(chained.init(memory, windows).ok());
  chained.set_flush([](void *owner, Stream &full) { return static_cast<Engine *>(owner)->run(full); }, &engine);
  block(0) = ones(100);
  for (std::uint64_t i = 0; i < 20; ++i) ASSERT_TRUE(chained.append(sum(18 * i, 18 * i, 18 * (i + 1))).ok());
  ASSERT_TRUE(engine.run(chained).ok());
  EXPECT_EQ(block(18 * 20), ones(120));
}

/// Runs the loop of docs/isa/mx.md, Running a stream by hand.
TEST_F(EngineTest, TheLoopByHandOfThePageEnds) {
  Stream written = stream(0);
  block(0) = ones(127);
  ASSERT_TRUE(written.append(sum(0, 0, 36)).ok());
  hal::ContextConfiguration context;
  context.windows[0] = {at(0), 0x10000, true, true};
  const auto memory = accelerator.attach(registers::Engine::mx, hal::StreamEngine::queue_bytes(3));
  ASSERT_TRUE(memory.ok());
  ASSERT_TRUE(accelerator.take_context(registers::Engine::mx, 0).ok());
  ASSERT_TRUE(hal::configure_context(geometry, 0, context).ok());
  hal::StreamEngine by_hand;
  ASSERT_TRUE(by_hand.init(geometry, registers::Engine::mx, memory.value(), 3).ok());
  hal::clean_cache(written.code().data(), written.code().size());
  ASSERT_TRUE(hal::mx::write_base(geometry, 0, 0, written.bases()[0]).ok());
  ASSERT_TRUE(by_hand.submit(0, written.address(), static_cast<std::uint32_t>(written.code().size())).ok());
  std::optional<hal::StreamCompletion> end;
  while (!(end = by_hand.take())) {
    const hal::InterruptMask mask;
    by_hand.enable_interrupt(true);
    if (by_hand.is_empty()) board::wait_for_completion();
    by_hand.enable_interrupt(false);
  }
  EXPECT_EQ(end->status, hal::FaultCode::none);
  EXPECT_EQ(block(36), ones(128));
}

TEST_F(EngineTest, WhatInitRefuses) {
  Stream one = stream(0);
  ASSERT_TRUE(one.append(sum(0, 0, 36)).ok());
  EXPECT_EQ(engine.wait(0, 0).code(), ErrorCode::invalid_argument) << "before init";
  EXPECT_EQ(engine.submit(one).status().code(), ErrorCode::not_ready) << "before init";
  Engine::Configuration wrong = configuration();
  wrong.context = 16;
  EXPECT_STREQ(engine.init(accelerator, wrong).what(), "context");
  wrong = configuration();
  wrong.queue_size_log2 = 0;
  EXPECT_STREQ(engine.init(accelerator, wrong).what(), "size_log2");
  {
    hal::Accelerator little;
    EXPECT_STREQ(engine.init(little, configuration()).what(), "accelerator") << "not open";
    ASSERT_TRUE(little.open(board::queue_memory().first(256)).ok());
    EXPECT_STREQ(engine.init(little, configuration()).what(), "queue memory");
    ASSERT_TRUE(accelerator.open().ok());
  }
  const std::vector<Window> many(5, windows[0]);
  wrong = configuration();
  wrong.windows = many;
  EXPECT_STREQ(engine.init(accelerator, wrong).what(), "windows");
  const Window large[] = {{.base = 0, .bytes = 1ULL << 32, .read = true, .write = true}};
  wrong.windows = large;
  EXPECT_STREQ(engine.init(accelerator, wrong).what(), "window size");
  EXPECT_EQ(engine.close().code(), ErrorCode::not_ready) << "a refused init() has given back what it took";
  init();
  EXPECT_EQ(engine.init(accelerator, configuration()).code(), ErrorCode::not_owner) << "in use";
  EXPECT_TRUE(engine.run(one).ok());
}

TEST_F(EngineTest, AClosedEngineGivesEverythingBack) {
  init();
  Stream one = stream(0);
  ASSERT_TRUE(one.append(sum(0, 0, 5 * kMiB, 1U << 18)).ok());
  ASSERT_TRUE(engine.submit(one).ok()) << "in flight";
  EXPECT_EQ(accelerator.close().code(), ErrorCode::not_owner);
  ASSERT_TRUE(engine.close().ok());
  EXPECT_EQ(engine.submit(one).status().code(), ErrorCode::not_ready);
  EXPECT_EQ(engine.close().code(), ErrorCode::not_ready);
  EXPECT_TRUE(accelerator.is_free(kContext));
  Engine other;
  ASSERT_TRUE(other.init(accelerator, configuration()).ok());
  Stream two = stream(1);
  ASSERT_TRUE(two.append(sum(18, 18, 16 * kMiB)).ok());
  block(18) = ones();
  EXPECT_TRUE(other.run(two).ok());
  EXPECT_EQ(block(16 * kMiB), ones(128));
  ASSERT_TRUE(other.close().ok());
  EXPECT_TRUE(accelerator.close().ok());
}

/// The engine never reports success for a stream that did not run.
TEST_F(EngineTest, FailuresOfLongAgoAreNotForgottenForGood) {
  init();
  Stream good = stream(0), bad = stream(1);
  ASSERT_TRUE(good.append(sum(0, 0, 36)).ok());
  const Window anywhere[] = {{.base = 0, .bytes = ~std::uint64_t{0}, .read = true, .write = true}};
  bad = stream(1, anywhere);
  ASSERT_TRUE(bad.append(sum(0, 0, 50 * kMiB)).ok()) << "outside of the engine's window";
  const std::uint32_t before = engine.submit(good).value();
  ASSERT_TRUE(engine.wait(before, 1000).ok());
  const std::uint32_t first = engine.submit(bad).value();
  const std::uint32_t behind = engine.submit(good).value();
  ASSERT_EQ(engine.wait(first, 1000).code(), ErrorCode::device_fault);
  EXPECT_EQ(engine.wait(behind, 1000).code(), ErrorCode::device_fault);
  EXPECT_TRUE(engine.wait(before, 1000).ok());
  const std::uint32_t between = engine.submit(good).value();
  ASSERT_TRUE(engine.wait(between, 1000).ok());
  const std::uint32_t second = engine.submit(bad).value();
  ASSERT_EQ(engine.wait(second, 1000).code(), ErrorCode::device_fault);
  EXPECT_EQ(engine.wait(first, 1000).code(), ErrorCode::not_ready);
  EXPECT_EQ(engine.wait(behind, 1000).code(), ErrorCode::not_ready);
  EXPECT_TRUE(engine.wait(between, 1000).ok());
  EXPECT_EQ(engine.wait(second, 1000).code(), ErrorCode::device_fault);
}

/// The limit holds for the whole call, however many streams end meanwhile.
TEST_F(EngineTest, TheLimitIsOfTheWholeWait) {
  init();
  Stream one = stream(0);
  // For each of 2^18 blocks the stream reads two blocks and writes one: 54 bytes. At 16 bytes per cycle of 1 ns the stream takes 885 us.
  ASSERT_TRUE(one.append(sum(0, 5 * kMiB, 10 * kMiB, 1U << 18)).ok());
  std::uint32_t last = 0;
  for (int i = 0; i < 4; ++i) last = engine.submit(one).value();
  const std::uint64_t begin = board::microseconds();
  EXPECT_EQ(engine.wait(last, 1500).code(), ErrorCode::timeout);
  // A sleeping core wakes at the native board's tick, every millisecond.
  EXPECT_LE(board::microseconds() - begin, 2500U);
  for (int i = 0; i < 4; ++i) last = engine.submit(one).value();
  EXPECT_TRUE(engine.wait(last, 10000).ok());
}

/// The engine continues the device's running indices, so old ring contents do not run again.
TEST_F(EngineTest, HardwareThatWasUsedIsTakenOver) {
  init();
  Stream one = stream(0);
  ASSERT_TRUE(one.append(sum(0, 0, 36)).ok());
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(engine.run(one).ok());
  hal::StreamEngine hardware;
  ASSERT_TRUE(hardware.init(geometry, registers::Engine::mx, board::queue_memory(), 3).ok());
  block(0) = ones();
  block(36) = {};
  const std::span<const std::byte> code = one.code();
  const Result<std::uint32_t> tag = hardware.submit(kContext, one.address(), static_cast<std::uint32_t>(code.size()));
  ASSERT_TRUE(tag.ok());
  EXPECT_EQ(tag.value(), 5U);
  board_->advance(10000);
  const std::optional<hal::StreamCompletion> completion = hardware.take();
  ASSERT_TRUE(completion.has_value());
  EXPECT_EQ(completion->tag, tag.value());
  EXPECT_EQ(completion->status, hal::FaultCode::none);
  EXPECT_EQ(block(36), ones(128));
  EXPECT_FALSE(hardware.take().has_value());
  EXPECT_FALSE(hal::read_fault().has_value());
}

}  // namespace
}  // namespace cox::kernels::mx
