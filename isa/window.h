// SPDX-License-Identifier: MIT
// Memory that the instructions of a task or stream may touch.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/base/memory_range.h"
#include "coxswain/base/status.h"

namespace cox::isa {

struct Window {
  std::uint64_t base = 0;   ///< bus address
  std::uint64_t bytes = 0;  ///< 0: the window is closed
  bool read = false;
  bool write = false;

  [[nodiscard]] constexpr MemoryRange range() const { return {base, bytes}; }
};

/// Returns true if the window permits the access and contains all of its bytes. `Access` is the access type of an instruction set, with
/// `start`, `write` and end().
template <typename Access>
constexpr bool holds(const Window &window, const Access &access) {
  if (access.write ? !window.write : !window.read) return false;
  if (access.start < window.base || access.end() < access.start) return false;
  const std::uint64_t first = access.start - window.base;
  return first <= window.bytes && access.end() - access.start <= window.bytes - first;
}

/// Returns address_outside_window if no window holds the whole access. `what` is the field, and `value` is the first address of the access.
template <typename Access>
constexpr Status check_windows(const Access &access, std::span<const Window> windows) {
  for (const Window &window : windows) {
    if (holds(window, access)) return {};
  }
  return Status(ErrorCode::address_outside_window, access.field, -1, static_cast<std::int64_t>(access.start));
}

}  // namespace cox::isa
