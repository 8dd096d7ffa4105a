// SPDX-License-Identifier: MIT
// Compares INT8 convolutions with oneDNN. oneDNN computes the accumulators; the test scales and converts them in double precision. oneDNN's
// tensors are NCHW. The test arranges them as the core needs them, without the model's code for layouts.
#include <gtest/gtest.h>

#include <cmath>
#include <dnnl.hpp>
#include <ostream>
#include <random>
#include <vector>

#include "core_memory.h"

namespace cox::test {
namespace independent_test {

struct Shape {
  std::uint32_t batch, channels, height, width, kernels, kernel_height, kernel_width, stride, padding;

  [[nodiscard]] std::uint32_t output_height() const { return (height + 2 * padding - kernel_height) / stride + 1; }
  [[nodiscard]] std::uint32_t output_width() const { return (width + 2 * padding - kernel_width) / stride + 1; }
};

void PrintTo(const Shape &s, std::ostream *out) {
  *out << s.batch << " x " << s.channels << " x " << s.height << " x " << s.width << ", " << s.kernels << " kernels of " << s.kernel_height
       << " x " << s.kernel_width << ", stride " << s.stride << ", padding " << s.padding;
}

std::vector<std::int8_t> random_bytes(std::mt19937 &random, std::size_t count) {
  std::vector<std::int8_t> bytes(count);
  for (std::int8_t &byte : bytes) byte = static_cast<std::int8_t>(random());
  return bytes;
}

/// Returns the INT32 sums in NCHW, computed with zero padding.
std::vector<std::int32_t> onednn_sums(const Shape &s, std::vector<std::int8_t> &source, std::vector<std::int8_t> &weights) {
  using Type = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;
  const auto dim = [](std::uint32_t value) { return static_cast<dnnl::memory::dim>(value); };
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  const dnnl::memory::desc source_layout({dim(s.batch), dim(s.channels), dim(s.height), dim(s.width)}, Type::s8, Tag::nchw);
  const dnnl::memory::desc weights_layout({dim(s.kernels), dim(s.channels), dim(s.kernel_height), dim(s.kernel_width)}, Type::s8,
                                          Tag::oihw);
  const dnnl::memory::desc sums_layout({dim(s.batch), dim(s.kernels), dim(s.output_height()), dim(s.output_width())}, Type::s32, Tag::nchw);
  const dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct, source_layout,
                                                    weights_layout, sums_layout, {dim(s.stride), dim(s.stride)},
                                                    {dim(s.padding), dim(s.padding)}, {dim(s.padding), dim(s.padding)});
  dnnl::convolution_forward convolution({description, engine});
  std::vector<std::int32_t> sums(std::size_t{s.batch} * s.kernels * s.output_height() * s.output_width());
  convolution.execute(stream, {{DNNL_ARG_SRC, dnnl::memory(source_layout, engine, source.data())},
                               {DNNL_ARG_WEIGHTS, dnnl::memory(weights_layout, engine, weights.data())},
                               {DNNL_ARG_DST, dnnl::memory(sums_layout, engine, sums.data())}});
  stream.wait();
  return sums;
}

class IndependentTest : public testing::TestWithParam<Shape> {};

TEST_P(IndependentTest, ConvolutionAgreesWithOnednnAndDoublePrecision) {
  const Shape s = GetParam();
  std::mt19937 random(42);
  std::vector<std::int8_t> source = random_bytes(random, std::size_t{s.batch} * s.channels * s.height * s.width);
  std::vector<std::int8_t> weights = random_bytes(random, std::size_t{s.kernels} * s.channels * s.kernel_height * s.kernel_width);
  const std::vector<std::int32_t> sums = onednn_sums(s, source, weights);

  Core core(128, 262144);
  const std::size_t pixel = (std::size_t{s.channels} + 7) / 8 * 8;
  for (std::size_t n = 0, i = 0; n < s.batch; ++n) {
    for (std::size_t c = 0; c < s.channels; ++c) {
      for (std::size_t p = 0; p < std::size_t{s.height} * s.width; ++p, ++i) {
        core.put(static_cast<std::int64_t>((n * s.height * s.width + p) * pixel + c), source[i]);
      }
    }
  }
  const std::size_t taps = std::size_t{s.kernel_height} * s.kernel_width;
  const std::size_t record = taps * pixel + 32;
  std::vector<float> scale(s.kernels);
  std::vector<float> bias(s.kernels);
  for (std::size_t k = 0, i = 0; k < s.kernels; ++k) {
    for (std::size_t c = 0; c < s.channels; ++c) {
      for (std::size_t t = 0; t < taps; ++t, ++i) core.put_weight(static_cast<std::int64_t>(k * record + t * pixel + c), weights[i]);
    }
    scale[k] = 1e-5f * static_cast<float>(1 + k);
    bias[k] = 0.25f * static_cast<float>(k) - 1.0f;
    core.put_weight(static_cast<std::int64_t>(k * record + taps * pixel), scale[k]);
    core.put_weight(static_cast<std::int64_t>(k * record + taps * pixel + 4), bias[k]);
  }

  isa::tile::Convolution operation;
  const std::int64_t destination = 65536;
  operation.source = padded_map(DataFmt::INT8, s.channels, s.height, s.width, 0);
  operation.destination = padded_map(DataFmt::INT8, s.kernels, s.output_height(), s.output_width(), destination);
  operation.position_bytes = static_cast<std::uint32_t>(pixel);
  operation.record_bytes = static_cast<std::uint32_t>(record);
  operation.batch = s.batch;
  operation.kernels = s.kernels;
  operation.channels = s.channels;
  operation.height = s.output_height();
  operation.width = s.output_width();
  operation.kernel_height = s.kernel_height;
  operation.kernel_width = s.kernel_width;
  operation.stride_height = operation.stride_width = s.stride;
  operation.first_row = operation.first_column = -static_cast<std::int32_t>(s.padding);
  operation.activation = isa::tile::ActMode::RELU;
  operation.scale = 20;
  operation.zero_point = -100;
  for (std::size_t way = 0; way < ways(); ++way) {
    carry_out(operation, core.memories(), way);
    int neither_limit = 0;
    const std::size_t out_pixel = (std::size_t{s.kernels} + 7) / 8 * 8;
    const std::size_t pixels = std::size_t{s.output_height()} * s.output_width();
    for (std::size_t n = 0, i = 0; n < s.batch; ++n) {
      for (std::size_t k = 0; k < s.kernels; ++k) {
        for (std::size_t p = 0; p < pixels; ++p, ++i) {
          const double real = std::max(0.0, sums[i] * static_cast<double>(scale[k]) + static_cast<double>(bias[k])) * 20 - 100;
          const auto actual =
              static_cast<int>(core.get<std::int8_t>(destination + static_cast<std::int64_t>((n * pixels + p) * out_pixel + k)));
          const double expected = std::min(127.0, std::max(-128.0, std::nearbyint(real)));
          // The device rounds to FP32 after each of four operations: times scale, plus bias, times 20, minus 100. Unless the output
          // saturates, the result of each operation is below 2^9, so the four roundings together change the value by less than 1/1000. If
          // the exact value is that close to a tie, either neighbour is right.
          const bool near_tie = std::abs(real - std::floor(real) - 0.5) < 1e-3;
          ASSERT_LE(std::abs(actual - expected), near_tie ? 1 : 0) << way_name(way) << " image " << n << " kernel " << k << " pixel " << p;
          neither_limit += actual > -100 && actual < 127;
        }
      }
    }
    EXPECT_GT(neither_limit, static_cast<int>(sums.size() / 10));
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, IndependentTest,
                         testing::Values(Shape{1, 64, 8, 8, 64, 3, 3, 1, 1}, Shape{1, 3, 20, 20, 16, 7, 7, 2, 3},
                                         Shape{2, 17, 9, 11, 21, 1, 1, 2, 0}, Shape{3, 5, 6, 7, 70, 5, 3, 1, 2},
                                         Shape{1, 200, 1, 1, 100, 1, 1, 1, 0}, Shape{1, 40, 7, 7, 33, 3, 3, 2, 1}));

}  // namespace independent_test
}  // namespace cox::test
