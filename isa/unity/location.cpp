// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/location.h"

#include <cstring>

#include "coxswain/isa/unity/names.h"
#include "coxswain/isa/unity/table.h"

namespace cox::isa::unity {
namespace {

template <typename Part>
bool read_at(std::span<const std::byte> bytes, std::uint64_t offset, Part &part) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof part) return false;
  std::memcpy(&part, bytes.data() + offset, sizeof part);
  return true;
}

/// The number of a program's instruction whose payload begins `offset` bytes behind the program's start; -1 without one.
std::int64_t number_at(const ProgramEntry &entry, std::uint64_t offset) {
  const std::uint64_t group = offset / kGroupBytes, rest = offset % kGroupBytes;
  if (rest < kIdBytes || (rest - kIdBytes) % kInstructionBytes != 0) return -1;
  const std::uint64_t number = group * kGroupInstructions + (rest - kIdBytes) / kInstructionBytes;
  return number < entry.instructions ? static_cast<std::int64_t>(number) : -1;
}

}  // namespace

unsigned field_number(std::string_view what, const MachineCode *code) {
  if (what == "domain") return kDomainField;
  const Instruction *row = code == nullptr ? nullptr : find_quickly(*code);
  if (row == nullptr) return kNoField;
  if (row->layout != nullptr) {
    unsigned number = kTableField;
    bool found = false;
    for_each_field(*row->layout, true, [&](const Placed &placed) {
      found = what == placed.field->name;
      number += found ? 0 : 1;
      return !found;
    });
    if (found) return number;
  }
  return Set::field_bit(*row, what);
}

const char *field_name(const MachineCode &code, unsigned field) {
  if (field == kContainerField) return "container";
  if (field == kDomainField) return "domain";
  if (field == kKeyField) return "key";
  const std::size_t row = row_of(code);
  if (row == kNoRow) return field == kNoField ? "instruction" : "";
  if (field < kTableField || field == kNoField) return payload_field_name(row, field);
  return table_field_name(row, field - kTableField);
}

InstructionPlace find_instruction(std::span<const std::byte> container, std::uint32_t byte) {
  ContainerHeader header;
  if (!read_at(container, 0, header)) return {};
  const std::uint64_t entries = std::uint64_t{header.programs} + header.sub_programs;
  for (std::uint64_t i = 0; i < entries; ++i) {
    ProgramEntry entry;
    if (!read_at(container, sizeof header + i * sizeof entry, entry)) break;
    if (byte < entry.offset) continue;
    const std::int64_t number = number_at(entry, byte - entry.offset);
    if (number < 0) continue;
    const bool sub = i >= header.programs;
    return {true, sub, static_cast<std::uint32_t>(sub ? i - header.programs : i), static_cast<std::uint32_t>(number)};
  }
  return {};
}

Location locate(std::span<const std::byte> container, std::uint32_t position, unsigned field) {
  if (field == kContainerField) return {.field = "container"};
  if (field == kKeyField) return {.field = "key"};
  const std::uint32_t byte = Position::unpack(position).byte();
  const InstructionPlace place = find_instruction(container, byte);
  Location location{.byte = byte};
  if (!place.found) return location;
  location.instruction = static_cast<std::int32_t>(place.instruction);
  MachineCode code;
  if (!read_at(container, byte, code)) return location;
  if (field == kDomainField) {
    location.field = "domain";
  } else if (const std::size_t row = row_of(code); row != kNoRow) {
    location.name = instruction_name(row);
    location.field = field_name(code, field);
  }
  return location;
}

}  // namespace cox::isa::unity
