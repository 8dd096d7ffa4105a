// SPDX-License-Identifier: MIT
// Who touched which byte of one memory last, exactly: intervals of bytes with the same history.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>

#include "isa/tile/header.h"
#include "sim/model/hazard/token_clocks.h"

namespace cox::model::hazard {

/// One instruction that touches.
struct Toucher {
  std::int32_t instruction = -1;  ///< the number that the caller gave it
  isa::tile::Class queue = isa::tile::Class::CT;
  std::uint32_t position = 0;  ///< among those of its class
};

/// `earlier` touched bytes [first, first + bytes) and nothing orders it before the one that touches them now.
struct Conflict {
  Toucher earlier;
  bool earlier_wrote = false;
  std::int64_t first = 0;
  std::int64_t bytes = 0;
};
using OnConflict = std::function<void(const Conflict &)>;

class Shadow {
 public:
  Shadow();

  /// `toucher`, before which `clock` has ended, reads or writes [first, first + bytes). A class runs in order, so the last read and the
  /// last write of each class are enough: what is ordered after those is ordered after all before them.
  void touch(const Toucher &toucher, const Clock &clock, bool write, std::int64_t first, std::int64_t bytes, const OnConflict &conflict);

 private:
  /// The instruction's number, and its position in its class; -1: none.
  struct Entry {
    std::int32_t instruction = -1;
    std::uint32_t position = 0;
    bool operator==(const Entry &) const = default;
  };
  struct Cell {
    std::array<Entry, isa::tile::kClasses> wrote{};
    std::array<Entry, isa::tile::kClasses> read{};
    bool operator==(const Cell &) const = default;
  };
  using Cells = std::map<std::int64_t, Cell>;

  /// The cell that begins at `address`, made by dividing the one around it.
  Cells::iterator divide(std::int64_t address);
  static void forget_ordered(Cell &cell, const Clock &clock);

  Cells cells_;  ///< by first byte; each reaches to the next
};

}  // namespace cox::model::hazard
