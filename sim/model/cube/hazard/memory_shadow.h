// SPDX-License-Identifier: MIT
// The shadow of one memory of the matrix unit. It takes each access as one range, from its first to its last byte, until ranges of two
// pipes overlap. From then on it examines the single runs of bytes in all accesses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <vector>

#include "sim/model/cube/hazard/flag_clocks.h"
#include "sim/model/cube/hazard/runs.h"
#include "sim/model/hazard/shadow.h"

namespace cox::model::cube {

using Shadow = hazard::QueueShadow<isa::cube::Pipe, isa::cube::kPipes>;

class MemoryShadow {
 public:
  /// Does the same as Shadow::touch() for all byte ranges of `access`.
  template <typename OnConflict>
  void touch(const Shadow::Toucher &toucher, const Clock &clock, const isa::cube::Access &access, const OnConflict &on_conflict) {
    if (!exact_) {
      if (!meets_another(toucher.queue, access)) {
        add_extent(toucher.queue, access);
        apart_.push_back({toucher, clock, access});
        return;
      }
      exact_ = true;
      for (const Apart &past : apart_) walk(past.toucher, past.clock, past.access, [](const Shadow::Conflict & /*none*/) {});
      apart_ = {};
    }
    walk(toucher, clock, access, on_conflict);
  }

 private:
  struct Apart {
    Shadow::Toucher toucher;
    Clock clock;
    isa::cube::Access access;
  };

  template <typename OnConflict>
  void walk(const Shadow::Toucher &toucher, const Clock &clock, const isa::cube::Access &access, const OnConflict &on_conflict) {
    for_each_run(access, [&](std::uint64_t first, std::uint64_t bytes) {
      shadow_.touch(toucher, clock, access.write, static_cast<std::int64_t>(first), static_cast<std::int64_t>(bytes), on_conflict);
    });
  }

  [[nodiscard]] bool meets_another(isa::cube::Pipe own, const isa::cube::Access &access) const {
    for (std::size_t pipe = 0; pipe < isa::cube::kPipes; ++pipe) {
      if (pipe == static_cast<std::size_t>(own)) continue;
      const auto behind = extents_[pipe].lower_bound(access.end());
      if (behind != extents_[pipe].begin() && std::prev(behind)->second > access.start) return true;
    }
    return false;
  }

  void add_extent(isa::cube::Pipe own, const isa::cube::Access &access) {
    auto &extents = extents_[static_cast<std::size_t>(own)];
    std::uint64_t first = access.start, end = access.end();
    auto at = extents.upper_bound(first);
    if (at != extents.begin() && std::prev(at)->second >= first) first = (--at)->first;
    while (at != extents.end() && at->first <= end) {
      end = std::max(end, at->second);
      at = extents.erase(at);
    }
    extents.emplace_hint(at, first, end);
  }

  bool exact_ = false;        ///< true as soon as ranges of two pipes have overlapped
  std::vector<Apart> apart_;  ///< all accesses until exact_ is set; touch() then enters them in shadow_
  /// For each pipe, until exact_ is set: the ranges of bytes that it has accessed. Maps the first byte of a range to its end. Ranges that
  /// adjoin or overlap are joined.
  std::array<std::map<std::uint64_t, std::uint64_t>, isa::cube::kPipes> extents_;
  Shadow shadow_;
};

}  // namespace cox::model::cube
