// SPDX-License-Identifier: MIT
// The functions of InstructionSet that are not inline. Each set includes this in only one .cpp, which instantiates them.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>

#include "coxswain/isa/instruction_set.h"
#include "coxswain/isa/range.h"
#include "coxswain/isa/screen.h"
#include "coxswain/isa/table_check.h"

namespace cox::isa {
namespace detail {

template <typename Traits>
constexpr typename Traits::MachineCode legal_bits_of(const typename Traits::Instruction &row) {
  typename Traits::MachineCode mask{};
  mask[0] = opcode_mask<Traits>(row);
  for (const std::span<const Field> fields : {Traits::header(row), std::span<const Field>(row.fields)}) {
    for (const Field &field : fields) {
      for (unsigned element = 0; element < field.count; ++element) {
        insert_bits(mask, field.bit_of(element), field.width, ~std::uint32_t{0});
      }
    }
  }
  return mask;
}

/// The legal bits of each row of the table (Set::legal_bits()), computed at compile time.
template <typename Traits>
inline constexpr auto kLegalBits = [] {
  std::array<typename Traits::MachineCode, std::size(Traits::kInstructions)> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = legal_bits_of<Traits>(Traits::kInstructions[i]);
  return all;
}();

/// True if no field of the set has a second element. check() then needs no loop over elements.
template <typename Traits>
inline constexpr bool kHasSingleElements = [] {
  for (const auto &row : Traits::kInstructions) {
    for (const Field &field : row.fields) {
      if (field.count != 1) return false;
    }
  }
  return true;
}();

constexpr bool is_finite(std::uint32_t bits) { return (bits & 0x7F800000U) != 0x7F800000U; }

}  // namespace detail

template <typename Traits>
const typename InstructionSet<Traits>::MachineCode &InstructionSet<Traits>::legal_bits(const Instruction &row) {
  // If row 3 breaks a rule, GCC prints "the comparison reduces to (3 == -1)" beside the message.
  using Check = detail::TableCheck<Traits>;
  static_assert(Check::not_found() == detail::kNoRow,
                "a row is not found: another row has its first word, or enumerators and rows are in different orders");
  static_assert(Check::shared_row_name() == detail::kNoRow, "two rows have one name");
  static_assert(Check::shared_bits() == detail::kNoRow, "fields of a row share bits, or reach behind the instruction");
  static_assert(Check::shared_name() == detail::kNoRow, "two fields of a row have one name");
  static_assert(Check::bad_range() == detail::kNoRow, "the range of a field does not fit its width or kind");
  return detail::kLegalBits<Traits>[static_cast<std::size_t>(&row - Traits::kInstructions)];
}

// Always inlined, because one caller passes the constant `element` 0, for which the compiler drops most of the arithmetic.
template <typename Traits>
[[gnu::always_inline]] inline Status InstructionSet<Traits>::set_element(MachineCode &code, const Field &field, unsigned element,
                                                                         std::int64_t value) {
  if (Traits::kFiniteFloats && field.kind == Kind::floating_point && !detail::is_finite(static_cast<std::uint32_t>(value))) {
    return Status(ErrorCode::field_out_of_range, field.name, static_cast<std::int32_t>(element), value);
  }
  if (Status status = check_range(field, element, value); !status.ok()) return status;
  insert_bits(code, field.bit_of(element), field.width, static_cast<std::uint32_t>(value));
  return {};
}

template <typename Traits>
Status InstructionSet<Traits>::set(MachineCode &code, const Field &field, std::int64_t value) {
  return set_element(code, field, 0, value);
}

template <typename Traits>
Status InstructionSet<Traits>::set(MachineCode &code, const Field &field, unsigned element, std::int64_t value) {
  if (element >= field.count) {
    return Status(ErrorCode::field_out_of_range, field.name, static_cast<std::int32_t>(element), element, field.count - 1);
  }
  return set_element(code, field, element, value);
}

template <typename Traits>
Status InstructionSet<Traits>::set_float(MachineCode &code, const Field &field, unsigned element, float value) {
  const auto index = static_cast<std::int32_t>(element);
  if (element >= field.count) return Status(ErrorCode::field_out_of_range, field.name, index, element, field.count - 1);
  if (field.kind != Kind::floating_point) return Status(ErrorCode::invalid_argument, field.name);
  if (Traits::kFiniteFloats && !std::isfinite(value)) return Status(ErrorCode::field_out_of_range, field.name, index);
  insert_bits(code, field.bit_of(element), field.width, std::bit_cast<std::uint32_t>(value));
  return {};
}

template <typename Traits>
[[gnu::always_inline]] inline Status InstructionSet<Traits>::check_element(const MachineCode &code, const Field &field, unsigned element) {
  const std::int64_t value = read_integer(code, field, element);
  if (Traits::kFiniteFloats && field.kind == Kind::floating_point) {
    if (detail::is_finite(static_cast<std::uint32_t>(value))) return {};
    return Status(ErrorCode::field_out_of_range, field.name, static_cast<std::int32_t>(element), value);
  }
  return check_range(field, element, value);
}

template <typename Traits>
bool InstructionSet<Traits>::is_legal(const MachineCode &code) {
  const Instruction *instruction = find(code);
  if (instruction == nullptr) return false;
  const MachineCode &legal = legal_bits(*instruction);
  std::uint32_t illegal = 0;
  for (unsigned word = 0; word < code.size(); ++word) illegal |= code[word] & ~legal[word];
  if (illegal != 0) return false;
  for (const detail::ScreenTest &test : detail::kScreen<Traits>.of(static_cast<std::size_t>(instruction - Traits::kInstructions))) {
    if (!test.passes(code[test.word])) return false;
  }
  return true;
}

template <typename Traits>
Status InstructionSet<Traits>::check(const MachineCode &code) {
  if (is_legal(code)) return {};
  return check_fields(code);
}

template <typename Traits>
[[gnu::noinline]] Status InstructionSet<Traits>::check_fields(const MachineCode &code) {
  const Instruction *instruction = find(code);
  if (instruction == nullptr) {
    return Status(ErrorCode::unknown_instruction, "opcode", -1, code[0] & detail::kOpcodeMask<Traits>);
  }
  const MachineCode &legal = legal_bits(*instruction);
  for (unsigned word = 0; word < code.size(); ++word) {
    const std::uint32_t illegal = code[word] & ~legal[word];
    if (illegal != 0) {
      const std::int32_t bit = static_cast<std::int32_t>(word * 32) + std::countr_zero(illegal);
      return Status(ErrorCode::reserved_bits, instruction->name, bit, bit);
    }
  }
  for (const Field &field : instruction->fields) {
    const unsigned count = detail::kHasSingleElements<Traits> ? 1 : field.count;
    for (unsigned element = 0; element < count; ++element) {
      if (Status status = check_element(code, field, element); !status.ok()) {
        if constexpr (requires { Traits::is_ignored(*instruction, code, field); }) {
          if (Traits::is_ignored(*instruction, code, field)) break;
        }
        return status;
      }
    }
  }
  return {};
}

template <typename Traits>
Result<typename InstructionSet<Traits>::Fetched> InstructionSet<Traits>::fetch(std::span<const std::byte> program, std::uint32_t position) {
  if constexpr (requires { Traits::fetch(program, position); }) {
    return Traits::fetch(program, position);
  } else {
    const std::span<const std::byte> rest = program.subspan(position < program.size() ? position : program.size());
    const auto left = static_cast<std::int64_t>(rest.size());
    constexpr std::size_t kShortest = detail::kShortest<Traits>;
    if (rest.size() < kShortest) return Status(ErrorCode::stream_truncated, "stream", -1, left, kShortest);
    std::uint32_t first_word = 0;
    std::memcpy(&first_word, rest.data(), sizeof first_word);
    if constexpr (requires { Traits::check_front(rest); }) {
      if (const Status status = Traits::check_front(rest); !status.ok()) return status;
    }
    Fetched fetched;
    fetched.instruction = find(first_word);
    if (fetched.instruction == nullptr) {
      return Status(ErrorCode::unknown_instruction, "opcode", -1, first_word & detail::kOpcodeMask<Traits>);
    }
    const std::size_t needed = bytes(*fetched.instruction);
    if (rest.size() < needed) {
      return Status(ErrorCode::stream_truncated, fetched.instruction->name, -1, left, static_cast<std::int64_t>(needed));
    }
    std::memcpy(fetched.code.data(), rest.data(), needed);
    fetched.next = position + static_cast<std::uint32_t>(needed);
    return fetched;
  }
}

template <typename Traits>
unsigned InstructionSet<Traits>::field_bit(const Instruction &row, std::string_view name) {
  const Field *field = find_field(row, name);
  return field == nullptr ? kNoField : field->bit;
}

template <typename Traits>
const char *InstructionSet<Traits>::field_name(const Instruction &row, unsigned bit) {
  for (const std::span<const Field> fields : {Traits::header(row), std::span<const Field>(row.fields)}) {
    for (const Field &field : fields) {
      if (field.bit == bit) return field.name;
    }
  }
  return "instruction";
}

template <typename Traits>
Location InstructionSet<Traits>::locate(std::span<const std::byte> program, std::uint32_t position, unsigned field_bit) {
  std::uint32_t byte = position, at = 0;
  std::int32_t number = 0;
  if constexpr (requires { Traits::byte_of(position); }) byte = Traits::byte_of(position);
  // If all instructions have the same length, the number of the instruction follows from the position.
  if constexpr (
      !requires { Traits::bytes(Traits::kInstructions[0]); } && !requires { Traits::fetch(program, position); }) {
    constexpr auto kBytes = static_cast<std::uint32_t>(sizeof(MachineCode));
    at = position - position % kBytes;
    number = static_cast<std::int32_t>(position / kBytes);
  }
  for (; byte < program.size() && at <= position; ++number) {
    const Result<Fetched> fetched = fetch(program, at);
    if (at == position) {
      if (!fetched.status().ok()) return {.instruction = number, .byte = byte};
      const Instruction &row = *fetched.value().instruction;
      return {.instruction = number, .byte = byte, .name = row.name, .field = field_name(row, field_bit)};
    }
    if (!fetched.status().ok() || fetched.value().next <= at) break;
    at = fetched.value().next;
  }
  return {};
}

}  // namespace cox::isa
