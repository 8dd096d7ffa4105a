// SPDX-License-Identifier: MIT
// What the pages of all instruction sets say of fields.
#pragma once

#include <string>
#include <vector>

#include "isa/field.h"

namespace cox::tools {

/// `0 to 63`, `false, true`, `Kernel`.
[[nodiscard]] std::string values_text(const isa::Field &field);

/// Adds the field's enumerations to those that are not there yet.
void add_enumerations(const isa::Field &field, std::vector<const isa::EnumType *> &types);

/// A section with each enumeration's names and values.
[[nodiscard]] std::string enumerations_text(const std::vector<const isa::EnumType *> &types);

/// Puts `text` in the place of the line `<!-- mark -->`. false: there is none.
[[nodiscard]] bool replace_mark(std::string &page, const std::string &mark, const std::string &text);

template <typename Instructions>
std::string enumerations_table(const Instructions &instructions) {
  std::vector<const isa::EnumType *> types;
  for (const auto &instruction : instructions) {
    for (const isa::Field &field : instruction.fields) add_enumerations(field, types);
  }
  return enumerations_text(types);
}

}  // namespace cox::tools
