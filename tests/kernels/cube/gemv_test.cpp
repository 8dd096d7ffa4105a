// SPDX-License-Identifier: MIT
// Compares gemv() with plain loops.
#include "coxswain/kernels/cube/gemv.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "sim/model/cube/hazard/detector.h"
#include "tests/kernels/cube/conv2d_problem.h"
#include "tests/kernels/cube/gemm_problem.h"

namespace cox::tests {
namespace {

using kernels::cube::Activation;
using kernels::cube::GemvArguments;
using kernels::cube::Order;
using kernels::cube::OutputType;
using kernels::cube::Type;

template <typename T>
T load(std::uint64_t address, std::uint64_t index) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void *>(address + index * sizeof(T)), sizeof(T));  // NOLINT(performance-no-int-to-ptr)
  return value;
}

void run(CubeMemory &memory, const GemvArguments &arguments) {
  memory.stream().clear();
  const Status status = gemv(memory.stream(), arguments);
  ASSERT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what();
  const model::cube::Analysis analysis = model::cube::analyse(memory.stream().code());
  ASSERT_TRUE(analysis.refusal.ok()) << analysis.refusal.what();
  ASSERT_TRUE(analysis.findings.empty()) << analysis.findings.front().text();
  execute(memory.stream().code());
}

TEST(Gemv, OfFloatsIsAChainOfFma) {
  std::mt19937 random(41);
  for (unsigned i = 0; i < 40; ++i) {
    CubeMemory memory(4U << 20);
    const std::uint32_t m = 1 + static_cast<std::uint32_t>(random()) % 900, k = 1 + static_cast<std::uint32_t>(random()) % 600;
    GemvArguments a{.type = Type::float32, .alpha = 0.5F};
    a.matrix.rows = m;
    a.matrix.columns = k;
    a.matrix.order = i % 2 == 0 ? Order::row_major : Order::column_major;
    const std::uint32_t lines = i % 2 == 0 ? m : k, length = i % 2 == 0 ? k : m;
    a.matrix.pitch = i % 3 == 0 ? 0 : 4 * length + 12;
    const std::uint32_t pitch = i % 3 == 0 ? 4 * length : a.matrix.pitch;
    a.matrix.address = memory.take(std::uint64_t{lines} * pitch);
    a.vector = memory.take(4ULL * k);
    a.output = memory.take(4ULL * m);
    a.biases = memory.take(4ULL * m);
    a.scales = i % 5 == 0 ? memory.take(4ULL * m) : 0;
    if (a.scales != 0) a.alpha = 1;
    a.beta = i % 4 == 0 ? 2.0F : 0.0F;
    a.addend = i % 8 == 0 ? a.output : memory.take(4ULL * m);
    fill_elements(a.matrix.address, std::uint64_t{lines} * pitch, Type::float32, random);
    fill_elements(a.vector, 4ULL * k, Type::float32, random);
    fill_elements(a.biases, 4ULL * m, Type::float32, random);
    fill_elements(a.addend, 4ULL * m, Type::float32, random);
    if (a.scales != 0) fill_elements(a.scales, 4ULL * m, Type::float32, random);
    std::vector<float> addend;
    for (std::uint32_t row = 0; row < m; ++row) addend.push_back(load<float>(a.addend, row));
    run(memory, a);
    for (std::uint32_t row = 0; row < m; ++row) {
      float sum = 0;
      for (std::uint32_t column = 0; column < k; ++column) {
        const std::uint64_t at = std::uint64_t{i % 2 == 0 ? row : column} * pitch / 4 + (i % 2 == 0 ? column : row);
        sum = std::fma(load<float>(a.matrix.address, at), load<float>(a.vector, column), sum);
      }
      sum *= a.scales != 0 ? load<float>(a.scales, row) : a.alpha;
      if (a.beta != 0) sum = std::fma(a.beta, addend[row], sum);
      sum += load<float>(a.biases, row);
      ASSERT_EQ(load<float>(a.output, row), sum) << m << "x" << k << ", row " << row;
    }
  }
}

TEST(Gemv, OfIntegersIsExact) {
  std::mt19937 random(42);
  CubeMemory memory(4U << 20);
  GemvArguments a{.type = Type::int8, .to = OutputType::int32, .activation = Activation::ReLU};
  a.matrix.rows = 12345;
  a.matrix.columns = 131;
  a.matrix.address = memory.take(12345ULL * 131);
  a.vector = memory.take(131);
  a.output = memory.take(4 * 12345);
  a.biases = memory.take(4 * 12345);
  fill_elements(a.matrix.address, 12345ULL * 131, Type::int8, random);
  fill_elements(a.vector, 131, Type::int8, random);
  fill_elements(a.biases, 4 * 12345, Type::int8, random);
  run(memory, a);
  for (std::uint32_t row = 0; row < 12345; ++row) {
    auto sum = load<std::uint32_t>(a.biases, row);
    for (std::uint32_t column = 0; column < 131; ++column)
      sum += static_cast<std::uint32_t>(load<std::int8_t>(a.matrix.address, std::uint64_t{row} * 131 + column) *
                                        load<std::int8_t>(a.vector, column));
    ASSERT_EQ(load<std::int32_t>(a.output, row), std::max(static_cast<std::int32_t>(sum), 0)) << row;
  }
}

TEST(Gemv, RefusesAsGemm) {
  CubeMemory memory(1U << 16);
  GemvArguments good{};
  good.matrix.rows = 20;
  good.matrix.columns = 30;
  good.matrix.address = memory.take(1200);
  good.vector = memory.take(60);
  good.output = memory.take(80);
  const auto refused = [&](const GemvArguments &arguments, ErrorCode code, const char *what) {
    const Status status = gemv(memory.stream(), arguments);
    EXPECT_EQ(status.code(), code) << status.what();
    EXPECT_STREQ(status.what(), what);
    EXPECT_EQ(memory.stream().slots(), 0U);
  };
  GemvArguments bad = good;
  bad.matrix.rows = 0;
  refused(bad, ErrorCode::invalid_argument, "right");
  bad = good;
  bad.matrix.order = static_cast<kernels::cube::Order>(2);
  refused(bad, ErrorCode::invalid_argument, "right");
  bad = good;
  ++bad.vector;
  refused(bad, ErrorCode::misaligned_address, "left");
  bad = good;
  bad.matrix.address = 0;
  refused(bad, ErrorCode::address_outside_window, "right");
  bad = good;
  bad.output = good.vector / 4 * 4;
  refused(bad, ErrorCode::tensor_overlap, "left");
  EXPECT_TRUE(gemv(memory.stream(), good).ok());
}

}  // namespace
}  // namespace cox::tests
