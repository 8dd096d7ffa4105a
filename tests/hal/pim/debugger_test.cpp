// SPDX-License-Identifier: MIT
// The debugger of the PIM cores: each call makes exactly these register accesses.
#include "coxswain/hal/pim/debugger.h"

#include <gtest/gtest.h>

#include <cstring>

#include "coxswain/isa/pim/description.h"
#include "tests/hal/strict_bus.h"
#include "tests/hal/test_geometry.h"

namespace cox::hal::pim {
namespace {

namespace debugger_test {

namespace r = registers;
namespace set = isa::pim;

class PimDebugger : public testing::Test {
 protected:
  void SetUp() override { open(40); }
  void open(std::uint32_t cores) {
    Geometry geometry = two_cores();
    geometry.engines = 1U << r::row_of(r::Engine::pim).number();
    const set::Description words = set::describe(set::default_configuration());
    bus.expect_read(0xA000, cores);
    for (std::uint32_t i = 0; i < words.size(); ++i) {
      bus.expect_write(0xA004, i);
      bus.expect_read(0xA008, words[i]);
    }
    ASSERT_TRUE(debugger.open(geometry).ok());
    ASSERT_TRUE(bus.done());
  }
  static constexpr std::uint32_t at(unsigned core, std::uint32_t offset) { return 0x10000 + 0x400 * core + offset; }
  void expect_phase(unsigned core, Phase phase) { bus.expect_read(at(core, 0), static_cast<std::uint32_t>(phase)); }
  void expect_refused(const Status &status, ErrorCode code, const char *what) {
    EXPECT_EQ(status.code(), code) << error_name(status.code());
    EXPECT_STREQ(status.what(), what);
    EXPECT_TRUE(bus.done());
  }

  StrictBus bus;
  Debugger debugger;
};

TEST_F(PimDebugger, OpensOnlyADeviceThatHasTheCores) {
  EXPECT_EQ(debugger.cores(), 40U);
  EXPECT_EQ(debugger.configuration().memories_count, set::default_configuration().memories_count);
  expect_refused(debugger.open(two_cores()), ErrorCode::unsupported, "PIM cores");
  EXPECT_EQ(debugger.cores(), 0U);
  expect_refused(debugger.halt(1), ErrorCode::invalid_argument, "cores");
}

TEST_F(PimDebugger, MasksAreWrittenInTheHalvesThatHaveCores) {
  bus.expect_write(0xA020, 0x80000001);
  EXPECT_TRUE(debugger.halt(0x80000001).ok());
  bus.expect_write(0xA020, 2);
  bus.expect_write(0xA024, 0x80);
  EXPECT_TRUE(debugger.halt(0x80'00000002).ok());
  bus.expect_write(0xA02C, 1);
  EXPECT_TRUE(debugger.resume(std::uint64_t{1} << 32).ok());
  expect_refused(debugger.halt(std::uint64_t{1} << 40), ErrorCode::invalid_argument, "cores");
  expect_refused(debugger.resume(std::uint64_t{1} << 63), ErrorCode::invalid_argument, "cores");
  bus.expect_read(0xA018, 5);
  bus.expect_read(0xA01C, 6);
  EXPECT_EQ(debugger.halted(), 0x6'00000005U);
  // With 64 cores every mask is good.
  open(64);
  bus.expect_write(0xA024, 0x80000000);
  EXPECT_TRUE(debugger.halt(std::uint64_t{1} << 63).ok());
}

TEST_F(PimDebugger, WaitsForAHaltAsLongAsTheLimit) {
  for (const std::uint32_t halted : {0U, 1U, 3U}) {
    bus.expect_read(0xA018, halted);
    bus.expect_read(0xA01C, 0);
  }
  EXPECT_TRUE(debugger.wait_for_halt(3, 0).ok());
  for (unsigned poll = 0; poll < 1000; ++poll) {
    bus.expect_read(0xA018, 2);
    bus.expect_read(0xA01C, 0);
  }
  const Status status = debugger.wait_for_halt(3, 0);
  expect_refused(status, ErrorCode::timeout, "PIM_HALTED");
  EXPECT_EQ(status.value(), 1);
}

TEST_F(PimDebugger, AStepWaitsUntilTheCoreStands) {
  for (const Phase last : {Phase::halted, Phase::ended, Phase::faulted}) {
    expect_phase(35, Phase::halted);
    bus.expect_write(0xA034, 8);
    expect_phase(35, Phase::running);
    expect_phase(35, Phase::barrier);
    expect_phase(35, last);
    EXPECT_TRUE(debugger.step(35, 0).ok());
  }
  expect_phase(2, Phase::running);
  expect_refused(debugger.step(2, 0), ErrorCode::not_ready, "core");
  expect_phase(2, Phase::halted);
  bus.expect_write(0xA030, 4);
  for (unsigned poll = 0; poll < 1000; ++poll) expect_phase(2, Phase::message);
  const Status status = debugger.step(2, 0);
  expect_refused(status, ErrorCode::timeout, "PIM_CORE.STATE");
  EXPECT_EQ(status.value(), static_cast<int>(Phase::message));
  expect_refused(debugger.step(40, 0), ErrorCode::invalid_argument, "core");
}

TEST_F(PimDebugger, Breakpoints) {
  bus.expect_write(at(3, 0x40), 0x80000000);
  EXPECT_TRUE(debugger.set_breakpoint(3, 0, 0).ok());
  bus.expect_write(at(39, 0x5C), 0x8003FFFF);
  EXPECT_TRUE(debugger.set_breakpoint(39, 7, 0x3FFFF).ok());
  bus.expect_write(at(39, 0x5C), 0);
  EXPECT_TRUE(debugger.clear_breakpoint(39, 7).ok());
  expect_refused(debugger.set_breakpoint(0, 0, 0x40000), ErrorCode::invalid_argument, "instruction");
  expect_refused(debugger.set_breakpoint(0, 8, 0), ErrorCode::invalid_argument, "breakpoint");
  expect_refused(debugger.clear_breakpoint(0, 8), ErrorCode::invalid_argument, "breakpoint");
  expect_refused(debugger.set_breakpoint(40, 0, 0), ErrorCode::invalid_argument, "core");
}

TEST_F(PimDebugger, StatusReadsWhatThePhaseHas) {
  bus.expect_read(at(1, 0), 0x00020001);
  bus.expect_read(at(1, 4), 17);
  CoreStatus status = debugger.status(1).value();
  EXPECT_EQ(status.phase, Phase::running);
  EXPECT_EQ(status.open_messages, 2U);
  EXPECT_EQ(status.counter, 17U);
  EXPECT_FALSE(status.stands());

  bus.expect_read(at(1, 0), 0x00001807);
  bus.expect_read(at(1, 4), 5);
  bus.expect_read(at(1, 8), 0x04000515);
  status = debugger.status(1).value();
  EXPECT_EQ(status.phase, Phase::faulted);
  EXPECT_EQ(status.fault, FaultCode::message);
  EXPECT_EQ(status.detail.offset, 0x040005U);
  EXPECT_EQ(status.detail.field_bit, 0x15U);
  EXPECT_TRUE(status.stands());

  for (const Phase phase : {Phase::message, Phase::wait, Phase::barrier}) {
    expect_phase(0, phase);
    bus.expect_read(at(0, 4), 9);
    bus.expect_read(at(0, 0xC), 11);
    bus.expect_read(at(0, 0x10), 12);
    status = debugger.status(0).value();
    EXPECT_EQ(status.other, 11U);
    EXPECT_EQ(status.id, 12U);
    EXPECT_FALSE(status.stands());
  }
  expect_refused(debugger.status(40).status(), ErrorCode::invalid_argument, "core");
}

TEST_F(PimDebugger, Registers) {
  bus.expect_read(at(2, 0x100), 7);
  EXPECT_EQ(debugger.read_register(2, 0).value(), 7U);
  bus.expect_read(at(2, 0x100 + 4 * 52), 8);
  EXPECT_EQ(debugger.read_register(2, 32 + 20).value(), 8U);
  expect_phase(2, Phase::halted);
  bus.expect_write(at(2, 0x100 + 4 * 31), 9);
  EXPECT_TRUE(debugger.write_register(2, 31, 9).ok());
  expect_phase(2, Phase::wait);
  expect_refused(debugger.write_register(2, 31, 9), ErrorCode::not_ready, "core");
  for (const unsigned number : {32U + 9, 32U + 15, 32U + 21, 63U, 64U, 1000U}) {
    expect_refused(debugger.read_register(2, number).status(), ErrorCode::invalid_argument, "register");
    expect_refused(debugger.write_register(2, number, 0), ErrorCode::invalid_argument, "register");
  }
  expect_refused(debugger.read_register(40, 0).status(), ErrorCode::invalid_argument, "core");
}

TEST_F(PimDebugger, MemoryIsReadInWords) {
  std::array<std::byte, 6> bytes{};
  bus.expect_write(at(1, 0x14), 0x100003);
  bus.expect_read(at(1, 0x18), 0x04030201);
  bus.expect_write(at(1, 0x14), 0x100007);
  bus.expect_read(at(1, 0x18), 0x08070605);
  ASSERT_TRUE(debugger.read_memory(1, 0x100003, bytes).ok());
  for (unsigned i = 0; i < bytes.size(); ++i) EXPECT_EQ(bytes[i], std::byte(i + 1));
  // The last two bytes of the memory come with the word that they end.
  const std::uint32_t end = 0x100000 + 256 * 1024;
  bus.expect_write(at(1, 0x14), end - 4);
  bus.expect_read(at(1, 0x18), 0x44332211);
  ASSERT_TRUE(debugger.read_memory(1, end - 2, std::span(bytes).first(2)).ok());
  EXPECT_EQ(bytes[0], std::byte{0x33});
  EXPECT_EQ(bytes[1], std::byte{0x44});
  expect_refused(debugger.read_memory(1, end - 1, std::span(bytes).first(2)), ErrorCode::address_outside_buffer, "address");
  expect_refused(debugger.read_memory(1, 0x80000000, bytes), ErrorCode::address_outside_buffer, "address");
  EXPECT_TRUE(debugger.read_memory(1, 0x100000, {}).ok());
}

TEST_F(PimDebugger, MemoryIsWrittenInWordsAndOtherBytesStay) {
  std::array<std::byte, 7> bytes{};
  for (unsigned i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i + 1);
  expect_phase(0, Phase::ended);
  bus.expect_write(at(0, 0x14), 16);
  bus.expect_write(at(0, 0x18), 0x04030201);
  bus.expect_write(at(0, 0x14), 20);
  bus.expect_read(at(0, 0x18), 0xAABBCCDD);
  bus.expect_write(at(0, 0x18), 0xAA070605);
  EXPECT_TRUE(debugger.write_memory(0, 16, bytes).ok()) << "the array begins at 0";
  const std::uint32_t last = (1U << 20) - 1;
  expect_phase(0, Phase::halted);
  bus.expect_write(at(0, 0x14), last - 3);
  bus.expect_read(at(0, 0x18), 0xAABBCCDD);
  bus.expect_write(at(0, 0x18), 0x01BBCCDD);
  EXPECT_TRUE(debugger.write_memory(0, last, std::span(bytes).first(1)).ok());
  expect_phase(0, Phase::running);
  expect_refused(debugger.write_memory(0, 16, bytes), ErrorCode::not_ready, "core");
  expect_refused(debugger.write_memory(0, last, bytes), ErrorCode::address_outside_buffer, "address");
}

TEST_F(PimDebugger, Counts) {
  bus.expect_read(at(4, 0x200 + 8 * 29), 3);
  bus.expect_read(at(4, 0x204 + 8 * 29), 2);
  EXPECT_EQ(debugger.read_count(4, set::Count::energy_leakage).value(), 0x2'00000003U);
  bus.expect_read(at(4, 0x200), 3);
  bus.expect_read(at(4, 0x204), 0);
  EXPECT_EQ(debugger.read_count(4, set::Count::instructions).value(), 3U);
  expect_refused(debugger.read_count(40, set::Count::cycles).status(), ErrorCode::invalid_argument, "core");
}

}  // namespace debugger_test
}  // namespace
}  // namespace cox::hal::pim
