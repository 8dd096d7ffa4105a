// SPDX-License-Identifier: MIT
// Faults of PIM programs: status and place of each, what else happens, resets and aborts.
#include "coxswain/isa/pim/location.h"
#include "tests/sim/device/plan_case.h"
#include "tests/sim/pim/engine/machine.h"

namespace cox::test::pim {
namespace {

namespace faults_test {

using namespace build;  // NOLINT(google-build-using-namespace)
using build::r;

void expect_fault(const Assembly &program, FaultCode code, std::uint32_t wanted) {
  PimMachine machine;
  const Entry entry = machine.run(program);
  EXPECT_EQ(entry.status, code) << registers::kFaultCodeNames[static_cast<unsigned>(entry.status)];
  EXPECT_EQ(entry.detail, wanted) << "core " << (entry.detail >> 26) << ", instruction " << (entry.detail >> 8 & 0x3FFFF) << ", field "
                                  << (entry.detail & 0xFF);
  EXPECT_EQ(machine.read(registers::fault_detail::kOffset), wanted);
  EXPECT_EQ(machine.read(registers::context::control::offset(0)), 0x101U) << "the context is quarantined";
}

TEST(PimFaults, EachErrorHasItsCodeAndPlace) {
  const auto program = [](std::initializer_list<set::MachineCode> codes) {
    Assembly one;
    one.add(3, general_li(r(1), 0));
    for (const set::MachineCode &code : codes) one.add(3, code);
    return one;
  };
  expect_fault(program({{0xFFFFFFFF}}), FaultCode::unknown_instruction, detail(3, 1));
  expect_fault(program({{set::Set::begin(set::Opcode::add)[0] | 1U << 5}}), FaultCode::field_out_of_range, detail(3, 1, 5));
  expect_fault(program({jmp(2)}), FaultCode::branch, detail(3, 1, 0));
  expect_fault(program({load_local(r(2), r(1))}), FaultCode::buffer, detail(3, 1, 21));
  expect_fault(program({load_global(r(2), r(1))}), FaultCode::window, detail(3, 1, 21));
  expect_fault(program({pim_batch(r(1), r(1), r(1), r(1)), jmp(1)}), FaultCode::batch, detail(3, 1));
  expect_fault(program({pim_compute(r(1), r(1), r(1))}), FaultCode::field_out_of_range, detail(3, 1, set::kSpecialField + 0));
  expect_fault(program({simd_compute(static_cast<set::SimdOpcode>(0x70), 1, r(1), r(1), r(1), r(1))}), FaultCode::unsupported,
               detail(3, 1, 20));
  // Core 3 sends to itself.
  expect_fault(program({general_li(r(6), 3), general_li(r(2), kInput), send(r(6), {r(2), r(2), r(1), r(1)})}),
               FaultCode::field_out_of_range, detail(3, 3, 16));
  // A barrier of no cores.
  expect_fault(program({barrier(r(1), r(1))}), FaultCode::barrier, detail(3, 1, 16));
}

TEST(PimFaults, TheProgramItselfCanBeWrong) {
  PimMachine machine;
  std::vector<std::byte> bytes = Assembly().add(0, jmp(1)).bytes();
  bytes[0] = std::byte{'X'};
  machine.EngineMachine::submit(bytes);
  machine.EngineMachine::run();
  EXPECT_EQ(machine.engine_entry(0).status, FaultCode::field_out_of_range);
  EXPECT_EQ(machine.engine_entry(0).detail, (registers::EngineFaultDetail{0, set::kProgramField}.pack()));
  PimMachine truncated;
  bytes = Assembly().add(40, jmp(1)).bytes();
  truncated.EngineMachine::submit(std::span(bytes).first(64));
  truncated.EngineMachine::run();
  EXPECT_EQ(truncated.engine_entry(0).status, FaultCode::stream_truncated);
}

TEST(PimFaults, ACopyIsNamedByItsNumber) {
  const auto with_copy = [](set::CopyKind kind, std::uint32_t local, std::uint32_t dram) {
    Assembly program;
    program.add(1, jmp(1));
    program.copies = {{.kind = set::CopyKind::load, .core = 0, .local = kInput, .dram = kDram, .bytes = 4},
                      {.kind = kind, .core = 1, .local = local, .dram = dram, .bytes = 4}};
    return program;
  };
  const auto at = [](unsigned field) { return registers::EngineFaultDetail{1, field}.pack(); };
  expect_fault(with_copy(set::CopyKind::load, kInput - 2, kDram), FaultCode::buffer, at(set::kLoadField));
  expect_fault(with_copy(set::CopyKind::store, kInput, kDram + kDramPart), FaultCode::window, at(set::kStoreField));
  expect_fault(with_copy(set::CopyKind::store, kInput, kDram + PimMachine::kWindowBytes - 3), FaultCode::window, at(set::kStoreField));
}

TEST(PimFaults, OtherCoresGoOnAndTheFirstFaultCounts) {
  PimMachine machine;
  machine.put_operands(0, 9);
  Assembly program;
  add_product(program, 0, PimMachine::dram(0), PimMachine::dram(0x1000));
  for (unsigned core : {1U, 2U, 3U}) {
    // Cores 2 and 3 fault in the same cycle, core 1 later.
    for (unsigned i = 0; i < (core == 1 ? 9U : 4U); ++i) program.add(core, general_li(r(1), 0));
    program.add(core, load_local(r(1), r(1)));
  }
  const Entry entry = machine.run(program);
  EXPECT_EQ(entry.status, FaultCode::buffer);
  EXPECT_EQ(entry.detail, detail(2, 4, 21));
  EXPECT_TRUE(machine.has_product(0x1000, 9));
  for (const auto &[core, instruction] : {std::pair(1U, 9U), std::pair(2U, 4U), std::pair(3U, 4U)}) {
    EXPECT_EQ(machine.phase(core), registers::PimPhase::faulted);
    EXPECT_EQ(machine.core_read(core, 4), instruction);
    EXPECT_EQ(machine.core_read(core, 8), detail(core, instruction, 21));
    EXPECT_EQ(registers::pim_core::state::kFault.get(machine.core_read(core, 0)), static_cast<unsigned>(FaultCode::buffer));
  }
  EXPECT_EQ(machine.phase(0), registers::PimPhase::ended);
  EXPECT_EQ(machine.core_read(0, 8), 0U);
}

TEST(PimFaults, ADeadlockNamesAllCoresThatWait) {
  const std::string options = R"({"geometry": {"pim_cores": 64}})";
  PimMachine machine(options.c_str());
  Assembly program;
  for (const unsigned core : {2U, 40U}) {
    program.add(core, general_li(r(1), 1)).add(core, general_li(r(2), 3)).add(core, barrier(r(1), r(2)));
  }
  program.add(63, jmp(1));
  const Entry entry = machine.run(program);
  EXPECT_EQ(entry.status, FaultCode::deadlock);
  EXPECT_EQ(entry.detail >> 8, (isa::pim::Position{2, 2}.pack()));
  EXPECT_EQ(machine.read(registers::pim_waiting_lo::kOffset), 4U);
  EXPECT_EQ(machine.read(registers::pim_waiting_hi::kOffset), 0x100U);
  EXPECT_EQ(machine.phase(40), registers::PimPhase::barrier);
  EXPECT_EQ(machine.core_read(40, 0xC), 3U) << "cores that the barrier waits for";
  EXPECT_EQ(machine.core_read(40, 0x10), 1U) << "its id";
  machine.write(registers::context::control::offset(0), 5);
  Assembly good;
  good.add(0, jmp(1));
  EXPECT_EQ(machine.run(good).status, FaultCode::none);
  EXPECT_EQ(machine.read(registers::pim_waiting_lo::kOffset), 0U) << "of the last program";
}

TEST(PimFaults, AProgramsOwnTimeLimitEndsIt) {
  Assembly program;
  program.add(4, jmp(0));
  program.time_limit = 500;
  PimMachine machine;
  const Entry entry = machine.run(program);
  EXPECT_EQ(entry.status, FaultCode::time_limit);
  EXPECT_EQ(entry.detail >> 8, (isa::pim::Position{4, 0}.pack()));
}

TEST(PimFaults, AnAccessThatTheBusRefusesIsThatOfItsInstruction) {
  // Access 1 is the descriptor, access 2 the program, then each trans has one.
  Assembly program;
  add_product(program, 6, PimMachine::dram(0), PimMachine::dram(0x1000));
  for (const unsigned access : {3U, 34U, 35U, 36U}) {
    const std::string line = "bus_error queue=PIM access=" + std::to_string(access);
    const PlanFile plan(line.c_str());
    PimMachine machine(plan.options().c_str());
    machine.put_operands(0, 2);
    const Entry entry = machine.run(program);
    EXPECT_EQ(entry.status, FaultCode::bus_error) << access;
    EXPECT_EQ(entry.detail >> 26, 6U);
    const set::MachineCode code = program.cores[6].at(entry.detail >> 8 & 0x3FFFF);
    EXPECT_EQ(set::Set::find(code)->opcode, set::Opcode::trans);
    EXPECT_EQ(machine.word(0x1000), 0U);
  }
  const std::string line = "bus_error queue=PIM access=37";
  const PlanFile plan(line.c_str());
  PimMachine machine(plan.options().c_str());
  machine.put_operands(0, 2);
  EXPECT_EQ(machine.run(program).status, FaultCode::none) << "there is no access 37";
}

TEST(PimFaults, MemoryThatIsNotThereIsABusError) {
  PimMachine machine;
  machine.write(registers::context::window::base_lo::offset(0, 0), 0x10000000);
  Assembly program;
  program.add(0, constant(r(1), kDram)).add(0, load_global(r(2), r(1)));
  const Entry entry = machine.run(program);
  EXPECT_EQ(entry.status, FaultCode::bus_error);
  EXPECT_EQ(entry.detail >> 8, program.cores[0].size() - 1);
}

TEST(PimFaults, TwoFlippedBitsOfAnOperandAreReportedWithTheirAddress) {
  for (const char *bits : {"1", "2"}) {
    const std::uint64_t address = PimMachine::kWindow + 0x108;
    const std::string line = "flip memory=dram address=" + std::to_string(address) + " bits=" + bits + " at=0";
    const PlanFile plan(line.c_str());
    PimMachine machine(plan.options().c_str());
    machine.put_word(0x108, 6);
    Assembly program;
    program.add(0, constant(r(1), PimMachine::dram(0x108))).add(0, load_global(r(2), r(1))).add(0, store_global(r(2), r(1), 8));
    const Entry entry = machine.run(program);
    if (*bits == '1') {
      EXPECT_EQ(entry.status, FaultCode::none);
      EXPECT_EQ(machine.word(0x110), 6U);
      EXPECT_EQ(machine.read(registers::ecc_corrected::kOffset), 1U);
    } else {
      EXPECT_EQ(entry.status, FaultCode::ecc);
      EXPECT_EQ(entry.detail, static_cast<std::uint32_t>(address));
      EXPECT_EQ(machine.word(0x110), 0U);
    }
  }
}

TEST(PimFaults, AResetAtAnyCycleDropsTheProgramAndTheNextOneIsRight) {
  const Assembly program = ping_pong(0x100, 2);
  PimMachine undisturbed;
  undisturbed.submit(program);
  const std::uint64_t begin = undisturbed.now;
  undisturbed.EngineMachine::run();
  const std::uint64_t end = undisturbed.engine_entry(0).end;
  for (std::uint64_t at = begin + 50; at < end; at += 7) {
    PimMachine machine;
    machine.put_word(0x100, 7);
    machine.submit(program);
    machine.advance_to(at);
    machine.reset_engine();
    EXPECT_EQ(machine.read(registers::engine::status::offset(machine.row().number())), 0U);
    EXPECT_EQ(machine.phase(0), registers::PimPhase::absent);
    machine.enable_engine(3);
    ASSERT_EQ(machine.read(registers::cq::tail::offset(machine.row().completion_queue())), 0U);
    machine.put_word(0x100, 20);
    ASSERT_EQ(machine.run(program).status, FaultCode::none) << at;
    for (unsigned i = 0; i <= 2; ++i) EXPECT_EQ(machine.word(0x100 + 4 * i), 20 + 3 * i) << at;
  }
}

TEST(PimFaults, AnAbortAtAnyCycleEndsTheProgramAtOnce) {
  const Assembly program = ping_pong(0x100, 2);
  PimMachine undisturbed;
  undisturbed.submit(program);
  const std::uint64_t begin = undisturbed.now;
  undisturbed.EngineMachine::run();
  const std::uint64_t end = undisturbed.engine_entry(0).end;
  for (std::uint64_t at = begin + 51; at < end; at += 11) {
    PimMachine machine;
    machine.submit(program);
    machine.advance_to(at);
    machine.write(registers::context::control::offset(0), 3);
    machine.EngineMachine::run();
    ASSERT_EQ(machine.engine_completions(), 1U);
    EXPECT_EQ(machine.engine_entry(0).status, FaultCode::aborted) << at;
    EXPECT_EQ(machine.engine_entry(0).end, at);
  }
}

}  // namespace faults_test
}  // namespace
}  // namespace cox::test::pim
