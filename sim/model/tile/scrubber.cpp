// SPDX-License-Identifier: MIT
#include "sim/model/tile/scrubber.h"

#include <algorithm>

namespace cox::model {

namespace {

/// Makes `owner` the user of the units in a range. Calls `visit(first, count)` for each contiguous group of units whose last user was
/// another owner. Returns the number of these units.
template <typename Visit>
std::uint64_t change_users(std::span<std::uint16_t> users, BufferRange range, std::uint16_t owner, std::uint16_t nobody,
                           const Visit &visit) {
  if (users.empty() || range.empty()) return 0;
  const std::size_t end = std::min<std::size_t>(std::size_t{range.last} + 1, users.size());
  std::uint64_t all = 0;
  for (std::size_t at = range.first; at < end;) {
    const std::size_t first = at;
    while (at < end && users[at] != owner && users[at] != nobody) ++at;
    if (at != first) {
      visit(first, at - first);
      all += at - first;
    }
    while (at < end && (users[at] == owner || users[at] == nobody)) ++at;
  }
  if (range.first < end) std::fill(users.begin() + range.first, users.begin() + static_cast<std::ptrdiff_t>(end), owner);
  return all;
}

}  // namespace

void Scrubber::reset() {
  std::fill(block_users_.begin(), block_users_.end(), kNobody);
  std::fill(unit_users_.begin(), unit_users_.end(), kNobody);
  free_at_ = 0;
  clear_at_ = {};
}

Cycle Scrubber::take(unsigned owner, BufferRange blocks, BufferRange units, Cycle now, std::uint32_t bytes_per_cycle, const Clear &clear) {
  using isa::tile::kBlockBytes;
  using isa::tile::kWeightUnitBytes;
  const auto user = static_cast<std::uint16_t>(owner);
  const std::uint64_t cleared_blocks = change_users(block_users_, blocks, user, kNobody, [&](std::size_t first, std::size_t count) {
    clear(Buffer::l2, first * kBlockBytes, count * kBlockBytes);
  });
  const std::uint64_t cleared_units = change_users(unit_users_, units, user, kNobody, [&](std::size_t first, std::size_t count) {
    clear(Buffer::wl0, first * kWeightUnitBytes, count * kWeightUnitBytes);
  });
  const std::uint64_t bytes = cleared_blocks * kBlockBytes + cleared_units * kWeightUnitBytes;
  if (bytes != 0) {
    free_at_ = std::max(free_at_, now) + (bytes + bytes_per_cycle - 1) / bytes_per_cycle;
    clear_at_[owner] = free_at_;
  }
  return clear_at_[owner];
}

}  // namespace cox::model
