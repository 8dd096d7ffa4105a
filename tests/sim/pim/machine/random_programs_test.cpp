// SPDX-License-Identifier: MIT
// Cores that run ahead give the same states and cycles as cores that run instruction by instruction in the order of time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "tests/sim/pim/machine/rig.h"

namespace cox::model::pim::testing::random_programs_test {

using namespace isa::pim::build;

class Quiet final : public Listener {
 public:
  void on_start(const CoreEvent & /*event*/) override { ++starts; }
  void on_end(const CoreEvent & /*event*/) override { ++ends; }
  std::uint64_t starts = 0, ends = 0;
};

/// Registers 0 to 7 hold data, 8 and 9 count loops, 10 to 29 have addresses and numbers that instructions do not change.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  Source program() {
    const unsigned cores = below(4) == 0 ? 8 : 1 + below(4);
    Source source(cores);
    for (unsigned core = 0; core < cores; ++core) {
      const std::uint32_t places[] = {
          kInput, kOutput, kData, kInputBuffer, kOutputBuffer, kMaskBuffer, kArray, kDram + 0x1000 * core, kDram + (1U << 29)};
      for (unsigned i = 0; i < std::size(places); ++i)
        source.set(core, 10 + i, places[i] + (i == 2 ? 0 : 64 * below(4)));  // messages need one place in all cores
      const std::uint32_t numbers[] = {32, 3, 1, cores, below(cores), below(cores), 2, 200, 0, 24};
      for (unsigned i = 0; i < std::size(numbers); ++i) source.set(core, 20 + i, numbers[i]);
      const std::uint32_t special[] = {8, 32, 8, 8, 1 + below(3), 8 + below(50), 32, kMaskBuffer + 4096, 0x700000};
      for (unsigned i = 0; i < std::size(special); ++i) source.set(core, 32 + i, special[i]);
      for (unsigned i = 16; i <= 20; ++i) source.set(core, 32 + i, 8U << below(3));
      const unsigned length = 20 + below(100);
      while (source.code[core].size() < length) append(source.code[core], cores);
    }
    // A shared barrier at the end, which most programs reach.
    for (Instructions &code : source.code) code.push_back(barrier(r(26), r(23)));
    if (below(5) == 0) source.time_limit = 50 + below(800);
    return source;
  }

 private:
  unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }
  isa::pim::build::Reg data() { return r(below(8)); }
  isa::pim::build::Reg local() { return r(10 + below(6)); }
  isa::pim::build::Reg dram() { return r(17 + below(2)); }

  void append(Instructions &code, unsigned cores) {
    const unsigned kind = below(100);
    if (kind < 35) {
      const MachineCode scalars[] = {add(data(), data(), data()),
                                     sub(data(), data(), data()),
                                     mul(data(), data(), data()),
                                     div(data(), data(), data()),
                                     mod(data(), data(), data()),
                                     sll(data(), data(), data()),
                                     srl(data(), data(), data()),
                                     sra(data(), data(), data()),
                                     addi(data(), data(), static_cast<int>(below(200)) - 100),
                                     muli(data(), data(), static_cast<int>(below(200)) - 100),
                                     lui(data(), static_cast<int>(below(200)) - 100),
                                     general_li(data(), below(1 << 21)),
                                     special_to_general(data(), static_cast<isa::pim::Special>(below(9)))};
      code.push_back(scalars[below(std::size(scalars))]);
    } else if (kind < 47) {
      code.push_back(below(2) == 0 ? load_local(data(), local(), static_cast<int>(below(64)))
                                   : store_local(data(), local(), static_cast<int>(below(64))));
    } else if (kind < 53) {
      code.push_back(below(2) == 0 ? load_global(data(), dram(), static_cast<int>(4 * below(16)))
                                   : store_global(data(), dram(), static_cast<int>(4 * below(16))));
    } else if (kind < 62) {
      code.push_back(trans(r(10 + below(9)), r(10 + below(9)), r(below(2) == 0 ? 20 : 27)));
    } else if (kind < 68) {
      code.push_back(simd_compute(below(2) == 0 ? isa::pim::SimdOpcode::add : isa::pim::SimdOpcode::multiply, 2, local(), local(), local(),
                                  r(below(2) == 0 ? 20 : 27)));
    } else if (kind < 78) {
      if (below(3) == 0) code.push_back(pim_batch(r(21), r(20), r(28), r(28)));
      code.push_back(pim_compute(local(), r(20), r(22), {.group = below(2) == 0}));
    } else if (kind < 81) {
      code.push_back(pim_output(local()));
    } else if (kind < 84) {
      code.push_back(pim_transfer(local(), local(), r(20), local()));
    } else if (kind < 88) {
      code.push_back(below(2) == 0 ? beq(data(), data(), 1 + static_cast<int>(below(3)))
                                   : blt(data(), data(), 1 + static_cast<int>(below(3))));
    } else if (kind < 91) {
      // A short loop over scalars: r9 = r9 + 1 until r9 = r25 or more.
      for (const MachineCode &step : {general_li(r(9), 0), add(data(), data(), data()), addi(r(9), r(9), 1), blt(r(9), r(29), -2)})
        code.push_back(step);
    } else if (kind < 98 && cores > 1) {
      message(code);
    } else if (kind == 98 && below(4) == 0) {
      code.push_back(load_local(data(), dram()));  // faults
    } else if (kind == 99 && below(3) == 0) {
      code.push_back(barrier(r(22), r(23)));
    }
  }

  /// Messages to any core, also to oneself: many match, some stay open, and a few disagree.
  void message(Instructions &code) {
    const isa::pim::build::MessageRegisters registers{r(12), r(12), r(below(2) == 0 ? 22 : 28), r(below(10) == 0 ? 27 : 20)};
    const unsigned partner = 24 + below(2);
    const bool asynchronous = below(3) != 0;
    if (below(2) == 0) {
      code.push_back(send(r(partner), registers, asynchronous));
    } else {
      code.push_back(receive(r(partner), registers, asynchronous));
    }
    if (below(3) == 0) code.push_back(wait(r(partner), registers.id));
  }

  std::mt19937 random_;
};

void fill(Rig &rig, unsigned cores, unsigned seed) {
  std::mt19937 random(seed);
  for (unsigned core = 0; core < cores; ++core) {
    for (const unsigned space : {0U, 1U, 2U, 3U, 4U, 5U, unsigned{isa::pim::kArraySpace}}) {
      const std::span<std::byte> bytes = rig.machine.memory(core, space);
      for (std::size_t i = 0; i < 4096; ++i) bytes[i] = static_cast<std::byte>(random());
    }
  }
}

struct Tally {
  unsigned ends = 0, faults = 0, deadlocks = 0, limits = 0, mismatches = 0;
};

bool same(std::span<const std::byte> a, std::span<const std::byte> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
}

void compare(Rig &a, Rig &b, unsigned cores) {
  EXPECT_EQ(a.status().code(), b.status().code());
  EXPECT_EQ(a.machine.outcome().time, b.machine.outcome().time);
  EXPECT_EQ(a.machine.outcome().waiting, b.machine.outcome().waiting);
  EXPECT_EQ(a.machine.outcome().position.pack(), b.machine.outcome().position.pack());
  for (unsigned i = 0; i < isa::pim::kWindows; ++i) EXPECT_TRUE(same(a.dram.windows[i], b.dram.windows[i])) << "window " << i;
  for (unsigned core = 0; core < cores; ++core) {
    SCOPED_TRACE("core " + std::to_string(core));
    const CoreState x = a.machine.state(core), y = b.machine.state(core);
    EXPECT_EQ(x.phase, y.phase);
    EXPECT_EQ(x.counter, y.counter);
    EXPECT_EQ(x.open_messages, y.open_messages);
    EXPECT_EQ(x.fault.code(), y.fault.code());
    EXPECT_EQ(x.fault_time, y.fault_time);
    EXPECT_EQ(a.machine.registers(core).general, b.machine.registers(core).general);
    EXPECT_EQ(a.machine.registers(core).special, b.machine.registers(core).special);
    for (const unsigned space : {0U, 1U, 2U, 3U, 4U, 5U, unsigned{isa::pim::kArraySpace}})
      EXPECT_TRUE(same(a.machine.memory(core, space), b.machine.memory(core, space))) << "memory " << space;
    EXPECT_TRUE(same(std::as_bytes(a.machine.output_registers(core)), std::as_bytes(b.machine.output_registers(core))));
    const Counters c = a.machine.counters(core), d = b.machine.counters(core);
    EXPECT_EQ(c.instructions, d.instructions);
    EXPECT_EQ(c.cycles, d.cycles);
    EXPECT_EQ(c.busy, d.busy);
    EXPECT_EQ(c.stalled, d.stalled);
    EXPECT_EQ(c.energy.sum(), d.energy.sum());
  }
}

TEST(PimRandomPrograms, RunningAheadChangesNothing) {
  Tally tally;
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Source source = Generator(seed).program();
    const auto cores = static_cast<unsigned>(source.code.size());
    Timing timing;
    timing.jitter_seed = seed % 3;
    timing.dram_latency = seed % 5 == 0 ? 0 : 60;
    if (seed % 7 == 0) timing.handshake_cycles = timing.hop_cycles = 0;
    Rig ahead(cores, timing), exact(cores, timing);
    Quiet quiet;
    exact.machine.set_listener(&quiet);
    fill(ahead, cores, seed);
    fill(exact, cores, seed);
    exact.start(source);
    exact.finish();
    // The device may ask at any time, for any step.
    ahead.start(source);
    std::mt19937 random(seed);
    for (Cycle now = 0; !ahead.machine.done(); now += seed % 2 == 0 ? 1 + random() % 300 : 1'000'000) ahead.machine.step(now);
    compare(ahead, exact, cores);
    EXPECT_LE(quiet.starts, quiet.ends);
    switch (exact.status().code()) {
      case ErrorCode::ok: ++tally.ends; break;
      case ErrorCode::deadlock: ++tally.deadlocks; break;
      case ErrorCode::time_limit: ++tally.limits; break;
      case ErrorCode::message_mismatch: ++tally.mismatches; break;
      default: ++tally.faults; break;
    }
    if (HasFailure()) return;
  }
  // All ways to end have been tried.
  EXPECT_GT(tally.ends, 30U);
  EXPECT_GT(tally.deadlocks, 30U);
  EXPECT_GT(tally.faults, 30U);
  EXPECT_GT(tally.limits, 10U);
  EXPECT_GT(tally.mismatches, 5U);
}

}  // namespace cox::model::pim::testing::random_programs_test
