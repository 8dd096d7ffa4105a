// SPDX-License-Identifier: MIT
// Random operations on a core full of random bytes. Each way to execute an operation is compared with the reference.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "core_memory.h"

namespace cox::test {

inline constexpr std::uint16_t kRandomBlocks = 160;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  int in(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  std::uint32_t size(std::uint32_t low, std::uint32_t high) { return std::uniform_int_distribution<std::uint32_t>(low, high)(engine_); }
  bool one_of(int n) { return in(1, n) == 1; }
  float real(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine_); }

  /// Usually returns `usual` times 0.2 to 2, sometimes negated. Otherwise returns a zero, a tiny or huge value, infinity, NaN or 1.
  float scale(float usual) {
    if (!one_of(12)) return real(0.2f, 2.0f) * usual * (one_of(5) ? -1.0f : 1.0f);
    constexpr float kExtremes[] = {
        0.0f, -0.0f, 1e-42f, 1e38f, -1e38f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 1.0f};
    return kExtremes[in(0, 7)];
  }
  isa::tile::Float2Fixed rounding() { return static_cast<isa::tile::Float2Fixed>(in(0, 3)); }
  DataFmt format() { return one_of(2) ? DataFmt::INT8 : DataFmt::FP16; }
  /// Any format; integers with or without a sign.
  isa::tile::Format any_format() { return {static_cast<DataFmt>(in(0, 6)), !one_of(3)}; }
  std::uint32_t bits() { return static_cast<std::uint32_t>(engine_()); }

  void fill(std::vector<std::byte> &bytes) {
    for (std::byte &byte : bytes) byte = static_cast<std::byte>(engine_());
  }

 private:
  std::mt19937 engine_;
};

/// A core full of random bytes, with a region in which operands can wrap.
inline Core random_core(Random &random) {
  Core core(kRandomBlocks, 131072);
  random.fill(core.l2);
  random.fill(core.wl0);
  for (float &scalar : core.scalars) scalar = random.scale(1);
  const int blocks = random.in(kRandomBlocks / 2, kRandomBlocks);
  core.region = {static_cast<std::uint16_t>(random.in(0, kRandomBlocks - blocks)), static_cast<std::uint16_t>(blocks)};
  return core;
}

/// Returns a random address in the region. One in three is drawn from the last 2000 bytes. Five in six are rounded down to a multiple of 8.
inline std::int64_t random_base(Random &random, const Region &region) {
  std::int64_t base = region.first_byte() + random.in(0, static_cast<int>(region.bytes()) - 1);
  if (random.one_of(3)) base = region.first_byte() + region.bytes() - random.in(1, 2000);
  return random.one_of(6) ? base : base & ~std::int64_t{7};
}

inline Map random_map(Random &random, const Region &region, DataFmt format, std::uint32_t channels, std::uint32_t height,
                      std::uint32_t width) {
  Map map = padded_map(format, channels, height, width, random_base(random, region));
  if (random.one_of(4)) {  // a part of a wider map
    map.row_bytes += 8 * std::int64_t{random.in(0, 40)};
    map.image_bytes = map.row_bytes * height + 8 * std::int64_t{random.in(0, 40)};
  }
  if (random.one_of(5) && map.pixel_bytes > map.bytes_of(channels)) {  // dense
    map.pixel_bytes = static_cast<std::uint32_t>(map.bytes_of(channels));
  }
  return map;
}

template <typename Operation>
void expect_equal(const Operation &operation, const Core &before, std::uint32_t seed, std::int64_t &changed) {
  Core expected = before;
  carry_out(operation, expected.memories(), 0);
  for (std::size_t i = 0; i < before.l2.size(); ++i) changed += before.l2[i] != expected.l2[i];
  for (std::size_t way = 1; way < ways(); ++way) {
    Core actual = before;
    carry_out(operation, actual.memories(), way);
    const auto difference = std::mismatch(expected.l2.begin(), expected.l2.end(), actual.l2.begin());
    ASSERT_EQ(difference.first, expected.l2.end())
        << way_name(way) << ", seed " << seed << ", byte " << difference.first - expected.l2.begin() << ": "
        << static_cast<int>(*difference.first) << " expected, " << static_cast<int>(*difference.second);
    ASSERT_EQ(actual.wl0, before.wl0);
    ASSERT_EQ(std::memcmp(actual.scalars.data(), expected.scalars.data(), sizeof actual.scalars), 0) << way_name(way) << ", seed " << seed;
  }
}

}  // namespace cox::test
