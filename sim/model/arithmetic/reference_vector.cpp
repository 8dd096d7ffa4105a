// SPDX-License-Identifier: MIT
// Built without contraction: each multiply and each add rounds on its own.
#include <cmath>

#include "sim/model/arithmetic/element.h"
#include "sim/model/arithmetic/layout.h"
#include "sim/model/arithmetic/reference.h"
#include "sim/model/arithmetic/writes.h"

namespace cox::model::arithmetic::reference {
namespace {

using isa::tile::Map;
using isa::tile::VectorFunction;

/// An element inside of its map as a real number.
float element_value(const Memory &memory, const Map &map, std::int64_t row, std::int64_t column, std::uint32_t channel, bool dequantise,
                    float scale, float zero_point) {
  float value = real_of(read_element(memory, element_bit(map, pixel_address(map, 0, row, column), channel), map.element_bits), map.format);
  if (dequantise) {
    value = value * scale;
    value = value + zero_point;
  }
  return value;
}

float pool(const isa::tile::Vector &operation, const Memory &memory, std::uint32_t row, std::uint32_t column, std::uint32_t channel) {
  float best = 0;
  float sum = 0;
  bool first = true;
  for (std::uint32_t r = 0; r < operation.kernel_height; ++r) {
    for (std::uint32_t s = 0; s < operation.kernel_width; ++s) {
      const std::int64_t source_row = std::int64_t{operation.first_row} + std::int64_t{row} * operation.stride_height + r;
      const std::int64_t source_column = std::int64_t{operation.first_column} + std::int64_t{column} * operation.stride_width + s;
      const Map &map = operation.source;
      const bool inside = source_row >= 0 && source_row < map.height && source_column >= 0 && source_column < map.width;
      const float value = inside ? element_value(memory, map, source_row, source_column, channel, operation.dequantise,
                                                 operation.source_scale, operation.source_zero_point)
                                 : operation.padding_value;
      if (first || value > best || std::isnan(value)) best = value;
      const float term = value * operation.multiplier.value;
      sum = sum + term;
      first = false;
    }
  }
  return operation.function == VectorFunction::maximum_pool ? best : sum;
}

}  // namespace

void vector(const isa::tile::Vector &operation, const Memories &memories) {
  const Map &destination = operation.destination;
  Writes writes;
  for (std::uint32_t h = 0; h < operation.height; ++h) {
    for (std::uint32_t w = 0; w < operation.width; ++w) {
      for (std::uint32_t c = 0; c < operation.channels; ++c) {
        float value = 0;
        if (!operation.is_pool()) {
          value = element_value(memories.source, operation.source, h, w, c, operation.dequantise, operation.source_scale,
                                operation.source_zero_point);
          if (operation.two_tensors) {
            value = value + element_value(memories.source1, operation.source1, h, w, c, operation.dequantise, operation.source1_scale,
                                          operation.source1_zero_point);
          }
        } else {
          value = pool(operation, memories.source, h, w, c);
        }
        value = value * operation.scale;
        value = value + operation.zero_point;
        writes.put(element_bit(destination, pixel_address(destination, 0, h, w), c), destination.element_bits,
                   to_element(value, destination.format, operation.rounding));
      }
    }
  }
  writes.commit(memories.destination);
}

}  // namespace cox::model::arithmetic::reference
