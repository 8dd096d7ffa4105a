// SPDX-License-Identifier: MIT
// A unit that waits for keys, in the reports of failed streams (docs/faults.md). Plain data, little-endian.
#pragma once

#include <cstdint>

namespace cox::registers {

inline constexpr unsigned kMostWaitingUnits = 8;

struct WaitingUnit {
  std::uint32_t offset;       ///< byte offset in the stream of the instruction that waits
  std::int32_t instruction;   ///< its number in its program; -1: not known
  std::uint16_t held;         ///< keys in the entry
  std::uint8_t wanted;        ///< keys that the instruction wants
  std::uint8_t table, entry;  ///< the entry that it waits for
  std::uint8_t unit;
  std::uint8_t reserved[2];
};
static_assert(sizeof(WaitingUnit) == 16);

}  // namespace cox::registers
