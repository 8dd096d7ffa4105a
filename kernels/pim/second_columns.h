// SPDX-License-Identifier: MIT
// Bit-sparse layers whose filters have thresholds of their own (docs/kernels/pim.md, Bit-sparse weights). In the array, the first columns
// of all filters lie side by side, and behind them the second columns of those filters that have two. The SIMD unit adds a second column's
// sums to the first one's, run by run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace cox::kernels::pim {

/// The filters that have second columns, as runs of neighbours in ascending order.
class SecondColumns {
 public:
  static constexpr std::uint32_t kMostRuns = 16;
  struct Run {
    std::uint32_t first = 0, count = 0;
    [[nodiscard]] constexpr std::uint32_t end() const { return first + count; }
  };

  constexpr SecondColumns() = default;
  /// Filters with threshold 2 have second columns. So have those between two of them if they are few: an instruction of the SIMD unit costs
  /// more than their columns. `thresholds` has the threshold of each filter.
  constexpr explicit SecondColumns(std::span<const std::uint8_t> thresholds) {
    for (std::uint32_t gap = kGap; !find_runs(thresholds, gap);) gap *= 2;
  }

  [[nodiscard]] constexpr bool empty() const { return count_ == 0; }
  [[nodiscard]] constexpr bool has(std::uint32_t filter) const {
    return std::any_of(runs_.begin(), runs_.begin() + count_, [=](Run run) { return filter - run.first < run.count; });
  }
  /// Returns the number of second columns of filters `first` to `end` - 1.
  [[nodiscard]] constexpr std::uint32_t columns(std::uint32_t first, std::uint32_t end) const {
    std::uint32_t columns = 0;
    for_each(first, end, [&](std::uint32_t /*filter*/, std::uint32_t count, std::uint32_t /*column*/) { columns += count; });
    return columns;
  }
  /// Returns the most second columns of `outputs` filters from a multiple of `outputs` on. `all` is the number of filters.
  [[nodiscard]] constexpr std::uint32_t most_columns(std::uint32_t outputs, std::uint32_t all) const {
    std::uint32_t most = 0;
    for (std::uint32_t first = 0; first < all; first += outputs) most = std::max(most, columns(first, first + outputs));
    return most;
  }
  /// Calls visit(filter, count, column) for each run of filters `first` to `end` - 1. `filter` counts from `first`; `column` is the number
  /// of second columns before the run's.
  template <typename Visit>
  constexpr void for_each(std::uint32_t first, std::uint32_t end, Visit visit) const {
    std::uint32_t column = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t from = std::max(runs_[i].first, first), to = std::min(runs_[i].end(), end);
      if (from >= to) continue;
      visit(from - first, to - from, column);
      column += to - from;
    }
  }
  /// Returns true if runs are in order among `outputs` filters.
  [[nodiscard]] constexpr bool is_valid(std::uint32_t outputs) const {
    if (count_ > kMostRuns) return false;
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Run run = runs_[i];
      if (run.first < end || run.first >= outputs || run.count == 0 || run.count > outputs - run.first) return false;
      end = run.end();
    }
    return true;
  }

 private:
  /// Filters of threshold 1 between others that get second columns, too.
  static constexpr std::uint32_t kGap = 16;

  /// Finds runs whose gaps are longer than `gap`. Returns false if there are too many.
  constexpr bool find_runs(std::span<const std::uint8_t> thresholds, std::uint32_t gap) {
    count_ = 0;
    for (std::uint32_t filter = 0; filter < thresholds.size(); ++filter) {
      if (thresholds[filter] != 2) continue;
      if (count_ != 0 && filter - runs_[count_ - 1].end() <= gap) {
        runs_[count_ - 1].count = filter + 1 - runs_[count_ - 1].first;
        continue;
      }
      if (count_ == kMostRuns) return false;
      runs_[count_++] = {filter, 1};
    }
    return true;
  }

  std::uint32_t count_ = 0;
  std::array<Run, kMostRuns> runs_{};
};

}  // namespace cox::kernels::pim
