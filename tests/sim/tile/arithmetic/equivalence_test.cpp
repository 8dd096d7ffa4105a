// SPDX-License-Identifier: MIT
// Compares the fast path with the reference, bit for bit, on random operations: every byte of L2, written or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "random_operation.h"

namespace cox::test {
namespace {

using isa::tile::ActMode;
using isa::tile::Convolution;
using isa::tile::Format;

double multiply_accumulates(const Convolution &operation) {
  return static_cast<double>(operation.batch) * operation.kernels * operation.channels * operation.height * operation.width *
         operation.kernel_height * operation.kernel_width;
}

/// Sets the sizes of weight records, in bytes.
void set_records(Convolution &operation) {
  const std::uint32_t bytes = (operation.channels * isa::tile::bits_of(operation.weight_format.format) + 7) / 8;
  operation.position_bytes = (bytes + 7) / 8 * 8;
  operation.record_bytes = operation.kernel_height * operation.kernel_width * operation.position_bytes + 32;
}

void set_destination(Convolution &operation, Random &random, const Region &region, Format format) {
  const std::uint32_t before = random.one_of(3) ? 2 * random.size(0, 10) : 0;  // channels before those that this operation writes
  operation.destination =
      random_map(random, region, format.format, operation.kernels + before + (random.one_of(3) ? random.size(0, 20) : 0), operation.height,
                 operation.width);
  operation.destination.format = format;
  operation.destination.base += operation.destination.bytes_of(before);
}

/// Fills the parameters of the records. Results are neither tiny nor huge if a product of source and weight is about `product`.
void set_parameters(Convolution &operation, Random &random, Core &core, float product) {
  const float taps = static_cast<float>(operation.kernel_height * operation.kernel_width * operation.channels);
  for (std::uint32_t k = 0; k < operation.kernels; ++k) {
    const std::int64_t parameters = operation.weights + std::int64_t{k + 1} * operation.record_bytes - 32;
    core.put_weight(parameters, random.scale(1.0f / (product * std::sqrt(taps))));
    core.put_weight(parameters + 4, random.one_of(3) ? 0.0f : random.scale(1));
    core.put_weight(parameters + 8, random.scale(0.1f));
  }
}

void set_steps(Convolution &operation, Random &random) {
  operation.stride_height = random.size(1, 3);
  operation.stride_width = random.one_of(2) ? operation.stride_height : random.size(1, 4);
  const int reach = static_cast<int>(operation.kernel_height);
  operation.first_row = random.one_of(2) ? 0 : random.in(-reach - 1, 3);
  operation.first_column = random.one_of(2) ? 0 : random.in(-reach - 1, 3);
  operation.weights = random.one_of(2) ? 0 : 64;
  constexpr float kPaddings[] = {0, 6, -128, 127, 2.5f, -3.5f, 1e9f, -200, std::numeric_limits<float>::quiet_NaN()};
  operation.padding_value = kPaddings[random.in(0, 8)];
  operation.rounding = random.rounding();
  operation.zero_point = random.one_of(2) ? -128.0f : random.real(-100, 100);
}

/// An INT8 convolution as in networks.
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
    set_records(operation);
  } while (multiply_accumulates(operation) > 1e6 || std::size_t{operation.kernels} * operation.record_bytes > core.wl0.size() - 64);
  set_steps(operation, random);
  operation.source = random_map(random, core.region, DataFmt::INT8, operation.channels, random.size(1, 14), random.size(1, 14));
  set_destination(operation, random, core.region, {random.format(), true});
  if (random.one_of(10)) std::fill(core.wl0.begin(), core.wl0.end(), std::byte{0x80});
  set_parameters(operation, random, core, 5000);
  operation.activation = random.one_of(2) ? ActMode::RELU : ActMode::DISABLE;
  operation.scale = random.scale(60);
  return operation;
}

/// Chooses formats of source and weights that are allowed together.
void set_formats(Convolution &operation, Random &random) {
  constexpr DataFmt kIntegers[] = {DataFmt::INT4, DataFmt::INT8, DataFmt::INT16};
  constexpr DataFmt kFloating[] = {DataFmt::FP16, DataFmt::BF16, DataFmt::FP32};
  if (random.one_of(3)) {
    operation.source.format.format = operation.weight_format.format = kFloating[random.in(0, 2)];
  } else {
    operation.source.format = {kIntegers[random.in(0, 2)], random.one_of(2)};
    operation.weight_format.format = kIntegers[random.in(0, 2)];
  }
}

void set_groups(Convolution &operation, Random &random) {
  operation.channels = random.size(1, 20);
  operation.kernels = random.size(1, 70);
  if (random.one_of(2)) return;
  operation.groups = random.size(2, 5);
  if (random.one_of(2)) {  // depthwise
    operation.channels = 1;
    operation.groups = random.size(2, 70);
  }
  operation.kernels = operation.groups * random.size(1, random.one_of(2) ? 1 : 19);
}

/// Fills `bytes` with numbers whose sums stay in range, and sometimes with any bits.
void fill_floating(std::vector<std::byte> &bytes, DataFmt format, Random &random) {
  const Format to{format, true};
  const std::size_t step = isa::tile::bits_of(format) / 8;
  for (std::size_t i = 0; i < bytes.size(); i += step) {
    std::uint32_t element = random.bits();
    if (!random.one_of(200))
      element = model::arithmetic::to_element(static_cast<float>(static_cast<std::int32_t>(element)) * 0x1p-31f, to, {});
    std::memcpy(&bytes[i], &element, step);
  }
}

void set_table(Convolution &operation, Random &random, const Core &core) {
  operation.table.segments = random.size(1, 40);
  operation.table.base = random_base(random, core.region);
  operation.table.low = random.real(-8, 0);
  operation.table.per_unit = random.one_of(10) ? random.scale(1) : random.real(0.2f, 9);
  operation.table.extrapolate = random.one_of(2);
}

/// A convolution that can use each feature of pe_conv.
Convolution random_general_convolution(Random &random, Core &core) {
  Convolution operation;
  set_formats(operation, random);
  const Format source = operation.source.format;
  do {
    operation.groups = 1;
    set_groups(operation, random);
    operation.batch = random.one_of(4) ? 2 : 1;
    operation.height = random.size(1, 8);
    operation.width = random.size(1, 8);
    operation.kernel_height = random.one_of(3) ? 1 : random.size(1, 4);
    operation.kernel_width = random.one_of(2) ? operation.kernel_height : random.size(1, 5);
    set_records(operation);
  } while (multiply_accumulates(operation) > 2e5 || std::size_t{operation.kernels} * operation.record_bytes > core.wl0.size() - 64);
  set_steps(operation, random);
  if (random.one_of(3)) operation.dilation_height = random.size(1, 3);
  if (random.one_of(3)) operation.dilation_width = random.size(1, 3);
  if (random.one_of(3)) operation.upsample_height = random.size(1, 3);
  if (random.one_of(3)) operation.upsample_width = random.size(1, 3);
  const std::uint32_t channels = operation.groups * operation.channels + (random.one_of(3) ? random.size(0, 9) : 0);
  operation.source = random_map(random, core.region, source.format, channels, random.size(1, 12), random.size(1, 12));
  operation.source.format = source;
  if (operation.is_floating()) {
    fill_floating(core.l2, source.format, random);
    fill_floating(core.wl0, source.format, random);
  }
  const float product = operation.is_floating() ? 0.3f : std::exp2(static_cast<float>(operation.source.element_bits + 4));
  set_parameters(operation, random, core, product);
  operation.accumulate = random.one_of(3);
  operation.store_accumulators = random.one_of(4);
  const Format sums{operation.is_floating() ? DataFmt::FP32 : DataFmt::INT32, true};
  set_destination(operation, random, core.region, random.any_format());
  const auto accumulators = [&] {
    Map map =
        random_map(random, core.region, sums.format, operation.kernels * (operation.is_wide() ? 2 : 1), operation.height, operation.width);
    map.channels = operation.kernels;
    map.element_bits = operation.is_wide() ? 64 : 32;
    return map;
  };
  operation.partial = accumulators();
  if (operation.store_accumulators) operation.destination = accumulators();
  operation.dequantise = random.one_of(3);
  operation.dequantisation_scale = random.scale(1);
  operation.dequantisation_zero_point = random.real(-3, 3);
  operation.clip = static_cast<std::uint8_t>(random.in(0, 3));
  operation.activation = static_cast<ActMode>(random.in(0, 5));
  operation.activation_parameter = random.scale(0.5f);
  if (operation.activation == ActMode::SILU) set_table(operation, random, core);
  operation.scale = random.scale(std::exp2(static_cast<float>(operation.destination.element_bits) - 2));
  return operation;
}

class EquivalenceTest : public testing::TestWithParam<std::uint32_t> {};

/// COX_EQUIVALENCE_OPERATIONS sets the number of operations, for long campaigns.
const std::uint32_t kOperationsPerCase = [] {
  const char *wanted = std::getenv("COX_EQUIVALENCE_OPERATIONS");
  return wanted == nullptr ? 25U : static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10));
}();

template <typename Make>
void compare_convolutions(std::uint32_t part, const Make &make) {
  std::int64_t changed = 0;
  for (std::uint32_t seed = part * kOperationsPerCase; seed < (part + 1) * kOperationsPerCase; ++seed) {
    Random random(seed);
    Core core = random_core(random);
    const Convolution operation = make(random, core);
    ASSERT_NO_FATAL_FAILURE(expect_equal(operation, core, seed, changed));
  }
  EXPECT_GT(changed, 10000);  // the operations have changed many bytes
}

TEST_P(EquivalenceTest, Convolution) { compare_convolutions(GetParam(), random_convolution); }

TEST_P(EquivalenceTest, GeneralConvolution) { compare_convolutions(GetParam(), random_general_convolution); }

template <typename Operation>
void expect_paths_equal(const Operation &operation, Core &before, std::uint32_t seed, std::int64_t &changed) {
  Core expected = before;
  Core actual = before;
  model::arithmetic::execute(operation, expected.memories(), model::arithmetic::Path::reference);
  model::arithmetic::execute(operation, actual.memories(), model::arithmetic::Path::fast);
  ASSERT_EQ(expected.l2, actual.l2) << "seed " << seed;
  for (std::size_t i = 0; i < before.l2.size(); ++i) changed += before.l2[i] != expected.l2[i];
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
    const Format from = random.any_format();
    const Format to = random.one_of(2) ? from : random.any_format();
    move.from = random_map(random, before.region, from.format, move.channels + random.size(0, 9), move.height, move.width);
    move.to = random_map(random, before.region, to.format, move.channels + random.size(0, 9), move.height, move.width);
    move.from.format = from;
    move.to.format = to;
    ASSERT_NO_FATAL_FAILURE(expect_paths_equal(move, before, seed, changed));
  }
  EXPECT_GT(changed, 10000);
}

/// A map as isa::tile's resolve() makes it, with dimensions in a random order.
isa::tile::StridedMap random_strided_map(Random &random, const Region &region, const isa::tile::Transform &operation) {
  isa::tile::StridedMap map;
  map.base = random_base(random, region);
  const auto align = [](std::int64_t bits) { return (bits + 63) / 64 * 64; };
  switch (random.in(0, 3)) {
    case 0:  // planes
      map.column = operation.element_bits;
      map.row = align(map.column * operation.width);
      map.block_step = map.row * operation.height;
      map.image = map.block_step * operation.channels;
      break;
    case 1:  // blocks of 8
      map.block = 8;
      map.channel = operation.element_bits;
      map.column = align(map.channel * 8);
      map.row = map.column * operation.width;
      map.block_step = map.row * operation.height;
      map.image = map.block_step * ((operation.channels + 7) / 8);
      break;
    case 2:  // columns and rows swapped
      map.block_step = operation.element_bits;
      map.row = align(map.block_step * operation.channels);
      map.column = map.row * operation.height;
      map.image = map.column * operation.width;
      break;
    default:  // NHWC
      map.block_step = operation.element_bits;
      map.column = align(map.block_step * operation.channels);
      map.row = map.column * operation.width;
      map.image = map.row * operation.height;
  }
  return map;
}

TEST_P(EquivalenceTest, Transform) {
  std::int64_t changed = 0;
  for (std::uint32_t seed = GetParam() * kOperationsPerCase; seed < (GetParam() + 1) * kOperationsPerCase; ++seed) {
    Random random(seed);
    Core before = random_core(random);
    isa::tile::Transform transform;
    transform.batch = random.size(1, 2);
    transform.channels = random.size(1, 40);
    transform.height = random.size(1, 9);
    transform.width = random.size(1, 9);
    transform.format = random.any_format();
    transform.element_bits = isa::tile::bits_of(transform.format.format);
    transform.from = random_strided_map(random, before.region, transform);
    transform.to = random_strided_map(random, before.region, transform);
    ASSERT_NO_FATAL_FAILURE(expect_paths_equal(transform, before, seed, changed));
  }
  EXPECT_GT(changed, 10000);
}

TEST_P(EquivalenceTest, WeightMove) {
  std::int64_t changed = 0;
  for (std::uint32_t seed = GetParam() * kOperationsPerCase; seed < (GetParam() + 1) * kOperationsPerCase; ++seed) {
    Random random(seed);
    Core before = random_core(random);
    isa::tile::WeightMove move;
    move.from_space = move.to_space = isa::tile::Space::l2;
    move.kernels = random.size(1, 30);
    move.channels = random.size(1, 40);
    move.rows = random.size(1, 3);
    move.columns = random.size(1, 3);
    move.format = random.any_format();
    move.feature_map = random.one_of(3);
    if (move.feature_map) move.rows = move.columns = 1;
    move.element_bits = isa::tile::bits_of(move.format.format);
    move.whole = random.one_of(6);
    const auto align = [&](std::uint32_t channels) { return (channels * move.element_bits + 63) / 64 * 8; };
    move.first_channel = random.one_of(2) ? 0 : 2 * random.size(0, 9);
    move.position_bytes = align(move.channels);
    move.source_position_bytes = align(move.first_channel + move.channels + random.size(0, 9));
    move.source_record_bytes = move.feature_map ? move.source_position_bytes : move.rows * move.columns * move.source_position_bytes + 32;
    if (random.one_of(3)) move.unmasked = random.size(0, 40);
    move.bytes = std::int64_t{move.kernels} * (move.rows * move.columns * move.position_bytes + 32);
    move.from = random_base(random, before.region);
    move.to = random_base(random, before.region);
    ASSERT_NO_FATAL_FAILURE(expect_paths_equal(move, before, seed, changed));
  }
  EXPECT_GT(changed, 10000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, EquivalenceTest, testing::Range(0u, 8u));

}  // namespace
}  // namespace cox::test
