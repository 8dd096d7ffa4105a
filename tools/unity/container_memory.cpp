// SPDX-License-Identifier: MIT
#include "tools/unity/container_memory.h"

#include <algorithm>

namespace cox::tools::unity {

bool ContainerMemory::is_own(std::uint64_t address, std::uint64_t bytes) const {
  return address <= container_.size() && bytes <= container_.size() - address;
}

void ContainerMemory::fill(std::uint64_t address, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    std::vector<std::byte> &page = pages_[address / kPageBytes];
    page.resize(kPageBytes);
    const std::uint64_t at = address % kPageBytes;
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), kPageBytes - at));
    std::ranges::copy(part, page.begin() + static_cast<std::ptrdiff_t>(at));
    bytes = bytes.subspan(part.size());
    address += part.size();
  }
}

bool ContainerMemory::is_known(std::uint64_t address, std::uint64_t bytes) const {
  return is_own(address, bytes) || pages_.contains(address / kPageBytes);
}

Status ContainerMemory::check(bool write, std::uint64_t address, std::uint64_t bytes) {
  if (!write && is_own(address, bytes)) return {};
  const Status outside(ErrorCode::address_outside_window, write && is_own(address, bytes) ? "container" : "window", -1, signed_of(address));
  if (windows_.empty()) return address >= container_.size() && bytes <= kMostBytes ? Status() : outside;
  for (const Window &window : windows_) {
    const std::uint64_t offset = address - window.start;
    if (address >= window.start && offset <= window.bytes && bytes <= window.bytes - offset)
      return write && !window.writable ? Status(ErrorCode::address_outside_window, "read-only window", -1, signed_of(address)) : Status();
  }
  return outside;
}

Status ContainerMemory::read(std::uint64_t address, std::span<std::byte> bytes) {
  if (is_own(address, bytes.size())) {
    std::ranges::copy(container_.subspan(address, bytes.size()), bytes.begin());
    return {};
  }
  while (!bytes.empty()) {
    const auto page = pages_.find(address / kPageBytes);
    const std::uint64_t at = address % kPageBytes;
    const auto part = bytes.first(std::min<std::uint64_t>(bytes.size(), kPageBytes - at));
    if (page == pages_.end()) {
      std::ranges::fill(part, std::byte{});
    } else {
      std::copy_n(page->second.begin() + static_cast<std::ptrdiff_t>(at), part.size(), part.begin());
    }
    bytes = bytes.subspan(part.size());
    address += part.size();
  }
  return {};
}

Status ContainerMemory::write(std::uint64_t address, std::span<const std::byte> bytes) {
  fill(address, bytes);
  return {};
}

}  // namespace cox::tools::unity
