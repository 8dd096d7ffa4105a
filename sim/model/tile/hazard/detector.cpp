// SPDX-License-Identifier: MIT
#include "sim/model/tile/hazard/detector.h"

#include <algorithm>

#include "coxswain/isa/tile/table.h"

namespace cox::model::hazard {

namespace tile = isa::tile;

const char *kind_name(Kind kind) {
  switch (kind) {
    case Kind::read_after_write: return "read after write";
    case Kind::write_after_read: return "write after read";
    case Kind::write_after_write: return "write after write";
  }
  return "";
}

LaneSet Detector::missing(const tile::MachineCode &code) const {
  if (tile::find_instruction(tile::opcode_of(code)) == nullptr) return 0;
  return tokens_.missing(lane_of(code), previous_lanes(code));
}

void Detector::start(std::int32_t instruction, const Step &step, const Layers &layers) {
  if (tile::find_instruction(tile::opcode_of(step.code)) == nullptr) return;
  const Lane lane = lane_of(step);
  const Shadow::Toucher toucher{instruction, lane, started_[lane]++};
  next_[lane] = next_lanes(step.code);
  const Clock &clock = tokens_.start(lane, previous_lanes(step.code));
  // Reads first, so that an instruction that works in place does not race with itself.
  for (const bool write : {false, true}) {
    for (const Touch &touch : step.touches) {
      if (touch.write == write) walk(toucher, clock, touch);
    }
  }
  StaleWeights stale;
  if (weights_[core_of_lane(lane)].is_stale_after(instruction, step.operation, layers, stale)) stale_.push_back(std::move(stale));
}

void Detector::end(Lane lane) { tokens_.end(lane, next_[lane]); }

void Detector::walk(const Shadow::Toucher &toucher, const Clock &clock, const Touch &touch) {
  Shadow &shadow = shadows_[{touch.place, touch.core, touch.window}];
  const auto conflict = [&](const Shadow::Conflict &found) { add(toucher, touch, found); };
  for_each_run(touch, [&](std::int64_t first, std::int64_t bytes) { shadow.touch(toucher, clock, touch.write, first, bytes, conflict); });
}

void Detector::add(const Shadow::Toucher &toucher, const Touch &touch, const Shadow::Conflict &conflict) {
  Hazard hazard;
  const bool in_order = conflict.earlier.instruction < toucher.instruction;
  hazard.earlier = in_order ? conflict.earlier.instruction : toucher.instruction;
  hazard.later = in_order ? toucher.instruction : conflict.earlier.instruction;
  const bool first_writes = in_order ? conflict.earlier_wrote : touch.write;
  const bool second_writes = in_order ? touch.write : conflict.earlier_wrote;
  hazard.kind = !second_writes ? Kind::read_after_write : first_writes ? Kind::write_after_write : Kind::write_after_read;
  hazard.place = touch.place;
  hazard.core = touch.core;
  hazard.window = touch.window;
  hazard.first = conflict.first;
  hazard.last = conflict.first + conflict.bytes - 1;
  hazard.bytes = conflict.bytes;
  const Identity identity{hazard.earlier, hazard.later, static_cast<std::int64_t>(hazard.kind), static_cast<std::int64_t>(hazard.place),
                          hazard.core,    hazard.window};
  const auto [at, is_new] = known_.emplace(identity, hazards_.size());
  if (is_new) {
    hazards_.push_back(hazard);
    return;
  }
  Hazard &known = hazards_[at->second];
  known.first = std::min(known.first, hazard.first);
  known.last = std::max(known.last, hazard.last);
  known.bytes += hazard.bytes;
}

}  // namespace cox::model::hazard
