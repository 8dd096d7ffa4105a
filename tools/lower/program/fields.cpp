// SPDX-License-Identifier: MIT
#include "tools/lower/program/fields.h"

#include <stdexcept>
#include <string>
#include <string_view>

#include "coxswain/isa/tile/encode.h"

namespace cox::lower {
namespace {

using isa::Field;
using isa::Kind;
using isa::tile::MachineCode;

[[noreturn]] void fail(const isa::tile::Instruction &instruction, const std::string &field, const char *why) {
  throw std::logic_error(std::string(instruction.name) + ": " + field + ": " + why);
}

Status set(MachineCode &code, const Field &field, unsigned element, const Value &value) {
  if (field.kind == Kind::floating_point) return isa::tile::set_float(code, field, element, static_cast<float>(value.real));
  if (value.name == nullptr) return isa::tile::set_integer(code, field, element, value.integer);
  const isa::EnumValue *entry = field.kind == Kind::enumeration ? field.type_of(element)->find(std::string_view(value.name)) : nullptr;
  if (entry == nullptr) return Status(ErrorCode::field_out_of_range, field.name);
  return isa::tile::set_integer(code, field, element, entry->value);
}

}  // namespace

MachineCode encode(const isa::tile::Instruction &instruction, const Fields &fields) {
  MachineCode code = isa::tile::begin(instruction.opcode);
  std::size_t used = 0;
  for (const Field &field : instruction.fields) {
    const FieldValue *given = nullptr;
    for (const FieldValue &value : fields) {
      if (std::string_view(value.name) == field.name) given = &value;
    }
    if (given == nullptr) {
      if (!field.optional) fail(instruction, field.name, "missing");
      continue;
    }
    if (given->count != field.count) fail(instruction, field.name, "has another number of elements");
    for (unsigned element = 0; element < field.count; ++element) {
      if (!set(code, field, element, given->elements[element])) fail(instruction, field.name, "is out of range");
    }
    ++used;
  }
  if (used != fields.size()) fail(instruction, "fields", "one of them is unknown, or given twice");
  return code;
}

}  // namespace cox::lower
