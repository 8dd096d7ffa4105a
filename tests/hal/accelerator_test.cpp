// SPDX-License-Identifier: MIT
#include "coxswain/hal/accelerator.h"

#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/hal/strict_bus.h"

namespace cox::board {
namespace {

InterruptHandler completion_handler = nullptr;
InterruptHandler fault_handler = nullptr;
unsigned priority = 0;

}  // namespace

// The functions of the board that the accelerator calls.
void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault) {
  completion_handler = completion;
  fault_handler = fault;
}
unsigned set_npu_interrupt_priority(unsigned wanted) {
  constexpr unsigned kPriorities = 8;
  if (wanted < kPriorities) priority = wanted;
  return kPriorities;
}
extern "C" std::uint32_t cox_os_lock() { return 0; }
extern "C" void cox_os_unlock(std::uint32_t /*state*/) {}

}  // namespace cox::board

namespace cox::hal {
namespace {

namespace r = registers;
using r::Engine;

constexpr std::uint32_t kIntStatus = 0x24, kIntEnable = 0x28, kControl = 0x1C, kClockEnable = 0x58;
constexpr std::uint32_t kFaultLine = r::int_enable::kFault.put(1);
constexpr std::uint32_t kMxLine = r::int_enable::kEngineCompletion.put(1);
constexpr std::uint32_t kCubeLine = r::int_enable::kEngineCompletion.put(2);
constexpr std::uint32_t kMxClock = r::clock_enable::kEngine.put(1), kCubeClock = r::clock_enable::kEngine.put(2);

std::vector<std::string> calls;

extern "C" void cox_os_notify(std::uint32_t engine) { calls.push_back("notify " + std::to_string(engine)); }

class AcceleratorTest : public testing::Test {
 protected:
  void SetUp() override { calls.clear(); }

  void expect_identify() {
    bus.expect_read(0x00, r::id::kResetValue);
    bus.expect_read(0x04, r::version::kResetValue);
    bus.expect_read(0x08, r::capabilities::kResetValue);
    bus.expect_read(0x0C, r::geometry0::kResetValue);
    bus.expect_read(0x10, r::geometry1::kResetValue);
    bus.expect_read(0x14, r::geometry2::kResetValue);
    bus.expect_read(0x18, r::clock::kResetValue);
    bus.expect_read(0x48, r::geometry3::kResetValue);
    bus.expect_read(0x4C, r::geometry4::kResetValue);
    bus.expect_read(0x50, r::geometry5::kResetValue);
    bus.expect_read(0x54, r::geometry6::kResetValue);
    bus.expect_read(0xA000, r::pim_cores::kResetValue);
    bus.expect_read(0xB000, r::unity_units::kResetValue);
  }
  void open() {
    expect_identify();
    bus.expect_write(kClockEnable, 0);
    bus.expect_write(kIntEnable, kFaultLine);
    bus.expect_write(kControl, 1);
    ASSERT_TRUE(accelerator.open(memory.bytes).ok());
    ASSERT_TRUE(bus.done());
    enabled_ = kFaultLine;
  }
  /// Attaches an engine that has a ring. `clocks`: engines whose clock runs already.
  std::span<std::byte> attach(Engine engine, std::size_t bytes, std::uint32_t clocks = 0) {
    bus.expect_read(kClockEnable, clocks);
    bus.expect_write(kClockEnable, clocks | r::clock_enable::kEngine.put(1U << r::row_of(engine).number()));
    const auto share = accelerator.attach(engine, bytes);
    EXPECT_TRUE(share.ok()) << share.status().what();
    EXPECT_TRUE(bus.done());
    return share.value();
  }
  void detach(Engine engine, std::uint32_t clocks, std::initializer_list<unsigned> contexts = {}, std::uint32_t enabled = kFaultLine) {
    expect_enable(enabled);
    for (const unsigned context : contexts) bus.expect_write(r::context::control::offset(context), r::context::control::kReset.put(1));
    if (r::row_of(engine).has_ring()) {
      bus.expect_read(kClockEnable, clocks);
      bus.expect_write(kClockEnable, clocks & ~r::clock_enable::kEngine.put(1U << r::row_of(engine).number()));
    }
    EXPECT_TRUE(accelerator.detach(engine).ok());
    EXPECT_TRUE(bus.done());
  }
  void connect(Engine engine, const Accelerator::Handlers &handlers, std::uint32_t enabled) {
    expect_enable(enabled);
    EXPECT_TRUE(accelerator.connect(engine, handlers).ok());
  }
  /// Expects that the accelerator changes INT_ENABLE from its last value to `enabled`.
  void expect_enable(std::uint32_t enabled) {
    bus.expect_read(kIntEnable, enabled_);
    bus.expect_write(kIntEnable, enabled);
    enabled_ = enabled;
  }
  static void expect_refused(const Status &status, ErrorCode code, const char *what) {
    EXPECT_EQ(status.code(), code) << error_name(status.code());
    EXPECT_STREQ(status.what(), what);
  }

  struct alignas(64) Memory {
    std::array<std::byte, 1024 + 32> bytes{};
  } memory;
  StrictBus bus;
  Accelerator accelerator;

 private:
  std::uint32_t enabled_ = 0;
};

TEST_F(AcceleratorTest, OpenAndCloseWriteTheRegistersInOrder) {
  open();
  EXPECT_TRUE(accelerator.is_open());
  EXPECT_EQ(accelerator.geometry().contexts, 16U);
  EXPECT_EQ(accelerator.queue_memory().data(), memory.bytes.data());
  bus.expect_write(kControl, 0);
  bus.expect_write(kClockEnable, 0);
  bus.expect_write(kIntEnable, 0);
  EXPECT_TRUE(accelerator.close().ok());
  EXPECT_FALSE(accelerator.is_open());
}

TEST_F(AcceleratorTest, WhatOpenRefuses) {
  expect_refused(accelerator.open(std::span(memory.bytes).subspan(8)), ErrorCode::invalid_argument, "queue memory");
  bus.expect_read(0x00, 17);
  expect_refused(accelerator.open(memory.bytes), ErrorCode::unknown_device, "ID");
  EXPECT_FALSE(accelerator.is_open());
  expect_refused(accelerator.close(), ErrorCode::not_ready, "accelerator");
  expect_refused(accelerator.attach(Engine::mx, 64).status(), ErrorCode::not_ready, "accelerator");
  expect_refused(accelerator.reserve(64).status(), ErrorCode::no_room, "queue memory");
  EXPECT_FALSE(accelerator.is_free(0));
}

TEST_F(AcceleratorTest, ClientsGetQueueMemoryOfTheirOwnInAnyOrder) {
  open();
  std::byte *const base = memory.bytes.data();
  EXPECT_EQ(attach(Engine::cube, 200).data(), base);
  EXPECT_EQ(attach(Engine::mx, 100, kCubeClock).data(), base + 256);
  detach(Engine::cube, kMxClock | kCubeClock);
  EXPECT_EQ(attach(Engine::cube, 300, kMxClock).data(), base + 384) << "too large for the gap";
  detach(Engine::cube, kMxClock | kCubeClock);
  const auto cube = attach(Engine::cube, 256, kMxClock);
  EXPECT_EQ(cube.data(), base) << "fits the gap";
  EXPECT_EQ(cube.size(), 256U);
}

TEST_F(AcceleratorTest, WhatAttachRefuses) {
  open();
  Status status = accelerator.attach(Engine::mx, 1025).status();
  expect_refused(status, ErrorCode::no_room, "queue memory");
  EXPECT_EQ(status.value(), 1025);
  EXPECT_EQ(status.limit(), 1056);
  status = accelerator.attach(static_cast<Engine>(5), 64).status();
  expect_refused(status, ErrorCode::unsupported, "engine");
  EXPECT_EQ(status.value(), 5);
  expect_refused(accelerator.attach(Engine::echo, 64).status(), ErrorCode::unsupported, "echo engine");
  attach(Engine::mx, 1024);
  expect_refused(accelerator.attach(Engine::mx, 0).status(), ErrorCode::not_owner, "MX engine");
  expect_refused(accelerator.attach(Engine::cube, 64).status(), ErrorCode::no_room, "queue memory");
  expect_refused(accelerator.close(), ErrorCode::not_owner, "MX engine");
  expect_refused(accelerator.detach(Engine::cube), ErrorCode::not_ready, "matrix unit");
  expect_refused(accelerator.take_context(Engine::cube).status(), ErrorCode::not_ready, "matrix unit");
  expect_refused(accelerator.detach(static_cast<Engine>(5)), ErrorCode::not_ready, r::engine_name(static_cast<Engine>(5)));
}

TEST_F(AcceleratorTest, ReservedMemoryIsAtTheEnd) {
  open();
  const auto reserved = accelerator.reserve(100);
  ASSERT_TRUE(reserved.ok());
  EXPECT_EQ(reserved.value().data(), memory.bytes.data() + 896);
  EXPECT_EQ(reserved.value().size(), 100U);
  expect_refused(accelerator.attach(Engine::mx, 897).status(), ErrorCode::no_room, "queue memory");
  attach(Engine::mx, 800);
  expect_refused(accelerator.reserve(65).status(), ErrorCode::no_room, "queue memory");
  expect_refused(accelerator.reserve(~std::size_t{0}).status(), ErrorCode::no_room, "queue memory");
  EXPECT_TRUE(accelerator.reserve(64).ok());
}

TEST_F(AcceleratorTest, AContextBelongsToOneClient) {
  open();
  attach(Engine::mx, 64);
  attach(Engine::cube, 64, kMxClock);
  EXPECT_EQ(accelerator.take_context(Engine::mx).value(), 15U);
  EXPECT_EQ(accelerator.take_context(Engine::cube).value(), 14U);
  EXPECT_EQ(accelerator.take_context(Engine::mx, 3).value(), 3U);
  EXPECT_FALSE(accelerator.is_free(3));
  EXPECT_TRUE(accelerator.is_free(13));
  EXPECT_FALSE(accelerator.is_free(16)) << "does not exist";
  expect_refused(accelerator.take_context(Engine::cube, 3).status(), ErrorCode::not_owner, "context");
  expect_refused(accelerator.take_context(Engine::cube, 16).status(), ErrorCode::invalid_argument, "context");
  accelerator.give_context(3);
  EXPECT_EQ(accelerator.take_context(Engine::cube, 3).value(), 3U);
  detach(Engine::cube, kMxClock | kCubeClock, {3, 14});
  EXPECT_EQ(accelerator.take_context(Engine::mx).value(), 14U);
  for (unsigned i = 0; i < 14; ++i) EXPECT_TRUE(accelerator.take_context(Engine::mx).ok());
  expect_refused(accelerator.take_context(Engine::mx).status(), ErrorCode::no_room, "contexts");
}

TEST_F(AcceleratorTest, TheOnlyCompletionHandlerIsConnectedDirectly) {
  open();
  ASSERT_TRUE(accelerator.attach(Engine::tile, 64).ok());
  connect(Engine::tile, {.completion = [] { calls.emplace_back("tile"); }}, kFaultLine | 1);
  board::completion_handler();  // no register access
  EXPECT_EQ(calls, std::vector<std::string>{"tile"});
  detach(Engine::tile, 0);
  board::completion_handler();
  EXPECT_EQ(calls.size(), 1U);
  expect_refused(accelerator.connect(Engine::tile, {}), ErrorCode::not_ready, "tile engine");
}

TEST_F(AcceleratorTest, CompletionsAreDispatchedToTheClientsThatHaveOne) {
  open();
  ASSERT_TRUE(accelerator.attach(Engine::tile, 64).ok());
  attach(Engine::mx, 64, 1);
  connect(Engine::tile, {.completion = [] { calls.emplace_back("tile"); }}, kFaultLine | 1);
  connect(Engine::mx, {.completion = [] { calls.emplace_back("mx"); }}, kFaultLine | 1 | kMxLine);
  const auto interrupt = [this](std::uint32_t pending, std::uint32_t enabled) {
    calls.clear();
    bus.expect_read(kIntStatus, pending);
    bus.expect_read(kIntEnable, enabled);
    board::completion_handler();
    EXPECT_TRUE(bus.done());
    return calls;
  };
  const std::uint32_t all = kFaultLine | 1 | kMxLine;
  EXPECT_EQ(interrupt(1, all), std::vector<std::string>{"tile"});
  EXPECT_EQ(interrupt(kMxLine, all), std::vector<std::string>{"mx"});
  EXPECT_EQ(interrupt(1 | kMxLine, all), (std::vector<std::string>{"tile", "mx"}));
  EXPECT_EQ(interrupt(1 | kMxLine, all & ~kMxLine), std::vector<std::string>{"tile"}) << "pending, but not enabled";
  detach(Engine::mx, kMxClock | 1, {}, kFaultLine | 1);
  calls.clear();
  board::completion_handler();
  EXPECT_EQ(calls, std::vector<std::string>{"tile"}) << "the only handler again";
}

TEST_F(AcceleratorTest, AnEngineWithoutAHandlerUnblocksItsThread) {
  open();
  ASSERT_TRUE(accelerator.attach(Engine::tile, 64).ok());
  attach(Engine::mx, 64, 1);
  attach(Engine::cube, 64, 1 | kMxClock);
  connect(Engine::tile, {.completion = [] { calls.emplace_back("tile"); }}, kFaultLine | 1);
  accelerator.observe([] { calls.emplace_back("observer"); });
  // A thread waits for the MX engine and another for the matrix unit.
  const std::uint32_t waiting = kMxLine | kCubeLine, all = kFaultLine | 1 | waiting;
  bus.expect_read(kIntStatus, 1 | kMxLine);
  bus.expect_read(kIntEnable, all);
  bus.expect_read(kIntEnable, all);
  bus.expect_write(kIntEnable, kFaultLine | 1 | kCubeLine);
  board::completion_handler();
  EXPECT_TRUE(bus.done());
  EXPECT_EQ(calls, (std::vector<std::string>{"tile", "notify 1", "observer"}));
}

TEST_F(AcceleratorTest, ConnectingAClientKeepsTheInterruptThatAThreadWaitsFor) {
  open();
  ASSERT_TRUE(accelerator.attach(Engine::tile, 64).ok());
  attach(Engine::mx, 64, 1);
  bus.expect_read(kIntEnable, kFaultLine | kMxLine);
  bus.expect_write(kIntEnable, kFaultLine | kMxLine | 1);
  EXPECT_TRUE(accelerator.connect(Engine::tile, {.completion = [] {}}).ok());
  EXPECT_TRUE(bus.done());
}

TEST_F(AcceleratorTest, TheInterruptPriorityIsCheckedBeforeAnythingIsWritten) {
  expect_identify();
  const Status status = accelerator.open(memory.bytes, 8);
  expect_refused(status, ErrorCode::invalid_argument, "interrupt_priority");
  EXPECT_EQ(status.value(), 8);
  EXPECT_EQ(status.limit(), 8);
  EXPECT_FALSE(accelerator.is_open());
  expect_identify();
  bus.expect_write(kClockEnable, 0);
  bus.expect_write(kIntEnable, kFaultLine);
  bus.expect_write(kControl, 1);
  EXPECT_TRUE(accelerator.open(memory.bytes, 5).ok());
  EXPECT_EQ(board::priority, 5U);
}

TEST_F(AcceleratorTest, AFaultIsClearedAndGivenToTheClientOfItsQueue) {
  open();
  ASSERT_TRUE(accelerator.attach(Engine::tile, 0).ok());
  connect(Engine::tile, {.fault = [](const Fault &) { calls.emplace_back("tile"); }}, kFaultLine);
  attach(Engine::mx, 64);
  connect(Engine::mx, {.fault = [](const Fault &fault) { calls.emplace_back("mx " + std::to_string(fault.detail)); }}, kFaultLine);
  attach(Engine::cube, 64, kMxClock);
  const auto interrupt = [this](unsigned queue) {
    calls.clear();
    bus.expect_read(0x2C, r::fault_status::kValid.put(1) | r::fault_status::kQueue.put(queue));
    bus.expect_read(0x30, 0);
    bus.expect_read(0x34, 77);
    bus.expect_read(0x38, 0);
    bus.expect_read(0x3C, 0);
    bus.expect_write(kIntStatus, kFaultLine);
    board::fault_handler();
    EXPECT_TRUE(bus.done());
    EXPECT_EQ(accelerator.last_fault()->queue_number, queue);
    return calls;
  };
  EXPECT_FALSE(accelerator.last_fault().has_value());
  EXPECT_EQ(interrupt(35), std::vector<std::string>{"tile"});
  EXPECT_EQ(interrupt(36), std::vector<std::string>{"mx 77"});
  EXPECT_EQ(interrupt(37), std::vector<std::string>{}) << "attached, without a handler";
  EXPECT_EQ(interrupt(40), std::vector<std::string>{}) << "an engine that the table does not have";
  EXPECT_EQ(interrupt(43), std::vector<std::string>{}) << "not attached";
  calls.clear();
  bus.expect_read(0x2C, 0);
  bus.expect_write(kIntStatus, kFaultLine);
  board::fault_handler();
  EXPECT_TRUE(calls.empty()) << "no fault is recorded";
}

TEST_F(AcceleratorTest, OpenStartsAnew) {
  open();
  attach(Engine::mx, 1024);
  ASSERT_TRUE(accelerator.take_context(Engine::mx).ok());
  open();
  EXPECT_TRUE(accelerator.is_free(15));
  attach(Engine::mx, 1024);
}

}  // namespace
}  // namespace cox::hal
