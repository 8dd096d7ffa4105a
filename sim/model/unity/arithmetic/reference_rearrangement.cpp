// SPDX-License-Identifier: MIT
// Operations that give elements other places without changing their bits.
#include "sim/model/unity/arithmetic/mover.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

void tile(const isa::unity::Tile &operation, Memory &memory) {
  const Mover mover(memory, operation.source, operation.result);
  const std::uint64_t elements = operation.source.elements;
  for (std::uint64_t copy = 0; copy < operation.copies; ++copy) mover.move(0, copy * elements, elements);
  mover.finish();
}

void roll(const isa::unity::Roll &operation, Memory &memory) {
  const Mover mover(memory, operation.source, operation.result);
  const auto &[height, width, channels] = operation.extents;
  const auto to = [&](unsigned axis, std::uint64_t index) { return (index + operation.shift[axis]) % operation.extents[axis]; };
  std::uint64_t from = 0;
  for (std::uint64_t h = 0; h < height; ++h) {
    for (std::uint64_t w = 0; w < width; ++w) {
      for (std::uint64_t c = 0; c < channels; ++c) mover.move(from++, (to(0, h) * width + to(1, w)) * channels + to(2, c));
    }
  }
  mover.finish();
}

void reverse(const isa::unity::Reverse &operation, Memory &memory) {
  const Mover mover(memory, operation.source, operation.result);
  const std::uint64_t extent = operation.extent, inner = operation.inner;
  for (std::uint64_t o = 0; o < operation.outer; ++o) {
    for (std::uint64_t e = 0; e < extent; ++e) mover.move((o * extent + e) * inner, (o * extent + extent - 1 - e) * inner, inner);
  }
  mover.finish();
}

void select(const isa::unity::Select &operation, Memory &memory) {
  const std::byte *const condition = read(memory, operation.condition);
  std::byte *const result = write(memory, operation.result);
  const Mover first(memory, operation.source[0], operation.result, result), second(memory, operation.source[1], operation.result, result);
  for (std::uint64_t i = 0; i < operation.result.elements; ++i) {
    const Mover &chosen = is_zero(load_bits(condition, operation.condition.unit, i), operation.condition.unit) ? second : first;
    chosen.move(i, i);
  }
  first.finish();
}

}  // namespace cox::model::unity::reference
