// SPDX-License-Identifier: MIT
#include "tests/kernels/mx9/readings.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace cox::mx9 {
namespace {

constexpr int kBias = 127;

/// The value of one unit (the lowest bit) of an element's magnitude M.
long double unit(int exponent, int pair_shift) { return std::ldexp(1.0L, exponent - kBias - pair_shift - 6); }

/// The magnitude of `value` for quantising: FP32 subnormals count as zero.
long double magnitude(float value) { return std::fpclassify(value) == FP_SUBNORMAL ? 0.0L : std::fabs(static_cast<long double>(value)); }

}  // namespace

Bytes quantised(const Values &values) {
  Bytes bytes{};
  if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); })) {
    bytes[0] = 255;
    return bytes;
  }
  long double largest = 0;
  for (const float value : values) largest = std::max(largest, magnitude(value));
  if (largest == 0) return bytes;
  const int exponent = std::ilogb(largest) + kBias;
  bytes[0] = static_cast<std::uint8_t>(exponent);
  for (std::size_t pair = 0; pair < 8; ++pair) {
    const long double larger = std::max(magnitude(values[2 * pair]), magnitude(values[2 * pair + 1]));
    const int shift = larger == 0 || std::ilogb(larger) + kBias < exponent ? 1 : 0;
    if (shift == 1) bytes[1] = static_cast<std::uint8_t>(bytes[1] + (1 << pair));
    for (const std::size_t element : {2 * pair, 2 * pair + 1}) {
      const int m = std::min(127, static_cast<int>(std::nearbyint(magnitude(values[element]) / unit(exponent, shift))));
      bytes[2 + element] = static_cast<std::uint8_t>(m + (m > 0 && std::signbit(values[element]) ? 128 : 0));
    }
  }
  return bytes;
}

Values dequantised(const Bytes &bytes) {
  Values values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int m = bytes[2 + i] % 128;
    const int shift = bytes[1] >> (i / 2) & 1;
    if (bytes[0] == 255) {
      values[i] = std::numeric_limits<float>::quiet_NaN();
    } else if (bytes[0] != 0 && m != 0) {
      values[i] = static_cast<float>((bytes[2 + i] >= 128 ? -1 : 1) * m * unit(bytes[0], shift));
    }
  }
  return values;
}

long double error_bound(float value, int exponent, int pair_shift) {
  if (std::fpclassify(value) == FP_SUBNORMAL) return std::fabs(static_cast<long double>(value));
  const long double one = unit(exponent, pair_shift);
  return magnitude(value) > 127.5L * one ? (1 - std::ldexp(1.0L, -17)) * one : one / 2;
}

Bytes bytes_of(const isa::mx::Block &block) {
  Bytes bytes{};
  std::memcpy(bytes.data(), &block, bytes.size());
  return bytes;
}

isa::mx::Block block_of(const Bytes &bytes) {
  isa::mx::Block block;
  std::memcpy(&block, bytes.data(), bytes.size());
  return block;
}

float from_bits(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace cox::mx9
