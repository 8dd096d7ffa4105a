// SPDX-License-Identifier: MIT
// Lanes: the queues of all cores of a task. Each runs its instructions in order; tokens go from lane to lane (docs/isa/tile.md).
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "isa/tile/header.h"

namespace cox::model::hazard {

/// core * kClasses + class, the core counted from the task's first.
using Lane = std::uint8_t;
/// A bit a lane.
using LaneSet = std::uint64_t;
inline constexpr std::size_t kLanes = isa::tile::kMostLanes;
static_assert(kLanes <= 64);

constexpr Lane lane_of(unsigned core, isa::tile::Class queue) {
  return static_cast<Lane>(core * isa::tile::kClasses + static_cast<unsigned>(queue));
}
constexpr unsigned core_of(Lane lane) { return lane / isa::tile::kClasses; }
constexpr isa::tile::Class class_of(Lane lane) { return static_cast<isa::tile::Class>(lane % isa::tile::kClasses); }

/// Of an instruction whose opcode is known.
[[nodiscard]] Lane lane_of(const isa::tile::MachineCode &code);
/// The lanes of which it takes a token: Prev_Insts in its core, Prev_Cores between SI and SO of two cores.
[[nodiscard]] LaneSet previous_lanes(const isa::tile::MachineCode &code);
/// Those that it gives one.
[[nodiscard]] LaneSet next_lanes(const isa::tile::MachineCode &code);

/// "PE"; of other cores than the first, or `with_core`, "PE1".
[[nodiscard]] std::string lane_text(Lane lane, bool with_core = false);

/// Calls `visit(lane)` for each.
template <typename Visit>
void for_each_lane(LaneSet lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<Lane>(std::countr_zero(lanes)));
}

}  // namespace cox::model::hazard
