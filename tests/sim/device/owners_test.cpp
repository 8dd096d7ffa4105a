// SPDX-License-Identifier: MIT
// The device clears the parts of L2 and WL0 that one owner has used, before a context of another owner can use them (docs/model.md,
// Owners).
#include <algorithm>

#include "tests/sim/device/machine.h"
#include "tests/sim/device/plan_case.h"

namespace cox::test {
namespace owners_test {

constexpr const char *kTwoCores = R"({"geometry": {"tile_cores": 2}, "dispatch": "ideal"})";
constexpr std::uint32_t kBlock = 1024;
constexpr std::uint32_t kNoUnits = 1;   // value of the WL0 register for an empty range: first unit 1, last unit 0
constexpr std::uint64_t kControl = 35;  // cycles of a ct_* instruction
const MachineCode kConfiguration = make(Opcode::lda_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}});
constexpr std::byte kLeft{0xA5};  // byte that owners leave in memory

struct Place {
  std::uint32_t owner, first_block, last_block;
  std::uint32_t units = kNoUnits, cores = 0;  // values of the context's registers WL0 and CORES
};

class Owners : public ::testing::Test {
 protected:
  void SetUp() override { bring_up(); }

  /// Brings the device up without contexts, so no owner has used anything.
  void bring_up() {
    for (const unsigned core : {0u, 1u}) machine.bring_up_core(core);
    machine.write(r::control::kOffset, 1);
  }
  void place(std::uint32_t context, const Place &place) {
    machine.write(r::context::window::base_lo::offset(context, 0), static_cast<std::uint32_t>(Machine::kWindow));
    machine.write(r::context::window::size::offset(context, 0), Machine::kWindowBytes);
    machine.write(r::context::window::access::offset(context, 0), 3);
    machine.place_context(context, {{r::context::l2_first::offset(context), place.first_block},
                                    {r::context::l2_last::offset(context), place.last_block},
                                    {r::context::wl0::offset(context), place.units},
                                    {r::context::cores::offset(context), place.cores},
                                    {r::context::owner::offset(context), place.owner}});
  }
  std::byte *l2(unsigned core = 0) { return static_cast<std::byte *>(cox_model_l2(machine.model, core, nullptr)); }
  void fill(unsigned core = 0) { std::fill_n(l2(core), 32 * kBlock, kLeft); }
  /// Describes the first 32 blocks by one character each: '0' for a block of zeros, 'A' for one of kLeft, '?' for any other.
  std::string blocks(unsigned core = 0) {
    std::string letters;
    for (unsigned block = 0; block < 32; ++block) {
      const std::byte *first = l2(core) + block * kBlock;
      const auto all = [&](std::byte value) { return std::all_of(first, first + kBlock, [&](std::byte byte) { return byte == value; }); };
      letters += all(std::byte{0}) ? '0' : all(kLeft) ? 'A' : '?';
    }
    return letters;
  }
  /// Runs a ct_st of the context, and returns the cycles from its doorbell to its end.
  std::uint64_t cycles_of_one(std::uint32_t context, unsigned core = 0) {
    const std::uint64_t start = machine.now;
    machine.submit_in(core, {in_context(with_completion(make(Opcode::ct_st)), context)});
    machine.run();
    const Entry entry = machine.entry(machine.completions(core) - 1, core);
    EXPECT_EQ(entry.status, FaultCode::none);
    return entry.end - start;
  }
  Entry last_entry() { return machine.entry(machine.completions() - 1); }

  Machine machine{kTwoCores};
};

TEST_F(Owners, WhatAnotherOwnerUsedLastIsCleared) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  fill();
  place(1, {.owner = 2, .first_block = 4, .last_block = 11});
  // Blocks 4 to 7 belonged to the other owner: 4 blocks of 1,024 bytes, cleared at 256 bytes a cycle. Blocks 8 to 11 had no owner, so they
  // still hold what the control core wrote.
  EXPECT_EQ(blocks(), "AAAA0000AAAAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(cycles_of_one(1), 4 * 1024 / 256 + kControl);
  EXPECT_EQ(cycles_of_one(1), kControl) << "once";
}

TEST_F(Owners, OfOneOwnerEverythingStaysAndCostsNothing) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  fill();
  place(1, {.owner = 1, .first_block = 4, .last_block = 11});
  EXPECT_EQ(blocks(), std::string(32, 'A'));
  EXPECT_EQ(cycles_of_one(1), kControl);
  EXPECT_EQ(machine.read(r::context::control::offset(0)), 1u) << "contexts of one owner may share blocks";
}

TEST_F(Owners, EachBlockHasItsLastUser) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 15});
  place(1, {.owner = 2, .first_block = 4, .last_block = 5});
  place(2, {.owner = 3, .first_block = 8, .last_block = 8});
  machine.advance_to(100);
  fill();
  place(3, {.owner = 2, .first_block = 0, .last_block = 9});
  EXPECT_EQ(blocks(), "0000AA0000AAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(cycles_of_one(3), 8 * 1024 / 256 + kControl);
}

TEST_F(Owners, UnitsOfWL0TakeTheirTimeToo) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 0, .units = 0 | 99 << 16});
  place(1, {.owner = 2, .first_block = 0, .last_block = 0, .units = 90 | 110 << 16});
  // The device clears what the other owner used: block 0 (1,024 bytes) and units 90 to 99 of 64 bytes. 1,664 bytes at 256 a cycle take 6.5
  // cycles.
  EXPECT_EQ(cycles_of_one(1), 7 + kControl);
  place(0, {.owner = 1, .first_block = 1, .last_block = 0, .units = 0 | 0xFFFFU << 16});
  EXPECT_EQ(cycles_of_one(0), (21 * 64 + 255) / 256 + kControl) << "beyond the buffer there is nothing to clear";
}

TEST_F(Owners, AllCoresOfTheContextAndNoOther) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 3, .cores = 0 | 1 << 8});
  place(1, {.owner = 1, .first_block = 4, .last_block = 7, .cores = 1 | 1 << 8});
  fill(0);
  fill(1);
  place(2, {.owner = 2, .first_block = 0, .last_block = 5, .cores = 0 | 3 << 8});  // cores 0 to 3, but only 0 and 1 exist
  EXPECT_EQ(blocks(0), "0000AAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(blocks(1), "000000AAAAAAAAAAAAAAAAAAAAAAAAAA");
  // Six blocks of core 1 are cleared in 24 cycles, four of core 0 in 16. An instruction waits until all cores of its context are clear.
  EXPECT_EQ(cycles_of_one(2, 0), 24 + kControl);
}

TEST_F(Owners, NeighboursAreNotHeldUp) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  place(1, {.owner = 3, .first_block = 8, .last_block = 15});
  fill();
  place(2, {.owner = 2, .first_block = 0, .last_block = 7});
  EXPECT_EQ(blocks(), "00000000AAAAAAAAAAAAAAAAAAAAAAAA");
  machine.submit({in_context(with_completion(make(Opcode::ct_st)), 1)});
  const std::uint64_t start = machine.now;
  machine.run();
  EXPECT_EQ(last_entry().end, start + kControl);
}

TEST_F(Owners, OneScrubOfACoreComesAfterTheOther) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 15});
  const std::uint64_t start = machine.now;
  place(1, {.owner = 2, .first_block = 0, .last_block = 7});
  place(2, {.owner = 3, .first_block = 8, .last_block = 11});
  machine.submit({in_context(with_completion(kConfiguration), 1)});
  machine.submit_in(0, {in_context(with_completion(make(Opcode::ct_st)), 2)});
  machine.run();
  EXPECT_EQ(machine.entry(0).end, start + 32 + 21);
  EXPECT_EQ(machine.entry(1).end, start + 48 + kControl);
}

TEST_F(Owners, AContextThatIsMadeAnewMeanwhileWaitsForTheSameScrub) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 31});
  const std::uint64_t start = machine.now;
  place(1, {.owner = 2, .first_block = 0, .last_block = 31});
  machine.advance_to(start + 10);
  machine.write(r::context::control::offset(1), r::context::control::kReset.mask());
  place(1, {.owner = 2, .first_block = 16, .last_block = 20});
  machine.write(r::engine_reset::kOffset, 2);  // resets the other core; this core's blocks keep their owner
  EXPECT_EQ(cycles_of_one(1), 128 - 10 + kControl);
  place(2, {.owner = 1, .first_block = 0, .last_block = 31});
  machine.write(r::engine_reset::kOffset, 1);
  machine.tail[0] = 0;
  const std::uint64_t again = machine.now;
  bring_up();
  machine.submit({in_context(with_completion(make(Opcode::ct_st)), 2)});
  machine.run();
  EXPECT_EQ(machine.entry(0).end, again + 128 + kControl) << "a reset of the core does not cut it short";
}

TEST_F(Owners, AnAbortNeedNotWait) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 31});
  place(1, {.owner = 2, .first_block = 0, .last_block = 31});
  const std::uint64_t start = machine.now;
  machine.submit({in_context(with_completion(make(Opcode::ct_st)), 1)});
  machine.advance_to(start + 5);
  EXPECT_EQ(machine.completions(), 0u);
  machine.write(r::context::control::offset(1), 1 | r::context::control::kAbort.mask());
  machine.advance_to(start + 6);
  ASSERT_EQ(machine.completions(), 1u);
  EXPECT_EQ(last_entry().status, FaultCode::aborted);
}

TEST_F(Owners, WhoLosesABlockHasNoneLeft) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  place(1, {.owner = 1, .first_block = 8, .last_block = 9});
  place(2, {.owner = 2, .first_block = 7, .last_block = 7});
  EXPECT_EQ(machine.read(r::context::control::offset(0)), 0u);
  EXPECT_EQ(machine.read(r::context::control::offset(1)), 1u);
  machine.submit({in_context(make(Opcode::ct_st), 0)});
  machine.run();
  EXPECT_EQ(last_entry().status, FaultCode::invalid_context);
}

TEST_F(Owners, WhatRunsMeanwhileHasNoEffect) {
  const MachineCode cut = make(Opcode::ct_bc, {{"BufCut", {8, 7}}});
  const MachineCode load = make(Opcode::lda_mov, {{"Tile", {1, 8, 4, 4}}});  // 21 cycles of setup, and 8 for 128 bytes
  std::fill_n(machine.memory.begin() + (Machine::kWindow - Machine::kMemoryBase), 128, kLeft);
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  machine.submit({cut, kConfiguration});
  machine.run();
  machine.submit({load});
  machine.advance_to(machine.now + 20);
  place(1, {.owner = 2, .first_block = 0, .last_block = 7});
  machine.run();
  EXPECT_EQ(last_entry().status, FaultCode::invalid_context);
  EXPECT_EQ(last_entry().detail, 0u);
  EXPECT_EQ(blocks().substr(0, 8), "00000000");
}

// A context with instructions in flight stays invalid, whatever owner, blocks, units and cores it is given. Otherwise these instructions
// could change blocks that now belong to another owner.
TEST_F(Owners, AContextWithInstructionsInFlightStaysInvalid) {
  const MachineCode cut = make(Opcode::ct_bc, {{"BufCut", {8, 7}}});
  const MachineCode load = with_completion(make(Opcode::lda_mov, {{"Tile", {1, 8, 4, 4}}}));
  const Place next[] = {{.owner = 1, .first_block = 0, .last_block = 7},
                        {.owner = 1, .first_block = 8, .last_block = 15},
                        {.owner = 1, .first_block = 0, .last_block = 7, .units = 0 | 9 << 16},
                        {.owner = 1, .first_block = 0, .last_block = 7, .cores = 1 | 1 << 8},
                        {.owner = 2, .first_block = 0, .last_block = 7},
                        {.owner = 2, .first_block = 8, .last_block = 15}};
  const std::uint32_t control = r::context::control::offset(0);
  for (const Place &then : next) {
    machine.write(control, r::context::control::kReset.mask());
    place(0, {.owner = 1, .first_block = 0, .last_block = 7});
    machine.submit({cut, kConfiguration});
    machine.run();
    machine.submit({load});
    machine.advance_to(machine.now + 20);
    machine.write(control, 0);
    machine.write(r::context::l2_first::offset(0), then.first_block);
    machine.write(r::context::l2_last::offset(0), then.last_block);
    machine.write(r::context::wl0::offset(0), then.units);
    machine.write(r::context::cores::offset(0), then.cores);
    machine.write(r::context::owner::offset(0), then.owner);
    for (const std::uint32_t value : {1U, 1U | r::context::control::kReset.mask(), 1U | r::context::control::kAbort.mask()}) {
      EXPECT_FALSE(machine.try_write(control, value)) << value;
      EXPECT_EQ(machine.read(control), 0u) << value;
    }
    EXPECT_EQ(machine.log.back(), "NPU: write of 0x3 to CONTEXT[0].CONTROL: instructions of the context are in flight");
    // The instruction ends as usual. The blocks have stayed with their owner all the time.
    machine.run();
    EXPECT_EQ(last_entry().status, FaultCode::none);
    machine.write(control, 1);
    EXPECT_EQ(machine.read(control), 1u);
    machine.write(control, 0);
  }
}

TEST_F(Owners, ConfigurationIsNotHandedOn) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  machine.submit({make(Opcode::ct_bc, {{"BufCut", {8, 7}}}), kConfiguration});
  machine.run();
  place(0, {.owner = 2, .first_block = 0, .last_block = 7});  // without a context reset
  machine.submit({with_completion(make(Opcode::lda_mov, {{"Tile", {1, 8, 4, 4}}}))});
  machine.run();
  EXPECT_EQ(last_entry().status, FaultCode::missing_configuration);
}

TEST_F(Owners, AValidContextStaysWhereItIs) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  const std::uint32_t registers[] = {r::context::l2_first::offset(0), r::context::l2_last::offset(0), r::context::wl0::offset(0),
                                     r::context::cores::offset(0), r::context::owner::offset(0)};
  for (const std::uint32_t offset : registers) {
    const std::uint32_t before = machine.read(offset);
    EXPECT_FALSE(machine.try_write(offset, 0x105)) << offset;
    EXPECT_EQ(machine.read(offset), before) << offset;
  }
  EXPECT_EQ(machine.log.back(), "NPU: write of 0x105 to CONTEXT[0].OWNER: the context is valid");
  machine.write(r::context::control::offset(0), 0);
  machine.write(r::context::owner::offset(0), 0x1FF);
  EXPECT_EQ(machine.read(r::context::owner::offset(0)), 0xFFu);
}

TEST_F(Owners, AfterPowerOnNothingIsAnybodys) {
  place(0, {.owner = 1, .first_block = 0, .last_block = 7});
  cox_model_reset(machine.model, machine.now);
  std::fill(std::begin(machine.tail), std::end(machine.tail), 0u);
  bring_up();
  fill();
  place(0, {.owner = 2, .first_block = 0, .last_block = 7});
  EXPECT_EQ(blocks(), std::string(32, 'A'));
  EXPECT_EQ(cycles_of_one(0), kControl);
}

TEST(OwnersEcc, AClearedWordIsWhole) {
  const PlanFile plan("flip memory=l2 core=0 address=0x808 bits=2 at=100");
  Machine machine(plan.options().c_str());
  machine.bring_up();
  const MachineCode configuration = make(Opcode::sta_cfg, {{"SME", {1}}, {"DF", {1}}, {"STile", {8, 4, 4}}, {"DTile", {8, 4, 4}}});
  const auto store = [&](std::uint32_t owner) {
    machine.write(r::context::control::offset(0), r::context::control::kReset.mask());
    machine.place_context(0, {{r::context::owner::offset(0), owner}});
    machine.submit({make(Opcode::ct_bc, {{"BufCut", {8, 7}}}), configuration});
    machine.run();
    machine.submit({with_completion(make(Opcode::sta_mov, {{"STaddr", {2048}}, {"DTaddr", {4096}}, {"Tile", {1, 8, 4, 4}}}))});
    machine.run();
    return machine.entry(machine.completions() - 1).status;
  };
  EXPECT_EQ(store(1), FaultCode::ecc);
  EXPECT_EQ(store(1), FaultCode::ecc);
  EXPECT_EQ(store(2), FaultCode::none);
}

TEST(OwnersOptions, TheScrubbersWidth) {
  Machine machine(R"({"geometry": {"scrub_bytes_per_cycle": 1000}, "dispatch": "ideal"})");
  machine.bring_up();
  machine.place_context(0, {{r::context::owner::offset(0), 1}, {r::context::l2_last::offset(0), 9}});
  const std::uint64_t start = machine.now;
  machine.submit({with_completion(make(Opcode::ct_st))});
  machine.run();
  EXPECT_EQ(machine.entry(0).end, start + (10 * 1024 + 20480 * 64 + 999) / 1000 + kControl);
}

}  // namespace owners_test
}  // namespace cox::test
