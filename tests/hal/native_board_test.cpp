// SPDX-License-Identifier: MIT
// Tests the native board with a scripted model instead of the accelerator's model.
#include "boards/native/native_board.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "boards/native/fixed_memory.h"
#include "coxswain/device/mailbox_registers.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/hal/mailbox.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "tests/hal/scripted_model.h"

namespace cox::board {
namespace {

constexpr std::size_t kDramBytes = std::size_t{16} << 20;
constexpr std::uint64_t kTick = NativeBoard::kTickCycles;

class NativeBoardTest : public testing::Test {
 protected:
  NativeBoardTest() {
    scripted_model() = ScriptedModel();
    current = this;
    NativeBoardSettings settings;
    settings.dram_bytes = kDramBytes;
    settings.console = [this](std::string_view text) { console += text; };
    settings.log = [this](int level, std::string_view text) { log += std::to_string(level) + ": " + std::string(text); };
    settings.bus_fault = [this](const BusFault &fault) { faults.push_back(fault); };
    std::string error;
    board = NativeBoard::create(std::move(settings), error);
    EXPECT_NE(board, nullptr) << error;
  }

  /// Connects handlers. Each handler lowers its interrupt line, as firmware does by writing HEAD, and records when it ran.
  void connect() {
    connect_npu_interrupts(
        [] {
          current->ran.push_back("completion " + std::to_string(current->board->now()));
          scripted_model().set_line(0, false);
        },
        [] {
          current->ran.push_back("fault " + std::to_string(current->board->now()));
          scripted_model().set_line(1, false);
        });
  }

  static void connect_mailbox() {
    hal::mailbox::connect([] { current->ran.push_back("mailbox " + std::to_string(current->board->now())); });
  }

  static NativeBoardTest *current;
  std::string console;
  std::string log;
  std::vector<BusFault> faults;
  std::vector<std::string> ran;
  std::unique_ptr<NativeBoard> board;
};

NativeBoardTest *NativeBoardTest::current = nullptr;

using Strings = std::vector<std::string>;

TEST_F(NativeBoardTest, MemoryIsAtTheAddressesOfTheMemoryMap) {
  EXPECT_EQ(dram_base(), 0x60000000U);
  EXPECT_EQ(dram_size(), kDramBytes);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(board->dram().data()), 0x60000000U);
  EXPECT_EQ(board->dram().size(), kDramBytes);
  const std::span<std::byte> queues = queue_memory();
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(queues.data()) % 64, 0U);
  EXPECT_GE(reinterpret_cast<std::uintptr_t>(queues.data()), 0x20000000U);
  EXPECT_LE(reinterpret_cast<std::uintptr_t>(queues.data()) + queues.size(), 0x20200000U);
  EXPECT_EQ(queues.front(), std::byte{0});
  board->dram().back() = std::byte{1};
}

TEST_F(NativeBoardTest, TheDeviceReachesMemoryAndNothingElse) {
  const cox_host &host = scripted_model().host;
  EXPECT_EQ(host.abi, COX_MODEL_ABI);
  EXPECT_EQ(host.size, sizeof(cox_host));
  board->dram()[5] = std::byte{42};
  std::uint8_t byte = 0;
  EXPECT_EQ(host.read(host.opaque, 0x60000005, &byte, 1), 0);
  EXPECT_EQ(byte, 42);
  const std::uint32_t word = 0x12345678;
  EXPECT_EQ(host.write(host.opaque, 0x60000000 + kDramBytes - 4, &word, 4), 0);
  EXPECT_EQ(std::memcmp(&board->dram()[kDramBytes - 4], &word, 4), 0);
  EXPECT_EQ(host.map(host.opaque, 0x60000000, kDramBytes), board->dram().data());
  EXPECT_EQ(host.map(host.opaque, 0x20000000, 0x200000), reinterpret_cast<void *>(0x20000000));

  const std::uint64_t outside[][2] = {{0x60000000 + kDramBytes - 3, 4}, {0x5FFFFFFF, 2},          {0x201FFFFF, 2}, {0x1FFFFFFF, 1}, {0, 1},
                                      {0x60000000, kDramBytes + 1},     {0x60000000, UINT64_MAX}, {UINT64_MAX, 2}};
  for (const auto &range : outside) {
    EXPECT_EQ(host.map(host.opaque, range[0], range[1]), nullptr);
    EXPECT_NE(host.read(host.opaque, range[0], &byte, range[1]), 0);
    EXPECT_NE(host.write(host.opaque, range[0], &word, range[1]), 0);
  }
}

TEST_F(NativeBoardTest, CoreAndBusHaveTheSameAddresses) {
  const std::byte *const queues = queue_memory().data();
  EXPECT_EQ(hal::dram_range().address, 0x60000000U);
  EXPECT_EQ(hal::dram_range().size, kDramBytes);
  EXPECT_EQ(hal::bus_address(queues), reinterpret_cast<std::uintptr_t>(queues));
  EXPECT_EQ(hal::core_pointer<std::byte>(0x60000010), &board->dram()[0x10]);
  EXPECT_EQ(board->address_of(&board->dram()[5]), 0x60000005U);
}

/// The device sees the memories at other addresses, and nothing at those of the core.
TEST_F(NativeBoardTest, CoreAndBusHaveDifferentAddresses) {
  board.reset();
  NativeBoardSettings settings;
  settings.dram_bytes = kDramBytes;
  settings.bus_offset = 0x20000000;
  std::string error;
  board = NativeBoard::create(std::move(settings), error);
  ASSERT_NE(board, nullptr) << error;
  EXPECT_EQ(dram_base(), 0x60000000U);
  EXPECT_EQ(hal::dram_range().address, 0xA0000000U);
  EXPECT_EQ(board->dram_address(), 0xA0000000U);
  EXPECT_EQ(board->address_of(&board->dram()[5]), 0xA0000005U);
  const std::span<std::byte> queues = queue_memory();
  EXPECT_EQ(hal::bus_address(queues), reinterpret_cast<std::uintptr_t>(queues.data()) + 0x20000000);
  EXPECT_EQ(hal::core_pointer<std::byte>(hal::bus_address(queues)), queues.data());
  EXPECT_EQ(hal::core_pointer<std::byte>(0xA0000010), &board->dram()[0x10]);
  EXPECT_EQ(hal::bus_address(&board->dram().back()), 0xA0000000 + kDramBytes - 1);
  const std::byte elsewhere{};
  EXPECT_EQ(hal::bus_address(&elsewhere), reinterpret_cast<std::uintptr_t>(&elsewhere));
  EXPECT_EQ(hal::core_pointer<const std::byte>(hal::bus_address(&elsewhere)), &elsewhere);

  const cox_host &host = scripted_model().host;
  EXPECT_EQ(host.map(host.opaque, 0xA0000000, kDramBytes), board->dram().data());
  EXPECT_EQ(host.map(host.opaque, 0x40000000, 0x200000), reinterpret_cast<void *>(0x20000000));
  board->dram()[5] = std::byte{42};
  std::uint8_t byte = 0;
  EXPECT_EQ(host.read(host.opaque, 0xA0000005, &byte, 1), 0);
  EXPECT_EQ(byte, 42);
  for (const std::uint64_t core : {std::uint64_t{0x20000000}, std::uint64_t{0x60000000}}) {
    EXPECT_EQ(host.map(host.opaque, core, 1), nullptr);
    EXPECT_NE(host.read(host.opaque, core, &byte, 1), 0);
    EXPECT_NE(host.write(host.opaque, core, &byte, 1), 0);
  }
}

TEST_F(NativeBoardTest, RegisterAccessesReachTheModelAtDeviceTime) {
  scripted_model().registers[0x1C] = 0;
  board->advance(123);
  scripted_model().times.clear();
  hal::set_enabled(true);
  EXPECT_EQ(scripted_model().registers[0x1C], 1U);
  EXPECT_EQ(hal::mmio::read(COX_NPU->CONTROL), 1U);
  EXPECT_EQ(scripted_model().times, (std::vector<std::uint64_t>{123, 123})) << "no time passes for the firmware";
  EXPECT_TRUE(faults.empty());
}

TEST_F(NativeBoardTest, AnAccessThatNobodyAnswersIsABusFault) {
  EXPECT_EQ(hal::mmio::read(COX_NPU->ID), 0U);
  hal::mmio::write(COX_NPU->CONTROL, 7);
  const std::uint32_t outside = 0;
  EXPECT_EQ(hal::mmio::read(outside), 0U);
  ASSERT_EQ(faults.size(), 3U);
  EXPECT_EQ(faults[0].address, 0x50000000U);
  EXPECT_FALSE(faults[0].write);
  EXPECT_EQ(faults[1].address, 0x5000001CU);
  EXPECT_TRUE(faults[1].write);
  EXPECT_EQ(faults[1].value, 7U);
  EXPECT_EQ(faults[2].address, reinterpret_cast<std::uintptr_t>(&outside));
}

TEST_F(NativeBoardTest, WaitGoesFromEventToEventUntilALineIsHigh) {
  connect();
  ASSERT_FALSE(mask_interrupts());
  scripted_model().at(100, [] {});
  scripted_model().at(200, [] { scripted_model().set_line(0, true); });
  scripted_model().at(300, [] { scripted_model().set_line(1, true); });
  wait_for_interrupt();
  EXPECT_EQ(board->now(), 200U);
  EXPECT_EQ(ran, (Strings{"completion 200"}));
  EXPECT_TRUE(mask_interrupts()) << "interrupts must be masked on return";
  wait_for_interrupt();
  EXPECT_EQ(ran, (Strings{"completion 200", "fault 300"}));
}

TEST_F(NativeBoardTest, WaitForCompletionLeavesHandlersToTheCaller) {
  connect();
  ASSERT_FALSE(mask_interrupts());
  scripted_model().at(200, [] { scripted_model().set_line(0, true); });
  wait_for_completion();
  EXPECT_EQ(board->now(), 200U);
  EXPECT_TRUE(ran.empty());
  scripted_model().set_line(0, false);  // as acknowledge() does
  scripted_model().at(300, [] { scripted_model().set_line(1, true); });
  wait_for_completion();
  EXPECT_EQ(board->now(), 300U);
  EXPECT_TRUE(mask_interrupts()) << "interrupts must be masked on return";
  restore_interrupts(false);
  EXPECT_EQ(ran, (Strings{"fault 300"})) << "the completion line is low again: its handler does not run";
  wait_for_completion();
  EXPECT_EQ(board->now(), kTick);
}

TEST_F(NativeBoardTest, ATickIsSeenHoweverOftenACompletionEndsTheSleep) {
  connect();
  ASSERT_FALSE(mask_interrupts());
  const std::uint64_t step = kTick * 3 / 10;
  for (std::uint64_t i = 1; i <= 5; ++i) scripted_model().at(i * step, [] { scripted_model().set_line(0, true); });
  for (std::uint64_t i = 1; i <= 3; ++i) {
    wait_for_completion();
    EXPECT_EQ(board->now(), i * step);
    scripted_model().set_line(0, false);
  }
  wait_for_completion();
  EXPECT_EQ(board->now(), kTick);
  wait_for_completion();
  EXPECT_EQ(board->now(), kTick) << "it stays until its handler may run";
  restore_interrupts(false);
  ASSERT_FALSE(mask_interrupts());
  wait_for_completion();
  EXPECT_EQ(board->now(), 4 * step);
  EXPECT_TRUE(ran.empty());
}

TEST_F(NativeBoardTest, WaitReturnsAtOnceWhereALineIsHighAlready) {
  connect();
  ASSERT_FALSE(mask_interrupts());
  scripted_model().set_line(1, true);
  scripted_model().at(10, [] {});
  EXPECT_TRUE(ran.empty()) << "masked";
  wait_for_interrupt();
  EXPECT_EQ(board->now(), 0U);
  EXPECT_EQ(ran, (Strings{"fault 0"}));
}

TEST_F(NativeBoardTest, WaitProcessesWhatIsDueNow) {
  connect();
  ASSERT_FALSE(mask_interrupts());
  scripted_model().at(0, [] { scripted_model().set_line(0, true); });
  wait_for_interrupt();
  EXPECT_EQ(ran, (Strings{"completion 0"}));
}

TEST_F(NativeBoardTest, WaitEndsAfterATickWhereNothingHappens) {
  connect();
  ASSERT_FALSE(mask_interrupts());
  EXPECT_EQ(microseconds(), 0U);
  wait_for_interrupt();
  EXPECT_EQ(board->now(), kTick);
  EXPECT_EQ(microseconds(), kTick / 1000);
  scripted_model().at(10 * kTick, [] { scripted_model().set_line(0, true); });
  wait_for_interrupt();
  EXPECT_EQ(board->now(), 2 * kTick) << "an event that is far away does not keep a time limit from being seen";
  EXPECT_TRUE(ran.empty());
}

TEST_F(NativeBoardTest, ALineWithoutAHandlerWakesNobody) {
  ASSERT_FALSE(mask_interrupts());
  scripted_model().set_line(0, true);
  wait_for_interrupt();
  EXPECT_EQ(board->now(), kTick);
  connect();
  EXPECT_TRUE(ran.empty()) << "masked";
  restore_interrupts(false);
  EXPECT_EQ(ran.size(), 1U);
}

TEST_F(NativeBoardTest, HandlersRunWhenInterruptsAreUnmasked) {
  connect();
  ASSERT_FALSE(mask_interrupts());
  EXPECT_TRUE(mask_interrupts()) << "nested";
  scripted_model().set_line(0, true);
  restore_interrupts(true);
  EXPECT_TRUE(ran.empty());
  restore_interrupts(false);
  EXPECT_EQ(ran, (Strings{"completion 0"}));
}

TEST_F(NativeBoardTest, HandlersRunAfterARegisterAccessThatRaisesALine) {
  connect();
  scripted_model().registers[0x28] = 0;
  scripted_model().set_line(0, true);
  EXPECT_TRUE(ran.empty());
  hal::mmio::write(COX_NPU->INT_ENABLE, 1);
  EXPECT_EQ(ran, (Strings{"completion 0"}));
  scripted_model().set_line(1, true);
  EXPECT_EQ(hal::mmio::read(COX_NPU->INT_ENABLE), 1U);
  EXPECT_EQ(ran, (Strings{"completion 0", "fault 0"}));
}

TEST_F(NativeBoardTest, AdvanceRunsEventsAtTheirOwnTimes) {
  connect();
  for (const std::uint64_t time : {50U, 70U}) {
    scripted_model().at(time, [] { scripted_model().set_line(0, true); });
  }
  board->advance(60);
  EXPECT_EQ(board->now(), 60U);
  EXPECT_EQ(ran, (Strings{"completion 50"}));
  board->advance(10);
  EXPECT_EQ(ran, (Strings{"completion 50", "completion 70"}));
}

TEST_F(NativeBoardTest, ConsoleAndLog) {
  const std::string text = "hello";
  console_write(text);
  EXPECT_EQ(console, "hello");
  EXPECT_EQ(console_read_char(), -1);
  board->type("a\xFF");
  EXPECT_EQ(console_read_char(), 'a');
  EXPECT_EQ(console_read_char(), 0xFF);
  EXPECT_EQ(console_read_char(), -1);
  scripted_model().host.log(scripted_model().host.opaque, COX_LOG_WARNING, "text");
  EXPECT_EQ(log, "1: text");
  EXPECT_EQ(executed_instructions(), UINT64_MAX);
}

TEST_F(NativeBoardTest, OneAtATimeAndTheMemoryIsFreedAfter) {
  std::string error;
  EXPECT_EQ(NativeBoard::create({}, error), nullptr);
  EXPECT_NE(error.find("exists already"), std::string::npos) << error;
  EXPECT_EQ(scripted_model().options, "(none)");
  board->dram()[0] = std::byte{9};
  board.reset();
  EXPECT_TRUE(scripted_model().destroyed);

  NativeBoardSettings settings;
  settings.model_options = R"({"hazards": true})";
  settings.dram_bytes = kDramBytes;
  board = NativeBoard::create(std::move(settings), error);
  ASSERT_NE(board, nullptr) << error;
  EXPECT_EQ(board->dram()[0], std::byte{0});
  EXPECT_EQ(board->now(), 0U);
  EXPECT_EQ(scripted_model().options, R"({"hazards": true})");
}

TEST(NativeBoardCreate, RefusesWithASentence) {
  struct {
    std::size_t dram_bytes;
    const char *options;
    std::uint32_t abi;
    const char *sentence;
  } const refusals[] = {
      {(std::size_t{16} << 20) - 1, "", COX_MODEL_ABI, "whole MiB from 16 to 1024"},
      {(std::size_t{16} << 20) + 4096, "", COX_MODEL_ABI, "whole MiB"},
      {std::size_t{1025} << 20, "", COX_MODEL_ABI, "whole MiB"},
      {kDramBytes, "refuse", COX_MODEL_ABI, "\"refuse\" is refused"},
      {kDramBytes, "", COX_MODEL_ABI + 1, "interface version"},
  };
  for (const auto &refusal : refusals) {
    scripted_model() = ScriptedModel();
    scripted_model().abi = refusal.abi;
    NativeBoardSettings settings;
    settings.dram_bytes = refusal.dram_bytes;
    settings.model_options = refusal.options;
    std::string error;
    EXPECT_EQ(NativeBoard::create(std::move(settings), error), nullptr);
    EXPECT_NE(error.find(refusal.sentence), std::string::npos) << error;
  }
}

TEST(NativeBoardCreate, SaysWhichMemoryIsTaken) {
  scripted_model() = ScriptedModel();
  NativeBoardSettings settings;
  settings.dram_bytes = kDramBytes;
  std::string error;
  const std::unique_ptr<NativeBoard> board = NativeBoard::create(settings, error);
  ASSERT_NE(board, nullptr) << error;
  FixedMemory memory;
  EXPECT_FALSE(memory.map("DRAM", 0x60000000, 4096, error));
  EXPECT_NE(error.find("cannot map DRAM at 0x60000000, 4096 bytes"), std::string::npos) << error;
}

using NativeBoardDeathTest = NativeBoardTest;

TEST_F(NativeBoardDeathTest, ABusFaultEndsTheProcess) {
  board.reset();
  std::string error;
  NativeBoardSettings settings;
  settings.dram_bytes = kDramBytes;
  board = NativeBoard::create(std::move(settings), error);
  ASSERT_NE(board, nullptr) << error;
  EXPECT_DEATH(hal::mmio::write(COX_NPU->CONTROL, 7), "bus fault: write of 0x00000007 to 0x5000001c");
  EXPECT_DEATH((void)hal::mmio::read(COX_NPU->ID), "bus fault: read from 0x50000000");
}

TEST_F(NativeBoardDeathTest, AStuckLineIsAHangThatIsReported) {
  connect_npu_interrupts([] {}, [] {});
  EXPECT_DEATH(
      {
        scripted_model().set_line(0, true);
        restore_interrupts(false);
      },
      "stays high");
}

// At first memory has random contents, which count as an empty log. Then entries are appended until the log is full and wraps.
TEST_F(NativeBoardTest, TheFaultLogKeepsTheLastSixteen) {
  namespace fault_log = hal::fault_log;
  std::memset(retained_memory().data(), 0xA5, 1024);
  EXPECT_EQ(fault_log::count(), 0U);
  EXPECT_EQ(fault_log::size(), 0U);
  for (std::uint32_t i = 0; i < 20; ++i) {
    hal::FaultRecord record;
    record.cycle = 1000 + i;
    record.detail = i;
    record.fault = hal::FaultCode::bus_error;
    record.action = hal::FaultAction::retried;
    fault_log::append(record);
    EXPECT_EQ(fault_log::count(), i + 1);
    EXPECT_EQ(fault_log::size(), std::min(i + 1, 16U));
    EXPECT_EQ(fault_log::at(0).detail, i < 16 ? 0U : i - 15);
    EXPECT_EQ(fault_log::at(fault_log::size() - 1).cycle, 1000U + i);
  }
  EXPECT_EQ(fault_log::at(3).fault, hal::FaultCode::bus_error);
  EXPECT_EQ(fault_log::at(3).action, hal::FaultAction::retried);
  EXPECT_EQ(fault_log::at(3).owner, hal::FaultRecord::kNone);
  for (const std::byte byte : retained_memory().subspan(fault_log::kBytes))
    EXPECT_EQ(byte, std::byte{0xA5}) << "bytes outside of the log must not change";
  retained_memory()[4] ^= std::byte{1};  // changes the count
  EXPECT_EQ(fault_log::size(), 0U);
  fault_log::append({});
  EXPECT_EQ(fault_log::count(), 1U);
}

TEST_F(NativeBoardDeathTest, AnEventThatComesAgainAndAgainIsReported) {
  static std::function<void()> again;
  again = [] { scripted_model().at(5, again); };
  EXPECT_DEATH(
      {
        scripted_model().registers[0x1C] = 0;
        scripted_model().at(5, again);
        board->advance(10);
      },
      "again and again");
}

TEST_F(NativeBoardDeathTest, MissingHandlersAndMissingBoard) {
  EXPECT_DEATH(connect_npu_interrupts([] {}, nullptr), "needs two handlers");
  board.reset();
  EXPECT_DEATH(wait_for_interrupt(), "before a NativeBoard was created");
}

TEST_F(NativeBoardDeathTest, ExitSwitchesTheModelOff) {
  EXPECT_EXIT(
      {
        std::atexit([] { std::fprintf(stderr, scripted_model().destroyed ? "destroyed" : "left open"); });
        board::exit(3);
      },
      testing::ExitedWithCode(3), "destroyed");
}

class MailboxOfNativeBoardTest : public NativeBoardTest {
 protected:
  static constexpr std::chrono::microseconds kLong = std::chrono::minutes(1);
  unsigned idle_ticks = 0;

  /// Begins again with a board whose ticks take `idle_tick` while nothing happens.
  void create(std::chrono::microseconds idle_tick) {
    board.reset();
    NativeBoardSettings settings;
    settings.dram_bytes = kDramBytes;
    settings.idle_tick = idle_tick;
    idle_ticks = 0;
    settings.on_idle_tick = [this] { ++idle_ticks; };
    std::string error;
    board = NativeBoard::create(std::move(settings), error);
    ASSERT_NE(board, nullptr) << error;
    connect_mailbox();
  }
};

TEST_F(MailboxOfNativeBoardTest, ARingEndsASleepBeforeTimePasses) {
  create(kLong);
  std::thread host([this] { board->mailbox().ring_core(); });
  static_cast<void>(mask_interrupts());
  wait_for_interrupt();
  host.join();
  EXPECT_EQ(ran, Strings{"mailbox 0"});
  EXPECT_EQ(board->now(), 0U);
  EXPECT_EQ(idle_ticks, 0U);
  EXPECT_FALSE(board->mailbox().core_is_rung());
}

TEST_F(MailboxOfNativeBoardTest, ARingWhileInterruptsAreMaskedIsTakenLater) {
  create(kLong);
  static_cast<void>(mask_interrupts());
  board->mailbox().ring_core();
  board->mailbox().ring_core();
  EXPECT_EQ(ran, Strings{});
  restore_interrupts(false);
  EXPECT_EQ(ran, Strings{"mailbox 0"}) << "two rings before the first is cleared are one";
}

TEST_F(MailboxOfNativeBoardTest, WithoutARingTheTickComes) {
  for (const auto idle_tick : {std::chrono::microseconds(0), std::chrono::microseconds(10)}) {
    create(idle_tick);
    static_cast<void>(mask_interrupts());
    wait_for_interrupt();
    EXPECT_EQ(board->now(), kTick);
    EXPECT_EQ(idle_ticks, 1U);
  }
}

TEST_F(MailboxOfNativeBoardTest, ATickOfABusyDeviceTakesNoRealTime) {
  create(kLong);
  static_cast<void>(mask_interrupts());
  scripted_model().at(kTick + 10, [] {});
  wait_for_interrupt();
  EXPECT_EQ(board->now(), kTick);
  EXPECT_EQ(idle_ticks, 0U);
}

TEST_F(MailboxOfNativeBoardTest, TheHostWaitsForARing) {
  create(kLong);
  EXPECT_FALSE(board->mailbox().wait_for_core(std::chrono::microseconds(10)));
  std::thread core([] { hal::mailbox::ring_host(); });
  EXPECT_TRUE(board->mailbox().wait_for_core(kLong));
  core.join();
  EXPECT_FALSE(board->mailbox().wait_for_core(std::chrono::microseconds(10))) << "the wait has cleared the ring";
}

TEST_F(MailboxOfNativeBoardTest, ItsRegistersAreThoseOfTheTable) {
  create(std::chrono::microseconds(0));
  namespace r = registers::mailbox;
  const auto at = [](std::uint32_t offset) -> volatile std::uint32_t & {
    return *reinterpret_cast<volatile std::uint32_t *>(mailbox_address() + offset);
  };
  static_cast<void>(mask_interrupts());
  EXPECT_EQ(hal::mmio::read(at(r::to_core_status::kOffset)), 0U);
  hal::mmio::write(at(r::to_core_set::kOffset), 0);
  EXPECT_EQ(hal::mmio::read(at(r::to_core_status::kOffset)), 0U);
  hal::mmio::write(at(r::to_core_set::kOffset), 1);
  EXPECT_EQ(hal::mmio::read(at(r::to_core_status::kOffset)), 1U);
  hal::mmio::write(at(r::to_core_clear::kOffset), 1);
  EXPECT_EQ(hal::mmio::read(at(r::to_core_status::kOffset)), 0U);
  hal::mmio::write(at(r::to_host_set::kOffset), 1);
  EXPECT_EQ(hal::mmio::read(at(r::to_host_status::kOffset)), 1U);
  hal::mmio::write(at(r::to_host_clear::kOffset), 1);
  EXPECT_EQ(hal::mmio::read(at(r::to_host_status::kOffset)), 0U);
}

}  // namespace
}  // namespace cox::board
