// SPDX-License-Identifier: MIT
// Text about fields for the pages of all instruction sets.
#pragma once

#include <string>
#include <vector>

#include "coxswain/isa/field.h"

namespace cox::tools {

/// Returns text for the values that a field can have, for example `0 to 63`, or `false, true`, or the enumeration's name `Kernel`.
[[nodiscard]] std::string values_text(const isa::Field &field);

/// Adds to `types` those of the field's enumerations that are not in it yet. Enumerations with equal names count as the same.
void add_enumerations(const isa::Field &field, std::vector<const isa::EnumType *> &types);

/// Returns a section with each enumeration's names and values.
[[nodiscard]] std::string enumerations_text(const std::vector<const isa::EnumType *> &types);

/// Replaces the line `<!-- mark -->` by `text`. Returns false if there is no such line.
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
