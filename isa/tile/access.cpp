// SPDX-License-Identifier: MIT
// Checks accesses against the memory that an instruction may touch.
#include "coxswain/isa/tile/operation.h"

namespace cox::isa::tile {

Status check_region(const Reach &reach, const Region &region) {
  if (region.blocks == 0) return Status(ErrorCode::address_outside_cut, reach.field, -1, reach.origin, 0);
  if (!region.contains(reach.origin)) {
    const std::int64_t limit = reach.origin < region.first_byte() ? region.first_byte() : region.first_byte() + region.bytes() - 1;
    return Status(ErrorCode::address_outside_cut, reach.field, -1, reach.origin, limit);
  }
  // A map that passes the region's end continues at the region's beginning, but it must not overlap itself.
  if (reach.length > region.bytes()) return Status(ErrorCode::address_outside_cut, reach.field, -1, reach.length, region.bytes());
  return {};
}

Status check_window(const Reach &reach, std::uint64_t size, bool readable, bool writable) {
  if (reach.start < 0) return Status(ErrorCode::address_outside_window, reach.field, -1, reach.start, 0);
  if (static_cast<std::uint64_t>(reach.end()) > size) {
    return Status(ErrorCode::address_outside_window, reach.field, -1, reach.end(), static_cast<std::int64_t>(size));
  }
  if (reach.write ? !writable : !readable) return Status(ErrorCode::address_outside_window, reach.field, -1, reach.start, 0);
  return {};
}

Status check_remote(const Reach &reach, std::uint32_t first_block, std::uint32_t last_block) {
  const std::int64_t first = std::int64_t{first_block} * kBlockBytes;
  const std::int64_t end = (std::int64_t{last_block} + 1) * kBlockBytes;
  if (reach.start < first) return Status(ErrorCode::address_outside_cut, reach.field, -1, reach.start, first);
  if (reach.end() > end) return Status(ErrorCode::address_outside_cut, reach.field, -1, reach.end(), end);
  return {};
}

}  // namespace cox::isa::tile
