// SPDX-License-Identifier: MIT
// Each fault code, the quarantine, aborts and resets (docs/model.md, Faults).
#include <tuple>

#include "tests/sim/device/machine.h"

namespace cox::test {
namespace faults_test {

const MachineCode kLoadConfiguration =
    make(Opcode::lda_cfg, {{"SME", {1}}, {"RS", {0}}, {"BAS", {0}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}});

MachineCode load(double from, double to, double region = 0) {
  return make(Opcode::lda_mov, {{"RS", {0}}, {"DBSG", {region}}, {"STaddr", {from}}, {"DTaddr", {to}}, {"Tile", {1, 8, 4, 4}}});
}

/// A machine on which region 0 and the class LD are configured. run() submits one more instruction and returns its completion.
class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    machine.bring_up();
    machine.submit({whole_buffer(), kLoadConfiguration});
    machine.run();
  }

  Entry run(Class queue, const MachineCode &code) {
    machine.submit(queue, code);
    machine.run();
    EXPECT_EQ(machine.completions(), ++expected);
    return machine.entry(expected - 1);
  }

  /// Expects that the completion agrees with FAULT_* and that context 0 is quarantined.
  void expect_fault(Class queue, const MachineCode &code, FaultCode status, std::uint32_t detail) {
    const std::uint64_t start = machine.now + 50;
    const std::uint32_t tag = machine.tail[static_cast<unsigned>(queue)];
    const Entry entry = run(queue, code);
    EXPECT_EQ(entry.status, status);
    EXPECT_EQ(entry.detail, detail);
    EXPECT_EQ(entry.tag, tag);
    EXPECT_EQ(entry.end, start);  // refused at its start
    EXPECT_EQ(machine.level[1], 1);
    ASSERT_FALSE(machine.interrupts.empty());
    EXPECT_EQ(machine.interrupts.back().line, 1u);
    const std::uint32_t fault = machine.read(r::fault_status::kOffset);
    EXPECT_EQ(r::fault_status::kValid.get(fault), 1u);
    EXPECT_EQ(r::fault_status::kCode.get(fault), static_cast<std::uint32_t>(status));
    EXPECT_EQ(r::fault_status::kQueue.get(fault), static_cast<std::uint32_t>(queue));
    EXPECT_EQ(r::fault_status::kContext.get(fault), entry.context);
    EXPECT_EQ(machine.read(r::fault_tag::kOffset), tag);
    EXPECT_EQ(machine.read(r::fault_detail::kOffset), detail);
    EXPECT_EQ(machine.read(r::fault_time_lo::kOffset), start);
    EXPECT_EQ(machine.read(r::fault_time_hi::kOffset), 0u);
  }

  [[nodiscard]] bool quarantined(std::uint32_t context = 0) {
    return r::context::control::kQuarantined.get(machine.read(r::context::control::offset(context))) != 0;
  }

  Machine machine;
  std::uint32_t expected = 0;
};

TEST_F(Faults, UnknownInstruction) {
  MachineCode code{};
  code[0] = 0xEE;
  expect_fault(Class::CT, code, FaultCode::unknown_instruction, 0xEE);
  EXPECT_TRUE(quarantined());
}

TEST_F(Faults, AnInstructionOfAnotherEngineIsUnknown) { expect_fault(Class::PE, kLoadConfiguration, FaultCode::unknown_instruction, 0x20); }

TEST_F(Faults, FieldOutOfRange) {
  MachineCode code = load(0, 0);
  isa::insert_bits(code, 128, 16, 0);  // Tile N is 0
  expect_fault(Class::LD, code, FaultCode::field_out_of_range, 0x21);
}

TEST_F(Faults, ReservedBits) {
  MachineCode code = make(Opcode::ct_st);
  isa::insert_bits(code, 200, 1, 1);
  expect_fault(Class::CT, code, FaultCode::field_out_of_range, 0x10);
}

TEST_F(Faults, WhatIsOfNoUseIsUnsupported) {
  machine.submit({make(Opcode::ldw_cfg, {{"DF", {5}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}})});  // INT32
  machine.run();
  expect_fault(Class::LD, make(Opcode::ldw_mov, {{"Wsize", {1, 8, 1, 1}}}), FaultCode::unsupported, 0x23);
}

TEST_F(Faults, MissingConfiguration) {
  expect_fault(Class::LD, make(Opcode::ldw_mov, {{"Wsize", {1, 8, 1, 1}}}), FaultCode::missing_configuration, 0x23);
}

TEST_F(Faults, AddressOutsideTheWindow) {
  const std::uint32_t from = Machine::kWindowBytes - 127;  // only 127 of the 128 bytes to read are inside the window
  expect_fault(Class::LD, load(from, 0), FaultCode::window, Machine::kWindowBytes + 1);
}

TEST_F(Faults, AWindowThatDoesNotPermitTheAccess) {
  machine.write(r::context::window::access::offset(0, 0), r::context::window::access::kWrite.mask());
  expect_fault(Class::LD, load(64, 0), FaultCode::window, 64);
}

TEST_F(Faults, RegionThatIsNone) { expect_fault(Class::LD, load(0, 512, 1), FaultCode::cut, 512); }

TEST_F(Faults, RegionOutsideTheContextsBlocks) {
  machine.place_context(0, {{r::context::l2_last::offset(0), 8190}});
  expect_fault(Class::LD, load(0, 512), FaultCode::cut, 512);
}

TEST_F(Faults, RegionBeforeTheContextsBlocks) {
  machine.place_context(0, {{r::context::l2_first::offset(0), 1}});
  expect_fault(Class::LD, load(0, 512), FaultCode::cut, 512);
}

TEST_F(Faults, WeightsPastTheWeightBuffer) {
  machine.submit({make(Opcode::lw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}})});
  machine.run();
  // The first record begins in the last unit. The two records, 80 bytes, extend 16 bytes beyond it.
  expect_fault(Class::LW, make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {20479}}, {"Wsize", {2, 8, 1, 1}}}), FaultCode::wl0, 20480);
}

TEST(SmallDevice, WeightsPastItsWeightBuffer) {
  // The device has 100 units, although the context may touch more. The instruction writes two records, 80 bytes, which take two units.
  for (const auto &[unit, code, detail] :
       {std::tuple{98U, FaultCode::none, 0U}, {99U, FaultCode::wl0, 100U}, {100U, FaultCode::wl0, 100U}}) {
    Machine machine(R"({"geometry": {"wl0_units": 100}})");
    machine.bring_up();
    machine.submit(
        {make(Opcode::lw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
         with_completion(make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {static_cast<double>(unit)}}, {"Wsize", {2, 8, 1, 1}}}))});
    machine.run();
    ASSERT_EQ(machine.completions(), 1U);
    EXPECT_EQ(machine.entry(0).status, code) << unit;
    if (code != FaultCode::none) {
      EXPECT_EQ(machine.entry(0).detail, detail) << unit;
    }
  }
}

TEST(LargeDevice, WeightsInItsLastUnit) {
  for (const auto &[unit, code] : {std::pair{65'533U, FaultCode::none}, {65'534U, FaultCode::wl0}}) {
    Machine machine(R"({"geometry": {"wl0_units": 65535}})");
    machine.bring_up();
    machine.place_context(0, {{r::context::wl0::offset(0), 65'534U << 16}});
    machine.submit(
        {make(Opcode::lw_cfg, {{"BAS", {0}}, {"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
         with_completion(make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {static_cast<double>(unit)}}, {"Wsize", {2, 8, 1, 1}}}))});
    machine.run();
    ASSERT_EQ(machine.completions(), 1U);
    EXPECT_EQ(machine.entry(0).status, code) << unit;
  }
}

TEST_F(Faults, AMisalignedL2Address) { expect_fault(Class::LD, load(3, 516), FaultCode::misaligned, 516); }

TEST_F(Faults, ABufferCutThatBeginsBeforeTheBuffer) {
  const MachineCode cut = make(Opcode::ct_bc, {{"BufCut", {9, 3}}});
  machine.submit(Class::CT, cut);
  machine.run();
  EXPECT_EQ(machine.entry(0).status, FaultCode::cut);
  EXPECT_EQ(machine.entry(0).detail, 0x11u);
}

TEST_F(Faults, ShapeMismatch) {
  const MachineCode code = make(Opcode::lda_mov, {{"Tile", {1, 9, 4, 4}}});
  expect_fault(Class::LD, code, FaultCode::shape_mismatch, 0x21);
}

TEST_F(Faults, BusErrorOfAFetch) {
  machine.write(r::core::sq::control::offset(0, 6), 0);
  machine.write(r::core::sq::base_lo::offset(0, 6), 0x1000);
  machine.write(r::core::sq::control::offset(0, 6), 1 | 4 << 4);
  expect_fault(Class::ST, make(Opcode::sta_mov), FaultCode::bus_error, 0x1000);
  EXPECT_EQ(machine.entry(0).context, 0xFFu);
  EXPECT_FALSE(quarantined());
}

TEST_F(Faults, BusErrorOfATransfer) {
  machine.write(r::context::window::base_lo::offset(0, 0), 0x1000);
  const Entry entry = run(Class::LD, load(16, 0));
  EXPECT_EQ(entry.status, FaultCode::bus_error);
  EXPECT_EQ(entry.detail, 0x1010u);
  EXPECT_TRUE(quarantined());
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::bytes_lo::kOffset), 0u);
}

TEST_F(Faults, ContextThatIsNotValid) {
  expect_fault(Class::CT, in_context(make(Opcode::ct_st), 3), FaultCode::invalid_context, 0x10);
  EXPECT_FALSE(quarantined(3));
}

TEST_F(Faults, ContextThatDoesNotExist) { expect_fault(Class::CT, in_context(make(Opcode::ct_st), 200), FaultCode::invalid_context, 0x10); }

TEST_F(Faults, AFaultQuarantinesItsContextAloneAndTheFirstFaultStays) {
  machine.open_context(1);
  machine.put({load(0, 512, 1), load(0, 0), in_context(kLoadConfiguration, 1), load(0, 512, 1)});
  machine.ring(Class::LD);
  machine.put({make(Opcode::ct_st), make(Opcode::ct_st), in_context(with_completion(make(Opcode::ct_st)), 1)});
  machine.ring(Class::CT);
  const std::uint64_t start = machine.now + 50;
  machine.run();
  // Context 0 has the fault. Its instructions that have started end as usual, and its later ones end at once. Context 1 continues.
  const std::vector<std::tuple<std::uint32_t, std::uint32_t, FaultCode, std::uint64_t>> wanted{
      {1, 1, FaultCode::cut, start},          {1, 2, FaultCode::aborted, start},   {1, 4, FaultCode::aborted, start + 21},
      {0, 2, FaultCode::aborted, start + 35}, {0, 3, FaultCode::none, start + 70},
  };
  ASSERT_EQ(machine.completions(), wanted.size());
  for (std::uint32_t i = 0; i < wanted.size(); ++i) {
    const Entry entry = machine.entry(i);
    EXPECT_EQ(std::make_tuple(entry.queue, entry.tag, entry.status, entry.end), wanted[i]) << i;
  }
  EXPECT_EQ(machine.entry(4).context, 1u);
  EXPECT_TRUE(quarantined());
  EXPECT_FALSE(quarantined(1));
  EXPECT_EQ(machine.read(r::fault_tag::kOffset), 1u);
  // Aborted instructions are not counted as finished.
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::instructions_lo::kOffset), 3u);
}

TEST_F(Faults, ClearingTheFaultLowersTheLineAndLetsTheNextOneIn) {
  const MachineCode import = make(Opcode::si_mov, {{"Tile", {1, 8, 1, 1}}});
  const MachineCode transform = make(Opcode::dt_cal, {{"Tile", {1, 8, 1, 1}}});
  expect_fault(Class::SI, import, FaultCode::missing_configuration, 0x91);
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
  EXPECT_FALSE(quarantined());
  machine.submit({transform});
  machine.run();
  EXPECT_EQ(machine.read(r::fault_detail::kOffset), 0x91u);
  machine.write(r::int_status::kOffset, r::int_status::kFault.mask());
  EXPECT_EQ(machine.level[1], 0);
  EXPECT_EQ(machine.read(r::fault_status::kOffset), 0u);
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
  expected = machine.completions();
  expect_fault(Class::DT, transform, FaultCode::missing_configuration, 0x71);
}

TEST_F(Faults, AbortQuarantinesFromOutside) {
  machine.submit({with_completion(make(Opcode::ct_st)), with_completion(make(Opcode::ct_st))});
  machine.advance_to(machine.now + 60);
  const std::uint64_t start = machine.now - 10;
  machine.write(r::context::control::offset(0), 1 | r::context::control::kAbort.mask());
  EXPECT_TRUE(quarantined());
  machine.run();
  ASSERT_EQ(machine.completions(), 2u);
  EXPECT_EQ(machine.entry(0).status, FaultCode::none);  // the instruction had started before the abort
  EXPECT_EQ(machine.entry(1).status, FaultCode::aborted);
  EXPECT_EQ(machine.entry(1).end, start + 35);
  // An abort is not a fault of the device.
  EXPECT_EQ(machine.read(r::fault_status::kOffset), 0u);
  EXPECT_EQ(machine.level[1], 0);
}

TEST_F(Faults, ResetIsRefusedWhileInstructionsAreInFlight) {
  machine.submit({make(Opcode::ct_st)});
  machine.advance_to(machine.now + 60);
  EXPECT_FALSE(machine.try_write(r::context::control::offset(0), r::context::control::kReset.mask()));
  EXPECT_NE(machine.log.back().find("in flight"), std::string::npos);
  EXPECT_EQ(machine.read(r::context::control::offset(0)), 1u);  // the context is still valid
  machine.run();
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
}

TEST_F(Faults, ResetClearsTheBankedConfigurationOfItsContextAlone) {
  machine.open_context(1);
  machine.submit({in_context(whole_buffer(), 1), in_context(kLoadConfiguration, 1)});
  machine.run();
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
  EXPECT_EQ(run(Class::LD, in_context(with_completion(load(0, 0)), 1)).status, FaultCode::none);
  expect_fault(Class::LD, load(0, 0), FaultCode::missing_configuration, 0x21);
}

TEST_F(Faults, EngineResetThrowsAwayWhatTheQueuesHold) {
  // After the reset none of these instructions ends.
  machine.submit({load(0, 0), with_completion(make(Opcode::ct_st)), with_completion(make(Opcode::ct_st))});
  machine.advance_to(machine.now + 75);
  machine.write(r::engine_reset::kOffset, 1);
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
  EXPECT_EQ(machine.read(r::core::sq::control::offset(0, 0)), 0u);
  EXPECT_EQ(machine.read(r::core::sq::tail::offset(0, 0)), 0u);
  EXPECT_EQ(machine.read(r::cq::control::offset(0)), 0u);
  EXPECT_EQ(machine.counter(Class::CT, r::core::sq::instructions_lo::kOffset), 0u);
  // The context keeps its configuration, and it has no instruction in flight any more.
  machine.write(r::context::control::offset(0), 1);
  for (auto &tail : machine.tail) tail = 0;
  machine.bring_up();
  machine.submit({with_completion(load(0, 0))});
  machine.run();
  EXPECT_EQ(machine.entry(0).status, FaultCode::none);
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
}

}  // namespace faults_test
}  // namespace cox::test
