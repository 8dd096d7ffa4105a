// SPDX-License-Identifier: MIT
// Built without contraction: each multiply and each add rounds on its own.
#include "sim/model/arithmetic/reference.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/model/arithmetic/float16.h"
#include "sim/model/arithmetic/layout.h"

namespace cox::model::arithmetic::reference {
namespace {

using isa::tile::ActMode;
using isa::tile::DataFmt;
using isa::tile::Float2Fixed;
using isa::tile::Map;
using isa::tile::VectorFunction;

float read_float(const Memory &memory, std::int64_t address) {
  float value = 0;
  memory.read(address, &value, sizeof value);
  return value;
}

float read_element(const Memory &memory, std::int64_t address, DataFmt format) {
  if (format == DataFmt::INT8) {
    std::int8_t value = 0;
    memory.read(address, &value, 1);
    return static_cast<float>(value);
  }
  std::uint16_t half = 0;
  memory.read(address, &half, sizeof half);
  return half_to_float(half);
}

/// What is to be written, kept until everything has been read.
class Writes {
 public:
  void put(std::int64_t address, float value, DataFmt format, Float2Fixed rounding) {
    if (format == DataFmt::INT8) {
      elements_.push_back({address, static_cast<std::uint8_t>(to_int8(value, rounding)), 1});
    } else {
      elements_.push_back({address, float_to_half(value), 2});
    }
  }
  void put(std::int64_t address, std::uint8_t byte) { elements_.push_back({address, byte, 1}); }
  void commit(const Memory &memory) const {
    for (const Element &element : elements_) memory.write(element.address, &element.bits, element.bytes);
  }

 private:
  struct Element {
    std::int64_t address;
    std::uint16_t bits;  ///< little-endian, as the host is
    std::uint8_t bytes;
  };
  std::vector<Element> elements_;
};

/// An element inside of its map as a real number.
float element_value(const Memory &memory, const Map &map, std::int64_t row, std::int64_t column, std::uint32_t channel, bool dequantise,
                    float scale, float zero_point) {
  float value = read_element(memory, pixel_address(map, 0, row, column) + map.bytes_of(channel), map.format.format);
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

std::int8_t to_int8(float value, Float2Fixed rounding) {
  if (std::isnan(value)) return 0;
  float integral = 0;
  switch (rounding) {
    case Float2Fixed::CEIL: integral = std::ceil(value); break;
    case Float2Fixed::FLOOR: integral = std::floor(value); break;
    case Float2Fixed::ROUND: integral = std::nearbyint(value); break;  // half to even, in the default environment
    case Float2Fixed::TRUNCATE: integral = std::trunc(value); break;
  }
  if (integral > 127.0f) return 127;
  if (integral < -128.0f) return -128;
  return static_cast<std::int8_t>(integral);
}

void move(const isa::tile::Move &operation, const Memories &memories) {
  Writes writes;
  for (std::uint32_t n = 0; n < operation.batch; ++n) {
    for (std::uint32_t h = 0; h < operation.height; ++h) {
      for (std::uint32_t w = 0; w < operation.width; ++w) {
        for (std::int64_t byte = 0; byte < operation.from.bytes_of(operation.channels); ++byte) {
          std::uint8_t value = 0;
          memories.source.read(pixel_address(operation.from, n, h, w) + byte, &value, 1);
          writes.put(pixel_address(operation.to, n, h, w) + byte, value);
        }
      }
    }
  }
  writes.commit(memories.destination);
}

void move_weights(const isa::tile::WeightMove &operation, const Memories &memories) {
  Writes writes;
  for (std::int64_t byte = 0; byte < operation.bytes; ++byte) {
    std::uint8_t value = 0;
    memories.source.read(operation.from + byte, &value, 1);
    writes.put(operation.to + byte, value);
  }
  writes.commit(memories.destination);
}

void convolve(const isa::tile::Convolution &operation, const Memories &memories) {
  const Map &source = operation.source;
  const Map &destination = operation.destination;
  const std::int8_t padding = to_int8(operation.padding_value, Float2Fixed::ROUND);
  std::vector<std::int8_t> x(operation.channels);
  std::vector<std::int8_t> weights(operation.channels);
  Writes writes;
  for (std::uint32_t n = 0; n < operation.batch; ++n) {
    for (std::uint32_t h = 0; h < operation.height; ++h) {
      for (std::uint32_t w = 0; w < operation.width; ++w) {
        for (std::uint32_t k = 0; k < operation.kernels; ++k) {
          const std::int64_t record = operation.weights + std::int64_t{k} * operation.record_bytes;
          std::uint32_t accumulator = 0;  // of 32 bits, and wraps
          for (std::uint32_t r = 0; r < operation.kernel_height; ++r) {
            for (std::uint32_t s = 0; s < operation.kernel_width; ++s) {
              const std::int64_t row = std::int64_t{operation.first_row} + std::int64_t{h} * operation.stride_height + r;
              const std::int64_t column = std::int64_t{operation.first_column} + std::int64_t{w} * operation.stride_width + s;
              const bool inside = row >= 0 && row < source.height && column >= 0 && column < source.width;
              const std::int64_t tap =
                  record + (std::int64_t{r} * operation.kernel_width + s) * isa::tile::padded_pixel(operation.channels);
              std::fill(x.begin(), x.end(), padding);
              if (inside) memories.source.read(pixel_address(source, n, row, column), x.data(), operation.channels);
              memories.weights.read(tap, weights.data(), operation.channels);
              for (std::uint32_t c = 0; c < operation.channels; ++c) accumulator += static_cast<std::uint32_t>(x[c] * weights[c]);
            }
          }
          const std::int64_t parameters = record + weight_bytes(operation);
          float value = static_cast<float>(static_cast<std::int32_t>(accumulator));
          value = value * read_float(memories.weights, parameters);
          value = value + read_float(memories.weights, parameters + 4);
          if (operation.activation == ActMode::RELU && value < 0) value = 0;
          if (destination.format.format == DataFmt::INT8) {
            value = value * operation.scale;
            value = value + operation.zero_point;
          }
          writes.put(pixel_address(destination, n, h, w) + destination.bytes_of(k), value, destination.format.format, operation.rounding);
        }
      }
    }
  }
  writes.commit(memories.destination);
}

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
        writes.put(pixel_address(destination, 0, h, w) + destination.bytes_of(c), value, destination.format.format, operation.rounding);
      }
    }
  }
  writes.commit(memories.destination);
}

}  // namespace cox::model::arithmetic::reference
