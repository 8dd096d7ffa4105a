// SPDX-License-Identifier: MIT
// The fast path against the reference, bit for bit, over random operations: every byte of L2, written or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "random_operation.h"

namespace cox::test {
namespace {

using isa::tile::ActMode;
using isa::tile::Convolution;

constexpr double kMostMultiplyAccumulates = 1.5e6;

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
