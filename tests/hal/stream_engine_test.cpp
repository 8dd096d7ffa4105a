// SPDX-License-Identifier: MIT
#include "coxswain/hal/stream_engine.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "coxswain/hal/mx/base.h"
#include "tests/hal/strict_bus.h"
#include "tests/hal/test_geometry.h"

namespace cox::hal {
namespace {

// Offsets of docs/registers.md: ENGINE[0] and CQ[4] of the MX engine, ENGINE[1] and CQ[5] of the matrix unit, and MX[context].BASE[index].
constexpr std::uint32_t kEngine = 0x2000, kCubeEngine = 0x2040;
constexpr std::uint32_t kQueue = 0x180, kCubeQueue = 0x1A0;
constexpr std::uint32_t kBases = 0x8000;

Geometry with_mx() {
  Geometry geometry = two_cores();
  geometry.engines |= 1U << 0;
  return geometry;
}

/// Memory for four descriptors and four completions.
struct alignas(64) Memory {
  std::array<std::byte, 4 * 48> bytes;
  Memory() { bytes.fill(std::byte{0xA5}); }
  [[nodiscard]] std::span<std::byte> span() { return bytes; }
  [[nodiscard]] std::uint64_t address() const { return reinterpret_cast<std::uintptr_t>(bytes.data()); }
  [[nodiscard]] std::array<std::uint32_t, 8> descriptor(std::uint32_t index) const {
    std::array<std::uint32_t, 8> words;
    std::memcpy(words.data(), &bytes[(index % 4) * 32], sizeof(words));
    return words;
  }
  /// Acts as the device: writes a completion. Its phase is 1 in the first lap and 0 in the second.
  void complete(std::uint32_t index, std::uint32_t tag, std::uint32_t status, std::uint32_t low, std::uint32_t high,
                std::uint32_t warnings = 0) {
    const std::uint32_t phase = (index / 4) % 2 == 0 ? 1 : 0;
    const std::uint32_t outcome = phase << 31 | warnings << 24 | 2 << 16 | status << 8 | 36;
    const std::uint32_t words[] = {Completion::identity_of(tag, outcome), outcome, low, high};
    std::memcpy(&bytes[4 * 32 + (index % 4) * 16], words, sizeof(words));
  }
};

void expect_init(StrictBus &bus, const Memory &memory, std::uint32_t index, std::uint32_t engine = kEngine, std::uint32_t queue = kQueue) {
  bus.expect_read(engine + 0x0C, index);
  bus.expect_read(engine + 0x10, index);
  bus.expect_read(queue + 0x10, index);
  bus.expect_read(queue + 0x0C, index);
  bus.expect_barrier();  // the empty ring must be in memory
  bus.expect_write(queue + 0x08, 0);
  bus.expect_write(queue + 0x00, static_cast<std::uint32_t>(memory.address() + 128));
  bus.expect_write(queue + 0x04, static_cast<std::uint32_t>((memory.address() + 128) >> 32));
  bus.expect_write(queue + 0x14, 0);
  bus.expect_write(queue + 0x08, 0x21);
  bus.expect_write(engine + 0x08, 0);
  bus.expect_write(engine + 0x00, static_cast<std::uint32_t>(memory.address()));
  bus.expect_write(engine + 0x04, static_cast<std::uint32_t>(memory.address() >> 32));
  bus.expect_write(engine + 0x08, 0x21);
}

TEST(StreamEngine, InitEnablesCompletionsBeforeSubmissions) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  EXPECT_EQ(engine.room(), 0U);
  EXPECT_FALSE(engine.take().has_value());
  EXPECT_EQ(engine.submit(0, 64, 8).status().code(), ErrorCode::not_ready);
  EXPECT_EQ(StreamEngine::queue_bytes(2), memory.bytes.size());
  expect_init(bus, memory, 0);
  ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
  EXPECT_EQ(engine.room(), 4U);
  EXPECT_EQ(engine.in_flight(), 0U);
  EXPECT_FALSE(engine.take().has_value());
}

TEST(StreamEngine, ABadArgumentTouchesNothing) {
  StrictBus bus;  // without expected accesses, so any access fails
  Memory memory;
  StreamEngine engine;
  EXPECT_EQ(engine.init(two_cores(), registers::Engine::mx, memory.span(), 2).code(), ErrorCode::unsupported);
  const auto refused = [&](std::span<std::byte> span, unsigned size_log2, const char *what) {
    const Status status = engine.init(with_mx(), registers::Engine::mx, span, size_log2);
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), what);
  };
  refused(memory.span(), 0, "size_log2");
  refused(memory.span(), 6, "size_log2");
  refused(memory.span().first(4 * 32 - 1), 2, "ring size");
  refused(memory.span().first(4 * 48 - 1), 2, "ring size");
  refused(memory.span().subspan(32), 1, "ring address");
  for (const std::byte byte : memory.bytes) EXPECT_EQ(byte, std::byte{0xA5});
}

TEST(StreamEngine, AnEngineThatHoldsStreamsIsNotTakenOver) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  bus.expect_read(kEngine + 0x0C, 7);
  bus.expect_read(kEngine + 0x10, 6);
  Status status = engine.init(with_mx(), registers::Engine::mx, memory.span(), 2);
  EXPECT_EQ(status.code(), ErrorCode::not_ready);
  EXPECT_STREQ(status.what(), "ENGINE.HEAD");
  bus.expect_read(kEngine + 0x0C, 7);
  bus.expect_read(kEngine + 0x10, 7);
  bus.expect_read(kQueue + 0x10, 7);
  bus.expect_read(kQueue + 0x0C, 6);
  status = engine.init(with_mx(), registers::Engine::mx, memory.span(), 2);
  EXPECT_EQ(status.code(), ErrorCode::not_ready);
  EXPECT_STREQ(status.what(), "CQ.HEAD");
  EXPECT_EQ(engine.room(), 0U);
}

TEST(StreamEngine, SubmissionIsADescriptorAndADoorbell) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  expect_init(bus, memory, 0);
  ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
  for (std::uint32_t i = 0; i < 4; ++i) {
    bus.expect_write(kEngine + 0x0C, i + 1);
    const Result<std::uint32_t> tag = engine.submit(i + 1, 0x1'2345'6780 + 8 * i, 24);
    ASSERT_TRUE(tag.ok());
    EXPECT_EQ(tag.value(), i);
    EXPECT_EQ(memory.descriptor(i), (std::array<std::uint32_t, 8>{0x2345'6780 + 8 * i, 1, 24, 0x10001 + i, 0, 0, 0, 0}));
  }
  EXPECT_EQ(engine.room(), 0U);
  EXPECT_EQ(engine.in_flight(), 4U);
  EXPECT_EQ(engine.submit(0, 64, 8).status().code(), ErrorCode::no_room);
}

TEST(StreamEngine, ABadStreamIsNotSubmitted) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  expect_init(bus, memory, 0);
  ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
  const auto refused = [&](unsigned context, std::uint64_t address, std::uint32_t bytes, const char *what) {
    const Status status = engine.submit(context, address, bytes).status();
    EXPECT_EQ(status.code(), ErrorCode::invalid_argument);
    EXPECT_STREQ(status.what(), what);
  };
  refused(16, 64, 8, "context");
  refused(0, 68, 8, "stream address");
  refused(0, 64, 0, "stream length");
  refused(0, 64, 12, "stream length");
  refused(0, 64, (1U << 24) + 8, "stream length");
  EXPECT_EQ(engine.in_flight(), 0U);
  EXPECT_EQ(memory.descriptor(0), (std::array<std::uint32_t, 8>{}));
  bus.expect_write(kEngine + 0x0C, 1);
  EXPECT_TRUE(engine.submit(0, 64, 1U << 24).ok());
}

/// Four laps of the rings, with a running index that wraps.
TEST(StreamEngine, CompletionsAreTakenInOrderAndGivenBack) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  std::uint32_t index = 0xFFFFFFF8;
  expect_init(bus, memory, index);
  ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
  for (unsigned i = 0; i < 16; ++i, ++index) {
    bus.expect_write(kEngine + 0x0C, index + 1);
    ASSERT_EQ(engine.submit(2, 0x1000, 8).value(), index);
    EXPECT_FALSE(engine.take().has_value()) << "no register, no entry";
    memory.complete(index, index, 0, 0x11111111, 0x22);
    bus.expect_barrier();  // after the phase bit was read
    bus.expect_write(kQueue + 0x0C, index + 1);
    const std::optional<StreamCompletion> completion = engine.take();
    ASSERT_TRUE(completion.has_value());
    EXPECT_EQ(completion->tag, index);
    EXPECT_EQ(completion->status, FaultCode::none);
    EXPECT_EQ(completion->context, 2U);
    EXPECT_EQ(completion->time, 0x22'1111'1111U);
    EXPECT_EQ(engine.in_flight(), 0U);
  }
}

TEST(StreamEngine, ACompletionThatCannotBeIsTakenAsSuch) {
  for (const std::uint32_t tag : {1U, 0xFFFFU}) {
    StrictBus bus;
    Memory memory;
    StreamEngine engine;
    expect_init(bus, memory, 0);
    ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
    bus.expect_write(kEngine + 0x0C, 1);
    ASSERT_TRUE(engine.submit(2, 0x1000, 8).ok());
    memory.complete(0, tag, 0, 1, 2);
    bus.expect_barrier();  // after the phase bit was read
    bus.expect_write(kQueue + 0x0C, 1);
    EXPECT_FALSE(engine.take()->intact) << "the completion of another stream";
    EXPECT_EQ(engine.in_flight(), 1U);
  }
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  expect_init(bus, memory, 0);
  ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
  memory.complete(0, 0, 0, 1, 2);
  bus.expect_barrier();  // after the phase bit was read
  bus.expect_write(kQueue + 0x0C, 1);
  EXPECT_FALSE(engine.take()->intact) << "nothing was submitted";
  bus.expect_write(kEngine + 0x0C, 1);
  ASSERT_TRUE(engine.submit(2, 0x1000, 8).ok());
  memory.complete(1, 0, 0, 1, 2);
  memory.bytes[4 * 32 + 16 + 5] ^= std::byte{1};  // changes the status
  bus.expect_barrier();                           // after the phase bit was read
  bus.expect_write(kQueue + 0x0C, 2);
  EXPECT_FALSE(engine.take()->intact) << "a flipped bit";
  bus.expect_read(kQueue + 0x10, 3);
  bus.expect_barrier();
  EXPECT_TRUE(engine.is_blocked());
}

TEST(StreamEngine, AFaultNamesOffsetAndField) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  expect_init(bus, memory, 0);
  ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
  bus.expect_write(kEngine + 0x0C, 1);
  ASSERT_TRUE(engine.submit(2, 0x1000, 8).ok());
  memory.complete(0, 0, 5, 0x1234, 0x000128'48);
  bus.expect_barrier();  // after the phase bit was read
  bus.expect_write(kQueue + 0x0C, 1);
  const std::optional<StreamCompletion> completion = engine.take();
  ASSERT_TRUE(completion.has_value());
  EXPECT_EQ(completion->status, FaultCode::window);
  EXPECT_EQ(completion->fault.offset, 0x128U);
  EXPECT_EQ(completion->fault.field_bit, 72U);
  EXPECT_EQ(completion->time, 0U);
}

/// The matrix unit's queues, joined streams and warnings.
TEST(StreamEngine, TheMatrixUnitHasQueuesOfItsOwn) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  Geometry geometry = with_mx();
  EXPECT_STREQ(engine.init(geometry, registers::Engine::cube, memory.span(), 2).what(), "matrix unit");
  geometry.engines |= 1U << 1;
  expect_init(bus, memory, 0, kCubeEngine, kCubeQueue);
  ASSERT_TRUE(engine.init(geometry, registers::Engine::cube, memory.span(), 2).ok());
  bus.expect_write(kCubeEngine + 0x0C, 1);
  ASSERT_TRUE(engine.submit(2, 0x1000, 64, true).ok());
  bus.expect_write(kCubeEngine + 0x0C, 2);
  ASSERT_TRUE(engine.submit(2, 0x2000, 32).ok());
  EXPECT_EQ(memory.descriptor(0), (std::array<std::uint32_t, 8>{0x1000, 0, 64, 0x30002, 0, 0, 0, 0}))
      << "the descriptor must be joined to the next one";
  EXPECT_EQ(memory.descriptor(1), (std::array<std::uint32_t, 8>{0x2000, 0, 32, 0x10002, 0, 0, 0, 0}));
  EXPECT_TRUE((registers::EngineDescriptor{0x1000, 32, memory.descriptor(0)[3], {}}).joined());
  EXPECT_FALSE((registers::EngineDescriptor{0x1000, 32, memory.descriptor(1)[3], {}}).joined());

  memory.complete(0, 0, 0, 7, 0);
  bus.expect_barrier();  // after the phase bit was read
  bus.expect_write(kCubeQueue + 0x0C, 1);
  EXPECT_EQ(engine.take()->warnings, 0U);
  memory.complete(1, 1, 0, 9, 0, 0b110);
  bus.expect_barrier();  // after the phase bit was read
  bus.expect_write(kCubeQueue + 0x0C, 2);
  const std::optional<StreamCompletion> completion = engine.take();
  ASSERT_TRUE(completion.has_value());
  EXPECT_EQ(completion->warnings, 6U);
  EXPECT_EQ(completion->context, 2U) << "the byte below the warnings";
  EXPECT_EQ(completion->time, 9U);
}

TEST(StreamEngine, ItsInterruptLeavesTheOthersAsTheyAre) {
  StrictBus bus;
  Geometry geometry = with_mx();
  geometry.engines |= 1U << 1;
  const auto expect = [&](registers::Engine which, std::uint32_t registers, std::uint32_t queue, std::uint32_t bit) {
    Memory memory;
    StreamEngine engine;
    expect_init(bus, memory, 0, registers, queue);
    ASSERT_TRUE(engine.init(geometry, which, memory.span(), 2).ok());
    bus.expect_read(0x28, 0x183);
    bus.expect_write(0x28, 0x183 | bit);
    engine.enable_interrupt(true);
    bus.expect_read(0x28, 0x1F3);
    bus.expect_write(0x28, 0x1F3 & ~bit);
    engine.enable_interrupt(false);
  };
  expect(registers::Engine::mx, kEngine, kQueue, 0x10);
  expect(registers::Engine::cube, kCubeEngine, kCubeQueue, 0x20);
}

TEST(StreamEngine, ABaseRegisterIsWrittenHighHalfFirst) {
  StrictBus bus;
  bus.expect_write(kBases + 0x100 * 2 + 8 * 31 + 4, 0x1);
  bus.expect_write(kBases + 0x100 * 2 + 8 * 31, 0x23000000);
  EXPECT_TRUE(mx::write_base(with_mx(), 2, 31, 0x1'2300'0000).ok());
  EXPECT_STREQ(mx::write_base(with_mx(), 3, 0, 0).what(), "context");
  EXPECT_STREQ(mx::write_base(with_mx(), 0, 32, 0).what(), "base register");
  EXPECT_EQ(mx::write_base(two_cores(), 0, 0, 0).code(), ErrorCode::unsupported);
}

TEST(StreamEngine, ResetWaitsUntilItIsIdle) {
  StrictBus bus;
  bus.expect_write(0x20, 0x10);
  bus.expect_read(kEngine + 0x14, 1);
  bus.expect_read(kEngine + 0x14, 0);
  EXPECT_TRUE(reset_engine(with_mx(), registers::Engine::mx).ok());
  EXPECT_EQ(reset_engine(two_cores(), registers::Engine::mx).code(), ErrorCode::unsupported);
  Geometry geometry = two_cores();
  EXPECT_EQ(reset_engine(geometry, registers::Engine::cube).code(), ErrorCode::unsupported);
  geometry.engines |= 1U << 1;
  bus.expect_write(0x20, 0x20);
  bus.expect_read(kCubeEngine + 0x14, 0);
  EXPECT_TRUE(reset_engine(geometry, registers::Engine::cube).ok());
}

TEST(StreamEngine, ResetGivesUp) {
  StrictBus bus;
  bus.expect_write(0x20, 0x10);
  for (unsigned poll = 0; poll < kResetPolls; ++poll) bus.expect_read(kEngine + 0x14, 1);
  EXPECT_EQ(reset_engine(with_mx(), registers::Engine::mx).code(), ErrorCode::timeout);
}

/// ring_again() notices the lost doorbell: the device's TAIL lacks the submitted stream.
TEST(StreamEngine, ALostDoorbellIsRungAgain) {
  StrictBus bus;
  Memory memory;
  StreamEngine engine;
  expect_init(bus, memory, 0);
  ASSERT_TRUE(engine.init(with_mx(), registers::Engine::mx, memory.span(), 2).ok());
  bus.expect_write(kEngine + 0x0C, 1);
  ASSERT_TRUE(engine.submit(1, 64, 8).ok());
  bus.expect_read(kEngine + 0x0C, 0);
  bus.expect_write(kEngine + 0x0C, 1);
  EXPECT_TRUE(engine.ring_again());
  bus.expect_read(kEngine + 0x0C, 1);
  EXPECT_FALSE(engine.ring_again());
  bus.expect_read(kEngine + 0x08, 0x21);
  EXPECT_TRUE(engine.is_enabled());
  bus.expect_read(kEngine + 0x08, 0);
  EXPECT_FALSE(engine.is_enabled()) << "reset";
  bus.expect_read(kEngine + 0x10, 0);
  EXPECT_FALSE(engine.is_quiet()) << "it runs";
  bus.expect_read(kEngine + 0x10, 1);
  bus.expect_read(kQueue + 0x10, 1);
  EXPECT_FALSE(engine.is_quiet()) << "an entry that was not taken";
  bus.expect_read(kEngine + 0x10, 1);
  bus.expect_read(kQueue + 0x10, 0);
  EXPECT_TRUE(engine.is_quiet());
}

}  // namespace
}  // namespace cox::hal
