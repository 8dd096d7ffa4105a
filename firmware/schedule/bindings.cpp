// SPDX-License-Identifier: MIT
#include "coxswain/firmware/schedule/bindings.h"

#include <algorithm>
#include <cstring>

#include "coxswain/base/bits.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/cache.h"

namespace cox::firmware::schedule {

namespace {

constexpr std::uint32_t kAllWindows = (1U << hal::kWindows) - 1;

[[gnu::noinline]] Status check_given(const MemoryRange &given, std::uint64_t needed, const MemoryRange &dram,
                                     std::span<const MemoryRange> reserved, std::int32_t at) {
  if (given.size < needed) return {ErrorCode::window_too_small, "windows", at, signed_of(given.size), signed_of(needed)};
  if (!dram.contains(given)) return {ErrorCode::window_outside_dram, "windows", at, signed_of(given.address), signed_of(dram.address)};
  if (given.address % kWindowAlignment != 0) {
    return {ErrorCode::misaligned_address, "windows", at, signed_of(given.address), kWindowAlignment};
  }
  // All ranges are inside DRAM, so the bits that this core computes with suffice.
  const auto first = static_cast<std::uintptr_t>(given.address), last = static_cast<std::uintptr_t>(given.address + needed - 1);
  for (const MemoryRange &range : reserved) {
    if (first <= static_cast<std::uintptr_t>(range.end() - 1) && static_cast<std::uintptr_t>(range.address) <= last) {
      return {ErrorCode::window_overlap, "windows", at, signed_of(given.address), signed_of(range.address)};
    }
  }
  return {};
}

/// True if check_given() returns success, in fewer instructions. Bus addresses of DRAM have no more bits than this core computes with.
bool is_fit(const MemoryRange &given, std::uint64_t needed, const MemoryRange &dram, std::span<const MemoryRange> reserved) {
  const auto first = static_cast<std::uintptr_t>(given.address), size = static_cast<std::uintptr_t>(given.size);
  const std::uintptr_t offset = first - static_cast<std::uintptr_t>(dram.address), room = static_cast<std::uintptr_t>(dram.size);
  const bool wraps = first != given.address || size != given.size;
  if (wraps || size < needed || offset > room || size > room - offset || first % kWindowAlignment != 0) return false;
  const std::uintptr_t last = first + static_cast<std::uintptr_t>(needed) - 1;
  bool overlaps = false;
  for (const MemoryRange &range : reserved) {
    const auto other = static_cast<std::uintptr_t>(range.address);
    overlaps |= first <= other + static_cast<std::uintptr_t>(range.size) - 1 && other <= last;
  }
  return !overlaps;
}

/// True if a window is the constant of its task where that lies in the image.
bool is_in_place(const image::WindowNeed &need, std::uint64_t base) {
  return !need.in_place.empty() && base == hal::bus_address(need.in_place);
}

}  // namespace

Status bind_windows(const image::LoadedTask &task, std::span<const MemoryRange, hal::kWindows> given, const MemoryRange &dram,
                    std::span<const MemoryRange> reserved, std::array<hal::Window, hal::kWindows> &windows, WindowUse *use) {
  WindowUse uses;
  const std::uint32_t needed = task.needed_windows();
  for (std::uint32_t left = ~needed & kAllWindows; left != 0;) windows[take_lowest(left)] = {};
  for (std::uint32_t left = needed; left != 0;) {
    const unsigned i = take_lowest(left);
    const image::WindowNeed &need = task.windows()[i];
    std::uint64_t base = given[i].address;
    if (given[i].size == 0) {
      if (need.in_place.empty()) {
        return Status{ErrorCode::window_missing, "windows", static_cast<std::int32_t>(i), 0, signed_of(need.size)};
      }
      base = hal::bus_address(need.in_place);
    } else {
      if (!is_fit(given[i], need.size, dram, reserved)) {
        return check_given(given[i], need.size, dram, reserved, static_cast<std::int32_t>(i));
      }
      if (need.has_constants && !is_in_place(need, base)) uses.constants |= 1U << i;
      if (need.writable) uses.written |= 1U << i;
    }
    windows[i] = {base, need.size, true, need.writable};
  }
  uses.written |= uses.constants;
  if (use != nullptr) *use = uses;
  for (std::uint32_t left = needed; left != 0;) {
    const unsigned i = take_lowest(left);
    std::uint32_t others = needed & ((1U << i) - 1);
    if ((uses.written >> i & 1) == 0) others &= uses.written;  // two windows that are only read may overlap
    const hal::Window &a = windows[i];
    const auto first = static_cast<std::uintptr_t>(a.base), last = static_cast<std::uintptr_t>(a.base + a.bytes - 1);
    while (others != 0) {
      const hal::Window &b = windows[take_lowest(others)];
      if (first <= static_cast<std::uintptr_t>(b.base + b.bytes - 1) && static_cast<std::uintptr_t>(b.base) <= last) {
        return Status{ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(i), signed_of(a.base), signed_of(b.base)};
      }
    }
  }
  return {};
}

bool is_written(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, unsigned window) {
  return (written_windows(task, windows) >> window & 1) != 0;
}

std::uint32_t written_windows(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  std::uint32_t written = 0;
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    const image::WindowNeed &need = task.windows()[i];
    const bool copied = need.has_constants && !is_in_place(need, windows[i].base);
    if (windows[i].write || copied) written |= 1U << i;
  }
  return written;
}

ConstantPlace place_of(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows, std::size_t index) {
  const image::ConstantView constant = task.constant(index);
  const bool wanted = constant.window < hal::kWindows && is_written(task, windows, constant.window) &&
                      MemoryRange{0, task.windows()[constant.window].size}.contains({constant.offset, constant.data.size()});
  if (!wanted) return {};
  return {constant.data, hal::core_pointer<std::byte>(windows[constant.window].base + constant.offset)};
}

bool copies_constants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  const std::uint32_t written = written_windows(task, windows);
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    if (task.windows()[i].has_constants && (written >> i & 1) != 0) return true;
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
      std::byte *const target = constant.target + done_;
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
