// SPDX-License-Identifier: MIT
// What a PIM core has done since the start of its program.
#pragma once

#include <array>
#include <cstdint>

namespace cox::model::pim {

/// The parts of a core that run instructions beside each other.
enum class Unit : std::uint8_t { scalar, compute, output, transfer, simd, trans, message };
inline constexpr unsigned kUnits = 7;
[[nodiscard]] constexpr const char *unit_name(Unit unit) {
  constexpr const char *kNames[kUnits] = {"scalar", "compute", "output", "transfer", "simd", "trans", "message"};
  return kNames[static_cast<unsigned>(unit)];
}

/// Why an instruction does not issue in the cycle after the one before it.
enum class Stall : std::uint8_t {
  unit,     ///< its unit is busy
  memory,   ///< a memory that it touches is in use
  results,  ///< pim-output: earlier computes have not ended
  drain,    ///< a message or barrier: earlier instructions of the core have not ended
  load,     ///< the instruction behind load-global: the word has not arrived
  message,  ///< the instruction behind a synchronous message, or behind wait
  barrier,  ///< the instruction behind a barrier
};
inline constexpr unsigned kStalls = 7;
[[nodiscard]] constexpr const char *stall_name(Stall stall) {
  constexpr const char *kNames[kStalls] = {"unit", "memory", "results", "drain", "load", "message", "barrier"};
  return kNames[static_cast<unsigned>(stall)];
}

/// Femtojoules (sim/model/pim/machine/energy.h).
struct EnergyUsed {
  std::uint64_t compute = 0, memory = 0, dram = 0, network = 0, simd = 0, instructions = 0, leakage = 0;
  constexpr EnergyUsed &operator+=(const EnergyUsed &other) {
    compute += other.compute, memory += other.memory, dram += other.dram, network += other.network;
    simd += other.simd, instructions += other.instructions, leakage += other.leakage;
    return *this;
  }
  [[nodiscard]] constexpr std::uint64_t sum() const { return compute + memory + dram + network + simd + instructions + leakage; }
};

struct Counters {
  std::uint64_t instructions = 0;                ///< a pim-batch and its pim-compute are two
  std::uint64_t cycles = 0;                      ///< from the program's start to the core's end, or until now
  std::array<std::uint64_t, kUnits> busy{};      ///< cycles; of messages: until the data has landed, for synchronous ones
  std::array<std::uint64_t, kStalls> stalled{};  ///< cycles
  std::uint64_t macs = 0;                        ///< products of an input and a weight
  std::uint64_t messages_sent = 0, bytes_sent = 0, messages_received = 0, bytes_received = 0;
  std::uint64_t dram_read = 0, dram_written = 0;  ///< bytes, without the program's loads and stores
  EnergyUsed energy;

  [[nodiscard]] constexpr std::uint64_t &busy_of(Unit unit) { return busy[static_cast<unsigned>(unit)]; }
  [[nodiscard]] constexpr std::uint64_t &stalled_for(Stall stall) { return stalled[static_cast<unsigned>(stall)]; }
  [[nodiscard]] constexpr std::uint64_t busy_of(Unit unit) const { return busy[static_cast<unsigned>(unit)]; }
  [[nodiscard]] constexpr std::uint64_t stalled_for(Stall stall) const { return stalled[static_cast<unsigned>(stall)]; }
};

}  // namespace cox::model::pim
