// SPDX-License-Identifier: MIT
#include "sim/model/hazard/lane.h"

#include "isa/tile/core_tokens.h"
#include "isa/tile/table.h"

namespace cox::model::hazard {

namespace tile = isa::tile;
using tile::Class;

namespace {

LaneSet lanes(const tile::MachineCode &code, std::uint32_t classes, std::uint32_t cores) {
  LaneSet result = LaneSet{classes} << (tile::core_of(code) * tile::kClasses);
  // From SI to SO of the other core, or from SO to SI.
  const Class other = class_of(lane_of(code)) == Class::SI ? Class::SO : Class::SI;
  for (unsigned core = 0; core < tile::kMostCores; ++core) {
    if ((cores >> core & 1U) != 0) result |= LaneSet{1} << lane_of(core, other);
  }
  return result;
}

}  // namespace

Lane lane_of(const tile::MachineCode &code) { return lane_of(tile::core_of(code), tile::find_instruction(tile::opcode_of(code))->queue); }

LaneSet previous_lanes(const tile::MachineCode &code) { return lanes(code, tile::previous_of(code), tile::core_tokens(code).previous); }

LaneSet next_lanes(const tile::MachineCode &code) { return lanes(code, tile::next_of(code), tile::core_tokens(code).next); }

std::string lane_text(Lane lane, bool with_core) {
  std::string text = tile::kClassNames[static_cast<unsigned>(class_of(lane))];
  if (with_core || core_of(lane) != 0) text += std::to_string(core_of(lane));
  return text;
}

}  // namespace cox::model::hazard
