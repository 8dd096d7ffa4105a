// SPDX-License-Identifier: MIT
// The last accesses to each byte of one memory, stored as intervals of bytes with the same history.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>

#include "sim/model/hazard/clock.h"

namespace cox::model::hazard {

/// `Queue` numbers the queues from 0: the lanes of a task, or the pipes of an engine. A queue runs its instructions in order.
template <typename Queue, std::size_t kQueues>
class QueueShadow {
 public:
  using Clock = QueueClock<kQueues>;

  /// An instruction that accesses bytes.
  struct Toucher {
    std::int32_t instruction = -1;  ///< the number that the caller gave it
    Queue queue{};
    std::uint32_t position = 0;  ///< its number among the instructions of its queue
  };

  /// `earlier` accessed bytes [first, first + bytes), and nothing orders it before the present access.
  struct Conflict {
    Toucher earlier;
    bool earlier_wrote = false;
    std::int64_t first = 0;
    std::int64_t bytes = 0;
  };

  QueueShadow() { cells_.emplace(std::numeric_limits<std::int64_t>::min(), Cell{}); }

  /// `toucher` reads or writes [first, first + bytes). `clock` says what has ended before this access. Calls `on_conflict` with a Conflict
  /// for each unordered access that collides. The shadow keeps the last read and the last write of each queue. That is enough: an access
  /// that is ordered after the last access of a queue is ordered after all accesses of this queue.
  template <typename OnConflict>
  void touch(const Toucher &toucher, const Clock &clock, bool write, std::int64_t first, std::int64_t bytes, const OnConflict &on_conflict);

 private:
  /// An access: the instruction's number, -1 if there is none, and its position in its queue.
  struct Entry {
    std::int32_t instruction = -1;
    std::uint32_t position = 0;
    bool operator==(const Entry &) const = default;
  };
  struct Cell {
    std::array<Entry, kQueues> wrote{};
    std::array<Entry, kQueues> read{};
    bool operator==(const Cell &) const = default;
  };
  using Cells = std::map<std::int64_t, Cell>;

  /// Returns the cell that begins at `address`. Splits the cell that contains `address` if it begins elsewhere.
  typename Cells::iterator divide(std::int64_t address) {
    const auto next = cells_.upper_bound(address);
    const auto around = std::prev(next);
    if (around->first == address) return around;
    return cells_.emplace_hint(next, address, around->second);
  }

  /// Removes accesses that are ordered before the present write. The shadow needs them no more: every later access that collides with them
  /// collides with this write too.
  void forget_ordered(Cell &cell, const Clock &clock) const {
    for (std::size_t i = 0; i < used_; ++i) {
      if (cell.wrote[i].instruction >= 0 && cell.wrote[i].position < clock.ended[i]) cell.wrote[i] = Entry{};
      if (cell.read[i].instruction >= 0 && cell.read[i].position < clock.ended[i]) cell.read[i] = Entry{};
    }
  }

  /// Joins neighbouring cells with the same history, from `begin` to `end` (included). So the map has only one cell for a range of bytes
  /// with the same history.
  void join_alike(typename Cells::iterator begin, typename Cells::iterator end) {
    for (auto at = begin;;) {
      const auto before = at == cells_.begin() ? cells_.end() : std::prev(at);
      const bool last = at == end;
      const auto next = last ? at : std::next(at);
      if (before != cells_.end() && before->second == at->second) cells_.erase(at);
      if (last) return;
      at = next;
    }
  }

  Cells cells_;           ///< maps the first byte of a cell to the cell, which reaches to the next one
  std::size_t used_ = 0;  ///< one more than the highest number of a queue that has accessed anything
};

template <typename Queue, std::size_t kQueues>
template <typename OnConflict>
void QueueShadow<Queue, kQueues>::touch(const Toucher &toucher, const Clock &clock, bool write, std::int64_t first, std::int64_t bytes,
                                        const OnConflict &on_conflict) {
  if (bytes <= 0) return;
  const auto own = static_cast<std::size_t>(toucher.queue);
  used_ = std::max(used_, own + 1);
  const auto begin = divide(first);
  const auto end = divide(first + bytes);
  const auto report = [&](const Entry &entry, std::size_t queue, bool wrote, typename Cells::const_iterator at) {
    if (entry.instruction < 0 || queue == own || entry.position < clock.ended[queue]) return;
    on_conflict(
        Conflict{{entry.instruction, static_cast<Queue>(queue), entry.position}, wrote, at->first, std::next(at)->first - at->first});
  };
  for (auto at = begin; at != end; ++at) {
    Cell &cell = at->second;
    // If this instruction has already accessed the byte in the same way, this access finds no new conflict.
    if ((write ? cell.wrote : cell.read)[own].instruction == toucher.instruction) continue;
    for (std::size_t i = 0; i < used_; ++i) {
      report(cell.wrote[i], i, true, at);
      if (write) report(cell.read[i], i, false, at);
    }
    if (write) {
      forget_ordered(cell, clock);
      cell.wrote[own] = {toucher.instruction, toucher.position};
      cell.read[own] = Entry{};
    } else {
      cell.read[own] = {toucher.instruction, toucher.position};
    }
  }
  join_alike(begin, end);
}

}  // namespace cox::model::hazard
