// SPDX-License-Identifier: MIT
#include "coxswain/isa/pim/location.h"

#include <cstring>

#include "coxswain/isa/pim/table.h"

namespace cox::isa::pim {
namespace {

constexpr std::string_view kBatchPrefix = "batch_";
/// Names of the fields of a pim-batch in errors of its pim-compute.
constexpr const char *kBatchNames[] = {"batch_rs1", "batch_rs2", "batch_rs3", "batch_rs4"};

/// Returns `name`, which begins with kBatchPrefix, without this prefix. substr() would need exceptions.
std::string_view without_prefix(std::string_view name) {
  name.remove_prefix(kBatchPrefix.size());
  return name;
}

unsigned batch_bit(std::string_view field) { return Set::field_bit(Set::row(Opcode::pim_batch), field); }

const char *batch_name(unsigned bit) {
  for (const char *name : kBatchNames) {
    if (batch_bit(without_prefix(name)) == bit) return name;
  }
  return "";
}

const char *field_name(const Instruction &row, unsigned field) {
  if (field >= kBatchField && field != kNoField) return batch_name(field - kBatchField);
  if (field >= kSpecialField && field < kBatchField) {
    const EnumValue *special = detail::kSpecial.find(field - kSpecialField);
    return special == nullptr ? "" : special->name;
  }
  return Set::field_name(row, field);
}

template <typename Part>
bool read_at(std::span<const std::byte> bytes, std::size_t offset, Part &part) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof part) return false;
  std::memcpy(&part, bytes.data() + offset, sizeof part);
  return true;
}

}  // namespace

unsigned field_number(std::string_view what, const MachineCode *code) {
  if (const EnumValue *special = detail::kSpecial.find(what); special != nullptr) {
    return kSpecialField + static_cast<unsigned>(special->value);
  }
  if (what.starts_with(kBatchPrefix)) {
    const unsigned bit = batch_bit(without_prefix(what));
    return bit == kNoField ? kNoField : kBatchField + bit;
  }
  const Instruction *row = code == nullptr ? nullptr : Set::find(*code);
  return row == nullptr ? kNoField : Set::field_bit(*row, what);
}

Location locate(std::span<const std::byte> program, std::uint32_t position, unsigned field) {
  // Program::open() would check all parts, which takes long for a long program. The header and one entry are enough here.
  ProgramHeader header;
  if (field == kProgramField || !read_at(program, 0, header)) return {.field = "program"};
  if (field == kLoadField || field == kStoreField) {
    Location location{.instruction = static_cast<std::int32_t>(position), .field = field == kLoadField ? "load" : "store"};
    if (position < header.copies) location.byte = header.copies_offset + position * static_cast<std::uint32_t>(sizeof(Copy));
    return location;
  }
  const Position at = Position::unpack(position);
  CodeEntry entry;
  if (at.core >= header.cores || !read_at(program, sizeof(ProgramHeader) + at.core * sizeof(CodeEntry), entry)) return {};
  Location location{.instruction = static_cast<std::int32_t>(position), .byte = entry.offset + at.instruction * kInstructionBytes};
  MachineCode code;
  if (at.instruction >= entry.instructions || !read_at(program, location.byte, code)) return location;
  const Instruction *row = Set::find(code);
  if (row == nullptr) return location;
  location.name = row->name;
  location.field = field_name(*row, field);
  return location;
}

}  // namespace cox::isa::pim
