// SPDX-License-Identifier: MIT
// Finds mistakes in the table of an instruction set at compile time. isa/instruction_set_code.h checks every set with it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "coxswain/isa/instruction_set.h"

namespace cox::isa::detail {

inline constexpr int kNoRow = -1;

/// Each function returns the number of the first row that breaks its rule, counted from 0, or kNoRow.
template <typename Traits>
class TableCheck {
 public:
  using Row = typename Traits::Instruction;
  using Set = InstructionSet<Traits>;

  /// Rule: the set finds each row by its enumerator and its first word.
  static consteval int not_found() {
    return first([](const Row &row) { return &Set::row(row.opcode) == &row && Set::find(Traits::first_word(row)) == &row; });
  }

  /// Rule: no other row has the row's name. An evaluation of its own keeps large tables within Clang's limit.
  static consteval int shared_row_name() {
    std::array<std::string_view, std::size(Traits::kInstructions)> names;
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i] = Traits::kInstructions[i].name;
      for (std::size_t j = 0; j < i; ++j) {
        if (names[i] == names[j]) return static_cast<int>(i);
      }
    }
    return kNoRow;
  }

  /// Rule: opcode, header and fields lie inside the instruction and share no bits.
  static consteval int shared_bits() {
    return first([](const Row &row) {
      std::array<bool, kBits> taken{};
      for (const std::span<const Field> fields : {Traits::opcode_fields(row), Traits::header(row), std::span<const Field>(row.fields)}) {
        for (const Field &field : fields) {
          if (field.width == 0 || field.width > 32 || field.count == 0) return false;
          if (field.bit_of(field.count) > 8 * bytes_of<Traits>(row)) return false;
          for (unsigned bit = field.bit; bit < field.bit_of(field.count); ++bit) {
            if (taken[bit]) return false;
            taken[bit] = true;
          }
        }
      }
      return true;
    });
  }

  static consteval int shared_name() {
    return first([](const Row &row) {
      for (const Field &field : row.fields) {
        if (Set::find_field(row, field.name) != &field) return false;
      }
      return true;
    });
  }

  /// Returns the first row with a field whose range or enumeration does not fit its width or kind; kNoRow if all fit.
  static consteval int bad_range() {
    return first([](const Row &row) {
      for (const Field &field : row.fields) {
        if (!fits(field)) return false;
      }
      return true;
    });
  }

 private:
  static constexpr std::size_t kBits = 8 * sizeof(typename Traits::MachineCode);

  template <typename Rule>
  static consteval int first(Rule holds) {
    for (std::size_t i = 0; i < std::size(Traits::kInstructions); ++i) {
      if (!holds(Traits::kInstructions[i])) return static_cast<int>(i);
    }
    return kNoRow;
  }

  static constexpr bool values_fit(const Field &field, std::int64_t values) {
    for (unsigned element = 0; element < field.count; ++element) {
      const EnumType *type = field.type_of(element);
      if (type == nullptr) return false;
      for (const EnumValue &value : type->values) {
        if (value.value < 0 || value.value >= values) return false;
      }
    }
    return true;
  }

  static constexpr bool fits(const Field &field) {
    const std::int64_t values = std::int64_t{1} << field.width;
    if (field.kind == Kind::floating_point) return field.width == 32;
    if (field.minimum > field.maximum) return false;
    if (field.kind == Kind::boolean) return field.width == 1 && field.minimum == 0 && field.maximum == 1;
    if (field.kind == Kind::bfloat16) return field.width == 16 && field.minimum == 0 && field.maximum == values - 1;
    if (field.kind == Kind::enumeration && !values_fit(field, values)) return false;
    return field.minimum < 0 ? field.minimum >= -values / 2 && field.maximum < values / 2 : field.maximum < values;
  }
};

}  // namespace cox::isa::detail
