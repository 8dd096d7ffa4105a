// SPDX-License-Identifier: MIT
// Compares the fast path with the reference, bit for bit, on random vector operations of every function and format.
#include <array>
#include <cmath>
#include <limits>

#include "random_operation.h"

namespace cox::test {
namespace {

using isa::tile::CompareMode;
using isa::tile::Group1Mode;
using isa::tile::GroupMode;
using isa::tile::is_integer;
using isa::tile::Scalar;
using isa::tile::Vector;
using isa::tile::VectorFunction;
using model::arithmetic::element_bit;
using model::arithmetic::to_element;

constexpr unsigned kFunctions = 15;

/// An operand: usually a number in the instruction, sometimes a scalar register.
Scalar random_scalar(Random &random, float usual) {
  return {random.scale(usual), static_cast<std::int8_t>(random.one_of(3) ? random.in(0, isa::tile::kScalarRegisters - 1) : -1)};
}

/// Random bits are mostly huge, tiny or NaN as floating point. So most floating-point maps get numbers of similar size instead, and
/// sometimes special values.
void fill_map(Random &random, Core &core, const Map &map) {
  if (is_integer(map.format.format) || random.one_of(6)) return;
  constexpr float kLimit = std::numeric_limits<float>::infinity();
  constexpr std::array<float, 8> kNamed{kLimit, -kLimit, std::numeric_limits<float>::quiet_NaN(), 1e-42f, -0.0f, 0.0f, 65520.0f, 1.0f};
  const bool named = random.one_of(3);
  const float size = random.one_of(4) ? 100.0f : 3.0f;
  const auto memory = Memory::circular(core.l2.data(), core.region);
  const unsigned bytes = map.element_bits / 8;
  for (std::uint32_t h = 0; h < map.height; ++h) {
    for (std::uint32_t w = 0; w < map.width; ++w) {
      for (std::uint32_t c = 0; c < map.channels; ++c) {
        float value = random.real(-size, size);
        if (random.one_of(5)) value = std::round(value);
        if (named && random.one_of(20)) value = kNamed[static_cast<std::size_t>(random.in(0, 7))];
        const std::uint32_t element = to_element(value, map.format, isa::tile::Float2Fixed::ROUND);
        memory.write(map.base + h * map.row_bytes + std::int64_t{w} * map.pixel_bytes + std::int64_t{c} * bytes, &element, bytes);
      }
    }
  }
}

void set_function(Random &random, Core &core, Vector &op) {
  op.two_tensors = (op.function == VectorFunction::arithmetic || op.function == VectorFunction::compare) && !random.one_of(3);
  if (op.function == VectorFunction::layer_norm) op.two_tensors = random.one_of(2);
  op.group = static_cast<GroupMode>(random.in(0, 4));
  op.compare = static_cast<CompareMode>(random.in(1, 8));
  op.operand = random_scalar(random, op.function == VectorFunction::layer_norm ? 1e-3f : 1.0f);
  op.lanes = random.one_of(2);
  if (op.is_reduction()) {
    op.reduced = static_cast<std::uint8_t>(random.in(1, 7));
    if (op.reduced == isa::tile::kAllDimensions && random.one_of(2)) op.result = static_cast<std::int8_t>(random.in(0, 7));
  }
  if (op.function == VectorFunction::table) {
    op.table.segments = random.size(1, 40);
    op.table.base = random_base(random, core.region);
    op.table.low = random.real(-3, 1);
    op.table.per_unit = random.scale(5);
    op.table.extrapolate = random.one_of(2);
    const auto memory = Memory::circular(core.l2.data(), core.region);
    for (std::uint32_t i = 0; i <= op.table.segments; ++i) {
      const float entry = random.scale(2);
      memory.write(op.table.base + std::int64_t{i} * 4, &entry, sizeof entry);
    }
  }
}

void set_behind(Random &random, Vector &op) {
  op.dequantise = !random.one_of(3);
  op.dequantisation_rounding = static_cast<std::uint8_t>(random.one_of(2) ? 0 : random.in(1, 3));
  const bool integers = is_integer(op.source.format.format);
  const float unit = integers ? 0.02f : 1.0f;
  op.source_scale = random.scale(unit);
  op.source_zero_point = random.real(-3, 3);
  op.source1_scale = random.scale(unit);
  op.source1_zero_point = random.real(-3, 3);
  op.multiply_elements = random.one_of(4) || op.function == VectorFunction::average_pool;
  op.multiplier = random_scalar(random, 0.1f);
  op.group1 = static_cast<Group1Mode>(random.one_of(2) ? 0 : random.in(1, 3));
  op.operand1 = random_scalar(random, 2);
  op.affine = random.one_of(4);
  op.factor = random_scalar(random, 2);
  op.summand = random_scalar(random, 2);
  op.rounding = random.rounding();
  op.apply_scale = !random.one_of(4);
  op.apply_zero_point = !random.one_of(3);
  op.subtract_zero_point = random.one_of(4);
  op.scale = random.scale(op.dequantise ? 30.0f : 1.0f);
  op.zero_point = random.one_of(2) ? -128.0f : random.real(-100, 100);
  op.shift = static_cast<std::uint8_t>(random.one_of(4) ? random.in(1, 15) : 0);
}

Map tensor(Random &random, Core &core, const isa::tile::Format &format, std::uint8_t dimensions, std::uint32_t channels,
           std::uint32_t height, std::uint32_t width) {
  Map map = random_map(random, core.region, format.format, (dimensions & 1) != 0 ? channels : 1, (dimensions & 4) != 0 ? height : 1,
                       (dimensions & 2) != 0 ? width : 1);
  map.format = format;
  fill_map(random, core, map);
  return map;
}

Vector random_vector(Random &random, Core &core, VectorFunction function) {
  Vector op;
  op.function = function;
  op.channels = random.one_of(8) ? random.size(1, 3000) : random.size(1, 70);
  const bool long_pixels = op.channels > 100;
  op.height = random.size(1, long_pixels ? 2 : 9);
  op.width = random.size(1, long_pixels ? 3 : 12);
  const isa::tile::Format from = random.any_format();
  isa::tile::Format to = random.any_format();
  set_function(random, core, op);
  std::uint32_t height = op.height;
  std::uint32_t width = op.width;
  if (op.is_pool() || op.is_resize()) {
    height = random.size(1, long_pixels ? 3 : 14);
    width = random.size(1, long_pixels ? 3 : 14);
    op.first_row = random.in(-4, 3);
    op.first_column = random.in(-4, 3);
    constexpr float kPaddings[] = {0, -32768, 1.5f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
    op.padding_value = random.one_of(3) ? -32768 : kPaddings[random.in(0, 4)];
  } else {
    op.dimensions = static_cast<std::uint8_t>(random.one_of(3) ? random.in(1, 7) : 7);
    op.dimensions1 = static_cast<std::uint8_t>(random.one_of(3) ? random.in(1, 7) : 7);
  }
  if (op.is_pool()) {
    op.kernel_height = random.size(1, 7);
    op.kernel_width = random.size(1, 7);
    op.stride_height = random.size(1, 3);
    op.stride_width = random.size(1, 3);
  }
  for (unsigned axis = 0; axis < 2; ++axis) {
    op.numerator[axis] = random.size(random.one_of(10) ? 0 : 1, 9);
    op.denominator[axis] = random.size(1, 9);
    op.offset[axis] = random.one_of(3) ? 0 : random.in(-20, 20);
  }
  op.source = tensor(random, core, from, op.dimensions, op.channels, height, width);
  const bool parameters = op.function == VectorFunction::layer_norm;
  if (parameters) op.dimensions1 = 5;
  op.source1 = tensor(random, core, from, op.dimensions1, op.channels, parameters ? 2 : height, width);
  const auto kept = [&op](unsigned dimension, std::uint32_t extent) { return (op.reduced & dimension) != 0 ? 1 : extent; };
  const std::uint32_t channels = kept(1, op.channels);
  op.destination = random_map(random, core.region, to.format, channels, kept(4, op.height), kept(2, op.width));
  op.destination.format = to;
  if (random.one_of(8) && op.source.element_bits == op.destination.element_bits) op.destination.base = op.source.base;
  set_behind(random, op);
  return op;
}

class VectorEquivalenceTest : public testing::TestWithParam<unsigned> {};

/// COX_VECTOR_SEEDS: number of operations for each function.
std::uint32_t seeds() {
  const char *text = std::getenv("COX_VECTOR_SEEDS");
  return text == nullptr ? 32 : static_cast<std::uint32_t>(std::strtoul(text, nullptr, 10));
}

TEST_P(VectorEquivalenceTest, FastPathIsTheReference) {
  std::int64_t changed = 0;
  for (std::uint32_t seed = 0; seed < seeds(); ++seed) {
    Random random(seed * kFunctions + GetParam());
    Core core = random_core(random);
    const Vector operation = random_vector(random, core, static_cast<VectorFunction>(GetParam()));
    ASSERT_NO_FATAL_FAILURE(expect_equal(operation, core, seed, changed));
  }
  EXPECT_GT(changed, 2000);  // the operations have changed many bytes
}

constexpr std::array<const char *, kFunctions> kNames{"copy",         "arithmetic",   "compare",      "sum",     "mean",
                                                      "maximum",      "minimum",      "table",        "softmax", "layer_norm",
                                                      "maximum_pool", "minimum_pool", "average_pool", "nearest", "bilinear"};
static_assert(static_cast<unsigned>(VectorFunction::bilinear) + 1 == kFunctions);

INSTANTIATE_TEST_SUITE_P(Functions, VectorEquivalenceTest, testing::Range(0u, kFunctions),
                         [](const auto &function) { return kNames[function.param]; });

}  // namespace
}  // namespace cox::test
