// SPDX-License-Identifier: MIT
#include "firmware/verify/cut_order.h"

#include "base/bits.h"
#include "isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::Instruction;

namespace {

constexpr auto kControl = static_cast<unsigned>(Class::CT);

const char *selecting_field(const MachineCode &code, unsigned region) {
  const Instruction &instruction = *isa::tile::find_instruction(isa::tile::opcode_of(code));
  for (const char *name : {"SBSG", "SBSG1", "DBSG", "PBSG"}) {
    const isa::Field *field = isa::tile::find_field(instruction, name);
    if (field != nullptr && isa::read_integer(code, *field) == region) return name;
  }
  return "region";
}

/// Checks the regions of the instruction at `index`, and records their uses or their new definitions.
Status check_regions(const MachineCode &code, std::size_t index, std::uint32_t regions, const Streams &streams, const Scratch &scratch) {
  const unsigned lane = lane_of(code);
  const unsigned core = core_of_lane(lane);
  const unsigned own = class_of_lane(lane);
  const std::uint32_t *ended = scratch.ended(index) + lane_of(core, 0);  // for the lanes of the instruction's own core; index: class
  const auto at = static_cast<std::int32_t>(index);
  while (regions != 0) {
    const unsigned region = take_lowest(regions);
    Definition &definition = scratch.core(core).definitions[region];
    if (own == kControl) {
      for (unsigned c = 0; c < kClasses; ++c) {
        if (ended[c] >= definition.users[c]) continue;
        return {ErrorCode::cut_not_ordered, "ct_bc", at, region, streams.lane(lane_of(core, c))[definition.users[c] - 1U]};
      }
      definition = Definition{ended[own] + 1, {}};
      continue;
    }
    if (ended[kControl] < definition.cut) {
      return {ErrorCode::cut_not_ordered, selecting_field(code, region), at, region,
              streams.lane(lane_of(core, kControl))[definition.cut - 1U]};
    }
    definition.users[own] = ended[own] + 1;
  }
  return {};
}

// Arguments of Budget::spend(): estimated control-core instructions for an instruction without regions, and for one with regions.
constexpr std::int32_t kPassCost = 10;
constexpr std::int32_t kRegionCost = 100;

}  // namespace

Status check_cut_order(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch, std::size_t &next,
                       load::Budget &budget) {
  while (next < instructions.size() && budget.is_left()) {
    const std::uint32_t regions = scratch.regions(next);
    budget.spend(regions == 0 ? kPassCost : kRegionCost);
    if (regions != 0) {
      if (Status status = check_regions(instructions[next], next, regions, streams, scratch); !status) return status;
    }
    ++next;
  }
  return {};
}

}  // namespace cox::firmware::verify
