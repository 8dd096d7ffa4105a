// SPDX-License-Identifier: MIT
#include "firmware/schedule/bindings.h"

#include <algorithm>
#include <cstring>

#include "hal/board.h"
#include "hal/cache.h"

namespace cox::firmware::schedule {

namespace {

Status check_given(const MemoryRange &given, std::uint64_t needed, const MemoryRange &dram, std::span<const MemoryRange> reserved,
                   std::int32_t at) {
  if (given.size < needed) return {ErrorCode::window_too_small, "windows", at, signed_of(given.size), signed_of(needed)};
  if (!dram.contains(given)) return {ErrorCode::window_outside_dram, "windows", at, signed_of(given.address), signed_of(dram.address)};
  if (given.address % kWindowAlignment != 0) {
    return {ErrorCode::misaligned_address, "windows", at, signed_of(given.address), kWindowAlignment};
  }
  // All ranges are inside DRAM, so addresses of this core suffice.
  const auto first = static_cast<std::uintptr_t>(given.address), last = static_cast<std::uintptr_t>(given.address + needed - 1);
  for (const MemoryRange &range : reserved) {
    if (first <= static_cast<std::uintptr_t>(range.end() - 1) && static_cast<std::uintptr_t>(range.address) <= last) {
      return {ErrorCode::window_overlap, "windows", at, signed_of(given.address), signed_of(range.address)};
    }
  }
  return {};
}

}  // namespace

Status bind_windows(const image::LoadedTask &task, std::span<const MemoryRange, hal::kWindows> given, const MemoryRange &dram,
                    std::span<const MemoryRange> reserved, std::array<hal::Window, hal::kWindows> &windows) {
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    const image::WindowNeed &need = task.windows()[i];
    if (need.size == 0) continue;
    const auto at = static_cast<std::int32_t>(i);
    if (given[i].size == 0) {
      const std::span<const std::byte> constant = task.constant_in_place(i);
      if (constant.empty()) return Status{ErrorCode::window_missing, "windows", at, 0, signed_of(need.size)};
      windows[i] = {reinterpret_cast<std::uintptr_t>(constant.data()), need.size, true, false};
      continue;
    }
    if (Status status = check_given(given[i], need.size, dram, reserved, at); !status.ok()) return status;
    windows[i] = {given[i].address, need.size, true, need.writable};
  }
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    for (unsigned other = 0; other < i; ++other) {
      const hal::Window &a = windows[i], &b = windows[other];
      if (a.range().overlaps(b.range()) && (is_written(task, windows, i) || is_written(task, windows, other))) {
        return Status{ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(i), signed_of(a.base), signed_of(b.base)};
      }
    }
  }
  return {};
}

bool is_written(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, unsigned window) {
  const image::WindowNeed &need = task.windows()[window];
  return windows[window].write || (need.has_constants && windows[window].base != reinterpret_cast<std::uintptr_t>(need.in_place.data()));
}

ConstantPlace place_of(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, std::size_t index) {
  const image::ConstantView constant = task.constant(index);
  const bool wanted = constant.window < hal::kWindows && is_written(task, windows, constant.window) &&
                      MemoryRange{0, task.windows()[constant.window].size}.contains({constant.offset, constant.data.size()});
  if (!wanted) return {};
  return {constant.data, static_cast<std::uintptr_t>(windows[constant.window].base + constant.offset)};
}

bool copies_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    if (task.windows()[i].has_constants && is_written(task, windows, i)) return true;
  }
  return false;
}

bool ConstantCopy::step() {
  board::feed_watchdog();
  for (std::size_t room = kPiece; next_ < task_.constants();) {
    const ConstantPlace constant = place_of(task_, windows_, next_);
    const std::size_t size = constant.data.size();
    if (done_ < size) {
      const std::span<const std::byte> piece = constant.data.subspan(done_, std::min(size - done_, room));
      auto *target = reinterpret_cast<std::byte *>(constant.target) + done_;  // NOLINT(performance-no-int-to-ptr): a bus address
      // The first line and the last one may also hold bytes that the device or another processor has written since the core fetched them.
      hal::clean_and_invalidate_cache(target, 1);
      hal::clean_and_invalidate_cache(target + piece.size() - 1, 1);
      std::memcpy(target, piece.data(), piece.size());
      hal::clean_cache(target, piece.size());
      done_ += piece.size();
      room -= piece.size();
      if (done_ != size) return true;
    }
    ++next_;
    done_ = 0;
    if (room <= kConstantCost) return true;
    room -= kConstantCost;
  }
  return false;
}

}  // namespace cox::firmware::schedule
