// SPDX-License-Identifier: MIT
// Operand tables: reading one whose operation and address space become known at run time (TableBits), and writing one whose operation and
// address space are known at compile time (OperandTable), which costs the control core a few instructions a field.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "coxswain/base/result.h"
#include "coxswain/isa/fixed_string.h"
#include "coxswain/isa/operand_memory.h"
#include "coxswain/isa/unity/layout.h"
#include "coxswain/isa/unity/table.h"

namespace cox::isa::unity {

/// The bits of an operand table.
class TableBits {
 public:
  static constexpr unsigned kBits = kMostTableBytes * 8;

  constexpr TableBits() = default;
  /// Little-endian bytes, at most kMostTableBytes; bits behind them are 0.
  explicit constexpr TableBits(std::span<const std::byte> bytes) {
    static_assert(std::endian::native == std::endian::little);
    if (std::is_constant_evaluated()) {
      for (std::size_t i = 0; i < bytes.size(); ++i) words_[i / 4] |= std::to_integer<std::uint32_t>(bytes[i]) << (i % 4 * 8);
    } else if (!bytes.empty()) {
      std::memcpy(words_.data(), bytes.data(), bytes.size());
    }
  }
  constexpr void copy_to(std::span<std::byte> bytes) const {
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(words_[i / 4] >> (i % 4 * 8));
  }

  /// Bits [bit + width - 1 : bit], 1 to 64 of them.
  [[nodiscard]] constexpr std::uint64_t read(unsigned bit, unsigned width) const {
    std::uint64_t value = extract_bits(words_, bit, width < 32 ? width : 32);
    if (width > 32) value |= std::uint64_t{extract_bits(words_, bit + 32, width - 32)} << 32;
    return value;
  }
  /// Replaces bits by the low bits of `value`.
  constexpr void write(unsigned bit, unsigned width, std::uint64_t value) {
    insert_bits(words_, bit, width < 32 ? width : 32, static_cast<std::uint32_t>(value));
    if (width > 32) insert_bits(words_, bit + 32, width - 32, static_cast<std::uint32_t>(value >> 32));
  }
  [[nodiscard]] constexpr std::uint64_t read(const Place &place, AddressSpace space) const {
    return read(place.bit(space), place.width(space));
  }
  constexpr void write(const Place &place, AddressSpace space, std::uint64_t value) { write(place.bit(space), place.width(space), value); }

 private:
  Words32<kMostTableBytes / 4 + 1> words_{};
};

/// Writes a field. `value` is an unsigned number, or a signed one as its 64-bit two's complement. Error: field_out_of_range, and the table
/// is then unchanged; `what` is the field, `value` the given value and `limit` the bound that it breaks.
[[nodiscard]] Status set_field(TableBits &table, const Placed &placed, AddressSpace space, std::int64_t value);
/// The value of a field; signed_integer fields are sign-extended.
[[nodiscard]] std::int64_t get_field(const TableBits &table, const Placed &placed, AddressSpace space);

/// True if the table has its layout's extension.
[[nodiscard]] bool is_extended(const Layout &layout, const TableBits &table, AddressSpace space);

/// Reads the table of an instruction from memory, with its extension, and checks bits that no field has. Errors: misaligned_address,
/// address_outside_window and reserved_bits, as resolve() has them.
[[nodiscard]] Result<TableBits> read_table(const Layout &layout, std::uint64_t address, AddressSpace space, const OperandMemory &memory);

/// The place of a field that is known at compile time. A misspelt name does not compile.
template <Opcode Op, FixedString Name>
consteval Place place() {
  constexpr const Layout *kLayout = Set::row(Op).layout;
  static_assert(kLayout != nullptr && find_field(*kLayout, Name.view()).field != nullptr, "no such field in this operand table");
  return find_field(*kLayout, Name.view()).place;
}

/// An operand table in the making, all zero at first.
template <Opcode Op, AddressSpace Space>
class OperandTable {
 public:
  static constexpr const Layout &kLayout = *Set::row(Op).layout;
  /// Bytes of the table without and with its extension.
  static constexpr unsigned kBytes = table_bytes(kLayout, Space, false);
  static constexpr unsigned kExtendedBytes = table_bytes(kLayout, Space, true);

  /// Replaces a field by the low bits of `value`, without a check.
  template <FixedString Name>
  [[gnu::always_inline]] constexpr void set(std::uint64_t value) {
    constexpr unsigned kBit = place<Op, Name>().bit(Space), kWidth = place<Op, Name>().width(Space);
    insert_bits(words_, kBit, kWidth < 32 ? kWidth : 32, static_cast<std::uint32_t>(value));
    if constexpr (kWidth > 32) insert_bits(words_, kBit + 32, kWidth - 32, static_cast<std::uint32_t>(value >> 32));
  }
  template <FixedString Name>
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t get() const {
    constexpr unsigned kBit = place<Op, Name>().bit(Space), kWidth = place<Op, Name>().width(Space);
    std::uint64_t value = extract_bits(words_, kBit, kWidth < 32 ? kWidth : 32);
    if constexpr (kWidth > 32) value |= std::uint64_t{extract_bits(words_, kBit + 32, kWidth - 32)} << 32;
    return value;
  }
  /// The words in memory order. The last one is half used if kBytes is no multiple of 4.
  [[nodiscard]] constexpr std::span<const std::uint32_t> words() const { return words_; }
  /// Copies the words one by one, so that the compiler keeps a table in registers until then.
  [[gnu::always_inline]] constexpr void copy_to(std::uint32_t *to) const {
    [&]<std::size_t... kWord>(std::index_sequence<kWord...>) { ((to[kWord] = words_[kWord]), ...); }
    (std::make_index_sequence<std::tuple_size_v<Words>>());
  }

 private:
  using Words = Words32<(kExtendedBytes + 3) / 4>;
  Words words_{};
};

}  // namespace cox::isa::unity
