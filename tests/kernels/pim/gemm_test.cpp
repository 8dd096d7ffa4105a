// SPDX-License-Identifier: MIT
// gemm() and gemv() beside Eigen's products.
#include "coxswain/kernels/pim/gemm.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "coxswain/kernels/pim/pack_weights.h"
#include "tests/kernels/pim/pim_bench.h"
#include "tests/kernels/pim/requantise.h"

namespace cox::tests::pim::gemm_test {
namespace {

using kernels::pim::GemmArguments;
using kernels::pim::GemvArguments;
using kernels::pim::LayerShape;
using kernels::pim::Mapping;
using kernels::pim::ResultType;
using kernels::pim::Split;
using Matrix = Eigen::Matrix<std::int32_t, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Matrix matrix_of(const std::vector<std::int8_t> &elements, std::uint32_t rows, std::uint32_t columns) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < elements.size(); ++i) matrix.data()[i] = elements[i];
  return matrix;
}

void check(GemmArguments a, bool column_major = false) {
  std::mt19937 random(a.m + a.k + a.n);
  Bench bench(a.first_core + a.cores);
  const auto left = random_vector<std::int8_t>(random, std::size_t{a.m} * a.k, -128, 127);
  const auto right = random_vector<std::int8_t>(random, std::size_t{a.k} * a.n, -128, 127);
  const auto biases = random_vector<std::int32_t>(random, a.n, -1'000'000, 1'000'000);
  const auto multipliers = random_vector<std::int32_t>(random, a.n, 1 << 30, (std::int64_t{1} << 31) - 1);
  const auto shifts = random_vector<std::int8_t>(random, a.n, 8, 14);
  const LayerShape layer = gemm_layer(a).value();
  const Result<Mapping> mapping = choose_mapping(layer, bench.configuration);
  ASSERT_TRUE(mapping.ok()) << mapping.status().what();
  std::vector<std::byte> packed(mapping.value().bytes(bench.configuration.array));
  ASSERT_TRUE(pack_weights(layer, mapping.value(), bench.configuration,
                           {.values = right, .output_stride = column_major ? a.k : 1, .input_stride = column_major ? 1 : a.n},
                           {.biases = biases, .multipliers = multipliers, .shifts = shifts}, packed)
                  .ok());
  a.left = bench.put(left), a.weights = bench.put(packed);
  a.output = bench.allocate(std::size_t{a.m} * a.n * 4);
  if (a.resident) {
    ASSERT_TRUE(load_matrix(bench.builder, a, mapping.value()).ok());
    bench.run();
    std::memset(bench.at(a.weights), 0, mapping.value().array_bytes(bench.configuration.array));
  }
  const Status status = gemm(bench.builder, a, mapping.value());
  ASSERT_TRUE(status.ok()) << status.what();
  bench.run();

  const Matrix factor = column_major ? Matrix(matrix_of(right, a.n, a.k).transpose()) : matrix_of(right, a.k, a.n);
  Matrix sums = matrix_of(left, a.m, a.k) * factor;
  for (std::uint32_t column = 0; column < a.n; ++column) sums.col(column).array() += biases[column];
  const std::size_t count = std::size_t{a.m} * a.n;
  const std::span<const std::int32_t> expected(sums.data(), count);
  if (a.output_type == ResultType::int32) {
    EXPECT_EQ(bench.get<std::int32_t>(a.output, count), std::vector<std::int32_t>(expected.begin(), expected.end()));
    return;
  }
  std::vector<std::int8_t> results(count);
  for (std::size_t i = 0; i < count; ++i)
    results[i] =
        static_cast<std::int8_t>(std::clamp(multiplied(expected[i], multipliers[i % a.n], shifts[i % a.n]) + a.zero_point, -128, 127));
  EXPECT_EQ(bench.get<std::int8_t>(a.output, count), results);
}

TEST(PimGemm, Products) {
  check({.m = 1, .k = 1, .n = 1});
  check({.m = 17, .k = 33, .n = 9, .zero_point = 3});
  check({.m = 64, .k = 256, .n = 128, .output_type = ResultType::int32});
  check({.m = 5, .k = 2049, .n = 300});
  check({.m = 300, .k = 1000, .n = 10});
  check({.m = 33, .k = 64, .n = 65}, true);
}

TEST(PimGemm, Resident) {
  check({.m = 20, .k = 100, .n = 200, .resident = true, .first_row = 3});
  check({.m = 20, .k = 700, .n = 900, .resident = true, .cores = 3, .split = Split::outputs});
  check({.m = 2, .k = 64, .n = 5000, .resident = true, .first_row = 1, .cores = 2, .split = Split::outputs});
}

/// The rows of a core's passes follow each other, so two cores hold twice as many weights as one.
TEST(PimGemm, CoresHoldTheWeightsOfTheirPasses) {
  const GemmArguments one{.m = 20, .k = 2048, .n = 400, .resident = true};
  GemmArguments two = one;
  two.cores = 2, two.split = Split::outputs;
  const isa::pim::Configuration &configuration = isa::pim::default_configuration();
  EXPECT_EQ(choose_mapping(gemm_layer(one).value(), configuration, 8).status().code(), ErrorCode::no_room);
  EXPECT_TRUE(choose_mapping(gemm_layer(two).value(), configuration, 8).ok());
}

TEST(PimGemm, SeveralCores) {
  check({.m = 50, .k = 96, .n = 40, .cores = 4});
  check({.m = 3, .k = 700, .n = 500, .cores = 4, .split = Split::outputs});
}

TEST(PimGemv, Products) {
  for (const unsigned cores : {1U, 3U}) {
    const GemvArguments a{.n = 1500, .k = 1030, .zero_point = -4, .cores = cores};
    check(product_of(a), true);
  }
}

}  // namespace
}  // namespace cox::tests::pim::gemm_test
