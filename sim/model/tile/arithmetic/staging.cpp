// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/staging.h"

#include <functional>

#include "sim/model/tile/arithmetic/layout.h"

namespace cox::model::arithmetic {

Extent extent_of(const isa::tile::Map &map, const Box &box) {
  if (box.empty()) return {map.base, map.base};
  const std::int64_t first = pixel_address(map, 0, box.first_row, box.first_column);
  Extent extent{first, first + box.run};
  const std::int64_t reach[] = {(box.images - 1) * map.image_bytes, (box.rows - 1) * map.row_bytes,
                                (box.columns - 1) * static_cast<std::int64_t>(map.pixel_bytes)};
  for (const std::int64_t distance : reach) (distance < 0 ? extent.low : extent.high) += distance;
  return extent;
}

Source::Source(const Memory &memory, Extent extent, ScratchUse use) : extent_(extent) {
  if (extent.bytes() == 0) return;
  bytes_ = memory.contiguous(extent.low, extent.bytes());
  if (bytes_ != nullptr) return;
  std::byte *copy = scratch(use, extent.bytes());
  memory.read(extent.low, copy, extent.bytes());
  bytes_ = copy;
}

bool Source::overlaps(const std::byte *bytes, std::int64_t size) const {
  if (bytes_ == nullptr) return false;
  const std::less<> before;
  return before(bytes, bytes_ + extent_.bytes()) && before(bytes_, bytes + size);
}

Destination::Destination(const Memory &memory, const isa::tile::Map &map, const Box &box, const Source &source, const Source &source1)
    : memory_(memory), map_(map), box_(box), extent_(extent_of(map, box)) {
  const std::int64_t size = extent_.bytes();
  bytes_ = memory.contiguous(extent_.low, size);
  staged_ = bytes_ == nullptr || source.overlaps(bytes_, size) || source1.overlaps(bytes_, size);
  if (staged_) bytes_ = scratch(ScratchUse::destination, size);
}

void Destination::commit() const {
  if (!staged_ || box_.empty()) return;
  const bool dense = box_.columns == 1 || map_.pixel_bytes == box_.run;
  const std::int64_t runs = dense ? 1 : box_.columns;
  const std::int64_t run = dense ? box_.columns * box_.run : box_.run;
  for (std::int64_t n = 0; n < box_.images; ++n) {
    for (std::int64_t h = 0; h < box_.rows; ++h) {
      for (std::int64_t w = 0; w < runs; ++w) {
        const std::int64_t address = pixel_address(map_, n, box_.first_row + h, box_.first_column + w);
        memory_.write(address, at(address), run);
      }
    }
  }
}

}  // namespace cox::model::arithmetic
