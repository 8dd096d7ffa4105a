// SPDX-License-Identifier: MIT
// Tests the HAL with the native board and the accelerator's model, from power-on to the recovery from a fault.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/completion_queue.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/hal/tile/core.h"
#include "coxswain/hal/tile/submission_queue.h"

namespace cox::hal {
namespace {

using isa::tile::Class;
using isa::tile::MachineCode;
using isa::tile::Opcode;

constexpr unsigned kContext = 5;
constexpr unsigned kSizeLog2 = 2;

MachineCode instruction(Opcode opcode) { return {static_cast<std::uint32_t>(opcode), 0, 0, 0, 0, 0, 0, 0}; }

class NativeModelTest : public testing::Test {
 protected:
  NativeModelTest() {
    current = this;
    board::NativeBoardSettings settings;
    settings.dram_bytes = std::size_t{16} << 20;
    settings.bus_fault = [this](const board::BusFault &access) { bus_faults.push_back(access.address); };
    settings.log = [this](int, std::string_view text) { log += text; };
    std::string error;
    native = board::NativeBoard::create(std::move(settings), error);
    EXPECT_NE(native, nullptr) << error;
    const Result<Geometry> identified = identify();
    EXPECT_TRUE(identified.ok()) << identified.status().what();
    geometry = identified.value();
  }

  void set_up() {
    const std::span<std::byte> memory = board::queue_memory();
    ASSERT_TRUE(completions.init(geometry, 0, memory.first(1024), kSizeLog2, {}).ok());
    ASSERT_TRUE(queue.init(geometry, 0, Class::CT, memory.subspan(1024, 1024), kSizeLog2).ok());
    ContextConfiguration configuration;
    configuration.l2_last = geometry.l2_bytes / geometry.l2_block_bytes - 1;
    configuration.windows[0] = {hal::dram_range().address, board::dram_size(), true, true};
    ASSERT_TRUE(configure_context(geometry, kContext, configuration).ok());
    board::connect_npu_interrupts([] { current->drain(); },
                                  [] {
                                    current->fault = read_fault();
                                    clear_fault();
                                  });
    ASSERT_TRUE(enable_interrupts(geometry, 1, true).ok());
    set_enabled(true);
    ASSERT_FALSE(board::mask_interrupts());
  }

  void drain() {
    for (const Completion *completion = completions.peek(); completion != nullptr; completion = completions.peek()) {
      received.push_back(*completion);
      EXPECT_TRUE(queue.reclaim(completion->tag()));
      completions.pop();
    }
    completions.acknowledge();
  }

  void wait_for(std::size_t count) {
    for (unsigned wait = 0; wait < 100 && received.size() < count; ++wait) board::wait_for_interrupt();
    ASSERT_EQ(received.size(), count);
  }

  static NativeModelTest *current;
  std::string log;
  std::vector<std::uint64_t> bus_faults;
  std::vector<Completion> received;
  std::optional<Fault> fault;
  std::unique_ptr<board::NativeBoard> native;
  Geometry geometry;
  tile::SubmissionQueue queue;
  CompletionQueue completions;
};

NativeModelTest *NativeModelTest::current = nullptr;

TEST_F(NativeModelTest, TheModelIsADeviceThatTheHalKnows) {
  EXPECT_EQ(geometry.cores, 1U);
  EXPECT_EQ(geometry.contexts, 16U);
  EXPECT_EQ(geometry.l2_bytes, 8U << 20);
  EXPECT_EQ(geometry.clock_mhz, 1000U);
  EXPECT_TRUE(bus_faults.empty());
}

TEST_F(NativeModelTest, InstructionsRunAndTheirCompletionsArrive) {
  set_up();
  queue.push(instruction(Opcode::ct_st), kContext, false);
  queue.push(instruction(Opcode::ct_ed), kContext, true);
  native->advance(1000);
  queue.ring_doorbell();
  wait_for(1);
  EXPECT_EQ(received[0].tag(), 1U);
  EXPECT_EQ(received[0].status(), FaultCode::none);
  EXPECT_EQ(received[0].context(), kContext);
  EXPECT_EQ(received[0].queue(), 0U);
  EXPECT_GE(received[0].time_low, 1050U) << "no earlier than the doorbell's latency";
  EXPECT_EQ(native->now(), received[0].time_low + 24U) << "the interrupt's latency";
  EXPECT_EQ(queue.in_flight(), 0U);
  EXPECT_EQ(device_cycles(), native->now());
  EXPECT_EQ(tile::read_counters(geometry, 0, Class::CT).value().instructions, 2U);
  EXPECT_TRUE(bus_faults.empty()) << log;
}

TEST_F(NativeModelTest, RingsGoRoundManyTimes) {
  set_up();
  for (unsigned number = 0; number < 1000; ++number) {
    ASSERT_NE(queue.room(), 0U);
    ASSERT_EQ(queue.push(instruction(Opcode::ct_st), kContext, true), number);
    queue.ring_doorbell();
    if (queue.room() == 0) wait_for(received.size() + 1);
  }
  wait_for(1000);
  for (unsigned number = 0; number < 1000; ++number) EXPECT_EQ(received[number].tag(), number);
}

TEST_F(NativeModelTest, AFaultQuarantinesItsContextUntilItIsConfiguredAgain) {
  set_up();
  queue.push(instruction(static_cast<Opcode>(0xFF)), kContext, false);
  queue.push(instruction(Opcode::ct_st), kContext, true);
  queue.ring_doorbell();
  wait_for(2);
  EXPECT_EQ(received[0].status(), FaultCode::unknown_instruction);
  EXPECT_EQ(received[1].status(), FaultCode::aborted);
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->code, FaultCode::unknown_instruction);
  EXPECT_EQ(fault->tag, 0U);
  EXPECT_EQ(fault->context, kContext);
  EXPECT_EQ(tile::place_of(fault->queue_number).queue, Class::CT);
  EXPECT_EQ(fault->detail, 0xFFU);
  EXPECT_FALSE(read_fault().has_value()) << "the handler has cleared the fault";
  EXPECT_TRUE(is_quarantined(geometry, kContext).value());

  ContextConfiguration configuration;
  ASSERT_TRUE(configure_context(geometry, kContext, configuration).ok());
  EXPECT_FALSE(is_quarantined(geometry, kContext).value());
  queue.push(instruction(Opcode::ct_st), kContext, true);
  queue.ring_doorbell();
  wait_for(3);
  EXPECT_EQ(received[2].status(), FaultCode::none);
  EXPECT_TRUE(bus_faults.empty()) << log;
}

TEST_F(NativeModelTest, AbortFromOutside) {
  set_up();
  ASSERT_TRUE(abort_context(geometry, kContext).ok());
  queue.push(instruction(Opcode::ct_st), kContext, true);
  queue.ring_doorbell();
  wait_for(1);
  EXPECT_EQ(received[0].status(), FaultCode::aborted);
  ASSERT_TRUE(release_context(geometry, kContext).ok());
  EXPECT_FALSE(is_quarantined(geometry, kContext).value());
  queue.push(instruction(Opcode::ct_st), kContext, true);
  queue.ring_doorbell();
  wait_for(2);
  EXPECT_EQ(received[1].status(), FaultCode::invalid_context) << "a released context is no longer valid";
}

TEST_F(NativeModelTest, AfterAResetQueuesStartAnew) {
  set_up();
  for (unsigned number = 0; number < 3; ++number) queue.push(instruction(Opcode::ct_st), kContext, true);
  queue.ring_doorbell();
  native->advance(60);  // until the first ct_st runs
  tile::SubmissionQueue again;
  EXPECT_EQ(again.init(geometry, 0, Class::CT, board::queue_memory().subspan(1024, 1024), kSizeLog2).code(), ErrorCode::not_ready);

  ASSERT_TRUE(tile::reset_core(geometry, 0).ok());
  native->advance(10'000);
  EXPECT_TRUE(received.empty()) << "thrown away";
  ASSERT_TRUE(completions.init(geometry, 0, board::queue_memory().first(1024), kSizeLog2, {}).ok());
  ASSERT_TRUE(queue.init(geometry, 0, Class::CT, board::queue_memory().subspan(1024, 1024), kSizeLog2).ok());
  EXPECT_EQ(queue.push(instruction(Opcode::ct_st), kContext, true), 0U);
  queue.ring_doorbell();
  wait_for(1);
  EXPECT_EQ(received[0].status(), FaultCode::none);
  EXPECT_EQ(tile::read_counters(geometry, 0, Class::CT).value().instructions, 1U);
  EXPECT_TRUE(bus_faults.empty()) << log;
}

TEST_F(NativeModelTest, WhatIsNoRegisterIsABusFault) {
  (void)mmio::read(COX_NPU->CQ[1].HEAD);
  mmio::write(const_cast<volatile std::uint32_t &>(COX_NPU->ID), 1);
  ASSERT_EQ(bus_faults.size(), 2U);
  EXPECT_EQ(bus_faults[0], 0x5000012CU);
  EXPECT_EQ(bus_faults[1], 0x50000000U);
  EXPECT_NE(log.find("CQ[1].HEAD"), std::string::npos) << log;
}

TEST(NativeModelOptions, ABadOptionIsRefusedWithASentence) {
  board::NativeBoardSettings settings;
  settings.dram_bytes = std::size_t{16} << 20;
  settings.model_options = "{";
  std::string error;
  EXPECT_EQ(board::NativeBoard::create(std::move(settings), error), nullptr);
  EXPECT_FALSE(error.empty());
}

}  // namespace
}  // namespace cox::hal
