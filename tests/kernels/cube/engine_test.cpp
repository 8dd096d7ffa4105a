// SPDX-License-Identifier: MIT
// Tests the engine's driver on the accelerator's model with the native board.
#include "coxswain/kernels/cube/engine.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/context.h"
#include "coxswain/isa/cube/build.h"
#include "coxswain/isa/cube/warning.h"
#include "coxswain/kernels/cube/intrinsics.h"
#include "tests/kernels/device_test.h"

namespace cox::kernels::cube {
namespace {

using isa::Window;
using isa::cube::encode;
using isa::cube::Flags;
using isa::cube::kSlotBytes;
using isa::cube::MachineCode;
using isa::cube::mask_bit;
using isa::cube::Pipe;
using isa::cube::Type;

constexpr unsigned kContext = 3;
constexpr unsigned kProductSlots = 9;

constexpr std::uint32_t flag(Pipe own, Pipe other, unsigned event = 0) { return 1U << mask_bit(own, other, event); }

class CubeEngineTest : public tests::DeviceTest {
 protected:
  [[nodiscard]] Engine::Configuration configuration() const { return {.context = kContext, .windows = windows}; }
  void init() {
    const Status status = engine.init(accelerator, configuration());
    ASSERT_TRUE(status.ok()) << status.what();
  }
  /// Makes a stream at the end of DRAM, outside of the windows: the engine may fetch from anywhere.
  void make(Stream &stream, unsigned number, std::size_t bytes = kMiB, unsigned segments = 1, std::span<const Window> seen = {}) {
    const std::span<std::byte> memory = board_->core_dram().last(kMiB * (number + 1)).first(bytes);
    ASSERT_TRUE(stream.init(memory, seen.empty() ? std::span<const Window>(windows) : seen, segments).ok());
  }
  float &number(std::uint64_t offset) { return *reinterpret_cast<float *>(board_->dram().data() + offset); }

  static Status append(Stream &stream, const std::vector<MachineCode> &slots) {
    for (const MachineCode &slot : slots) {
      if (const Status status = stream.append(slot); !status) return status;
    }
    return {};
  }
  /// Returns the slots of a product out = a * b of single numbers in DRAM. The product waits for all earlier slots, so several products can
  /// follow each other.
  static std::vector<MachineCode> product(std::uint64_t a, std::uint64_t b, std::uint64_t out) {
    const auto load = [](std::uint64_t offset, std::uint32_t l1, Flags flags) {
      return encode(
          isa::cube::DramToL1{
              .source = at(offset), .row_bytes = 4, .format = isa::cube::Format::fractal, .destination = l1, .destination_pitch = 1},
          flags);
    };
    return {encode(isa::cube::Barrier{.pipes = 15}),
            load(a, 0, {}),
            load(b, 512, {.set = flag(Pipe::MTE2, Pipe::MTE1)}),
            encode(isa::cube::L1ToL0{.right = false, .type = Type::float32}, {.wait = flag(Pipe::MTE1, Pipe::MTE2)}),
            encode(isa::cube::L1ToL0{.right = true, .type = Type::float32, .source = 512}, {.set = flag(Pipe::MTE1, Pipe::M)}),
            encode(isa::cube::Mad{.type = Type::float32, .m = 1, .k = 1, .n = 1},
                   {.wait = flag(Pipe::M, Pipe::MTE1), .set = flag(Pipe::M, Pipe::FIX)}),
            encode(isa::cube::OutputConfiguration{}),
            isa::cube::encode_wait_flag(Pipe::FIX, Pipe::M, 0),
            encode(isa::cube::Output{.configuration = {}, .destination = at(out), .destination_pitch = 4})};
  }
  Status append_product(Stream &stream, std::uint64_t a, std::uint64_t b, std::uint64_t out) { return append(stream, product(a, b, out)); }

  Engine engine;
  Stream one, two, three;
};

TEST_F(CubeEngineTest, AStreamRunsAndRunsAgain) {
  init();
  make(one, 0);
  ASSERT_TRUE(append_product(one, 0, 4, 8).ok());
  ASSERT_EQ(one.slots(), kProductSlots);
  ASSERT_TRUE(append_product(one, 8, 8, 40 * kMiB).ok());
  number(0) = 3;
  number(4) = 7;
  const Status status = engine.run(one);
  ASSERT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what() << " " << engine.fault().name;
  EXPECT_EQ(number(8), 21);
  EXPECT_EQ(number(40 * kMiB), 441);
  EXPECT_EQ(engine.warnings(), 0U);
  const std::uint64_t first_end = engine.end_cycle();
  EXPECT_GT(first_end, 0U);
  number(0) = 2;
  ASSERT_TRUE(engine.run(one).ok());
  EXPECT_EQ(number(40 * kMiB), 196);
  EXPECT_GT(engine.end_cycle(), first_end);
}

TEST_F(CubeEngineTest, StreamsInFlightEndInOrder) {
  Engine::Configuration small = configuration();
  small.queue_size_log2 = 1;
  ASSERT_TRUE(engine.init(accelerator, small).ok());
  make(one, 0);
  make(two, 1);
  EXPECT_EQ(engine.submit(two).status().code(), ErrorCode::invalid_argument) << "empty";
  ASSERT_TRUE(append_product(one, 0, 0, 4).ok());
  ASSERT_TRUE(append_product(two, 4, 4, 8).ok());
  number(0) = 3;
  const Result<std::uint32_t> first = engine.submit(one);
  const Result<std::uint32_t> second = engine.submit(two);
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(engine.submit(one).status().code(), ErrorCode::no_room);
  ASSERT_TRUE(engine.wait(second.value(), 1000).ok());
  EXPECT_EQ(number(8), 81);
  EXPECT_TRUE(engine.wait(first.value(), 0).ok()) << "the stream has ended before";
  EXPECT_EQ(engine.wait(second.value() + 1, 0).code(), ErrorCode::invalid_argument);
}

TEST_F(CubeEngineTest, Warnings) {
  init();
  make(one, 0);
  make(two, 1);
  ASSERT_TRUE(append(one, {encode(isa::cube::Mad{.m = 1, .k = 0, .n = 1})}).ok());
  ASSERT_TRUE(append(two, {isa::cube::encode_set_flag(Pipe::M, Pipe::FIX, 1)}).ok());
  ASSERT_TRUE(engine.run(one).ok());
  EXPECT_EQ(engine.warnings(), unsigned{isa::cube::kWarnEmptyMad});
  ASSERT_TRUE(engine.run(two).ok());
  EXPECT_EQ(engine.warnings(), unsigned{isa::cube::kWarnFlagsLeft}) << "only warnings of this call";
}

/// The stream claims windows that the context does not have. So the device reports an error that append() could not see.
TEST_F(CubeEngineTest, AFaultIsExplainedAndTheContextIsReadyAgain) {
  init();
  const Window everything[] = {{.base = hal::dram_range().address, .bytes = kDramBytes, .read = true, .write = true}};
  make(one, 0);
  make(two, 1, kMiB, 1, everything);
  ASSERT_TRUE(append_product(two, 0, 0, 4).ok());
  ASSERT_TRUE(append_product(two, kWindowBytes, 0, 8).ok());
  ASSERT_TRUE(append_product(one, 0, 0, 12).ok());
  number(0) = 5;
  const Result<std::uint32_t> bad = engine.submit(two);
  const Result<std::uint32_t> behind = engine.submit(one);
  ASSERT_TRUE(bad.ok() && behind.ok());
  const Status status = engine.wait(behind.value(), 1000);
  EXPECT_EQ(status.code(), ErrorCode::device_fault);
  EXPECT_STREQ(status.what(), "Source");
  EXPECT_EQ(status.index(), 10);
  EXPECT_EQ(status.value(), static_cast<std::int64_t>(hal::FaultCode::window));
  EXPECT_EQ(status.limit(), 320);
  EXPECT_EQ(engine.fault().code, hal::FaultCode::window);
  EXPECT_EQ(engine.fault().address, two.address() + 320);
  EXPECT_EQ(engine.fault().instruction, 10);
  EXPECT_STREQ(engine.fault().name, "DRAM_TO_L1");
  EXPECT_STREQ(engine.fault().field, "Source");
  EXPECT_EQ(number(4), 25) << "before the fault";
  EXPECT_EQ(number(8), 0) << "after it";
  EXPECT_EQ(number(12), 0) << "another stream of the context";
  EXPECT_EQ(engine.wait(bad.value(), 0).code(), ErrorCode::device_fault) << "asked again";
  EXPECT_FALSE(hal::read_fault().has_value()) << "the record is given back";
  EXPECT_FALSE(hal::is_quarantined(geometry, kContext).value());
  EXPECT_TRUE(engine.run(one).ok());
  EXPECT_EQ(number(12), 25);
}

TEST_F(CubeEngineTest, EveryFaultOfAStreamNamesItsSlot) {
  init();
  const auto expect = [&](const MachineCode &code, hal::FaultCode fault, const char *name, const char *field) {
    make(one, 0);
    for (int i = 0; i < 2; ++i) *one.reserve(1) = encode(isa::cube::Barrier{.pipes = 1});
    *one.reserve(1) = code;
    const Status status = engine.run(one, 1000);
    EXPECT_EQ(status.code(), ErrorCode::device_fault) << name;
    EXPECT_EQ(engine.fault().code, fault) << name;
    EXPECT_EQ(engine.fault().instruction, 2) << name;
    EXPECT_STREQ(engine.fault().name, name);
    EXPECT_STREQ(engine.fault().field, field) << name;
    EXPECT_STREQ(status.what(), field);
    EXPECT_EQ(status.limit(), 64);
  };
  expect({0xFF}, hal::FaultCode::unknown_instruction, "instruction", "instruction");
  expect(encode(isa::cube::Mad{.left = 3, .m = 1, .k = 1, .n = 1}), hal::FaultCode::misaligned, "MAD", "Left");
  expect(encode(isa::cube::Mad{.left = 65024, .m = 17, .k = 1, .n = 1}), hal::FaultCode::buffer, "MAD", "Left");
  expect(encode(isa::cube::Mad{}, {.wait = flag(Pipe::M, Pipe::MTE1)}), hal::FaultCode::flag_not_set, "MAD", "Wait");
  expect(encode(isa::cube::Output{.configuration = {}}), hal::FaultCode::missing_configuration, "L0C_TO_DRAM", "instruction");
  make(two, 1);
  ASSERT_TRUE(append_product(two, 0, 0, 4).ok());
  EXPECT_TRUE(engine.run(two).ok());
}

TEST_F(CubeEngineTest, ATimeoutResetsTheEngine) {
  init();
  make(one, 0);
  make(two, 1);
  // 80 loads of 512 KiB take 328 us at 128 bytes per cycle of 1 ns.
  const MachineCode load =
      encode(isa::cube::DramToL1{.source = at(0), .row_bytes = 512 << 10, .destination = 0, .destination_pitch = 512 << 10});
  for (int i = 0; i < 80; ++i) ASSERT_TRUE(append(one, {load}).ok());
  ASSERT_TRUE(append_product(two, 0, 0, 4).ok());
  number(0) = 6;
  const Result<std::uint32_t> tag = engine.submit(one);
  ASSERT_TRUE(tag.ok());
  for (int i = 0; i < 9; ++i) ASSERT_TRUE(engine.submit(one).ok());
  EXPECT_EQ(engine.wait(tag.value() + 9, 1500).code(), ErrorCode::timeout);
  EXPECT_TRUE(engine.run(two).ok());
  EXPECT_EQ(number(4), 36);
  EXPECT_TRUE(engine.run(one).ok()) << "given time";
}

// Tests of attached streams.

TEST_F(CubeEngineTest, FullSegmentsRunWhileTheNextIsWritten) {
  init();
  make(one, 0, 4 * 64 * kSlotBytes, 4);
  ASSERT_TRUE(engine.attach(one).ok());
  number(0) = number(4) = 1.5F;
  for (int round = 0; round < 3; ++round) {
    number(4) = 1.5F;
    // Each product multiplies the previous result by 1.5. Some products begin in one segment and end in the next.
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(append_product(one, 4, 0, 4).ok()) << i;
    EXPECT_EQ(one.slots(), 100 * kProductSlots);
    EXPECT_GE(one.fed_slots(), 64 * 13U) << "number of fed slots out of 900";
    ASSERT_TRUE(engine.run(one).ok());
    float expected = 1.5F;
    for (int i = 0; i < 100; ++i) expected *= 1.5F;
    EXPECT_EQ(number(4), expected);
    EXPECT_EQ(engine.warnings(), 0U) << "no flag is left, so all segments were one stream";
    EXPECT_EQ(engine.submit(one).status().code(), ErrorCode::not_ready) << "part of the stream has already run";
    one.clear();
  }
}

/// One segment sets flags, and the next segment waits for them.
TEST_F(CubeEngineTest, SegmentsAreOneStream) {
  init();
  make(one, 0, 2 * 64 * kSlotBytes, 2);
  ASSERT_TRUE(engine.attach(one).ok());
  for (int i = 0; i < 63; ++i) *one.reserve(1) = encode(isa::cube::Barrier{.pipes = 1});
  ASSERT_TRUE(append(one, {isa::cube::encode_set_flag(Pipe::M, Pipe::FIX, 3)}).ok());
  ASSERT_TRUE(append(one, {isa::cube::encode_wait_flag(Pipe::FIX, Pipe::M, 3)}).ok());
  ASSERT_EQ(one.fed_slots(), 64U);
  EXPECT_TRUE(engine.run(one).ok());
  EXPECT_EQ(engine.warnings(), 0U);
}

TEST_F(CubeEngineTest, WarningsOfSegmentsAreKept) {
  init();
  make(one, 0, 2 * 64 * kSlotBytes, 2);
  make(two, 1);
  ASSERT_TRUE(engine.attach(one).ok());
  ASSERT_TRUE(append(one, {encode(isa::cube::Mad{})}).ok());
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(append(one, {encode(isa::cube::Barrier{.pipes = 1})}).ok());
  ASSERT_TRUE(engine.run(one).ok());
  EXPECT_EQ(engine.warnings(), unsigned{isa::cube::kWarnEmptyMad});
}

TEST_F(CubeEngineTest, WhatWasFedIsEndedThoughNothingIsLeft) {
  init();
  make(one, 0, 2 * 64 * kSlotBytes, 2);
  make(two, 1);
  ASSERT_TRUE(engine.attach(one).ok());
  ASSERT_TRUE(append_product(two, 0, 0, 4).ok());
  for (int i = 0; i < 64; ++i) *one.reserve(1) = encode(isa::cube::Barrier{.pipes = 1});
  const Stream::Mark mark = one.mark();
  *one.reserve(1) = encode(isa::cube::Barrier{.pipes = 1});
  one.roll_back(mark);
  ASSERT_TRUE(one.code().empty());
  EXPECT_EQ(engine.submit(two).status().code(), ErrorCode::not_ready) << "the stream would be joined to the other one";
  EXPECT_EQ(engine.attach(two).code(), ErrorCode::not_ready);
  EXPECT_TRUE(engine.run(one).ok());
  EXPECT_EQ(one.slots(), 65U) << "a barrier";
  EXPECT_TRUE(engine.run(two).ok());
  EXPECT_TRUE(engine.attach(two).ok());
  one.clear();
  for (int i = 0; i < 64; ++i) *one.reserve(1) = encode(isa::cube::Barrier{.pipes = 1});
  EXPECT_EQ(one.reserve(1), nullptr) << "no longer attached";
  EXPECT_EQ(one.status().code(), ErrorCode::not_ready);
}

TEST_F(CubeEngineTest, AFaultInASegmentReachesTheKernel) {
  init();
  make(one, 0, 2 * 64 * kSlotBytes, 2);
  make(two, 1);
  ASSERT_TRUE(append_product(two, 0, 0, 4).ok());
  number(0) = 4;
  ASSERT_TRUE(engine.attach(one).ok());
  *one.reserve(1) = encode(isa::cube::Mad{}, {.wait = flag(Pipe::M, Pipe::MTE1)});
  Status status;
  int slots = 1;
  for (; slots < 1000 && status.ok(); ++slots) status = append(one, {encode(isa::cube::Barrier{.pipes = 15})});
  EXPECT_EQ(status.code(), ErrorCode::device_fault) << error_name(status.code());
  EXPECT_STREQ(status.what(), "Wait");
  EXPECT_LE(slots, 64 * 3) << "slots are fed as soon as the segment is needed again";
  EXPECT_EQ(engine.fault().code, hal::FaultCode::flag_not_set);
  EXPECT_EQ(engine.run(one).code(), ErrorCode::not_ready) << "until it is cleared";
  EXPECT_TRUE(engine.run(two).ok()) << "no stream may be joined any more";
  EXPECT_EQ(number(4), 16);
  one.clear();
  ASSERT_TRUE(append_product(one, 4, 4, 8).ok());
  for (int i = 0; i < 200; ++i) ASSERT_TRUE(append(one, {encode(isa::cube::Barrier{.pipes = 1})}).ok());
  EXPECT_TRUE(engine.run(one).ok());
  EXPECT_EQ(number(8), 256);
}

/// The slot that faults is in the last segment, which only run() submits. So run() returns the fault.
TEST_F(CubeEngineTest, AFaultInTheLastSegmentIsThatOfTheStream) {
  init();
  make(one, 0, 2 * 64 * kSlotBytes, 2);
  ASSERT_TRUE(engine.attach(one).ok());
  for (int i = 0; i < 70; ++i) ASSERT_TRUE(append(one, {encode(isa::cube::Barrier{.pipes = 1})}).ok());
  *one.reserve(1) = encode(isa::cube::Mad{}, {.wait = flag(Pipe::M, Pipe::MTE1)});
  EXPECT_EQ(engine.run(one).code(), ErrorCode::device_fault);
  EXPECT_EQ(engine.fault().instruction, 6) << "in its segment";
  one.clear();
  for (int i = 0; i < 70; ++i) ASSERT_TRUE(append(one, {encode(isa::cube::Barrier{.pipes = 1})}).ok());
  EXPECT_TRUE(engine.run(one).ok());
}

/// There are more segments than the queue has entries, so the kernel waits for room in the queue.
TEST_F(CubeEngineTest, ASmallQueueIsWaitedFor) {
  Engine::Configuration small = configuration();
  small.queue_size_log2 = 1;
  ASSERT_TRUE(engine.init(accelerator, small).ok());
  make(one, 0, 8 * 64 * kSlotBytes, 8);
  ASSERT_TRUE(engine.attach(one).ok());
  number(0) = 2;
  number(4) = 1;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(append_product(one, 4, 0, 4).ok()) << i;
  ASSERT_TRUE(engine.run(one).ok());
  EXPECT_EQ(number(4), 0x1p100F);
}

TEST_F(CubeEngineTest, ASegmentThatDoesNotEndIsNotWaitedForForEver) {
  init();
  make(one, 0, 2 * 256 * kSlotBytes, 2);
  ASSERT_TRUE(engine.attach(one, 100).ok());
  // A segment of 256 loads of 1 MiB less 64 bytes takes 2 ms at 128 bytes a cycle. The limit is 100 us, but a sleeping core wakes only at
  // the native board's tick, every millisecond.
  const MachineCode load = encode(isa::cube::DramToL1{.source = at(0), .row_bytes = (1 << 20) - 64});
  Status status;
  for (int i = 0; i < 600 && status.ok(); ++i) status = append(one, {load});
  EXPECT_EQ(status.code(), ErrorCode::timeout) << status.what();
  one.clear();
  ASSERT_TRUE(append_product(one, 0, 0, 4).ok());
  EXPECT_TRUE(engine.run(one).ok());
}

TEST_F(CubeEngineTest, WhatInitRefuses) {
  make(one, 0);
  ASSERT_TRUE(append_product(one, 0, 0, 4).ok());
  EXPECT_EQ(engine.wait(0, 0).code(), ErrorCode::invalid_argument) << "before init";
  EXPECT_EQ(engine.submit(one).status().code(), ErrorCode::not_ready) << "before init";
  EXPECT_EQ(engine.attach(one).code(), ErrorCode::not_ready) << "before init";
  Engine::Configuration wrong = configuration();
  wrong.context = 16;
  EXPECT_STREQ(engine.init(accelerator, wrong).what(), "context");
  const std::vector<Window> many(5, windows[0]);
  wrong = configuration();
  wrong.windows = many;
  EXPECT_STREQ(engine.init(accelerator, wrong).what(), "windows");
  init();
  EXPECT_TRUE(engine.run(one).ok());
}

TEST_F(CubeEngineTest, ACallAfterTheLastScopeIsReportedOnce) {
  init();
  Stream stream;
  make(stream, 0);
  ASSERT_TRUE(append(stream, product(0, 64, 128)).ok());
  const auto refused = [](const Status &status, std::int64_t calls) {
    EXPECT_EQ(status.code(), ErrorCode::not_ready);
    EXPECT_STREQ(status.what(), "Scope");
    EXPECT_EQ(status.value(), calls);
  };
  testing::internal::CaptureStdout();
  intrinsics::pipe_barrier(intrinsics::PIPE_ALL);
  intrinsics::pipe_barrier(intrinsics::PIPE_ALL);
  refused(engine.submit(stream).status(), 2);
  EXPECT_TRUE(engine.run(stream).ok());
  intrinsics::pipe_barrier(intrinsics::PIPE_ALL);
  refused(engine.close(), 1);
  testing::internal::GetCapturedStdout();
  EXPECT_TRUE(engine.close().ok());
}

}  // namespace
}  // namespace cox::kernels::cube
