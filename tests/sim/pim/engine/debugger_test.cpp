// SPDX-License-Identifier: MIT
// The registers by which software debugs the PIM cores.
#include "coxswain/isa/pim/description.h"
#include "tests/sim/pim/engine/machine.h"

namespace cox::test::pim {
namespace {

namespace debugger_test {

using namespace build;  // NOLINT(google-build-using-namespace)
using build::r;
using registers::PimPhase;

constexpr std::uint32_t kCounter = 4, kAddress = 0x14, kDataWord = 0x18, kBreakpoint = 0x40, kRegister = 0x100, kCount = 0x200;
constexpr std::uint32_t kHalt = registers::pim_halt_lo::kOffset, kResume = registers::pim_resume_lo::kOffset,
                        kStep = registers::pim_step_lo::kOffset, kHalted = registers::pim_halted_lo::kOffset;

/// Core 1 counts register 1 from 0 to 10.
Assembly counting() {
  Assembly program;
  program.add(1, general_li(r(1), 0)).add(1, general_li(r(2), 10));
  program.add(1, addi(r(1), r(1), 1)).add(1, bne(r(1), r(2), -1));
  return program;
}

/// Advances until core 1 stands.
void settle(PimMachine &machine) { machine.advance_to(machine.now + 1000); }

TEST(PimDebugRegisters, TheConfigurationIsDescribedWordByWord) {
  PimMachine machine;
  const set::Description words = set::describe(set::default_configuration());
  for (std::uint32_t i = 0; i < words.size() + 2; ++i) {
    machine.write(registers::pim_configuration_index::kOffset, i);
    EXPECT_EQ(machine.read(registers::pim_configuration_word::kOffset), i < words.size() ? words[i] : 0) << i;
  }
}

TEST(PimDebugRegisters, ACoreHaltsBeforeItsFirstInstructionAndIsSteppedToItsEnd) {
  PimMachine machine;
  machine.write(kHalt, 2);
  machine.submit(counting());
  settle(machine);
  EXPECT_EQ(machine.phase(1), PimPhase::halted);
  EXPECT_EQ(machine.phase(0), PimPhase::ended) << "the core has no code";
  EXPECT_EQ(machine.phase(2), PimPhase::absent);
  EXPECT_EQ(machine.read(kHalted), 2U);
  EXPECT_EQ(machine.core_read(1, kCounter), 0U);
  std::uint32_t counter = 0, value = 0;
  for (unsigned step = 1; step <= 22; ++step) {
    machine.write(kStep, 2);
    settle(machine);
    counter = counter < 3 ? counter + 1 : value == 10 ? 4 : 2;
    if (counter == 3) ++value;
    EXPECT_EQ(machine.core_read(1, kCounter), counter) << step;
    EXPECT_EQ(machine.core_read(1, kRegister + 4), value) << step;
  }
  EXPECT_EQ(machine.phase(1), PimPhase::ended);
  machine.EngineMachine::run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
}

TEST(PimDebugRegisters, BreakpointsHaltEachTimeAndRegistersCanBeChanged) {
  PimMachine machine;
  EXPECT_TRUE(machine.core_try(1, kBreakpoint + 4 * 7, 0x80000003));
  EXPECT_TRUE(machine.core_try(1, kBreakpoint, 0x80000003));
  machine.submit(counting());
  for (std::uint32_t lap = 1; lap <= 3; ++lap) {
    settle(machine);
    ASSERT_EQ(machine.phase(1), PimPhase::halted) << lap;
    EXPECT_EQ(machine.core_read(1, kCounter), 3U);
    EXPECT_EQ(machine.core_read(1, kRegister + 4), lap);
    if (lap == 2) {
      EXPECT_TRUE(machine.core_try(1, kBreakpoint, 0)) << "the other one is still set";
    }
    machine.write(kResume, 2);
  }
  settle(machine);
  EXPECT_TRUE(machine.core_try(1, kBreakpoint + 4 * 7, 0));
  EXPECT_TRUE(machine.core_try(1, kRegister + 4, 10));
  machine.write(kResume, 2);
  machine.EngineMachine::run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_EQ(machine.core_read(1, kRegister + 4), 10U);
}

TEST(PimDebugRegisters, AHaltedCoreStandsInTimeAndItsTimeLimitToo) {
  // Ten loads of about sixty cycles: a core does not run ahead of the device's time with these.
  Assembly program;
  program.add(1, constant(r(3), PimMachine::dram(0)));
  for (unsigned i = 0; i < 10; ++i) program.add(1, load_global(r(4), r(3)));
  program.time_limit = 900;
  PimMachine plain;
  const std::uint64_t end = plain.run(program).end;
  PimMachine machine;
  machine.submit(program);
  machine.advance_to(machine.now + 400);
  machine.write(kHalt, 2);
  ASSERT_EQ(machine.phase(1), PimPhase::halted);
  const std::uint32_t counter = machine.core_read(1, kCounter);
  EXPECT_GT(counter, 3U);
  EXPECT_LT(counter, 9U);
  const std::uint64_t halted_at = machine.now;
  machine.advance_to(halted_at + 5000);
  EXPECT_EQ(machine.engine_completions(), 0U);
  EXPECT_EQ(machine.core_read(1, kCounter), counter);
  machine.write(kResume, 2);
  machine.EngineMachine::run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::none);
  EXPECT_GT(machine.engine_entry(0).end, halted_at + 5000 + 60);
  EXPECT_LE(machine.engine_entry(0).end, end + 5000);
}

TEST(PimDebugRegisters, MemoriesAreReadAndWrittenByWords) {
  PimMachine machine;
  machine.write(kHalt, 2);
  machine.submit(counting());
  settle(machine);
  for (const std::uint32_t address : {0U, 0xFFFFCU, kInput, kInput + 1, kOutput + 256 * 1024 - 4}) {
    EXPECT_TRUE(machine.core_try(1, kAddress, address));
    EXPECT_EQ(machine.core_read(1, kAddress), address);
    EXPECT_TRUE(machine.core_try(1, kDataWord, address ^ 0x5A5A5A5A)) << std::hex << address;
    EXPECT_EQ(machine.core_read(1, kDataWord), address ^ 0x5A5A5A5A);
  }
  for (const std::uint32_t address : {0xFFFFDU, kInput - 4, kInput + 256 * 1024 - 3, kDram}) {
    EXPECT_TRUE(machine.core_try(1, kAddress, address));
    EXPECT_EQ(machine.core_read(1, kDataWord), address == kInput - 4 ? 0xFFFFCU ^ 0x5A5A5A5A : 0) << std::hex << address;
    if (address != kInput - 4) {
      EXPECT_FALSE(machine.core_try(1, kDataWord, 1)) << std::hex << address;
    }
  }
  EXPECT_TRUE(machine.core_try(2, kAddress, kInput));
  EXPECT_EQ(machine.core_read(2, kDataWord), 0U) << "each core has its own";
}

TEST(PimDebugRegisters, ARunningCoreIsNotWritten) {
  PimMachine machine;
  Assembly program;
  program.add(0, jmp(0));
  machine.submit(program);
  settle(machine);
  EXPECT_EQ(machine.phase(0), PimPhase::running);
  EXPECT_FALSE(machine.core_try(0, kRegister, 1));
  EXPECT_NE(machine.log.back().find("PIM_CORE[0].REG[0].VALUE: the core runs"), std::string::npos) << machine.log.back();
  EXPECT_TRUE(machine.core_try(0, kAddress, kInput));
  EXPECT_FALSE(machine.core_try(0, kDataWord, 1));
  EXPECT_TRUE(machine.core_try(1, kRegister, 1)) << "a core without code stands";
  machine.write(kHalt, 1);
  EXPECT_TRUE(machine.core_try(0, kRegister, 1));
  EXPECT_TRUE(machine.core_try(0, kRegister + 4 * (32 + 20), 16));
  EXPECT_EQ(machine.core_read(0, kRegister + 4 * (32 + 20)), 16U);
  EXPECT_FALSE(machine.core_try(0, kRegister + 4 * (32 + 9), 1)) << "there is no such special register";
  EXPECT_EQ(machine.core_read(0, kRegister + 4 * (32 + 9)), 0U);
  EXPECT_FALSE(machine.core_try(16, kRegister, 1)) << "the device has 16 cores";
  EXPECT_EQ(machine.core_read(16, kRegister), 0U);
}

TEST(PimDebugRegisters, HaltsAndBreakpointsOutliveAResetOfTheEngineButNotPowerOn) {
  PimMachine machine;
  machine.write(kHalt, 2);
  EXPECT_TRUE(machine.core_try(1, kBreakpoint, 0x80000001));
  machine.reset_engine();
  machine.enable_engine(3);
  machine.submit(counting());
  settle(machine);
  EXPECT_EQ(machine.phase(1), PimPhase::halted);
  machine.write(kResume, 2);
  settle(machine);
  EXPECT_EQ(machine.core_read(1, kCounter), 1U) << "the breakpoint";
  cox_model_reset(machine.model, machine.now);
  EXPECT_EQ(machine.core_read(1, kBreakpoint), 0U);
  machine.bring_up_engine(3);
  machine.write(registers::control::kOffset, 1);
  EXPECT_EQ(machine.run(counting()).status, FaultCode::none);
}

TEST(PimDebugRegisters, CountsAreThoseOfTheLastProgram) {
  PimMachine machine;
  ASSERT_EQ(machine.run(counting()).status, FaultCode::none);
  const auto count = [&](set::Count number) {
    const std::uint32_t at = kCount + 8 * static_cast<std::uint32_t>(number);
    const std::uint64_t low = machine.core_read(1, at);
    return low | std::uint64_t{machine.core_read(1, at + 4)} << 32;
  };
  EXPECT_EQ(count(set::Count::instructions), 22U);
  EXPECT_EQ(count(set::Count::busy_scalar), 22U);
  EXPECT_EQ(count(set::Count::cycles), 23U) << "the first instruction is decoded before";
  EXPECT_EQ(count(set::Count::macs), 0U);
  EXPECT_GT(count(set::Count::energy_leakage), 0U);
  EXPECT_EQ(count(set::Count::energy_instructions), 22U * 2000);
  EXPECT_EQ(machine.core_read(1, kCount + 8 * set::kCounts), 0U) << "there is no such count";
}

}  // namespace debugger_test
}  // namespace
}  // namespace cox::test::pim
