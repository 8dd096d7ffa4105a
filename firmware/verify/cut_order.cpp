// SPDX-License-Identifier: MIT
#include "firmware/verify/cut_order.h"

#include <bit>

#include "isa/tile/configuration.h"
#include "isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::Class;
using isa::tile::Instruction;
using isa::tile::kClasses;
using isa::tile::kRegions;
using isa::tile::MachineCode;

namespace {

constexpr auto kControl = static_cast<unsigned>(Class::CT);

/// A region between two instructions that define it.
struct Definition {
  std::uint16_t cut = 0;                        ///< CT instructions up to the ct_bc, it included
  std::array<std::uint16_t, kClasses> users{};  ///< of each class, instructions up to the last user so far, it included
};

const char *selecting_field(const Instruction &instruction, const MachineCode &code, unsigned region) {
  for (const char *name : {"SBSG", "SBSG1", "DBSG"}) {
    const isa::Field *field = isa::tile::find_field(instruction, name);
    if (field != nullptr && isa::read_integer(code, *field) == region) return name;
  }
  return "region";
}

}  // namespace

Status check_cut_order(std::span<const MachineCode> instructions, const Streams &streams, std::span<const InstructionOrder> orders) {
  std::array<Definition, kRegions> definitions{};
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    const InstructionOrder &order = orders[i];
    if (order.regions == 0) continue;
    const Instruction &instruction = *isa::tile::find_instruction(isa::tile::opcode_of(instructions[i]));
    const auto own = static_cast<unsigned>(instruction.queue);
    const auto index = static_cast<std::int32_t>(i);
    const auto up_to_this = static_cast<std::uint16_t>(order.ended[own] + 1);
    for (std::uint32_t mask = order.regions; mask != 0; mask &= mask - 1) {
      const auto region = static_cast<unsigned>(std::countr_zero(mask));
      Definition &definition = definitions[region];
      if (own == kControl) {
        for (unsigned c = 0; c < kClasses; ++c) {
          if (order.ended[c] >= definition.users[c]) continue;
          return {ErrorCode::cut_not_ordered, "ct_bc", index, region, streams.classes[c][definition.users[c] - 1U]};
        }
        definition = Definition{up_to_this, {}};
        continue;
      }
      if (order.ended[kControl] < definition.cut) {
        return {ErrorCode::cut_not_ordered, selecting_field(instruction, instructions[i], region), index, region,
                streams.classes[kControl][definition.cut - 1U]};
      }
      definition.users[own] = up_to_this;
    }
  }
  return {};
}

}  // namespace cox::firmware::verify
