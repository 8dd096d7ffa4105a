// SPDX-License-Identifier: MIT
// Finds the row of the instruction table for the first word of an instruction. There are three methods: the opcode is the index of the row,
// a second table maps opcodes to rows, or a loop searches the rows. The table's opcodes decide at compile time which method is used.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "coxswain/isa/field.h"

namespace cox::isa::detail {

/// Returns the mask of the fields in opcode_fields(), which all lie in the first word.
template <typename Traits>
constexpr std::uint32_t opcode_mask(const typename Traits::Instruction &row) {
  std::uint32_t mask = 0;
  for (const Field &field : Traits::opcode_fields(row))
    mask |= static_cast<std::uint32_t>((std::uint64_t{1} << field.width) - 1) << field.bit;
  return mask;
}

/// The opcode bits of all instructions together. A message about an unknown instruction shows these bits.
template <typename Traits>
inline constexpr std::uint32_t kOpcodeMask = [] {
  std::uint32_t mask = 0;
  for (const auto &row : Traits::kInstructions) mask |= opcode_mask<Traits>(row);
  return mask;
}();

/// True if all instructions have their opcode in the same bits.
template <typename Traits>
inline constexpr bool kHasOneMask = [] {
  for (const auto &row : Traits::kInstructions) {
    if (opcode_mask<Traits>(row) != kOpcodeMask<Traits>) return false;
  }
  return true;
}();

/// True if these bits are the lowest of the word.
template <typename Traits>
inline constexpr bool kHasPlainOpcodes = kHasOneMask<Traits> &&std::has_single_bit(std::uint64_t{kOpcodeMask<Traits>} + 1);

/// True if kHasPlainOpcodes is true and the opcodes count up by 1 from row to row.
template <typename Traits>
inline constexpr bool kHasConsecutiveOpcodes = [] {
  if (!kHasPlainOpcodes<Traits>) return false;
  std::uint32_t expected = Traits::first_word(Traits::kInstructions[0]);
  for (const auto &row : Traits::kInstructions) {
    if (Traits::first_word(row) != expected++) return false;
  }
  return true;
}();

inline constexpr std::uint32_t kLargestPlaceMask = 0xFF;  ///< the table that maps opcodes to rows has at most 256 bytes

/// Maps an opcode to the index of its row plus 1; 0 if there is no row.
template <typename Traits>
inline constexpr auto kPlaces = [] {
  std::array<std::uint8_t, kOpcodeMask<Traits> + std::size_t{1}> places{};
  std::uint8_t place = 0;
  for (const auto &row : Traits::kInstructions) places[Traits::first_word(row)] = ++place;
  return places;
}();

template <typename Traits>
constexpr const typename Traits::Instruction *row_of(std::uint32_t first_word) {
  if constexpr (kHasConsecutiveOpcodes<Traits>) {
    const std::uint32_t place = (first_word & kOpcodeMask<Traits>)-Traits::first_word(Traits::kInstructions[0]);
    return place < std::size(Traits::kInstructions) ? &Traits::kInstructions[place] : nullptr;
  } else if constexpr (kHasPlainOpcodes<Traits> && kOpcodeMask<Traits> <= kLargestPlaceMask) {
    static_assert(std::size(Traits::kInstructions) < 256);
    const unsigned place = kPlaces<Traits>[first_word & kOpcodeMask<Traits>];
    return place == 0 ? nullptr : &Traits::kInstructions[place - 1];
  } else {
    for (const auto &row : Traits::kInstructions) {
      // A mask for all rows keeps the compiler's evaluation of a large table (isa/table_check.h) within Clang's limit.
      const std::uint32_t mask = kHasOneMask<Traits> ? kOpcodeMask<Traits> : opcode_mask<Traits>(row);
      if ((first_word & mask) == Traits::first_word(row)) return &row;
    }
    return nullptr;
  }
}

/// True if the enumerators of Opcode count up by 1 from row to row.
template <typename Traits>
inline constexpr bool kHasConsecutiveEnumerators = [] {
  auto expected = static_cast<unsigned>(Traits::kInstructions[0].opcode);
  for (const auto &row : Traits::kInstructions) {
    if (static_cast<unsigned>(row.opcode) != expected++) return false;
  }
  return true;
}();

/// True if the value of every enumerator of Opcode equals Traits::first_word() of its row in the table.
template <typename Traits>
inline constexpr bool kEnumeratorsAreOpcodes = [] {
  for (const auto &row : Traits::kInstructions) {
    if (static_cast<std::uint32_t>(row.opcode) != Traits::first_word(row)) return false;
  }
  return true;
}();

template <typename Traits>
constexpr const typename Traits::Instruction &row_of_enumerator(typename Traits::Opcode opcode) {
  static_assert(kHasConsecutiveEnumerators<Traits> || kEnumeratorsAreOpcodes<Traits>);
  if constexpr (kHasConsecutiveEnumerators<Traits>) {
    return Traits::kInstructions[static_cast<unsigned>(opcode) - static_cast<unsigned>(Traits::kInstructions[0].opcode)];
  } else {
    return *row_of<Traits>(static_cast<std::uint32_t>(opcode));
  }
}

template <typename Traits>
constexpr std::size_t bytes_of(const typename Traits::Instruction &row) {
  if constexpr (requires { Traits::bytes(row); }) {
    return Traits::bytes(row);
  } else {
    return sizeof(typename Traits::MachineCode);
  }
}

/// Bytes of the shortest instruction.
template <typename Traits>
inline constexpr std::size_t kShortest = [] {
  std::size_t shortest = sizeof(typename Traits::MachineCode);
  for (const auto &row : Traits::kInstructions) {
    if (bytes_of<Traits>(row) < shortest) shortest = bytes_of<Traits>(row);
  }
  return shortest;
}();

}  // namespace cox::isa::detail
