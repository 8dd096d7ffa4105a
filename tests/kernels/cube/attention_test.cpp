// SPDX-License-Identifier: MIT
// Runs attention() on the model with the native board, and compares the output with an evaluation in double precision.
#include "coxswain/kernels/cube/attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/kernels/cube/softmax_rows.h"
#include "tests/kernels/cube/numbers.h"
#include "tests/kernels/device_test.h"

namespace cox::kernels::cube {
namespace {

constexpr std::uint64_t kLimit = 10'000'000;

struct Shape {
  std::uint32_t queries, keys, depth, width;
};

double from_bits(std::uint16_t bits, Type type) { return type == Type::bfloat16 ? tests::bfloat16_value(bits) : tests::half_value(bits); }
/// The unit in the last place of a number x of this type is at most x * 2^-precision.
constexpr int precision(OutputType type) { return type == OutputType::float32 ? 23 : type == OutputType::half ? 10 : 7; }

class Attention : public tests::DeviceTest {
 protected:
  Attention() {
    EXPECT_TRUE(engine.init(accelerator, {.context = 1, .windows = windows}).ok());
    for (unsigned i = 0; i < 2; ++i)
      EXPECT_TRUE(streams_[i].init(board_->core_dram().last(kMiB * (i + 1)).first(64 << 10), windows, 4).ok());
  }

  std::span<std::byte> take(std::uint64_t bytes) {
    const std::span<std::byte> memory = board_->dram().subspan(used_, bytes);
    used_ += (bytes + 95) / 32 * 32;
    return memory;
  }
  /// A matrix of normally distributed random numbers with the standard deviation `spread`.
  Matrix matrix(std::uint32_t rows, std::uint32_t columns, Order order, Type type, float spread) {
    std::normal_distribution<float> number(0, spread);
    const std::span<std::byte> memory = take(std::uint64_t{rows} * columns * 2);
    for (std::size_t i = 0; i < memory.size(); i += 2) {
      const auto bits = std::bit_cast<std::uint32_t>(number(random_));
      // Truncates the number to the type's precision. No number exceeds FP16's range; numbers that are too small for it become zero or
      // subnormal.
      const auto element = static_cast<std::uint16_t>(
          type == Type::bfloat16 ? bits >> 16
                                 : (bits >> 16 & 0x8000) | std::max<int>(static_cast<int>(bits >> 13 & 0x3FFFF) - (112 << 10), 0));
      std::memcpy(&memory[i], &element, sizeof(element));
    }
    return {.address = address_of(memory), .rows = rows, .columns = columns, .order = order};
  }
  [[nodiscard]] std::uint64_t address_of(std::span<std::byte> memory) const { return board_->address_of(memory.data()); }
  /// The same memory as the core sees it.
  [[nodiscard]] std::span<std::byte> core_memory(std::span<std::byte> memory) const {
    return board_->core_dram().subspan(static_cast<std::size_t>(memory.data() - board_->dram().data()), memory.size());
  }
  std::byte *memory_at(std::uint64_t address) { return board_->dram().data() + (address - hal::dram_range().address); }

  AttentionArguments problem(const Shape &shape, Type type = Type::bfloat16, OutputType to = OutputType::float32, float spread = 1) {
    used_ = 0;
    AttentionArguments call;
    call.type = type;
    call.to = to;
    call.queries = matrix(shape.queries, shape.depth, Order::row_major, type, spread);
    call.keys = matrix(shape.depth, shape.keys, Order::column_major, type, 1);
    call.values = matrix(shape.keys, shape.width, Order::row_major, type, 1);
    const std::span<std::byte> output = take(std::uint64_t{shape.queries} * shape.width * isa::cube::element_bytes(to));
    std::fill(output.begin(), output.end(), std::byte{0xA5});
    call.output = {.address = address_of(output), .rows = shape.queries, .columns = shape.width};
    call.scratch = core_memory(take(attention_scratch_bytes(call).value()));
    return call;
  }
  Status run(const AttentionArguments &call) { return attention(engine, {streams_[0], streams_[1]}, call, kLimit); }

  double element(const Matrix &matrix, std::uint32_t row, std::uint32_t column, Type type) {
    const std::size_t index =
        matrix.order == Order::row_major ? std::size_t{row} * matrix.columns + column : std::size_t{column} * matrix.rows + row;
    std::uint16_t bits = 0;
    std::memcpy(&bits, memory_at(matrix.address) + 2 * index, sizeof(bits));
    return from_bits(bits, type);
  }
  double result(const AttentionArguments &call, std::uint32_t row, std::uint32_t column) {
    const std::byte *const from =
        memory_at(call.output.address) + (std::size_t{row} * call.output.columns + column) * isa::cube::element_bytes(call.to);
    if (call.to != OutputType::float32) {
      std::uint16_t bits = 0;
      std::memcpy(&bits, from, sizeof(bits));
      return from_bits(bits, call.to == OutputType::half ? Type::half : Type::bfloat16);
    }
    float value = 0;
    std::memcpy(&value, from, sizeof(value));
    return value;
  }

  /// Compares the output with an evaluation in double precision. The bound adds up the errors of all roundings. A score takes
  /// `depth` fused multiply-adds and one multiplication. A softmax weight has the error of softmax_rows() and is rounded once to its type.
  /// An output takes `keys` fused multiply-adds and is rounded once to its type.
  void expect_attention(const AttentionArguments &call) {
    const std::uint32_t keys = call.keys.columns, depth = call.keys.rows;
    const double scale = call.scale != 0 ? call.scale : 1 / std::sqrt(depth);
    const double weight_rounding = std::ldexp(1, call.type == Type::half ? -11 : -8);
    std::vector<double> scores(keys), slack(keys);
    for (std::uint32_t row = 0; row < call.queries.rows; ++row) {
      const std::int64_t last = call.causal ? std::int64_t{row} + call.diagonal : keys;
      const auto visible = static_cast<std::uint32_t>(std::clamp<std::int64_t>(last + (call.causal ? 1 : 0), 0, keys));
      double maximum = -INFINITY, most_slack = 0;
      for (std::uint32_t key = 0; key < visible; ++key) {
        double sum = 0, magnitude = 0;
        for (std::uint32_t k = 0; k < depth; ++k) {
          const double product = element(call.queries, row, k, call.type) * element(call.keys, k, key, call.type);
          sum += product;
          magnitude += std::fabs(product);
        }
        scores[key] = sum * scale;
        slack[key] = magnitude * std::fabs(scale) * std::ldexp(depth + 3, -24);
        maximum = std::max(maximum, scores[key]);
        most_slack = std::max(most_slack, slack[key]);
      }
      double total = 0;
      for (std::uint32_t key = 0; key < visible; ++key) total += std::exp(scores[key] - maximum);
      for (std::uint32_t column = 0; column < call.output.columns; ++column) {
        double exact = 0, bound = 0;
        for (std::uint32_t key = 0; key < visible; ++key) {
          const double weight = std::exp(scores[key] - maximum) / total, value = element(call.values, key, column, call.type);
          exact += weight * value;
          const double before = std::expm1(2 * (slack[key] + most_slack)) + std::ldexp(8 + keys / 4.0 + maximum - scores[key] + keys, -24);
          bound += std::fabs(value) * (weight * (before + weight_rounding) + std::ldexp(1, -25));
        }
        bound += std::ldexp(std::fabs(exact) + bound, -precision(call.to) - 1) + std::ldexp(1, -25);
        ASSERT_NEAR(result(call, row, column), exact, bound) << "row " << row << ", column " << column;
      }
    }
  }

  Engine engine;
  std::array<Stream, 2> streams_;
  std::size_t used_ = 0;
  std::mt19937 random_{1};
};

TEST_F(Attention, IsWithinItsBound) {
  for (const Shape &shape : {Shape{1, 1, 1, 1}, Shape{1, 40, 16, 8}, Shape{37, 1, 5, 3}, Shape{16, 16, 16, 16}, Shape{33, 65, 40, 17},
                             Shape{130, 131, 64, 64}, Shape{300, 70, 32, 48}, Shape{50, 413, 64, 32}}) {
    for (const Type type : {Type::bfloat16, Type::half}) {
      const AttentionArguments call = problem(shape, type);
      const Status status = run(call);
      ASSERT_TRUE(status.ok()) << status.what() << " of " << shape.queries << " x " << shape.keys;
      expect_attention(call);
    }
  }
}

TEST_F(Attention, CausalMasksScalesAndOutputs) {
  for (const std::int32_t diagonal : {0, 100, -20, -500}) {
    AttentionArguments call = problem({290, 150, 24, 20}, Type::half, OutputType::half);
    call.causal = true;
    call.diagonal = diagonal;
    ASSERT_TRUE(run(call).ok());
    expect_attention(call);
  }
  AttentionArguments call = problem({20, 50, 24, 20}, Type::bfloat16, OutputType::bfloat16, 30);
  call.scale = -2.5F;  // scores are in the hundreds: nearly all weights are 0
  ASSERT_TRUE(run(call).ok());
  expect_attention(call);
}

TEST_F(Attention, MatricesLieAnyWay) {
  AttentionArguments call = problem({150, 90, 24, 20});
  call.queries.order = call.values.order = Order::column_major;
  call.keys.order = Order::row_major;
  ASSERT_TRUE(run(call).ok());
  expect_attention(call);
}

TEST_F(Attention, SmallScratchMakesSmallBlocksAndTheSameBits) {
  AttentionArguments call = problem({200, 90, 24, 20});
  ASSERT_TRUE(run(call).ok());
  const std::vector<std::byte> whole(memory_at(call.output.address), memory_at(call.output.address) + 200 * 20 * 4);
  std::fill_n(memory_at(call.output.address), whole.size(), std::byte{0});
  call.scratch = call.scratch.first(attention_least_scratch_bytes(call).value());
  ASSERT_TRUE(run(call).ok());
  EXPECT_TRUE(std::equal(whole.begin(), whole.end(), memory_at(call.output.address)));
}

// The end of scratch shares a cache line with other memory of the program.
TEST_F(Attention, WhatLiesBehindScratchStays) {
  AttentionArguments call = problem({200, 90, 24, 20});
  const std::size_t bytes = attention_least_scratch_bytes(call).value() + 8;
  const std::span<std::byte> behind = call.scratch.subspan(bytes, 8);
  call.scratch = call.scratch.first(bytes);
  std::fill(behind.begin(), behind.end(), std::byte{0x5A});
  ASSERT_TRUE(run(call).ok());
  EXPECT_EQ(std::vector<std::byte>(behind.begin(), behind.end()), std::vector<std::byte>(behind.size(), std::byte{0x5A}));
}

TEST_F(Attention, NumbersThatAreNone) {
  AttentionArguments call = problem({40, 20, 8, 4});
  const std::uint16_t nan = 0x7FC0;
  std::memcpy(memory_at(call.queries.address) + 3 * 8 * 2, &nan, sizeof(nan));
  std::memcpy(memory_at(call.values.address) + 2, &nan, sizeof(nan));  // key 0, column 1
  ASSERT_TRUE(run(call).ok());
  for (std::uint32_t row = 0; row < 40; ++row) {
    for (std::uint32_t column = 0; column < 4; ++column)
      EXPECT_EQ(std::isnan(result(call, row, column)), row == 3 || column == 1) << row << ", " << column;
  }
}

TEST_F(Attention, RefusesBeforeAnythingIsTouched) {
  const auto refused = [this](const AttentionArguments &call, ErrorCode code, const char *what) {
    const std::vector<std::byte> before(board_->dram().begin(), board_->dram().begin() + static_cast<std::ptrdiff_t>(used_));
    const Status status = run(call);
    EXPECT_EQ(status.code(), code) << what << ", " << status.what();
    EXPECT_STREQ(status.what(), what);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), board_->dram().begin())) << what;
  };
  const AttentionArguments good = problem({40, 20, 8, 4});
  const auto changed = [&good](auto change) {
    AttentionArguments call = good;
    change(call);
    return call;
  };
  refused(changed([](auto &call) { call.type = Type::int8; }), ErrorCode::unsupported, "type");
  refused(changed([](auto &call) { call.to = OutputType::int8; }), ErrorCode::unsupported, "to");
  refused(changed([](auto &call) { call.scale = std::numeric_limits<float>::infinity(); }), ErrorCode::invalid_argument, "scale");
  refused(changed([](auto &call) { call.queries.rows = 0; }), ErrorCode::invalid_argument, "queries");
  refused(changed([](auto &call) { call.keys.in_l1 = true; }), ErrorCode::invalid_argument, "keys");
  refused(changed([](auto &call) { call.values.pitch = 6; }), ErrorCode::invalid_argument, "values");
  refused(changed([](auto &call) { call.queries.order = static_cast<Order>(2); }), ErrorCode::invalid_argument, "queries");
  refused(changed([](auto &call) { call.output.order = Order::column_major; }), ErrorCode::invalid_argument, "output");
  refused(changed([](auto &call) { call.keys.rows = 9; }), ErrorCode::shape_mismatch, "keys");
  refused(changed([](auto &call) { call.values.rows = 21; }), ErrorCode::shape_mismatch, "values");
  refused(changed([](auto &call) { call.output.rows = 39; }), ErrorCode::shape_mismatch, "output");
  refused(changed([](auto &call) { call.output.columns = 5; }), ErrorCode::shape_mismatch, "output");
  refused(changed([](auto &call) { ++call.queries.address; }), ErrorCode::misaligned_address, "queries");
  refused(changed([](auto &call) { call.scratch = call.scratch.subspan(16); }), ErrorCode::misaligned_address, "scratch");
  refused(changed([](auto &call) { call.scratch = call.scratch.first(2 * 16 * 96 - 1); }), ErrorCode::no_room, "scratch");
  refused(changed([](auto &call) { call.values.address = hal::dram_range().address + kWindowBytes - 2; }),
          ErrorCode::address_outside_window, "values");
  refused(changed([](auto &call) { call.output.address = call.keys.address; }), ErrorCode::tensor_overlap, "keys");
  refused(changed([this](auto &call) {
            call.scratch = core_memory({memory_at(call.queries.address), call.scratch.size()});
          }),
          ErrorCode::tensor_overlap, "scratch");
  EXPECT_TRUE(run(good).ok());
  expect_attention(good);
}

TEST_F(Attention, SaysWhatTheEngineSays) {
  AttentionArguments call = problem({40, 20, 8, 4});
  Engine fresh;
  EXPECT_EQ(attention(fresh, {streams_[0], streams_[1]}, call).code(), ErrorCode::not_ready);
  EXPECT_EQ(attention(engine, {streams_[0], streams_[1]}, call, 0).code(), ErrorCode::timeout);
  EXPECT_TRUE(run(call).ok());
  expect_attention(call);
}

TEST_F(Attention, ScratchIsBounded) {
  AttentionArguments call;
  call.queries = {.rows = 5000, .columns = 64};
  call.keys = {.rows = 64, .columns = 1001};
  call.values = {.rows = 1001, .columns = 64};
  call.output = {.rows = 5000, .columns = 64};
  EXPECT_EQ(attention_scratch_bytes(call).value(), 2U * kAttentionRows * 4032);
  EXPECT_EQ(attention_least_scratch_bytes(call).value(), 2U * 16 * 4032);
  call.queries.rows = 3;
  call.output.rows = 3;
  EXPECT_EQ(attention_scratch_bytes(call).value(), 2U * 16 * 4032);
  call.keys.rows = 63;
  EXPECT_EQ(attention_scratch_bytes(call).status().code(), ErrorCode::shape_mismatch);
}

}  // namespace
}  // namespace cox::kernels::cube
