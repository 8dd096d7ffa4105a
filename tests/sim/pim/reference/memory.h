// SPDX-License-Identifier: MIT
// Addresses, and bits in memories.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/sim/pim/reference/state.h"

namespace cox::model::pim::oracle {

/// Bytes of one memory. Without bytes there is no memory.
struct Place {
  Bytes *memory = nullptr;
  std::uint64_t first = 0, bytes = 0;
};

/// Places of an access. They throw Stop if it does not lie in one memory of the kind.
Place local(const View &view, std::uint32_t address, std::uint64_t bytes);
Place global(const View &view, std::uint32_t address, std::uint64_t bytes);
Place anywhere(const View &view, std::uint32_t address, std::uint64_t bytes);

Bytes read(const Place &place);
void write(const Place &place, const Bytes &bytes);

/// Bytes of a vector: whole bytes for all its bits.
inline std::uint64_t bytes_of(std::uint64_t elements, unsigned width) { return (elements * width + 7) / 8; }

bool bit(const Bytes &bytes, std::uint64_t number);
/// The bits from `first` up as a number in two's complement.
std::int64_t number(const Bytes &bytes, std::uint64_t first, unsigned width);
std::vector<std::int64_t> numbers(const Bytes &bytes, std::uint64_t elements, unsigned width);
/// The low bits of each number, packed. Spare bits are 0.
Bytes packed(const std::vector<std::int64_t> &numbers, unsigned width);

/// Byte of a macro's line in the array, from the array's first.
std::uint64_t line_byte(const Configuration &configuration, std::uint64_t macro, std::uint64_t row, std::uint64_t compartment);

}  // namespace cox::model::pim::oracle
