// SPDX-License-Identifier: MIT
// The fast path against the reference, bit for bit, over random operations: every byte of L2, written or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core_memory.h"

namespace cox::test {
namespace {

using isa::tile::ActMode;
using isa::tile::Convolution;
using isa::tile::Float2Fixed;
using isa::tile::Vector;
using isa::tile::VectorFunction;

constexpr std::uint16_t kBlocks = 160;
constexpr double kMostMultiplyAccumulates = 1.5e6;

class Random {
 public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}

  int in(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  std::uint32_t size(std::uint32_t low, std::uint32_t high) { return std::uniform_int_distribution<std::uint32_t>(low, high)(engine_); }
  bool one_of(int n) { return in(1, n) == 1; }
  float real(float low, float high) { return std::uniform_real_distribution<float>(low, high)(engine_); }

  /// Mostly about `usual`; at times anything that FP32 has.
  float scale(float usual) {
    if (!one_of(12)) return real(0.2f, 2.0f) * usual * (one_of(5) ? -1.0f : 1.0f);
    constexpr float kExtremes[] = {
        0.0f, -0.0f, 1e-42f, 1e38f, -1e38f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN(), 1.0f};
    return kExtremes[in(0, 7)];
  }
  Float2Fixed rounding() { return static_cast<Float2Fixed>(in(0, 3)); }
  DataFmt format() { return one_of(2) ? DataFmt::INT8 : DataFmt::FP16; }

  void fill(std::vector<std::byte> &bytes) {
    for (std::byte &byte : bytes) byte = static_cast<std::byte>(engine_());
  }

 private:
  std::mt19937 engine_;
};

/// A core full of random bytes, with a region that operands can wrap around in.
Core random_core(Random &random) {
  Core core(kBlocks, 131072);
  random.fill(core.l2);
  random.fill(core.wl0);
  const int blocks = random.in(kBlocks / 2, kBlocks);
  core.region = {static_cast<std::uint16_t>(random.in(0, kBlocks - blocks)), static_cast<std::uint16_t>(blocks)};
  return core;
}

/// Somewhere in the region, at times so near to its end that the map wraps; at times at an odd byte.
std::int64_t random_base(Random &random, const Region &region) {
  std::int64_t base = region.first_byte() + random.in(0, static_cast<int>(region.bytes()) - 1);
  if (random.one_of(3)) base = region.first_byte() + region.bytes() - random.in(1, 2000);
  return random.one_of(6) ? base : base & ~std::int64_t{7};
}

Map random_map(Random &random, const Region &region, DataFmt format, std::uint32_t channels, std::uint32_t height, std::uint32_t width) {
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

Convolution random_convolution(Random &random, Core &core) {
  Convolution operation;
  do {
    operation.batch = random.one_of(4) ? random.size(2, 3) : 1;
    operation.kernels = random.one_of(3) ? random.size(1, 150) : random.size(1, 40);
    operation.channels = random.one_of(8) ? random.size(1, 300) : random.size(1, 40);
    operation.height = random.size(1, 9);
    operation.width = random.size(1, 9);
    operation.kernel_height = random.one_of(3) ? 1 : random.size(1, 7);
    operation.kernel_width = random.one_of(2) ? operation.kernel_height : random.size(1, 7);
  } while (static_cast<double>(operation.batch) * operation.kernels * operation.channels * operation.height * operation.width *
                   operation.kernel_height * operation.kernel_width >
               kMostMultiplyAccumulates ||
           std::size_t{operation.kernels} * (operation.kernel_height * operation.kernel_width * ((operation.channels + 7) / 8 * 8) + 32) >
               core.wl0.size() - 64);
  operation.stride_height = random.size(1, 3);
  operation.stride_width = random.one_of(2) ? operation.stride_height : random.size(1, 4);
  operation.source = random_map(random, core.region, DataFmt::INT8, operation.channels, random.size(1, 14), random.size(1, 14));
  const int reach = static_cast<int>(operation.kernel_height);
  operation.first_row = random.one_of(2) ? 0 : random.in(-reach - 1, 3);
  operation.first_column = random.one_of(2) ? 0 : random.in(-reach - 1, 3);
  const std::uint32_t before = random.one_of(3) ? random.size(0, 20) : 0;  // a K tile
  const DataFmt format = random.format();
  operation.destination = random_map(random, core.region, format, operation.kernels + before + (random.one_of(3) ? random.size(0, 20) : 0),
                                     operation.height, operation.width);
  operation.destination.base += operation.destination.bytes_of(before);
  const std::uint32_t weight_bytes = operation.kernel_height * operation.kernel_width * ((operation.channels + 7) / 8 * 8);
  operation.position_bytes = (operation.channels + 7) / 8 * 8;
  operation.record_bytes = weight_bytes + 32;
  operation.weights = random.one_of(2) ? 0 : 64;
  const float size = 1.0f / (5000.0f * std::sqrt(static_cast<float>(weight_bytes)));
  if (random.one_of(10)) std::fill(core.wl0.begin(), core.wl0.end(), std::byte{0x80});
  for (std::uint32_t k = 0; k < operation.kernels; ++k) {
    const std::int64_t parameters = operation.weights + std::int64_t{k} * operation.record_bytes + weight_bytes;
    core.put_weight(parameters, random.scale(size));
    core.put_weight(parameters + 4, random.one_of(3) ? 0.0f : random.scale(1));
  }
  constexpr float kPaddings[] = {0, 6, -128, 127, 2.5f, -3.5f, 1e9f, -200, std::numeric_limits<float>::quiet_NaN()};
  operation.padding_value = kPaddings[random.in(0, 8)];
  operation.activation = random.one_of(2) ? ActMode::RELU : ActMode::DISABLE;
  operation.rounding = random.rounding();
  operation.scale = random.scale(60);
  operation.zero_point = random.one_of(2) ? -128.0f : random.real(-100, 100);
  return operation;
}

Vector random_vector(Random &random, Core &core) {
  Vector operation;
  constexpr VectorFunction kFunctions[] = {VectorFunction::copy, VectorFunction::arithmetic, VectorFunction::maximum_pool,
                                           VectorFunction::average_pool};
  operation.function = kFunctions[random.in(0, 3)];
  operation.two_tensors = operation.function == VectorFunction::arithmetic;
  operation.channels = random.one_of(8) ? random.size(1, 3000) : random.size(1, 70);
  operation.height = random.size(1, operation.channels > 100 ? 2 : 9);
  operation.width = random.size(1, operation.channels > 100 ? 3 : 12);
  std::uint32_t height = operation.height;
  std::uint32_t width = operation.width;
  if (operation.function == VectorFunction::maximum_pool || operation.function == VectorFunction::average_pool) {
    operation.kernel_height = random.size(1, 7);
    operation.kernel_width = random.size(1, 7);
    operation.stride_height = random.size(1, 3);
    operation.stride_width = random.size(1, 3);
    operation.first_row = random.in(-4, 3);
    operation.first_column = random.in(-4, 3);
    height = random.size(1, operation.channels > 100 ? 3 : 14);
    width = random.size(1, operation.channels > 100 ? 3 : 14);
  }
  const DataFmt from = random.format();
  operation.source = random_map(random, core.region, from, operation.channels, height, width);
  operation.source1 = random_map(random, core.region, from, operation.channels, height, width);
  operation.destination = random_map(random, core.region, random.format(), operation.channels, operation.height, operation.width);
  if (random.one_of(8) && operation.source.element_bits == operation.destination.element_bits)
    operation.destination.base = operation.source.base;
  operation.dequantise = !random.one_of(3);
  operation.source_scale = random.scale(0.02f);
  operation.source_zero_point = random.real(-3, 3);
  operation.source1_scale = random.scale(0.02f);
  operation.source1_zero_point = random.real(-3, 3);
  operation.multiplier.value = random.scale(0.1f);
  constexpr float kPaddings[] = {0, -32768, 1.5f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
  operation.padding_value = kPaddings[random.in(0, 4)];
  operation.rounding = random.rounding();
  operation.scale = random.scale(operation.dequantise ? 30.0f : 1.0f);
  operation.zero_point = random.one_of(2) ? -128.0f : random.real(-100, 100);
  return operation;
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
  }
}

class EquivalenceTest : public testing::TestWithParam<std::uint32_t> {};

constexpr std::uint32_t kOperationsPerCase = 50;

TEST_P(EquivalenceTest, Convolution) {
  std::int64_t changed = 0;
  for (std::uint32_t seed = GetParam() * kOperationsPerCase; seed < (GetParam() + 1) * kOperationsPerCase; ++seed) {
    Random random(seed);
    Core core = random_core(random);
    const Convolution operation = random_convolution(random, core);
    ASSERT_NO_FATAL_FAILURE(expect_equal(operation, core, seed, changed));
  }
  EXPECT_GT(changed, 10000);  // something was computed at all
}

TEST_P(EquivalenceTest, Vector) {
  std::int64_t changed = 0;
  for (std::uint32_t seed = GetParam() * kOperationsPerCase; seed < (GetParam() + 1) * kOperationsPerCase; ++seed) {
    Random random(seed);
    Core core = random_core(random);
    const Vector operation = random_vector(random, core);
    ASSERT_NO_FATAL_FAILURE(expect_equal(operation, core, seed, changed));
  }
  EXPECT_GT(changed, 10000);
}

TEST_P(EquivalenceTest, Move) {
  std::int64_t changed = 0;
  for (std::uint32_t seed = GetParam() * kOperationsPerCase; seed < (GetParam() + 1) * kOperationsPerCase; ++seed) {
    Random random(seed);
    Core before = random_core(random);
    isa::tile::Move move;
    move.batch = random.size(1, 3);
    move.height = random.size(1, 9);
    move.width = random.size(1, 9);
    move.channels = random.size(1, 40);
    const DataFmt format = random.format();
    move.from = random_map(random, before.region, format, move.channels + random.size(0, 9), move.height, move.width);
    move.to = random_map(random, before.region, format, move.channels + random.size(0, 9), move.height, move.width);
    Core expected = before;
    Core actual = before;
    model::arithmetic::execute(move, expected.memories(), model::arithmetic::Path::reference);
    model::arithmetic::execute(move, actual.memories(), model::arithmetic::Path::fast);
    ASSERT_EQ(expected.l2, actual.l2) << "seed " << seed;
    for (std::size_t i = 0; i < before.l2.size(); ++i) changed += before.l2[i] != expected.l2[i];
  }
  EXPECT_GT(changed, 10000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EquivalenceTest, testing::Range(0u, 8u));

}  // namespace
}  // namespace cox::test
