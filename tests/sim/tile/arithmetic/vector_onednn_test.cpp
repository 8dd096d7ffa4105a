// SPDX-License-Identifier: MIT
// Compares vector operations on FP32 maps with oneDNN's primitives. The bits must be equal if there is only one way to compute them, and
// the values must be close if oneDNN's order of operations differs. All maps have an even number of channels, because
// we pad pixels to 8 bytes and oneDNN does not.
#include <gtest/gtest.h>

#include <cmath>
#include <dnnl.hpp>
#include <initializer_list>
#include <limits>
#include <random>
#include <unordered_map>
#include <vector>

#include "core_memory.h"

namespace cox::test {
namespace vector_onednn_test {

using dnnl::algorithm;
using isa::tile::CompareMode;
using isa::tile::GroupMode;
using isa::tile::Vector;
using isa::tile::VectorFunction;
using Dimensions = dnnl::memory::dims;
using Values = std::vector<float>;

constexpr std::int64_t kSource1 = std::int64_t{64} * 1024;
constexpr std::int64_t kDestination = std::int64_t{128} * 1024;

struct Shape {
  std::uint32_t channels = 2, height = 1, width = 1;

  [[nodiscard]] std::size_t elements() const { return std::size_t{channels} * height * width; }
};

Values random_values(std::size_t count, float low = -4, float high = 4) {
  static std::mt19937 engine(7);
  std::uniform_real_distribution<float> real(low, high);
  Values values(count);
  for (float &value : values) value = real(engine);
  return values;
}

/// Runs a primitive on NHWC tensors.
class Onednn {
 public:
  static dnnl::memory::desc layout(const Shape &shape) {
    const auto dimension = [](std::uint32_t value) { return static_cast<dnnl::memory::dim>(value); };
    return {{1, dimension(shape.channels), dimension(shape.height), dimension(shape.width)},
            dnnl::memory::data_type::f32,
            dnnl::memory::format_tag::nhwc};
  }
  void argument(int number, const dnnl::memory::desc &description, Values &values) {
    arguments_.insert({number, dnnl::memory(description, engine, values.data())});
  }
  void run(const dnnl::primitive &primitive) {
    dnnl::stream stream(engine);
    primitive.execute(stream, arguments_);
    stream.wait();
  }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};

 private:
  std::unordered_map<int, dnnl::memory> arguments_;
};

class VectorOnednnTest : public testing::TestWithParam<std::size_t> {
 protected:
  static Vector operation(VectorFunction function, const Shape &from, const Shape &to) {
    Vector op;
    op.function = function;
    op.source = op.source1 = padded_map(DataFmt::FP32, from.channels, from.height, from.width, 0);
    op.source1.base = kSource1;
    op.destination = padded_map(DataFmt::FP32, to.channels, to.height, to.width, kDestination);
    op.channels = to.channels;
    op.height = to.height;
    op.width = to.width;
    op.apply_scale = op.apply_zero_point = false;
    return op;
  }
  Values run(const Vector &op, const Values &source, const Values &source1 = {}) {
    std::memcpy(core.l2.data(), source.data(), source.size() * sizeof(float));
    if (!source1.empty()) std::memcpy(core.l2.data() + kSource1, source1.data(), source1.size() * sizeof(float));
    carry_out(op, core.memories(), GetParam());
    Values values(static_cast<std::size_t>(op.destination.image_bytes) / sizeof(float));
    std::memcpy(values.data(), core.l2.data() + kDestination, values.size() * sizeof(float));
    return values;
  }
  static void expect_near(const Values &ours, const Values &theirs, float bound) {
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t i = 0; i < ours.size(); ++i) ASSERT_NEAR(ours[i], theirs[i], bound) << "element " << i;
  }

  Core core{static_cast<std::uint16_t>(192 * 1024 / isa::tile::kBlockBytes)};
};

TEST_P(VectorOnednnTest, Softmax) {
  const Shape shape{150, 3, 5};
  Values x = random_values(shape.elements(), -20, 20);
  Values theirs(x.size());
  Onednn onednn;
  const auto layout = Onednn::layout(shape);
  onednn.argument(DNNL_ARG_SRC, layout, x);
  onednn.argument(DNNL_ARG_DST, layout, theirs);
  onednn.run(dnnl::softmax_forward({{dnnl::prop_kind::forward_inference, layout, 1}, onednn.engine}));
  for (const bool lanes : {false, true}) {
    Vector op = operation(VectorFunction::softmax, shape, shape);
    op.lanes = lanes;
    expect_near(run(op, x), theirs, 1e-6f);
  }
}

TEST_P(VectorOnednnTest, LayerNorm) {
  const Shape shape{190, 2, 4};
  Values x = random_values(shape.elements());
  Values gamma = random_values(shape.channels);
  Values beta = random_values(shape.channels);
  Values theirs(x.size());
  Onednn onednn;
  const dnnl::memory::desc layout({8, 190}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::ab);
  const dnnl::memory::desc parameters({190}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::a);
  const auto flags = dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift;
  onednn.argument(DNNL_ARG_SRC, layout, x);
  onednn.argument(DNNL_ARG_SCALE, parameters, gamma);
  onednn.argument(DNNL_ARG_SHIFT, parameters, beta);
  onednn.argument(DNNL_ARG_DST, layout, theirs);
  onednn.run(dnnl::layer_normalization_forward({{dnnl::prop_kind::forward_inference, layout, 0.125f, flags}, onednn.engine}));
  Values both = gamma;
  both.insert(both.end(), beta.begin(), beta.end());
  Vector op = operation(VectorFunction::layer_norm, shape, shape);
  op.two_tensors = true;
  op.dimensions1 = 5;
  op.source1 = padded_map(DataFmt::FP32, shape.channels, 2, 1, kSource1);
  op.operand = {0.125f, -1};
  for (const bool lanes : {false, true}) {
    op.lanes = lanes;
    expect_near(run(op, x, both), theirs, 1e-5f);
  }
}

TEST_P(VectorOnednnTest, Pools) {
  const Shape from{36, 9, 11};
  Values x = random_values(from.elements());
  for (const std::uint32_t kernel : {2u, 3u}) {
    for (const std::uint32_t stride : {1u, 2u}) {
      const std::uint32_t padding = kernel / 2;
      const Shape to{36, (9 + 2 * padding - kernel) / stride + 1, (11 + 2 * padding - kernel) / stride + 1};
      for (const bool average : {false, true}) {
        Values theirs(to.elements());
        Onednn onednn;
        onednn.argument(DNNL_ARG_SRC, Onednn::layout(from), x);
        onednn.argument(DNNL_ARG_DST, Onednn::layout(to), theirs);
        onednn.run(dnnl::pooling_forward(
            {{dnnl::prop_kind::forward_inference, average ? algorithm::pooling_avg_include_padding : algorithm::pooling_max,
              Onednn::layout(from), Onednn::layout(to), Dimensions{stride, stride}, Dimensions{kernel, kernel},
              Dimensions{padding, padding}, Dimensions{padding, padding}},
             onednn.engine}));
        Vector op = operation(average ? VectorFunction::average_pool : VectorFunction::maximum_pool, from, to);
        op.kernel_height = op.kernel_width = kernel;
        op.stride_height = op.stride_width = stride;
        op.first_row = op.first_column = -static_cast<std::int32_t>(padding);
        op.padding_value = average ? 0 : -std::numeric_limits<float>::infinity();
        op.multiplier = {1.0f / static_cast<float>(kernel * kernel), -1};
        expect_near(run(op, x), theirs, average ? 2e-6f : 0.0f);
      }
    }
  }
}

TEST_P(VectorOnednnTest, ResizeByHalfPixels) {
  const Shape from{6, 6, 10};
  Values x = random_values(from.elements());
  // some of these shapes are larger than the map, some smaller, by factors that need not be integers
  for (const Shape to : {Shape{6, 12, 30}, {6, 3, 4}, {6, 7, 13}, {6, 6, 10}, {6, 1, 1}, {6, 17, 3}}) {
    for (const bool nearest : {false, true}) {
      Values theirs(to.elements());
      Onednn onednn;
      onednn.argument(DNNL_ARG_SRC, Onednn::layout(from), x);
      onednn.argument(DNNL_ARG_DST, Onednn::layout(to), theirs);
      onednn.run(dnnl::resampling_forward(
          {{dnnl::prop_kind::forward_inference, nearest ? algorithm::resampling_nearest : algorithm::resampling_linear,
            Onednn::layout(from), Onednn::layout(to)},
           onednn.engine}));
      Vector op = operation(nearest ? VectorFunction::nearest : VectorFunction::bilinear, from, to);
      op.numerator = {from.height, from.width};
      op.denominator = {to.height, to.width};
      for (unsigned axis = 0; axis < 2; ++axis)
        op.offset[axis] = static_cast<std::int32_t>(op.numerator[axis]) - (nearest ? 0 : static_cast<std::int32_t>(op.denominator[axis]));
      op.padding_value = isa::tile::kNoAreaCorrection;
      SCOPED_TRACE(testing::Message() << to.height << " x " << to.width << (nearest ? " nearest" : " bilinear"));
      expect_near(run(op, x), theirs, nearest ? 0.0f : 4e-6f);
    }
  }
}

/// oneDNN does not have this mode, so the test uses double precision.
TEST_P(VectorOnednnTest, ResizeByAlignedCorners) {
  const Shape from{2, 5, 7};
  const Values x = random_values(from.elements());
  for (const Shape to : {Shape{2, 9, 13}, {2, 3, 4}, {2, 11, 5}}) {
    Vector op = operation(VectorFunction::bilinear, from, to);
    op.numerator = {from.height - 1, from.width - 1};
    op.denominator = {to.height - 1, to.width - 1};
    op.padding_value = isa::tile::kNoAreaCorrection;
    const Values ours = run(op, x);
    for (std::uint32_t h = 0; h < to.height; ++h) {
      for (std::uint32_t w = 0; w < to.width; ++w) {
        const double row = static_cast<double>(h) * (from.height - 1) / (to.height - 1);
        const double column = static_cast<double>(w) * (from.width - 1) / (to.width - 1);
        const auto r = std::min(static_cast<std::uint32_t>(row), from.height - 2);
        const auto s = std::min(static_cast<std::uint32_t>(column), from.width - 2);
        for (std::uint32_t c = 0; c < 2; ++c) {
          const auto at = [&](std::uint32_t i, std::uint32_t j) { return static_cast<double>(x[(i * from.width + j) * 2 + c]); };
          const double top = at(r, s) * (1 - (column - s)) + at(r, s + 1) * (column - s);
          const double bottom = at(r + 1, s) * (1 - (column - s)) + at(r + 1, s + 1) * (column - s);
          ASSERT_NEAR(ours[(h * to.width + w) * 2 + c], top * (1 - (row - r)) + bottom * (row - r), 4e-6) << h << ", " << w << ", " << c;
        }
      }
    }
  }
}

TEST_P(VectorOnednnTest, BinaryOperations) {
  struct Case {
    algorithm theirs;
    VectorFunction function;
    GroupMode group;
    CompareMode compare;
  };
  const Case cases[] = {
      {algorithm::binary_add, VectorFunction::arithmetic, GroupMode::DEFAULT, {}},
      {algorithm::binary_sub, VectorFunction::arithmetic, GroupMode::SUB, {}},
      {algorithm::binary_mul, VectorFunction::arithmetic, GroupMode::MUL, {}},
      {algorithm::binary_div, VectorFunction::arithmetic, GroupMode::DIV, {}},
      {algorithm::binary_max, VectorFunction::compare, {}, CompareMode::MAX},
      {algorithm::binary_min, VectorFunction::compare, {}, CompareMode::MIN},
      {algorithm::binary_ge, VectorFunction::compare, {}, CompareMode::GE},
      {algorithm::binary_lt, VectorFunction::compare, {}, CompareMode::LT},
  };
  const Shape shape{14, 3, 5};
  Values a = random_values(shape.elements());
  for (const std::uint8_t dimensions : std::initializer_list<std::uint8_t>{7, 1}) {  // all dimensions, and only channels
    const Shape second = dimensions == 7 ? shape : Shape{14, 1, 1};
    Values b = random_values(second.elements(), 0.5f, 3);
    for (const Case &one : cases) {
      Values theirs(a.size());
      Onednn onednn;
      onednn.argument(DNNL_ARG_SRC_0, Onednn::layout(shape), a);
      onednn.argument(DNNL_ARG_SRC_1, Onednn::layout(second), b);
      onednn.argument(DNNL_ARG_DST, Onednn::layout(shape), theirs);
      onednn.run(dnnl::binary({{one.theirs, Onednn::layout(shape), Onednn::layout(second), Onednn::layout(shape)}, onednn.engine}));
      Vector op = operation(one.function, shape, shape);
      op.two_tensors = true;
      op.dimensions1 = dimensions;
      op.source1 = padded_map(DataFmt::FP32, second.channels, second.height, second.width, kSource1);
      op.group = one.group;
      op.compare = one.compare;
      // oneDNN's division may use a reciprocal
      expect_near(run(op, a, b), theirs, one.theirs == algorithm::binary_div ? 2e-6f : 0.0f);
    }
  }
}

TEST_P(VectorOnednnTest, Reductions) {
  struct Case {
    algorithm theirs;
    VectorFunction function;
    float bound;
  };
  const Case cases[] = {{algorithm::reduction_sum, VectorFunction::sum, 1e-3f},
                        {algorithm::reduction_mean, VectorFunction::mean, 2e-6f},
                        {algorithm::reduction_max, VectorFunction::maximum, 0},
                        {algorithm::reduction_min, VectorFunction::minimum, 0}};
  const Shape from{24, 9, 10};
  Values x = random_values(from.elements());
  // Reduces the columns (2), the rows (4) or both (6).
  for (const std::uint8_t reduced : std::initializer_list<std::uint8_t>{2, 4, 6}) {
    const Shape to{24, (reduced & 4) != 0 ? 1u : 9u, (reduced & 2) != 0 ? 1u : 10u};
    for (const Case &one : cases) {
      Values theirs(to.elements());
      Onednn onednn;
      onednn.argument(DNNL_ARG_SRC, Onednn::layout(from), x);
      onednn.argument(DNNL_ARG_DST, Onednn::layout(to), theirs);
      onednn.run(dnnl::reduction({{one.theirs, Onednn::layout(from), Onednn::layout(to), 0, 0}, onednn.engine}));
      Vector op = operation(one.function, from, to);
      op.height = from.height;
      op.width = from.width;
      op.reduced = reduced;
      for (const bool lanes : {false, true}) {
        op.lanes = lanes;
        expect_near(run(op, x), theirs, one.bound);
      }
    }
  }
}

/// The tests run only on the reference and on the best set of SIMD kernels of this host. Other tests show that all sets agree.
INSTANTIATE_TEST_SUITE_P(Ways, VectorOnednnTest, testing::Values(std::size_t{0}, ways() - 1),
                         [](const auto &way) { return way_name(way.param); });

}  // namespace vector_onednn_test
}  // namespace cox::test
