// SPDX-License-Identifier: MIT
// SYNC_CTRL, word 1 of a payload: which keys an instruction takes before it starts and gives when it has ended.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"

namespace cox::isa::unity {

inline constexpr unsigned kKeyTables = 4;
inline constexpr unsigned kKeyEntries = 256;    ///< of each table
inline constexpr unsigned kMostKeys = 8;        ///< that an instruction takes
inline constexpr unsigned kMostCount = 0xFFFF;  ///< of an entry

/// An entry of a key table.
struct Key {
  std::uint8_t table = 0;  ///< 0 to 3
  std::uint8_t entry = 0;

  bool operator==(const Key &) const = default;
};

struct Sync {
  bool fetches = false;    ///< takes `keys` keys of `fetch` at once before the operand table is read
  bool deposits = false;   ///< adds one key to `deposit` when the result is in memory
  bool blocks = false;     ///< BLK: the unit's next instruction starts after this one has ended
  std::uint8_t keys = 0;   ///< 1 to kMostKeys; 0 if the instruction takes none
  Key fetch{}, deposit{};  ///< {} where nothing is taken or given

  bool operator==(const Sync &) const = default;
};

/// The bits of SYNC_CTRL: [0] fetch, [1] deposit, [2] BLK, [5:3] keys less one, [7:6] table of the fetch, [9:8] of the deposit, [17:10]
/// entry of the fetch, [25:18] of the deposit.
constexpr std::uint32_t sync_word(const Sync &sync) {
  std::uint32_t word = (sync.fetches ? 1U : 0U) | (sync.deposits ? 2U : 0U) | (sync.blocks ? 4U : 0U);
  if (sync.fetches) word |= (sync.keys - 1U) << 3 | std::uint32_t{sync.fetch.table} << 6 | std::uint32_t{sync.fetch.entry} << 10;
  if (sync.deposits) word |= std::uint32_t{sync.deposit.table} << 8 | std::uint32_t{sync.deposit.entry} << 18;
  return word;
}

/// Fields of a half that is off are ignored; check_sync() refuses them.
constexpr Sync read_sync(std::uint32_t word) {
  Sync sync;
  sync.fetches = (word & 1) != 0;
  sync.deposits = (word & 2) != 0;
  sync.blocks = (word & 4) != 0;
  if (sync.fetches) {
    sync.keys = static_cast<std::uint8_t>((word >> 3 & 7) + 1);
    sync.fetch = {static_cast<std::uint8_t>(word >> 6 & 3), static_cast<std::uint8_t>(word >> 10 & 0xFF)};
  }
  if (sync.deposits) sync.deposit = {static_cast<std::uint8_t>(word >> 8 & 3), static_cast<std::uint8_t>(word >> 18 & 0xFF)};
  return sync;
}

/// Errors: reserved_bits ("sync", `index` and `value` the number of the bit in the payload) for bits [31:26]; field_out_of_range for a
/// field of a half that is off and not 0: "num_key", "keyr_bar", "fetch_key", "keyw_bar" or "deposit_key"; `limit` is 0.
[[nodiscard]] Status check_sync(std::uint32_t word);

}  // namespace cox::isa::unity
