// SPDX-License-Identifier: MIT
// Finds the known name that a mistyped name was meant to be, for messages: `did you mean "kernel"?`.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace cox {

/// Returns how many letters must be inserted, left out, replaced, or swapped with their neighbour to turn `a` into `b`. Upper and lower
/// case count as the same. If a name is longer than 64 characters, the distance is 64.
[[nodiscard]] constexpr std::size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr std::size_t kLongest = 64;
  if (a.size() > kLongest || b.size() > kLongest) return kLongest;
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  // Entry j of row i is the distance between the first i characters of `a` and the first j characters of `b`. Row i needs only the rows
  // i - 1 and i - 2, so the array keeps three rows.
  std::array<std::size_t, kLongest + 1> rows[3] = {};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const auto &before = rows[(i + 2) % 3];
    auto &row = rows[i % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({before[j] + 1, row[j - 1] + 1, before[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
      }
    }
  }
  return rows[a.size() % 3][b.size()];
}

/// Finds the offered name that is nearest to `typed`. A name is near if its distance from `typed` is at most a third of the length of
/// `typed`. If `typed` has one or two letters, a distance of 1 is near, too.
class ClosestName {
 public:
  constexpr explicit ClosestName(std::string_view typed) : typed_(typed), distance_(std::max<std::size_t>(typed.size() / 3, 1) + 1) {}

  constexpr void offer(std::string_view name) {
    const std::size_t distance = edit_distance(typed_, name);
    // A name of one letter is at distance 1 from any other letter, but it is not a mistyped form of that letter.
    if (distance >= distance_ || distance >= std::max(typed_.size(), name.size())) return;
    distance_ = distance;
    found_ = name;
  }

  /// Returns the nearest of the offered names, or an empty string if no name is near. If several names are equally near, returns the one
  /// that was offered first.
  [[nodiscard]] constexpr std::string_view found() const { return found_; }

 private:
  std::string_view typed_, found_;
  std::size_t distance_;
};

}  // namespace cox
