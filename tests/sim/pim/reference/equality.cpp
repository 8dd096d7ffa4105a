// SPDX-License-Identifier: MIT
#include "tests/sim/pim/reference/equality.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "coxswain/isa/pim/write_program.h"
#include "sim/model/pim/machine/machine.h"
#include "tests/sim/pim/reference/random.h"

namespace cox::model::pim::oracle {
namespace equality {
namespace {

using isa::pim::Program;

constexpr std::uint64_t kMostSteps = 200'000;

class Windows final : public model::pim::Dram {
 public:
  explicit Windows(const oracle::Dram &dram) : dram_(dram) {}
  [[nodiscard]] const oracle::Dram &dram() const { return dram_; }

  Status check(bool /*write*/, unsigned window, std::uint64_t offset, std::uint64_t bytes) override {
    const std::uint64_t size = dram_.windows.at(window).size();
    return offset + bytes <= size ? Status() : Status(ErrorCode::address_outside_window, "dram", -1, signed_of(offset), signed_of(size));
  }
  Status read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) override {
    std::memcpy(bytes.data(), &dram_.windows.at(window).at(offset), bytes.size());
    return {};
  }
  Status write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) override {
    std::memcpy(&dram_.windows.at(window).at(offset), bytes.data(), bytes.size());
    return {};
  }

 private:
  oracle::Dram dram_;
};

/// Makes the machine run instructions in the order of time.
class Silent final : public Listener {
 public:
  void on_start(const CoreEvent & /*event*/) override {}
  void on_end(const CoreEvent & /*event*/) override {}
};

std::vector<std::uint64_t> container(const RandomProgram &program) {
  std::vector<std::uint32_t> lengths;
  for (const Code &code : program.codes) lengths.push_back(static_cast<std::uint32_t>(code.size()));
  const auto cores = static_cast<unsigned>(program.codes.size());
  std::vector<std::uint64_t> bytes(isa::pim::program_bytes(cores, lengths, 64 * cores) / 8 + 1);
  isa::pim::ProgramWriter writer(std::as_writable_bytes(std::span(bytes)), cores);
  for (unsigned core = 0; core < cores; ++core) {
    writer.begin_code(core);
    for (const std::uint32_t word : program.codes[core]) writer.append(isa::pim::MachineCode{word});
  }
  writer.begin_settings();
  for (unsigned core = 0; core < cores; ++core) {
    for (unsigned i = 0; i < 32; ++i) {
      const isa::pim::Setting setting{.core = static_cast<std::uint8_t>(core), .place = static_cast<std::uint8_t>(i)};
      isa::pim::Setting general = setting, special = setting;
      general.value = program.cores[core].general[i];
      special.place = static_cast<std::uint8_t>(32 + i);
      special.value = program.cores[core].special[i];
      if (general.value != 0) writer.append(general);
      if (special.value != 0) writer.append(special);
    }
  }
  EXPECT_EQ(writer.finish().status().code(), ErrorCode::ok);
  return bytes;
}

std::string text(const std::optional<Fault> &fault) {
  return fault ? std::to_string(fault->instruction) + ": " + error_name(fault->code) : "no fault";
}

Timing random_timing(Random &random) {
  Timing timing;
  timing.dram_latency = static_cast<std::uint32_t>(random.below(100));
  timing.mesh_width = static_cast<std::uint32_t>(random.between(1, 4));
  timing.hop_cycles = static_cast<std::uint32_t>(random.below(20));
  timing.handshake_cycles = static_cast<std::uint32_t>(random.below(5));
  timing.simd_lanes = static_cast<std::uint32_t>(random.between(1, 64));
  timing.jitter_seed = random.one_in(3) ? 0 : random.word();
  timing.jitter_cycles = static_cast<std::uint32_t>(random.below(300));
  return timing;
}

void compare(const RandomProgram &program, Interpreter &oracle, std::uint64_t seed, std::map<ErrorCode, unsigned> &codes) {
  Random random(seed);
  const auto cores = static_cast<unsigned>(program.codes.size());
  const Timing timing = random_timing(random);
  Machine machine(program.configuration, timing, Energy{}, cores + static_cast<unsigned>(random.below(2)),
                  random.one_in(4) ? Path::reference : Path::fast);
  Silent silent;
  if (random.one_in(3)) machine.set_listener(&silent);
  machine.clear();
  for (unsigned core = 0; core < cores; ++core) {
    for (unsigned i = 0; i < program.cores[core].memories.size(); ++i)
      std::ranges::copy(std::as_bytes(std::span(program.cores[core].memories[i])), machine.memory(core, i).begin());
    std::ranges::copy(std::as_bytes(std::span(program.cores[core].array)), machine.memory(core, isa::pim::kArraySpace).begin());
  }
  const std::vector<std::uint64_t> bytes = container(program);
  const Result<Program> opened = Program::open(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(opened.ok()) << opened.status().what();
  Windows windows(program.dram);
  Cycle now = random.below(1000);
  machine.start(opened.value(), windows, now);
  const bool long_steps = random.one_in(2);
  while (!machine.done()) {
    ASSERT_NE(machine.next_event(), kNever);
    now = machine.next_event() + (long_steps ? random.below(10000) : 0);
    machine.step(now);
  }

  std::uint64_t waiting = 0;
  bool any_fault = false;
  Cycle first = kNever;
  for (unsigned core = 0; core < cores; ++core) {
    SCOPED_TRACE("core " + std::to_string(core));
    const CoreState state = machine.state(core);
    const std::optional<Fault> &fault = oracle.faults()[core];
    if (fault) ++codes[fault->code];
    const bool waits = fault && fault->code == ErrorCode::deadlock;
    if (waits) {
      waiting |= std::uint64_t{1} << core;
      ASSERT_NE(state.phase, Phase::faulted) << error_name(state.fault.code());
    } else {
      ASSERT_EQ(state.phase, fault ? Phase::faulted : Phase::ended)
          << text(fault) << "; " << state.counter << ": " << error_name(state.fault.code()) << " " << state.fault.what();
      if (fault) {
        ASSERT_EQ(error_name(state.fault.code()), std::string(error_name(fault->code)))
            << text(fault) << "; " << state.counter << ": " << state.fault.what();
        any_fault = true;
        first = std::min(first, state.fault_time);
      }
    }
    const Core &expected = oracle.cores[core];
    ASSERT_EQ(state.counter, expected.counter);
    ASSERT_EQ(machine.registers(core).general, expected.general);
    ASSERT_EQ(machine.registers(core).special, expected.special);
    const auto same = [&](unsigned space, const Bytes &memory) {
      return std::ranges::equal(machine.memory(core, space), std::as_bytes(std::span(memory)));
    };
    for (unsigned i = 0; i < expected.memories.size(); ++i) ASSERT_TRUE(same(i, expected.memories[i])) << "memory " << i;
    ASSERT_TRUE(same(isa::pim::kArraySpace, expected.array));
    ASSERT_TRUE(std::ranges::equal(machine.output_registers(core), expected.outputs));
  }
  ASSERT_TRUE(windows.dram() == oracle.dram);

  const Outcome &outcome = machine.outcome();
  ASSERT_EQ(outcome.waiting, waiting);
  if (any_fault) {
    const std::optional<Fault> &fault = oracle.faults().at(outcome.position.core);
    ASSERT_TRUE(fault);
    ASSERT_EQ(outcome.position.instruction, fault->instruction);
    ASSERT_EQ(outcome.status.code(), fault->code);
    ASSERT_EQ(outcome.time, first);
  } else {
    ASSERT_EQ(outcome.status.code(), waiting != 0 ? ErrorCode::deadlock : ErrorCode::ok);
  }
}

}  // namespace
}  // namespace equality

bool expect_equal(const RandomProgram &program, std::uint64_t seed, std::map<ErrorCode, unsigned> &codes) {
  Interpreter oracle(program.configuration, program.codes);
  oracle.cores = program.cores;
  oracle.dram = program.dram;
  if (!oracle.run(equality::kMostSteps)) return false;
  equality::compare(program, oracle, seed, codes);
  return true;
}

}  // namespace cox::model::pim::oracle
