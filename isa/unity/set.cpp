// SPDX-License-Identifier: MIT
#include <array>
#include <bit>
#include <iterator>

#include "coxswain/isa/instruction_set_code.h"
#include "coxswain/isa/unity/sync.h"
#include "coxswain/isa/unity/table.h"

template class cox::isa::InstructionSet<cox::isa::unity::Traits>;

namespace cox::isa::unity {
namespace {

static_assert(std::size(kInstructions) < kNoRow);
constexpr unsigned kGroupBits = 5;  // of the operation in its group
constexpr unsigned kGroups = 22;    // in a section; EXIT, whose group is 511, is looked up by itself

/// The operations of a group, one bit each, and the row of the first one. Their rows follow one another.
struct Groups {
  std::array<std::uint32_t, kGroups> operations{};
  std::array<std::uint8_t, kGroups> first{};

  [[nodiscard]] constexpr std::size_t row(std::uint32_t code) const {
    const std::uint32_t group = code >> kGroupBits, bit = std::uint32_t{1} << (code & ((1U << kGroupBits) - 1));
    if (group >= kGroups || (operations[group] & bit) == 0) return kNoRow;
    return first[group] + static_cast<std::size_t>(std::popcount(operations[group] & (bit - 1)));
  }
};
constexpr Groups groups_of(std::uint8_t section) {
  Groups groups;
  for (std::size_t row = std::size(kInstructions); row-- > 0;) {
    const Instruction &instruction = kInstructions[row];
    if (instruction.section != section || instruction.opcode == Opcode::EXIT) continue;
    groups.operations[instruction.code >> kGroupBits] |= std::uint32_t{1} << (instruction.code & ((1U << kGroupBits) - 1));
    groups.first[instruction.code >> kGroupBits] = static_cast<std::uint8_t>(row);
  }
  return groups;
}
constexpr Groups kBase = groups_of(kBaseSection), kAi = groups_of(kAiSection);
static_assert([] {
  for (const Instruction &row : kInstructions) {
    const std::size_t found = (row.section == kBaseSection ? kBase : kAi).row(row.code);
    if (row.opcode != Opcode::EXIT && (found == kNoRow || &kInstructions[found] != &row)) return false;
  }
  return true;
}());

}  // namespace

std::size_t row_of(const MachineCode &code) {
  constexpr const Instruction &kExit = Set::row(Opcode::EXIT);
  const std::uint32_t section = code[0] & 0x3F, operation = code[0] >> 8 & 0x3FFF;
  if (section != kBaseSection && section != kAiSection) return kNoRow;
  if (section == kExit.section && operation == kExit.code) return static_cast<std::size_t>(&kExit - kInstructions);
  return (section == kBaseSection ? kBase : kAi).row(operation);
}

const Instruction *find_quickly(const MachineCode &code) {
  const std::size_t row = row_of(code);
  return row == kNoRow ? nullptr : &kInstructions[row];
}

Status check(const MachineCode &code) {
  if (const Status status = Set::check(code); !status) return status;
  if (find_quickly(code)->layout == nullptr) return {};
  if (const Status status = check_sync(code[1]); !status) return status;
  const std::uint64_t table = table_address(code);
  if (table % kTableAlignment != 0) return Status(ErrorCode::misaligned_address, "table", -1, signed_of(table), kTableAlignment);
  const unsigned bits = address_bits(address_space(code));
  if (bits < 64 && table >> bits != 0) return Status(ErrorCode::address_outside_window, "table", -1, signed_of(table));
  return {};
}

}  // namespace cox::isa::unity
