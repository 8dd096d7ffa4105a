// SPDX-License-Identifier: MIT
// Encodes machine code from fields that are given by name, with the checks of the instruction table.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "coxswain/isa/tile/table.h"

namespace cox::lower {

/// A number, or the name of an enumeration's value.
struct Value {
  template <std::integral Number>
  Value(Number number)
      : integer(static_cast<std::int64_t>(number)), real(static_cast<double>(number)) {}  // NOLINT: a value is what it holds
  Value(double number) : integer(static_cast<std::int64_t>(number)), real(number) {}      // NOLINT
  Value(const char *word) : name(word) {}                                                 // NOLINT
  Value() = default;

  std::int64_t integer = 0;
  double real = 0;
  const char *name = nullptr;
};

struct FieldValue {
  static constexpr unsigned kMostElements = 8;

  FieldValue(const char *field, Value value) : name(field), elements{value} {}
  FieldValue(const char *field, std::initializer_list<Value> list) : name(field), count(0) {
    for (const Value &value : list) elements.at(count++) = value;
  }

  const char *name;
  std::array<Value, kMostElements> elements{};
  unsigned count = 1;
};

using Fields = std::vector<FieldValue>;

/// Throws std::logic_error if the instruction does not have a field, a field is missing and not optional, or a value is out of range.
[[nodiscard]] isa::tile::MachineCode encode(const isa::tile::Instruction &instruction, const Fields &fields);

}  // namespace cox::lower
