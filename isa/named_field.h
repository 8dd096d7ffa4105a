// SPDX-License-Identifier: MIT
// Access to the fields of an instruction by name: get<Opcode::MAD, "M">(code). A misspelt name does not compile. The type of the opcode
// selects the instruction set (traits_of(), isa/instruction_set.h).
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "coxswain/isa/fixed_string.h"
#include "coxswain/isa/instruction_set.h"

namespace cox::isa {

/// The instruction set of an opcode.
template <auto Op>
using SetOf = InstructionSet<decltype(traits_of(Op))>;
template <auto Op>
using CodeOf = typename SetOf<Op>::MachineCode;

namespace detail {

template <auto Op, FixedString Name>
inline constexpr const Field *kFound = SetOf<Op>::find_field(SetOf<Op>::row(Op), Name.view());

template <typename Traits, typename = void>
struct IntegerOf {
  using type = std::uint32_t;
};
template <typename Traits>
struct IntegerOf<Traits, std::void_t<typename Traits::Integer>> {
  using type = typename Traits::Integer;
};

constexpr std::uint32_t field_bits(float value) { return std::bit_cast<std::uint32_t>(value); }
template <typename Value>
requires(std::is_integral_v<Value> || std::is_enum_v<Value>) && (sizeof(Value) <= sizeof(std::uint32_t)) constexpr std::uint32_t
    field_bits(Value value) {
  return static_cast<std::uint32_t>(value);
}

}  // namespace detail

/// Returns the field called `Name` of instruction `Op`.
template <auto Op, FixedString Name>
constexpr const Field &field() {
  static_assert(detail::kFound<Op, Name> != nullptr, "no such field in this instruction");
  return *detail::kFound<Op, Name>;
}

/// Returns true if both instructions have the field at the same bits, so that one reader serves both.
template <auto A, auto B, FixedString Name>
consteval bool same_bits() {
  return field<A, Name>().bit == field<B, Name>().bit && field<A, Name>().width == field<B, Name>().width &&
         field<A, Name>().count == field<B, Name>().count;
}

/// An instruction with all fields zero.
template <auto Op>
consteval CodeOf<Op> begin() {
  return SetOf<Op>::begin(Op);
}

/// Returns the value of one element: a float for a floating-point field, else a Traits::Integer (std::uint32_t by default). If that type is
/// unsigned, a signed field returns std::int32_t. A BF16 field returns its bits.
template <auto Op, FixedString Name, unsigned Element = 0>
constexpr auto get(const CodeOf<Op> &code) {
  constexpr const Field &kField = field<Op, Name>();
  static_assert(Element < kField.count);
  using Integer = typename detail::IntegerOf<typename SetOf<Op>::Traits>::type;
  constexpr bool kSigned = kField.kind == Kind::integer && kField.minimum < 0;
  if constexpr (kField.kind == Kind::floating_point) {
    return read_float(code, kField, Element);
  } else if constexpr (kSigned && std::is_unsigned_v<Integer>) {
    return static_cast<std::int32_t>(read_integer(code, kField, Element));
  } else if constexpr (kSigned) {
    return static_cast<Integer>(read_integer(code, kField, Element));
  } else {
    return static_cast<Integer>(extract_bits(code, kField.bit_of(Element), kField.width));
  }
}

/// Replaces one field by the low bits of `value`, at most 32 of them, without a check.
template <auto Op, FixedString Name, typename Value>
constexpr void put(CodeOf<Op> &code, Value value) {
  constexpr const Field &kField = field<Op, Name>();
  insert_bits(code, kField.bit, kField.width, detail::field_bits(value));
}

// The next functions serve code that writes an instruction once and then changes single words of it.

/// Returns the index of the instruction's 32-bit word in which a field lies. shift_of() returns the field's lowest bit in that word.
template <auto Op, FixedString Name>
consteval unsigned word_of() {
  return field<Op, Name>().bit / 32U;
}
template <auto Op, FixedString Name>
consteval unsigned shift_of() {
  return field<Op, Name>().bit % 32U;
}

namespace detail {

template <typename Traits>
consteval bool has_own_word(const typename Traits::Instruction &row, const Field &own) {
  if (own.bit % 32 != 0 || own.count != 1) return false;
  const auto shares = [&own](const Field &other) {
    const bool always_zero = other.kind == Kind::integer && other.minimum == 0 && other.maximum == 0;
    const unsigned last = other.bit_of(other.count) - 1U;
    return &other != &own && !always_zero && other.bit / 32 <= own.bit / 32 && last / 32 >= own.bit / 32U;
  };
  for (const std::span<const Field> fields : {Traits::opcode_fields(row), Traits::header(row), std::span<const Field>(row.fields)}) {
    for (const Field &other : fields) {
      if (shares(other)) return false;
    }
  }
  return true;
}

}  // namespace detail

/// Returns true if the field begins its word and all other fields in that word are always zero.
template <auto Op, FixedString Name>
consteval bool is_alone_in_its_word() {
  return detail::has_own_word<typename SetOf<Op>::Traits>(SetOf<Op>::row(Op), field<Op, Name>());
}

/// Returns the number of the field's word. Compiles only if the field has the word to itself, so that writing the word writes the field.
template <auto Op, FixedString Name>
consteval unsigned whole_word_of() {
  static_assert(is_alone_in_its_word<Op, Name>(), "the field shares its word");
  return word_of<Op, Name>();
}

}  // namespace cox::isa
