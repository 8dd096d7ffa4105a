// SPDX-License-Identifier: MIT
// Lanes: what runs a task's instructions in order, a class on a core each, and the tokens between them (docs/scheduler.md, Tokens).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "isa/tile/core_tokens.h"
#include "isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::kMostCores;
using isa::tile::kMostLanes;
using isa::tile::MachineCode;

constexpr unsigned lane_of(unsigned core, unsigned own) { return core * kClasses + own; }
constexpr unsigned core_of_lane(unsigned lane) { return lane / kClasses; }
constexpr unsigned class_of_lane(unsigned lane) { return lane % kClasses; }

/// Whose tokens a lane takes, or who gets those it gives: port c is class c of its own core; of SI and SO, port kClasses + i is the other
/// one of the two on core i.
inline constexpr unsigned kPorts = kClasses + kMostCores;

namespace detail {
inline constexpr unsigned kConfiguration = 0x80;  ///< beside the class
consteval std::array<std::uint8_t, 256> make_class_table() {
  std::array<std::uint8_t, 256> classes{};
  for (const isa::tile::Instruction &instruction : isa::tile::kInstructions) {
    classes[static_cast<unsigned>(instruction.opcode)] =
        static_cast<std::uint8_t>(static_cast<unsigned>(instruction.queue) | (instruction.configuration ? kConfiguration : 0));
  }
  return classes;
}
inline constexpr std::array<std::uint8_t, 256> kClassTable = make_class_table();
inline unsigned class_entry(const MachineCode &code) { return kClassTable[static_cast<std::uint8_t>(isa::tile::opcode_of(code))]; }
}  // namespace detail

// Of an instruction that is known (isa/tile/check.h).
inline unsigned class_of(const MachineCode &code) { return detail::class_entry(code) & ~detail::kConfiguration; }
inline bool is_configuration(const MachineCode &code) { return (detail::class_entry(code) & detail::kConfiguration) != 0; }
inline unsigned lane_of(const MachineCode &code) { return lane_of(isa::tile::core_of(code), class_of(code)); }

/// Bit p: a token is taken of, or given to, the lane behind port p.
inline std::uint32_t taken_ports(const MachineCode &code) {
  return isa::tile::previous_of(code) | std::uint32_t{isa::tile::core_tokens(code).previous} << kClasses;
}
inline std::uint32_t given_ports(const MachineCode &code) {
  return isa::tile::next_of(code) | std::uint32_t{isa::tile::core_tokens(code).next} << kClasses;
}

/// The lane behind a port of `lane`.
constexpr unsigned lane_at(unsigned lane, unsigned port) {
  if (port < kClasses) return lane_of(core_of_lane(lane), port);
  constexpr unsigned kBoth = static_cast<unsigned>(Class::SI) + static_cast<unsigned>(Class::SO);
  return lane_of(port - kClasses, kBoth - class_of_lane(lane));
}

/// The port of the lane behind `port` at which `lane` stands.
constexpr unsigned port_back(unsigned lane, unsigned port) { return port < kClasses ? class_of_lane(lane) : kClasses + core_of_lane(lane); }

inline unsigned take_lowest(std::uint32_t &mask) {
  const auto lowest = static_cast<unsigned>(std::countr_zero(mask));
  mask &= mask - 1;
  return lowest;
}

}  // namespace cox::firmware::verify
