// SPDX-License-Identifier: MIT
// Built without contraction: each multiply and each add rounds on its own.
#include <vector>

#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/reference.h"
#include "sim/model/tile/arithmetic/table.h"
#include "sim/model/tile/arithmetic/writes.h"

namespace cox::model::arithmetic::reference {
namespace {

using isa::tile::ActMode;
using isa::tile::Convolution;
using isa::tile::DataFmt;
using isa::tile::Float2Fixed;
using isa::tile::Format;
using isa::tile::Map;

constexpr Format kFloat{DataFmt::FP32, true};

/// The position of an output value: its pixel and its kernel.
struct Place {
  std::uint32_t image, row, column, kernel;
};

/// The accumulator of a Place. An operation uses only one of the two members.
struct Accumulator {
  std::uint64_t integer = 0;  // for integer formats: the sum modulo 2^64
  float real = 0;
};

float read_float(const Memory &memory, std::int64_t address) { return real_of(read_element(memory, address * 8, 32), kFloat); }

unsigned accumulator_bits(const Convolution &operation) { return operation.is_wide() ? 64 : 32; }

/// Returns the first bit of the accumulator of `at` in a map of accumulators.
std::int64_t accumulator_bit(const Convolution &operation, const Map &map, const Place &at) {
  return pixel_address(map, at.image, at.row, at.column) * 8 + std::int64_t{at.kernel} * accumulator_bits(operation);
}

Accumulator first_accumulator(const Convolution &operation, const Memory &partial, const Place &at) {
  Accumulator sum;
  if (!operation.accumulate) return sum;
  const std::int64_t address = accumulator_bit(operation, operation.partial, at) / 8;
  if (operation.is_floating()) {
    sum.real = read_float(partial, address);
  } else {
    partial.read(address, &sum.integer, accumulator_bits(operation) / 8);
  }
  return sum;
}

/// Reads the elements of a pixel of the upsampled map, in the source's format. Positions outside of the map are padding, and so are those
/// that upsampling puts between its pixels.
void read_source(const Convolution &operation, const Memory &memory, std::int64_t image, std::int64_t row, std::int64_t column,
                 std::int64_t first_channel, std::vector<std::uint32_t> &elements) {
  const Map &map = operation.source;
  const bool on_pixel = row >= 0 && column >= 0 && row % operation.upsample_height == 0 && column % operation.upsample_width == 0;
  const std::int64_t source_row = row / operation.upsample_height;
  const std::int64_t source_column = column / operation.upsample_width;
  if (!on_pixel || source_row >= map.height || source_column >= map.width) {
    return elements.assign(operation.channels, to_element(operation.padding_value, map.format, Float2Fixed::ROUND));
  }
  const std::int64_t pixel = pixel_address(map, image, source_row, source_column);
  read_elements(memory, element_bit(map, pixel, first_channel), bits_of(map.format.format), operation.channels, elements);
}

void add_product(const Convolution &operation, std::uint32_t source, std::uint32_t weight, Accumulator &sum) {
  if (operation.is_floating()) {
    const float product = real_of(source, operation.source.format) * real_of(weight, operation.weight_format);
    sum.real = sum.real + product;
  } else {
    const std::int64_t product = integer_of(source, operation.source.format) * integer_of(weight, operation.weight_format);
    sum.integer += static_cast<std::uint64_t>(product);
  }
}

Accumulator accumulate(const Convolution &operation, const Memories &memories, const Place &at) {
  const std::int64_t group = at.kernel / (operation.kernels / operation.groups);
  const unsigned weight_bits = bits_of(operation.weight_format.format);
  std::vector<std::uint32_t> source;
  std::vector<std::uint32_t> weights;
  Accumulator sum = first_accumulator(operation, memories.partial, at);
  for (std::uint32_t r = 0; r < operation.kernel_height; ++r) {
    for (std::uint32_t s = 0; s < operation.kernel_width; ++s) {
      const std::int64_t row =
          operation.first_row + std::int64_t{at.row} * operation.stride_height + std::int64_t{r} * operation.dilation_height;
      const std::int64_t column =
          operation.first_column + std::int64_t{at.column} * operation.stride_width + std::int64_t{s} * operation.dilation_width;
      const std::int64_t position = operation.weights + std::int64_t{at.kernel} * operation.record_bytes +
                                    (std::int64_t{r} * operation.kernel_width + s) * operation.position_bytes;
      read_source(operation, memories.source, at.image, row, column, group * operation.channels, source);
      read_elements(memories.weights, position * 8, weight_bits, operation.channels, weights);
      for (std::uint32_t c = 0; c < operation.channels; ++c) add_product(operation, source[c], weights[c], sum);
    }
  }
  return sum;
}

float clip(float value, std::uint8_t mode) {
  constexpr float kLow[] = {0, -128, -32768, -65504};
  constexpr float kHigh[] = {0, 127, 32767, 65504};
  if (mode == 0) return value;
  if (value < kLow[mode]) return kLow[mode];
  return value > kHigh[mode] ? kHigh[mode] : value;  // a NaN is returned unchanged
}

float activate(const Convolution &operation, const std::vector<float> &table, float slope, float value) {
  switch (operation.activation) {
    case ActMode::DISABLE: break;
    case ActMode::RELU: return value < 0 ? 0 : value;
    case ActMode::RELUX: return value < 0 ? 0 : value > operation.activation_parameter ? operation.activation_parameter : value;
    case ActMode::LEAKY_RELU: return value < 0 ? value * operation.activation_parameter : value;
    case ActMode::PRELU: return value < 0 ? value * slope : value;
    case ActMode::SILU: return look_up(operation.table, table.data(), value);
  }
  return value;
}

float real_accumulator(const Convolution &operation, const Accumulator &sum) {
  if (operation.is_floating()) return sum.real;
  if (operation.is_wide()) return static_cast<float>(static_cast<std::int64_t>(sum.integer));
  return static_cast<float>(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum.integer)));
}

std::uint32_t finish(const Convolution &operation, const Memory &weights, const std::vector<float> &table, std::uint32_t kernel,
                     float value) {
  if (operation.dequantise) {
    value = value * operation.dequantisation_scale;
    value = value + operation.dequantisation_zero_point;
    value = clip(value, operation.clip);
  }
  const std::int64_t parameters =
      operation.weights + (std::int64_t{kernel} + 1) * operation.record_bytes - isa::tile::kRecordParameterBytes;
  value = value * read_float(weights, parameters);
  value = value + read_float(weights, parameters + 4);
  value = activate(operation, table, read_float(weights, parameters + 8), value);
  if (is_integer(operation.destination.format.format)) {
    value = value * operation.scale;
    value = value + operation.zero_point;
  }
  return to_element(value, operation.destination.format, operation.rounding);
}

}  // namespace

void convolve(const Convolution &operation, const Memories &memories) {
  const Map &destination = operation.destination;
  const std::vector<float> table = table_entries(operation.table, memories.table);
  Writes writes;
  for (std::uint32_t n = 0; n < operation.batch; ++n) {
    for (std::uint32_t h = 0; h < operation.height; ++h) {
      for (std::uint32_t w = 0; w < operation.width; ++w) {
        for (std::uint32_t k = 0; k < operation.kernels; ++k) {
          const Place at{n, h, w, k};
          const Accumulator sum = accumulate(operation, memories, at);
          if (operation.store_accumulators) {
            const std::uint64_t element = operation.is_floating() ? floating_element(sum.real, DataFmt::FP32) : sum.integer;
            writes.put(accumulator_bit(operation, destination, at), accumulator_bits(operation), element);
          } else {
            const std::uint32_t element = finish(operation, memories.weights, table, k, real_accumulator(operation, sum));
            writes.put(element_bit(destination, pixel_address(destination, n, h, w), k), bits_of(destination.format.format), element);
          }
        }
      }
    }
  }
  writes.commit(memories.destination);
}

}  // namespace cox::model::arithmetic::reference
