// SPDX-License-Identifier: MIT
#include "sim/model/pim/arithmetic/kernels_numbers.h"
#include "sim/model/pim/arithmetic/kernels_simd.h"

namespace cox::model::pim {
namespace {

/// A number modulo 2^32, with its sign extended.
template <typename Number>
std::uint32_t extended(const Loose<Number> &number) {
  return static_cast<std::uint32_t>(number.of);  // NOLINT(bugprone-signed-char-misuse)
}

template <typename Number>
void multiply(const Product &product) {
  for (std::uint32_t step = 0; step < product.steps; ++step) {
    const std::byte *line = product.weights + step * product.weights_step_bytes;
    const Loose<Number> *inputs = loose<Number>(product.inputs + step * product.inputs_step_bytes);
    for (std::uint32_t k = 0; k < product.compartments; ++k, line += product.compartment_bytes) {
      const std::uint32_t input = extended(inputs[k]);
      const Loose<Number> *weights = loose<Number>(line);
      std::uint32_t *__restrict sums = product.sums;
      for (std::uint32_t j = 0; j < product.columns; ++j) sums[j] += input * extended(weights[j]);
    }
  }
}

/// Eight fields of three bits, each in a byte of its own.
std::uint64_t spread_fields(std::uint64_t bits) {
  bits = (bits | bits << 20) & 0x00000FFF00000FFFU;
  bits = (bits | bits << 10) & 0x003F003F003F003FU;
  return (bits | bits << 5) & 0x0707070707070707U;
}

/// Eight meta data from three bytes.
std::uint64_t eight_fields(const std::byte *meta) {
  const auto *bytes = reinterpret_cast<const std::uint8_t *>(meta);
  return spread_fields(static_cast<std::uint64_t>(bytes[0] | bytes[1] << 8 | bytes[2] << 16));
}

void multiply_macros(const Product &product) {
  for (std::uint32_t column = 0; column < product.columns; column += kColumnsAtOnce) {
    for (std::uint32_t step = 0; step < product.steps; ++step) {
      const std::byte *line = product.weights + step * product.weights_step_bytes + column;
      const std::byte *inputs = product.inputs + step * product.inputs_step_bytes + std::size_t{column} / kColumnsAtOnce * 4;
      for (std::uint32_t k = 0; k < product.compartments; ++k, line += product.compartment_bytes) {
        const std::uint32_t input = extended(*loose<std::int8_t>(inputs + k / 4 * product.inputs_pitch + k % 4));
        const Loose<std::int8_t> *weights = loose<std::int8_t>(line);
        for (std::uint32_t j = 0; j < kColumnsAtOnce; ++j) product.sums[column + j] += input * extended(weights[j]);
      }
    }
  }
}

void decode_meta(const std::byte *meta, std::size_t count, std::int8_t *digits) {
  std::size_t first = 0;
  for (; first + 8 <= count; first += 8) {
    const std::uint64_t fields = eight_fields(meta + first / 8 * 3);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < 8; ++i) digits[first + i] = kDigits[fields >> (8 * i) & 7];
  }
  decode_last_meta(meta, first, count, digits);
}

void apply_cells(const std::int8_t *digits, const std::byte *cells, std::size_t count, std::int16_t *to) {
  apply_last_cells(digits, cells, 0, count, to);
}

}  // namespace

const Kernels kPortableKernels{"portable",      {multiply<std::int8_t>, multiply<std::int16_t>, multiply<std::int32_t>},
                               multiply_macros, widen,
                               narrow,          decode_meta,
                               apply_cells,     simd};

}  // namespace cox::model::pim
