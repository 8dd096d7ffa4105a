// SPDX-License-Identifier: MIT
// What a task needs of the device, and what it touches.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/tile/configuration.h"

namespace cox::firmware::verify {

/// The parts of a device that a verified task needs.
struct TaskNeeds {
  isa::tile::BufferRange blocks;   ///< from the first to the last L2 block that the task's regions or exchanges cover on any core
  isa::tile::BufferRange weights;  ///< from the first to the last WL0 unit that the task uses on any core
  unsigned cores = 1;              ///< number of cores, which must have consecutive numbers
  /// True if the task gives the same results when it runs again from its beginning. For this, the verifier requires that in each window,
  /// the range from the first to the last byte read does not overlap the range from the first to the last byte written.
  bool restartable = true;
};

/// The bytes of a window from the lowest to the highest that the task reads (or writes). `end` is the offset behind the last byte.
struct Extent {
  std::int64_t first = 0, end = 0;

  [[nodiscard]] bool empty() const { return first == end; }
  [[nodiscard]] bool overlaps(const Extent &other) const { return !empty() && !other.empty() && first < other.end && other.first < end; }
  void include(std::int64_t from, std::int64_t to) {
    if (empty()) {
      first = from;
      end = to;
      return;
    }
    if (from < first) first = from;
    if (to > end) end = to;
  }
};

/// The needs of a task, and the bytes that it reads and writes in each window, as far as its instructions were checked.
struct Touched {
  TaskNeeds needs;
  std::array<Extent, isa::tile::kWindows> read{}, written{};
};

}  // namespace cox::firmware::verify
