// SPDX-License-Identifier: MIT
#include <cstring>

#include "sim/model/arithmetic/fast.h"
#include "sim/model/arithmetic/layout.h"
#include "sim/model/arithmetic/reference.h"
#include "sim/model/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {
namespace {

Box box_of(const isa::tile::Move &operation) {
  return {operation.batch, 0, operation.height, 0, operation.width, operation.from.bytes_of(operation.channels)};
}

}  // namespace

void move(const isa::tile::Move &operation, const Memories &memories) {
  const bool odd = operation.to.element_bits == 4 && operation.channels % 2 != 0;
  if (operation.from.format != operation.to.format || odd) return reference::move(operation, memories);
  const Box box = box_of(operation);
  if (box.empty()) return;
  const Source source(memories.source, extent_of(operation.from, box), ScratchUse::source);
  const Destination destination(memories.destination, operation.to, box, source, Source{});
  const bool dense = operation.from.pixel_bytes == box.run && operation.to.pixel_bytes == box.run;
  const std::int64_t runs = dense ? 1 : box.columns;
  const auto run = static_cast<std::size_t>(dense ? box.columns * box.run : box.run);
  for (std::int64_t n = 0; n < box.images; ++n) {
    for (std::int64_t h = 0; h < box.rows; ++h) {
      const std::byte *from = source.at(pixel_address(operation.from, n, h, 0));
      std::byte *to = destination.at(pixel_address(operation.to, n, h, 0));
      for (std::int64_t w = 0; w < runs; ++w, from += operation.from.pixel_bytes, to += operation.to.pixel_bytes)
        std::memcpy(to, from, run);
    }
  }
  destination.commit();
}

void transform(const isa::tile::Transform &operation, const Memories &memories) { reference::transform(operation, memories); }

void move_weights(const isa::tile::WeightMove &operation, const Memories &memories) {
  if (!operation.whole) return reference::move_weights(operation, memories);
  if (operation.bytes <= 0) return;
  const Source source(memories.source, {operation.from, operation.from + operation.bytes}, ScratchUse::source);
  const std::byte *from = source.at(operation.from);
  std::byte *to = memories.destination.contiguous(operation.to, operation.bytes);
  if (to != nullptr) {
    std::memmove(to, from, static_cast<std::size_t>(operation.bytes));
    return;
  }
  // The pieces of a wrapped write could overtake what is still to be read.
  std::byte *copy = scratch(ScratchUse::destination, operation.bytes);
  std::memcpy(copy, from, static_cast<std::size_t>(operation.bytes));
  memories.destination.write(operation.to, copy, operation.bytes);
}

}  // namespace cox::model::arithmetic::fast
