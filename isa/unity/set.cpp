// SPDX-License-Identifier: MIT
#include <array>
#include <iterator>

#include "isa/instruction_set_code.h"
#include "isa/unity/sync.h"
#include "isa/unity/table.h"

template class cox::isa::InstructionSet<cox::isa::unity::Traits>;

namespace cox::isa::unity {
namespace {

static_assert(std::size(kInstructions) < kNoRow);
constexpr unsigned kGroupBits = 5;  // of the operation in its group
constexpr unsigned kGroups = 22;    // in a section; EXIT, whose group is 511, is looked up by itself

struct Codes {
  std::array<std::uint8_t, kGroups << kGroupBits> base{}, ai{};
};

/// Number of the row for each code of a section; kNoRow without one.
constexpr Codes kRows = [] {
  Codes codes;
  codes.base.fill(std::uint8_t{kNoRow});
  codes.ai.fill(std::uint8_t{kNoRow});
  for (std::size_t row = 0; row < std::size(kInstructions); ++row) {
    const Instruction &instruction = kInstructions[row];
    if (instruction.opcode == Opcode::EXIT) continue;
    (instruction.section == kBaseSection ? codes.base : codes.ai)[instruction.code] = static_cast<std::uint8_t>(row);
  }
  return codes;
}();

}  // namespace

std::size_t row_of(const MachineCode &code) {
  constexpr const Instruction &kExit = Set::row(Opcode::EXIT);
  const std::uint32_t section = code[0] & 0x3F, operation = code[0] >> 8 & 0x3FFF;
  if (section != kBaseSection && section != kAiSection) return kNoRow;
  if (section == kExit.section && operation == kExit.code) return static_cast<std::size_t>(&kExit - kInstructions);
  if (operation >= kRows.base.size()) return kNoRow;
  return (section == kBaseSection ? kRows.base : kRows.ai)[operation];
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
