// SPDX-License-Identifier: MIT
// The machine of tests/sim with the PIM cores brought up.
#pragma once

#include "tests/sim/engine_machine.h"
#include "tests/sim/pim/programs.h"

namespace cox::test::pim {

using registers::FaultCode;

class PimMachine : public EngineMachine {
 public:
  static constexpr unsigned kPlace = 0x1000;  ///< bytes between places of operands and results in window 0

  explicit PimMachine(const char *options = nullptr) : EngineMachine(registers::row_of(registers::Engine::pim), options) {
    bring_up_engine(3);
  }

  void submit(const Assembly &program, unsigned context = 0) { EngineMachine::submit(program.bytes(), context); }
  /// Runs a program to its end. Returns its completion.
  Entry run(const Assembly &program, unsigned context = 0) {
    submit(program, context);
    EngineMachine::run();
    return engine_entry(engine_tail() - 1);
  }

  [[nodiscard]] static std::uint32_t dram(std::uint32_t offset) { return kDram + offset; }
  [[nodiscard]] std::byte *in_window(std::uint32_t offset, std::size_t bytes = 1) { return find(kWindow + offset, bytes); }
  [[nodiscard]] std::uint32_t word(std::uint32_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, in_window(offset, 4), 4);
    return value;
  }
  void put_word(std::uint32_t offset, std::uint32_t value) { std::memcpy(in_window(offset, 4), &value, 4); }
  void put_operands(std::uint32_t offset, unsigned seed) {
    const std::vector<std::byte> bytes = operands_of(seed);
    std::memcpy(in_window(offset, bytes.size()), bytes.data(), bytes.size());
  }
  [[nodiscard]] bool has_product(std::uint32_t offset, unsigned seed) {
    const std::vector<std::byte> wanted = product_of(operands_of(seed));
    return std::memcmp(in_window(offset, wanted.size()), wanted.data(), wanted.size()) == 0;
  }

  // Registers of a core.
  [[nodiscard]] std::uint32_t core_read(unsigned core, std::uint32_t offset) {
    return read(registers::pim_core::kBase + core * registers::pim_core::kStride + offset);
  }
  [[nodiscard]] bool core_try(unsigned core, std::uint32_t offset, std::uint32_t value) {
    return try_write(registers::pim_core::kBase + core * registers::pim_core::kStride + offset, value);
  }
  [[nodiscard]] registers::PimPhase phase(unsigned core) {
    return static_cast<registers::PimPhase>(registers::pim_core::state::kPhase.get(core_read(core, 0)));
  }
};

/// The detail of a fault.
[[nodiscard]] constexpr std::uint32_t detail(unsigned core, std::uint32_t instruction, unsigned field = registers::kNoFaultField) {
  return registers::EngineFaultDetail{isa::pim::Position{core, instruction}.pack(), field}.pack();
}

/// Two cores that exchange words: core 0 loads a word from window 0 at `offset`, adds 1 and sends it; core 1 adds 2 and sends it back; core
/// 0 stores it behind the first. Then both meet at a barrier. `laps` times.
inline Assembly ping_pong(std::uint32_t offset, unsigned laps) {
  using namespace build;  // NOLINT(google-build-using-namespace)
  using build::r;
  const Reg memory = r(1), dram = r(2), word = r(3), id = r(4), bytes = r(5), other = r(6), lap = r(7), laps_left = r(8), cores = r(9),
            one = r(10);
  Assembly program;
  for (unsigned core = 0; core < 2; ++core) {
    program.add(core, constant(memory, kData)).add(core, constant(dram, kDram + offset)).add(core, general_li(id, 5));
    program.add(core, general_li(bytes, 4)).add(core, general_li(other, 1 - core)).add(core, general_li(cores, 2));
    program.add(core, general_li(lap, 0)).add(core, general_li(laps_left, laps)).add(core, general_li(one, 1));
    const auto first = static_cast<std::int32_t>(program.cores[core].size());
    const MessageRegisters message{memory, memory, id, bytes};
    if (core == 0) {
      program.add(core, load_global(word, dram)).add(core, addi(word, word, 1)).add(core, store_local(word, memory));
      program.add(core, send(other, message)).add(core, receive(other, message));
      program.add(core, load_local(word, memory)).add(core, store_global(word, dram, 4)).add(core, addi(dram, dram, 4));
    } else {
      program.add(core, receive(other, message)).add(core, load_local(word, memory)).add(core, addi(word, word, 2));
      program.add(core, store_local(word, memory)).add(core, send(other, message));
    }
    program.add(core, barrier(id, cores)).add(core, build::add(lap, lap, one));
    program.add(core, blt(lap, laps_left, first - static_cast<std::int32_t>(program.cores[core].size())));
  }
  return program;
}

}  // namespace cox::test::pim
