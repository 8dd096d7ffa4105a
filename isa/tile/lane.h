// SPDX-License-Identifier: MIT
// Lanes and the tokens between them (docs/scheduler.md, Tokens). A lane is a class on a core; it runs its instructions in order.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "coxswain/isa/tile/core_tokens.h"
#include "coxswain/isa/tile/table.h"

namespace cox::isa::tile {

/// The number of a lane: core * kClasses + class. For the lanes of a task, `core` is counted from the task's first core. For the queues of
/// the device, it is counted from the device's first core.
using Lane = unsigned;
/// One bit for each lane.
using LaneSet = std::uint64_t;
static_assert(kMostLanes <= 64);

constexpr Lane lane_of(unsigned core, unsigned own) { return core * kClasses + own; }
constexpr Lane lane_of(unsigned core, Class own) { return lane_of(core, static_cast<unsigned>(own)); }
constexpr unsigned core_of_lane(Lane lane) { return lane / kClasses; }
constexpr unsigned class_of_lane(Lane lane) { return lane % kClasses; }

// These functions take an instruction whose opcode is in the table (isa/instruction_set.h).
inline unsigned class_of(const MachineCode &code) { return detail::class_entry(code) & ~detail::kConfiguration; }
inline bool is_configuration(const MachineCode &code) { return (detail::class_entry(code) & detail::kConfiguration) != 0; }
inline Lane lane_of(const MachineCode &code) { return lane_of(core_of(code), class_of(code)); }

/// A port connects a lane to another lane that exchanges tokens with it. Port c is class c of the same core. For SI, port kClasses + i is
/// SO of core i; for SO, it is SI of core i.
inline constexpr unsigned kPorts = kClasses + kMostCores;

/// These two functions return ports, one bit each. taken_ports(): the ports from which an instruction takes a token. given_ports(): the
/// ports to which it gives one.
[[gnu::always_inline]] inline std::uint32_t taken_ports(const MachineCode &code) {
  return previous_of(code) | std::uint32_t{core_tokens(code).previous} << kClasses;
}
[[gnu::always_inline]] inline std::uint32_t given_ports(const MachineCode &code) {
  return next_of(code) | std::uint32_t{core_tokens(code).next} << kClasses;
}

/// The lane with which `lane` exchanges tokens through `port` (kPorts).
constexpr Lane lane_at(Lane lane, unsigned port) {
  if (port < kClasses) return lane_of(core_of_lane(lane), port);
  constexpr unsigned kBoth = static_cast<unsigned>(Class::SI) + static_cast<unsigned>(Class::SO);
  return lane_of(port - kClasses, kBoth - class_of_lane(lane));
}

/// The inverse of lane_at(): the port of lane_at(lane, port) that leads back to `lane`.
constexpr unsigned port_back(Lane lane, unsigned port) { return port < kClasses ? class_of_lane(lane) : kClasses + core_of_lane(lane); }

/// The lanes to which `ports` of `lane` lead.
constexpr LaneSet lanes_at(Lane lane, std::uint32_t ports) {
  LaneSet lanes = 0;
  for (; ports != 0; ports &= ports - 1) lanes |= LaneSet{1} << lane_at(lane, static_cast<unsigned>(std::countr_zero(ports)));
  return lanes;
}

/// The lanes from which an instruction takes a token.
inline LaneSet previous_lanes(const MachineCode &code) { return lanes_at(lane_of(code), taken_ports(code)); }
/// The lanes to which an instruction gives a token.
inline LaneSet next_lanes(const MachineCode &code) { return lanes_at(lane_of(code), given_ports(code)); }

/// Calls `visit(lane)` for each lane of the set.
template <typename Visit>
constexpr void for_each_lane(LaneSet lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<Lane>(std::countr_zero(lanes)));
}

/// The name of a lane in messages: "PE", or "PE of core 1" if the core matters.
struct LaneName {
  char text[16] = {};
};
constexpr LaneName lane_name(Lane lane, bool with_core) {
  LaneName name;
  const char *own = kClassNames[class_of_lane(lane)];
  name.text[0] = own[0];
  name.text[1] = own[1];
  if (!with_core) return name;
  constexpr char kOfCore[] = " of core ";
  for (unsigned i = 0; kOfCore[i] != 0; ++i) name.text[2 + i] = kOfCore[i];
  name.text[1 + sizeof kOfCore] = static_cast<char>('0' + core_of_lane(lane));
  return name;
}

}  // namespace cox::isa::tile
