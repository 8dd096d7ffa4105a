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

}  // namespace

Status check_cut_order(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch, Pause &pause) {
  constexpr std::int32_t kCost = 100;  // estimated instructions of the control core for one instruction of the task
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (!pause.after(kCost)) return Pause::cancelled();
    std::uint32_t regions = scratch.regions(i);
    if (regions == 0) continue;
    const unsigned lane = lane_of(instructions[i]);
    const unsigned core = core_of_lane(lane);
    const unsigned own = class_of_lane(lane);
    const std::uint32_t *ended = scratch.ended(i) + lane_of(core, 0);  // for the lanes of the instruction's own core; index: class
    const auto index = static_cast<std::int32_t>(i);
    while (regions != 0) {
      const unsigned region = take_lowest(regions);
      Definition &definition = scratch.core(core).definitions[region];
      if (own == kControl) {
        for (unsigned c = 0; c < kClasses; ++c) {
          if (ended[c] >= definition.users[c]) continue;
          return {ErrorCode::cut_not_ordered, "ct_bc", index, region, streams.lane(lane_of(core, c))[definition.users[c] - 1U]};
        }
        definition = Definition{ended[own] + 1, {}};
        continue;
      }
      if (ended[kControl] < definition.cut) {
        return {ErrorCode::cut_not_ordered, selecting_field(instructions[i], region), index, region,
                streams.lane(lane_of(core, kControl))[definition.cut - 1U]};
      }
      definition.users[own] = ended[own] + 1;
    }
  }
  return {};
}

}  // namespace cox::firmware::verify
