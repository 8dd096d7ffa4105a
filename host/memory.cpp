// SPDX-License-Identifier: MIT
#include "coxswain/host/memory.h"

#include <algorithm>
#include <iterator>

#include "coxswain/firmware/job/job_queue.h"

namespace cox::host {

using firmware::job::kBlock;

Memory::Memory(std::uint64_t begin, std::uint64_t end) {
  begin = (begin + kBlock - 1) / kBlock * kBlock;
  end = end / kBlock * kBlock;
  if (begin < end) free_[begin] = end - begin;
}

Result<std::uint64_t> Memory::allocate(std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t size = bytes > UINT64_MAX - kBlock ? UINT64_MAX : std::max<std::uint64_t>((bytes + kBlock - 1) / kBlock, 1) * kBlock;
  const auto piece = std::ranges::find_if(free_, [&](const auto &each) { return each.second >= size; });
  if (piece == free_.end()) {
    std::uint64_t largest = 0;
    for (const auto &[address, free] : free_) largest = std::max(largest, free);
    return Status{ErrorCode::no_room, "DRAM", -1, static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(largest)};
  }
  const auto [address, available] = *piece;
  free_.erase(piece);
  if (available > size) free_[address + size] = available - size;
  used_[address] = size;
  return address;
}

Status Memory::free(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto piece = used_.find(address);
  if (piece == used_.end()) return {ErrorCode::invalid_argument, "address", -1, static_cast<std::int64_t>(address)};
  std::uint64_t begin = address;
  std::uint64_t size = piece->second;
  used_.erase(piece);
  const auto next = free_.upper_bound(begin);
  if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == begin) {
    begin = std::prev(next)->first;
    size += std::prev(next)->second;
  }
  if (next != free_.end() && begin + size == next->first) {
    size += next->second;
    free_.erase(next);
  }
  free_[begin] = size;
  return {};
}

}  // namespace cox::host
