// SPDX-License-Identifier: MIT
// Tests what instructions write. A task of three instructions (load, quantise-copy, store) runs on known data: on the fast path, on the
// reference path, and with DRAM that is not mapped. Also tests when an effect becomes visible, and windows and regions that change while an
// instruction runs.
#include "tests/sim/device/machine.h"

namespace cox::test {
namespace functional_test {

constexpr std::uint32_t kOutput = 0x1000;  // offset in the window
constexpr unsigned kPixels = 4 * 4;
constexpr unsigned kChannels = 3;

void configure(Machine &machine) {
  machine.submit({
      whole_buffer(),
      make(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {3}}, {"STile", {kChannels, 4, 4}}, {"DTile", {kChannels, 4, 4}}}),
      make(Opcode::vp_cfg_qp, {{"QCS", {2}}, {"QB", {6}}, {"QK", {2}}}),
      make(Opcode::vp_cfg_fm,
           {{"IF", {1}}, {"OF", {1}}, {"IDF", {3}}, {"ODF", {1}}, {"STile", {kChannels, 4, 4}}, {"DTile", {kChannels, 4, 4}}}),
      make(Opcode::vp_cfg_tp, {{"STRIDE", {1, 1}}, {"KERNEL", {1, 1}}, {"Tile", {kChannels, 4, 4}}, {"T0F", {7}}}),
      make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {kChannels, 4, 4}}, {"DTile", {kChannels, 4, 4}}}),
  });
  machine.run();
}

const MachineCode kLoad = with_completion(make(Opcode::lda_mov, {{"DTaddr", {2048}}, {"Tile", {1, kChannels, 4, 4}}}));
const MachineCode kQuantise =
    with_completion(make(Opcode::vp_self, {{"QEN", {3}}, {"GPMD", {4}}, {"LUT", {16}}, {"STaddr", {2048}}, {"DTaddr", {4096}}}));
const MachineCode kStore =
    with_completion(make(Opcode::sta_mov, {{"STaddr", {4096}}, {"DTaddr", {kOutput}}, {"Tile", {1, kChannels, 4, 4}}}));

/// Returns the FP16 bits of halves / 2, which is exact.
std::uint16_t half(unsigned halves) {
  if (halves == 0) return 0;
  unsigned exponent = 0;
  while ((halves >> (exponent + 1)) != 0) ++exponent;
  const unsigned mantissa = (halves << (10 - exponent)) & 0x3FF;
  return static_cast<std::uint16_t>((exponent - 1 + 15) << 10 | mantissa);
}

void run_task(const char *options, bool mapped) {
  Machine machine(options, mapped);
  machine.bring_up();
  for (unsigned i = 0; i < kPixels * kChannels; ++i) {
    const std::uint16_t value = half(i);  // the FP16 bits of i / 2
    std::memcpy(machine.find(Machine::kWindow + i * 2, 2), &value, 2);
  }
  std::byte *output = machine.find(Machine::kWindow + kOutput, kPixels * kChannels);
  configure(machine);
  for (const MachineCode &code : {kLoad, kQuantise, kStore}) {
    EXPECT_EQ(output[1], std::byte{0});
    machine.submit({code});
    machine.run();
  }
  ASSERT_EQ(machine.completions(), 3u);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(machine.entry(i).status, FaultCode::none) << i;
  // Input i has the value i / 2. It is multiplied by QK = 2, then QB = 6 is added.
  for (unsigned i = 0; i < kPixels * kChannels; ++i) EXPECT_EQ(std::to_integer<unsigned>(output[i]), i + 6) << i;
  // A pixel in L2 takes eight bytes.
  const auto *l2 = static_cast<const std::byte *>(cox_model_l2(machine.model, 0, nullptr));
  EXPECT_EQ(std::to_integer<unsigned>(l2[4096 + 8]), 3u + 6);
  EXPECT_EQ(machine.counter(Class::LD, r::core::sq::bytes_lo::kOffset), kPixels * kChannels * 2);
  EXPECT_EQ(machine.counter(Class::ST, r::core::sq::bytes_lo::kOffset), kPixels * kChannels);
  EXPECT_TRUE(machine.log.empty());
}

TEST(Functional, OnTheFastPath) { run_task(nullptr, true); }
TEST(Functional, OnTheReferencePath) { run_task(R"({"path": "reference"})", true); }
TEST(Functional, ByCopy) { run_task(nullptr, false); }

TEST(Functional, TheEffectIsThereAtTheEndAndNotBefore) {
  Machine machine;
  machine.bring_up();
  machine.memory[Machine::kWindow - Machine::kMemoryBase] = std::byte{0x42};
  configure(machine);
  const auto *l2 = static_cast<const std::byte *>(cox_model_l2(machine.model, 0, nullptr));
  machine.submit({kLoad});
  machine.advance_to(machine.now + 50);  // the load has started
  // Loading 128 bytes takes 21 cycles of setup and 7.5 of transfer.
  machine.advance_to(machine.now + 28);
  EXPECT_EQ(l2[2048], std::byte{0});
  machine.advance_to(machine.now + 1);
  EXPECT_EQ(l2[2048], std::byte{0x42});
}

/// The device decides at the start of an instruction which bytes the instruction may touch.
TEST(Functional, AWindowThatMovesUnderwayIsForLaterInstructions) {
  Machine machine;
  machine.bring_up();
  machine.memory[Machine::kWindow - Machine::kMemoryBase] = std::byte{0x42};
  configure(machine);
  machine.submit({kLoad});
  machine.advance_to(machine.now + 60);
  machine.write(r::context::window::base_lo::offset(0, 0), 0);
  machine.run();
  EXPECT_EQ(machine.entry(0).status, FaultCode::none);
  EXPECT_EQ(static_cast<const std::byte *>(cox_model_l2(machine.model, 0, nullptr))[2048], std::byte{0x42});
  machine.submit({kLoad});
  machine.run();
  EXPECT_EQ(machine.entry(1).status, FaultCode::bus_error);
}

TEST(Functional, ACutThatChangesUnderwayIsForLaterInstructions) {
  constexpr std::uint32_t kEnd = 8U << 20;
  constexpr std::uint32_t kSmallRegion = kEnd - 4 * 1024;
  const MachineCode small = make(Opcode::ct_bc, {{"BufCut", {4, 8191}}});
  // The load and the store access 128 bytes of L2. The last 64 of these lie beyond the region's end and wrap to its beginning.
  const MachineCode load = with_completion(make(Opcode::lda_mov, {{"DTaddr", {kEnd - 64.0}}, {"Tile", {1, 8, 4, 4}}}));
  const MachineCode store =
      with_completion(make(Opcode::sta_mov, {{"STaddr", {kEnd - 64.0}}, {"DTaddr", {kOutput}}, {"Tile", {1, 8, 4, 4}}}));
  for (const bool starts_small : {false, true}) {
    Machine machine(R"({"dispatch": "ideal"})");
    machine.bring_up();
    machine.submit({make(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}),
                    make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}}),
                    starts_small ? small : whole_buffer()});
    machine.run();
    const std::uint32_t wrapped = starts_small ? kSmallRegion : 0;
    auto *l2 = static_cast<std::byte *>(cox_model_l2(machine.model, 0, nullptr));
    machine.memory[Machine::kWindow - Machine::kMemoryBase + 64] = std::byte{0x42};
    // The move starts before the ct_bc changes the region, and ends after that. The ct_bc takes 35 cycles. The move starts 10 cycles later
    // than the ct_bc. It takes 21 (load) or 30 (store) cycles of setup and 8 of transfer.
    machine.submit({starts_small ? whole_buffer() : small});
    machine.advance_to(machine.now + 10);
    machine.submit({load});
    machine.run();
    EXPECT_EQ(machine.entry(0).status, FaultCode::none);
    EXPECT_EQ(l2[wrapped], std::byte{0x42});
    machine.submit({starts_small ? small : whole_buffer()});
    machine.run();
    machine.submit({starts_small ? whole_buffer() : small});
    machine.advance_to(machine.now + 10);
    machine.submit({store});
    machine.run();
    EXPECT_EQ(machine.entry(1).status, FaultCode::none);
    EXPECT_EQ(*machine.find(Machine::kWindow + kOutput + 64, 1), std::byte{0x42});
  }
}

}  // namespace functional_test
}  // namespace cox::test
