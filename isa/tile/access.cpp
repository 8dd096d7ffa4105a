// SPDX-License-Identifier: MIT
// Checks accesses against the memory that an instruction may touch.
#include "isa/tile/operation.h"

namespace cox::isa::tile {

Status check_region(const Access &access, const Region &region) {
  if (region.blocks == 0) return Status(ErrorCode::address_outside_cut, access.field, -1, access.origin, 0);
  if (!region.contains(access.origin)) {
    const std::int64_t limit = access.origin < region.first_byte() ? region.first_byte() : region.first_byte() + region.bytes() - 1;
    return Status(ErrorCode::address_outside_cut, access.field, -1, access.origin, limit);
  }
  // A map that passes the region's end continues at the region's beginning, but it must not overlap itself.
  const std::int64_t length = access.end() - access.start;
  if (length > region.bytes()) return Status(ErrorCode::address_outside_cut, access.field, -1, length, region.bytes());
  return {};
}

Status check_window(const Access &access, std::uint64_t size, bool readable, bool writable) {
  if (access.start < 0) return Status(ErrorCode::address_outside_window, access.field, -1, access.start, 0);
  if (static_cast<std::uint64_t>(access.end()) > size) {
    return Status(ErrorCode::address_outside_window, access.field, -1, access.end(), static_cast<std::int64_t>(size));
  }
  if (access.write ? !writable : !readable) return Status(ErrorCode::address_outside_window, access.field, -1, access.start, 0);
  return {};
}

Status check_remote(const Access &access, std::uint32_t first_block, std::uint32_t last_block) {
  const std::int64_t first = std::int64_t{first_block} * kBlockBytes;
  const std::int64_t end = (std::int64_t{last_block} + 1) * kBlockBytes;
  if (access.start < first) return Status(ErrorCode::address_outside_cut, access.field, -1, access.start, first);
  if (access.end() > end) return Status(ErrorCode::address_outside_cut, access.field, -1, access.end(), end);
  return {};
}

}  // namespace cox::isa::tile
