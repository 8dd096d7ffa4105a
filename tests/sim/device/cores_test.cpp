// SPDX-License-Identifier: MIT
// Several cores: their own state, exchanges between them, the cores that a context may use, and their clocks.
#include "tests/sim/device/machine.h"

namespace cox::test {
namespace cores_test {

constexpr const char *kFourCores = R"({"geometry": {"tile_cores": 4}, "dispatch": "ideal"})";

const MachineCode kLoadConfiguration = make(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}});
const MachineCode kLoad =
    make(Opcode::lda_mov, {{"DTaddr", {2048}}, {"Tile", {1, 8, 4, 4}}});  // 128 bytes: 21 cycles of setup + 8 of transfer

/// Source and destination are maps of eight INT8 channels, 4 by 4.
MachineCode exchange_configuration(Opcode opcode) { return make(opcode, {{"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}); }
MachineCode import_from(double core, double from, double to) {
  return make(Opcode::si_mov, {{"CORE", {core}}, {"STaddr", {from}}, {"DTaddr", {to}}, {"Tile", {1, 8, 4, 4}}});
}
MachineCode export_to(double core, double from, double to) {
  return make(Opcode::so_mov, {{"CORE", {core}}, {"STaddr", {from}}, {"DTaddr", {to}}, {"Tile", {1, 8, 4, 4}}});
}

class Cores : public ::testing::Test {
 protected:
  void SetUp() override {
    machine.bring_up();
    for (unsigned core = 1; core < 4; ++core) machine.bring_up_core(core);
    for (unsigned core = 0; core < 4; ++core) l2[core] = static_cast<std::byte *>(cox_model_l2(machine.model, core, nullptr));
  }

  /// Expects one completion on core `core`, with this status and detail.
  void expect_fault(unsigned core, FaultCode status, std::uint32_t detail) {
    machine.run();
    ASSERT_EQ(machine.completions(core), 1u);
    EXPECT_EQ(machine.entry(0, core).status, status);
    EXPECT_EQ(machine.entry(0, core).detail, detail);
    EXPECT_EQ(machine.entry(0, core).queue / isa::tile::kClasses, core);
  }

  Machine machine{kFourCores};
  std::byte *l2[4] = {};
};

TEST_F(Cores, TwoContextsRunSideBySideEachInItsCores) {
  machine.open_context(1);
  machine.place_context(0, {{r::context::cores::offset(0), 0 | 1 << 8}});
  machine.place_context(1, {{r::context::cores::offset(1), 2 | 3 << 8}});
  machine.memory[Machine::kWindow - Machine::kMemoryBase] = std::byte{0x42};
  for (const unsigned core : {0u, 1u}) machine.submit_in(core, {whole_buffer(), kLoadConfiguration});
  for (const unsigned core : {2u, 3u}) machine.submit_in(core, {in_context(whole_buffer(), 1), in_context(kLoadConfiguration, 1)}, 2);
  machine.run();
  machine.submit_in(1, {with_completion(kLoad)});
  machine.submit_in(3, {in_context(with_completion(kLoad), 1)}, 2);
  const std::uint64_t start = machine.now;
  machine.run();
  for (const unsigned core : {1u, 3u}) {
    ASSERT_EQ(machine.completions(core), 1u) << core;
    EXPECT_EQ(machine.entry(0, core).status, FaultCode::none) << core;
    EXPECT_EQ(machine.entry(0, core).end, start + 21 + 15) << core;  // each core has half of the bandwidth: 128 bytes at 8.59 a cycle
    EXPECT_EQ(l2[core][2048], std::byte{0x42}) << core;
  }
  EXPECT_EQ(l2[0][2048], std::byte{0});
  EXPECT_EQ(l2[2][2048], std::byte{0});
}

TEST_F(Cores, AnInstructionInACoreThatIsNotItsContextsIsRefused) {
  machine.place_context(0, {{r::context::cores::offset(0), 1 | 2 << 8}});
  machine.submit_in(3, {make(Opcode::ct_st)}, 1);
  expect_fault(3, FaultCode::core, 3);
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
  machine.submit_in(0, {make(Opcode::ct_st)});
  expect_fault(0, FaultCode::core, 0);
}

TEST_F(Cores, AnInstructionInAnotherCoreThanItIsForIsRefused) {
  machine.place_context(0, {{r::context::cores::offset(0), 1 | 3 << 8}});
  machine.submit_in(2, {make(Opcode::ct_st)}, 2);  // the instruction is for core 0 of the task, which is core 1 of the device
  expect_fault(2, FaultCode::core, 1);
}

TEST_F(Cores, ImportAndExportMoveBetweenBuffers) {
  machine.place_context(0, {{r::context::cores::offset(0), 1 | 3 << 8}});
  machine.submit_in(1, {whole_buffer(), exchange_configuration(Opcode::so_cfg)}, 1);
  machine.submit_in(3, {whole_buffer(), exchange_configuration(Opcode::si_cfg)}, 1);
  machine.run();
  for (unsigned i = 0; i < 128; ++i) {
    l2[2][4096 + i] = static_cast<std::byte>(i);
    l2[1][512 + i] = static_cast<std::byte>(i + 1);
  }
  const std::uint64_t start = machine.now;
  // Core 1 of the task is core 2 of the device.
  machine.submit_in(3, {with_completion(import_from(1, 4096, 256))}, 1);
  machine.submit_in(1, {with_completion(export_to(1, 512, 8192))}, 1);
  machine.run();
  EXPECT_EQ(machine.entry(0, 3).status, FaultCode::none);
  EXPECT_EQ(machine.entry(0, 3).end, start + 21 + 2);  // 128 bytes at 64 a cycle
  EXPECT_EQ(machine.entry(0, 1).end, start + 21 + 2);
  for (unsigned i = 0; i < 128; ++i) {
    ASSERT_EQ(l2[3][256 + i], static_cast<std::byte>(i)) << i;
    ASSERT_EQ(l2[2][8192 + i], static_cast<std::byte>(i + 1)) << i;
  }
  EXPECT_EQ(machine.counter(Class::SI, r::core::sq::bytes_lo::kOffset), 0u);
}

TEST_F(Cores, ExchangeStaysInsideOfTheContextsCoresAndBlocks) {
  struct Case {
    double core, from;
    FaultCode status;
    std::uint32_t detail;
  };
  const Case cases[] = {
      {2, 4096, FaultCode::core, 3},          // beyond CORES.LAST
      {1, 1016, FaultCode::cut, 1016},        // begins 8 bytes before the context's first block
      {1, 8192 - 120, FaultCode::cut, 8192},  // ends 8 bytes after the context's last block
      {1, 1024, FaultCode::none, 0},         {1, 8192 - 128, FaultCode::none, 0},
  };
  machine.place_context(
      0, {{r::context::cores::offset(0), 1 | 2 << 8}, {r::context::l2_first::offset(0), 1}, {r::context::l2_last::offset(0), 7}});
  std::uint32_t done = 0;
  for (const Case &one : cases) {
    machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
    machine.submit_in(1, {make(Opcode::ct_bc, {{"BufCut", {7, 7}}}), exchange_configuration(Opcode::si_cfg)}, 1);
    machine.run();
    machine.submit_in(1, {with_completion(import_from(one.core, one.from, 2048))}, 1);
    machine.run();
    ASSERT_EQ(machine.completions(1), ++done);
    const Entry entry = machine.entry(done - 1, 1);
    EXPECT_EQ(entry.status, one.status) << one.from;
    if (one.status != FaultCode::none) {
      EXPECT_EQ(entry.detail, one.detail) << one.from;
    }
  }
}

TEST_F(Cores, WeightsStayInsideOfTheContextsUnits) {
  struct Case {
    double unit;
    FaultCode status;
    std::uint32_t detail;
  };
  // The context has units 100 to 109 of WL0. The lw_mov writes eight records of 40 bytes, which take five units of 64 bytes.
  const Case cases[] = {{99, FaultCode::wl0, 99},
                        {100, FaultCode::none, 0},
                        {105, FaultCode::none, 0},
                        {106, FaultCode::wl0, 110},
                        {110, FaultCode::wl0, 110}};
  machine.place_context(0, {{r::context::wl0::offset(0), 100 | 109 << 16}});
  std::uint32_t done = 0;
  for (const Case &one : cases) {
    machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
    machine.submit({make(Opcode::lw_cfg, {{"DF", {1}}, {"SWsize", {8, 1, 1}}, {"DWsize", {8, 1, 1}}}),
                    with_completion(make(Opcode::lw_mov, {{"SS", {1}}, {"DTaddr", {one.unit}}, {"Wsize", {8, 8, 1, 1}}}))});
    machine.run();
    ASSERT_EQ(machine.completions(), ++done);
    EXPECT_EQ(machine.entry(done - 1).status, one.status) << one.unit;
    if (one.status != FaultCode::none) {
      EXPECT_EQ(machine.entry(done - 1).detail, one.detail) << one.unit;
    }
  }
}

TEST_F(Cores, ScalarRegistersAreOfAContextAndACoreAndGoWithItsReset) {
  machine.open_context(1);
  // FP32 maps of one channel and four columns. Pixels begin 8 bytes apart.
  const auto configurations = [&](unsigned core, unsigned context) {
    for (const MachineCode &code : {
             whole_buffer(),
             make(Opcode::vp_cfg_gcs, {{"SG0VS", {1}}, {"SG0V", {3}}}),
             make(Opcode::vp_cfg_gms),
             make(Opcode::vp_cfg_sms),
             make(Opcode::vp_cfg_qp, {{"QK", {1}}}),
             make(Opcode::vp_cfg_iq),
             make(Opcode::vp_cfg_fm, {{"IDF", {6}}, {"ODF", {6}}, {"STile", {1, 1, 4}}, {"DTile", {1, 1, 4}}}),
             make(Opcode::vp_cfg_tp, {{"STRIDE", {1, 1}}, {"KERNEL", {1, 1}}, {"Tile", {1, 1, 4}}, {"T0F", {7}}}),
         }) {
      machine.submit_in(core, {in_context(code, context)});
    }
    machine.run();
  };
  for (unsigned column = 0; column < 4; ++column) {
    const float value = static_cast<float>(column) * 2 - 1;  // -1, 1, 3, 5
    for (const unsigned core : {0u, 1u}) std::memcpy(l2[core] + 1024 + 8 * column, &value, 4);
  }
  const MachineCode maximum = with_completion(
      make(Opcode::vp_self, {{"GPMD", {4}}, {"LUT", {22}}, {"CMPD", {7}}, {"SWRS", {4}}, {"STaddr", {1024}}, {"DTaddr", {2048}}}));
  const MachineCode add = with_completion(make(Opcode::vp_self, {{"GPMD", {5}}, {"LUT", {18}}, {"STaddr", {1024}}, {"DTaddr", {4096}}}));
  /// Runs `add`. Returns the first element of its result, which is the source's first element plus scalar register S3.
  const auto sum = [&](unsigned core, unsigned context) {
    const std::uint32_t index = machine.completions(core);
    machine.submit_in(core, {in_context(add, context)});
    machine.run();
    EXPECT_EQ(machine.entry(index, core).status, FaultCode::none);
    float value = 0;
    std::memcpy(&value, l2[core] + 4096, 4);
    return value;
  };
  configurations(0, 0);
  configurations(1, 0);
  configurations(0, 1);
  machine.submit_in(0, {maximum});
  machine.run();
  EXPECT_EQ(machine.entry(0).status, FaultCode::none);
  EXPECT_EQ(sum(0, 0), -1 + 5);
  EXPECT_EQ(sum(1, 0), -1);
  EXPECT_EQ(sum(0, 1), -1);
  machine.write(r::context::control::offset(0), 1 | r::context::control::kReset.mask());
  configurations(0, 0);
  EXPECT_EQ(sum(0, 0), -1);
}

TEST_F(Cores, WithoutItsClockACoreStandsStillAndGoesOnWhereItWas) {
  for (const unsigned core : {0u, 1u}) machine.submit_in(core, {whole_buffer(), kLoadConfiguration});
  machine.run();
  const std::uint64_t start = machine.now;
  machine.submit_in(1, {with_completion(kLoad)});
  machine.advance_to(start + 10);
  machine.write(r::clock_enable::kOffset, 0xFD);
  EXPECT_EQ(machine.read(r::clock_enable::kOffset), 0xFDu);
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
  // A core whose clock is stopped accepts a doorbell, and takes the instruction when the clock runs again. Other cores continue.
  machine.submit_in(1, {with_completion(make(Opcode::ct_st))});
  machine.submit_in(0, {with_completion(kLoad)});
  machine.run();
  EXPECT_EQ(machine.entry(0, 0).end, start + 10 + 29);
  EXPECT_EQ(machine.completions(1), 0u);
  machine.advance_to(start + 500);
  machine.write(r::clock_enable::kOffset, 0xFF);
  machine.advance_to(start + 505);
  EXPECT_EQ(machine.read(r::core_clock::cycles_lo::offset(1)), start + 505 - 490);
  EXPECT_EQ(machine.read(r::core_clock::cycles_lo::offset(0)), start + 505);
  // The clock stops a second time while the load moves bytes. The load had 10 of its 21 cycles of setup before the first stop and 11 after
  // it. Then it moved bytes for four of eight cycles.
  machine.advance_to(start + 500 + 11 + 4);
  machine.write(r::clock_enable::kOffset, 0xFD);
  machine.advance_to(start + 1000);
  machine.write(r::clock_enable::kOffset, 0xFF);
  machine.run();
  ASSERT_EQ(machine.completions(1), 2u);
  EXPECT_EQ(machine.entry(0, 1).queue, 9u + 1);
  EXPECT_EQ(machine.entry(0, 1).end, start + 1004);
  EXPECT_EQ(machine.entry(1, 1).end, start + 500 + 35 + 485);
  EXPECT_EQ(machine.read(r::core_clock::cycles_hi::offset(1)), 0u);
  const std::uint32_t stalled = machine.read(r::core::sq::stalled_lo::offset(1, 1));
  EXPECT_EQ(stalled, 490u + 485u);
  EXPECT_EQ(machine.read(r::core::sq::busy_lo::offset(1, 1)), 21u + 29u);
}

TEST_F(Cores, ACoreCanBeResetWithoutItsClock) {
  machine.submit_in(2, {whole_buffer(), kLoadConfiguration});
  machine.run();
  machine.submit_in(2, {kLoad});
  machine.advance_to(machine.now + 25);  // the load has ended its 21 cycles of setup and moves bytes
  machine.write(r::clock_enable::kOffset, 0xFB);
  machine.write(r::engine_reset::kOffset, 4);
  machine.write(r::clock_enable::kOffset, 0xFF);
  EXPECT_EQ(cox_model_next_event(machine.model), COX_MODEL_NEVER);
  EXPECT_EQ(machine.read(r::core::sq::control::offset(2, 1)), 0u);
  // The DRAM channel is free again, so a load takes only 21 cycles of setup and 8 of transfer.
  machine.submit_in(0, {whole_buffer(), kLoadConfiguration});
  machine.run();
  const std::uint64_t start = machine.now;
  machine.submit_in(0, {with_completion(kLoad)});
  machine.run();
  EXPECT_EQ(machine.entry(0).end, start + 29);
}

}  // namespace cores_test
}  // namespace cox::test
