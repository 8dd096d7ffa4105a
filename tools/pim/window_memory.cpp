// SPDX-License-Identifier: MIT
#include "tools/pim/window_memory.h"

#include <algorithm>

namespace cox::tools::pim {

void WindowMemory::fill(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::vector<std::byte> &page = windows_.at(window).pages[offset / kPageBytes];
    page.resize(kPageBytes);
    const std::uint64_t at = offset % kPageBytes;
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), kPageBytes - at));
    std::ranges::copy(part, page.begin() + static_cast<std::ptrdiff_t>(at));
    bytes = bytes.subspan(part.size());
    offset += part.size();
  }
}

Status WindowMemory::check(bool write, unsigned window, std::uint64_t offset, std::uint64_t bytes) {
  const Window &its_window = windows_.at(window);
  const bool inside = offset <= its_window.bytes && bytes <= its_window.bytes - offset;
  if (inside && (!write || its_window.writable)) return {};
  return Status(ErrorCode::address_outside_window, "window", static_cast<std::int32_t>(window), signed_of(offset),
                inside ? -1 : signed_of(its_window.bytes));
}

Status WindowMemory::read(unsigned window, std::uint64_t offset, std::span<std::byte> bytes) {
  const Window &its_window = windows_.at(window);
  while (!bytes.empty()) {
    const auto page = its_window.pages.find(offset / kPageBytes);
    const std::uint64_t at = offset % kPageBytes;
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), kPageBytes - at));
    if (page == its_window.pages.end()) {
      std::ranges::fill(part, std::byte{});
    } else {
      std::copy_n(page->second.begin() + static_cast<std::ptrdiff_t>(at), part.size(), part.begin());
    }
    bytes = bytes.subspan(part.size());
    offset += part.size();
  }
  return {};
}

Status WindowMemory::write(unsigned window, std::uint64_t offset, std::span<const std::byte> bytes) {
  fill(window, offset, bytes);
  return {};
}

}  // namespace cox::tools::pim
