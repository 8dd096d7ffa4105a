// SPDX-License-Identifier: MIT
#include "coxswain/hal/places.h"

#include <algorithm>

#include "coxswain/hal/board.h"

namespace cox::hal {

Places::Places(const cox_memory &memory) : given_(memory.bytes) {
  const std::uint64_t first = reinterpret_cast<std::uintptr_t>(memory.address);
  const std::uint64_t dram = board::dram_base();
  const std::uint64_t size = board::dram_size();
  if (first < dram || first - dram > size || memory.bytes > size - (first - dram)) {
    status_ = {ErrorCode::invalid_argument, "memory"};
    return;
  }
  const auto before = static_cast<std::size_t>(-first % COX_ALIGNMENT);
  if (memory.bytes < before) return;
  next_ = static_cast<std::byte *>(memory.address) + before;
  room_ = (memory.bytes - before) / COX_ALIGNMENT * COX_ALIGNMENT;
}

std::byte *Places::take(std::uint64_t bytes) {
  if (!status_.ok()) return nullptr;
  if (bytes > room_) {
    status_ = {ErrorCode::no_room, "memory", -1, signed_of(given_), signed_of(given_ - room_ + bytes)};
    return nullptr;
  }
  std::byte *const place = next_;
  const std::size_t taken = (static_cast<std::size_t>(bytes) + COX_ALIGNMENT - 1) / COX_ALIGNMENT * COX_ALIGNMENT;
  next_ += taken;
  room_ -= taken;
  return place;
}

std::span<std::byte> Places::take_rest() {
  const std::size_t bytes = std::max<std::size_t>(room_, COX_ALIGNMENT);
  std::byte *const place = take(bytes);
  return {place, place == nullptr ? 0 : bytes};
}

}  // namespace cox::hal
