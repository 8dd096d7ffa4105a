// SPDX-License-Identifier: MIT
// Calls every kernel through the C interface. The engine is the accelerator's model, with the native board.
#include "coxswain/kernels/cube/coxswain_cube.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "boards/native/native_board.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/cox_cube_mad.h"
#include "coxswain/kernels/mx/coxswain_mx.h"
#include "tests/kernels/c_interface_test.h"

namespace cox {
namespace {

class CoxswainCubeTest : public tests::CInterfaceTest {
 protected:
  CoxswainCubeTest() : CInterfaceTest(std::size_t{16} << 20) {}
  ~CoxswainCubeTest() override {
    static_cast<void>(cox_mx_close());
    static_cast<void>(cox_cube_close());
    static_cast<void>(cox_close());
  }
  void start() {
    const cox_options options = COX_OPTIONS;
    good(cox_open(&options));
    good(cox_cube_open());
    EXPECT_EQ(cox_dram_base(), hal::dram_range().address);
    EXPECT_EQ(cox_dram_bytes(), board_->dram().size());
    make(stream);
  }
  void make(cox_cube_stream &made, std::size_t bytes = 65536, std::uint32_t segments = 1) {
    stream_memory_ = take(bytes);
    good(cox_cube_stream_init(&made, at<void>(stream_memory_), bytes, segments));
  }
  /// Integers from -8 to 8, whose products and sums are exact in FP32.
  cox_cube_matrix floats(std::uint32_t rows, std::uint32_t columns) {
    const std::uint64_t bytes = std::uint64_t{rows} * columns * 4;
    const cox_cube_matrix matrix = {take(bytes), rows, columns, 0, COX_CUBE_ROW_MAJOR, false};
    for (std::uint64_t i = 0; i < std::uint64_t{rows} * columns; ++i)
      at<float>(matrix.address)[i] = static_cast<float>(static_cast<int>(random_() % 17) - 8);
    cox_cube_give(matrix.address, bytes);
    return matrix;
  }
  static float element(const cox_cube_matrix &matrix, std::uint32_t row, std::uint32_t column) {
    const std::uint64_t address = matrix.address + (std::size_t{row} * matrix.columns + column) * sizeof(float);
    cox_cube_take(address, sizeof(float));
    return *at<float>(address);
  }
  void run() {
    good(cox_cube_run(&stream, 0));
    cox_cube_stream_clear(&stream);
  }

  cox_cube_stream stream{};
  std::mt19937 random_{1};
  std::uint64_t stream_memory_ = 0;  ///< address of the stream that was made last
};

TEST_F(CoxswainCubeTest, BeforeInit) {
  refused(cox_cube_open(), "not_ready", "cox_open");
  refused(cox_cube_close(), "not_ready", "cox_cube_open");
  alignas(32) std::byte memory[64];
  refused(cox_cube_stream_init(&stream, memory, sizeof(memory), 1), "not_ready", "cox_cube_open");
  refused(cox_cube_run(&stream, 0), "not_ready", "cox_cube_open");
  refused(cox_cube_attach(&stream), "not_ready", "cox_cube_open");
  const cox_cube_attention_arguments arguments = cox_cube_attention_defaults();
  refused(cox_cube_attention(&stream, &stream, &arguments, 0), "not_ready", "cox_cube_open");
  EXPECT_EQ(cox_cube_warnings(), 0U);
  EXPECT_EQ(cox_cube_end_cycle(), 0U);
}

TEST_F(CoxswainCubeTest, Gemm) {
  start();
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  EXPECT_EQ(arguments.alpha, 1);
  EXPECT_EQ(arguments.batches, 1U);
  arguments.type = COX_CUBE_FLOAT;
  arguments.left = floats(20, 30);
  arguments.right = floats(30, 40);
  arguments.addend = floats(20, 40);
  arguments.output = floats(20, 40);
  arguments.biases = floats(1, 40).address;
  arguments.alpha = 0.5F;
  arguments.beta = 2;
  arguments.activation = COX_CUBE_CLIP;
  arguments.activation_parameter = 100;
  good(cox_cube_gemm(&stream, &arguments));
  EXPECT_GT(cox_cube_stream_slots(&stream), 0U);
  run();
  EXPECT_EQ(cox_cube_stream_slots(&stream), 0U);
  EXPECT_EQ(cox_cube_warnings(), 0U);
  EXPECT_GT(cox_cube_end_cycle(), 0U);
  cox_cube_take(arguments.output.address, 20 * 40 * 4);
  for (std::uint32_t row = 0; row < 20; ++row) {
    for (std::uint32_t column = 0; column < 40; ++column) {
      float sum = 0;
      for (std::uint32_t k = 0; k < 30; ++k) sum += element(arguments.left, row, k) * element(arguments.right, k, column);
      sum = sum / 2 + 2 * element(arguments.addend, row, column) + at<float>(arguments.biases)[column];
      EXPECT_EQ(element(arguments.output, row, column), std::min(std::max(sum, 0.0F), 100.0F));
    }
  }
}

/// Column-major operands, batches and strides. Segments of the stream run while the kernel writes others.
TEST_F(CoxswainCubeTest, BatchesThroughAnAttachedStream) {
  start();
  make(stream, 2 * 64 * 32, 2);
  good(cox_cube_attach(&stream));
  constexpr std::uint32_t kBatches = 30;
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  arguments.type = COX_CUBE_FLOAT;
  const cox_cube_matrix left = floats(kBatches * 5, 7), right = floats(9, 7), output = floats(kBatches * 5, 9);
  arguments.left = left;
  arguments.left.rows = 5;
  arguments.right = {right.address, 7, 9, 0, COX_CUBE_COLUMN_MAJOR, false};
  arguments.output = output;
  arguments.output.rows = 5;
  arguments.batches = kBatches;
  arguments.left_stride = 5 * 7 * 4;
  arguments.output_stride = 5 * 9 * 4;
  good(cox_cube_gemm(&stream, &arguments));
  good(cox_cube_gemm(&stream, &arguments));
  EXPECT_GT(cox_cube_stream_slots(&stream), 128U) << "more than its memory holds";
  run();
  for (std::uint32_t row = 0; row < kBatches * 5; ++row) {
    for (std::uint32_t column = 0; column < 9; ++column) {
      float sum = 0;
      for (std::uint32_t k = 0; k < 7; ++k) sum += element(left, row, k) * element(right, column, k);
      EXPECT_EQ(element(output, row, column), sum);
    }
  }
}

TEST_F(CoxswainCubeTest, Gemv) {
  start();
  cox_cube_gemv_arguments arguments = cox_cube_gemv_defaults();
  const cox_cube_matrix vector = floats(50, 1), output = floats(33, 1), addend = floats(33, 1);
  arguments.type = COX_CUBE_FLOAT;
  arguments.matrix = floats(33, 50);
  arguments.vector = vector.address;
  arguments.output = output.address;
  arguments.addend = addend.address;
  arguments.beta = -1;
  good(cox_cube_gemv(&stream, &arguments));
  run();
  for (std::uint32_t row = 0; row < 33; ++row) {
    float sum = -element(addend, row, 0);
    for (std::uint32_t k = 0; k < 50; ++k) sum += element(arguments.matrix, row, k) * element(vector, k, 0);
    EXPECT_EQ(element(output, row, 0), sum) << row;
  }
}

TEST_F(CoxswainCubeTest, Conv2d) {
  start();
  constexpr std::uint32_t kSide = 9, kChannels = 6, kOutputs = 10, kGroups = 2;
  cox_cube_conv2d_arguments arguments = cox_cube_conv2d_defaults();
  EXPECT_EQ(arguments.groups, 1U);
  arguments.input = take(kSide * kSide * kChannels);
  arguments.height = arguments.width = kSide;
  arguments.channels = kChannels;
  arguments.weights = take(kOutputs * 9 * kChannels / kGroups);
  arguments.kernel_height = arguments.kernel_width = 3;
  arguments.stride_y = 2;
  arguments.pad_left = arguments.pad_right = arguments.pad_bottom = 1;
  arguments.pad_value = 3;
  arguments.groups = kGroups;
  arguments.output_height = cox_cube_conv2d_output_side(kSide, 0, 1, 3, 1, 2);
  arguments.output_width = cox_cube_conv2d_output_side(kSide, 1, 1, 3, 1, 1);
  ASSERT_EQ(arguments.output_height, 4U);
  ASSERT_EQ(arguments.output_width, 9U);
  arguments.output_channels = kOutputs;
  arguments.output_type = COX_CUBE_TO_INT32;
  arguments.output = take(4 * 9 * kOutputs * 4);
  arguments.bias = take(kOutputs * 4);
  auto *const input = at<std::int8_t>(arguments.input), *const weights = at<std::int8_t>(arguments.weights);
  auto *const bias = at<std::int32_t>(arguments.bias);
  for (std::uint32_t i = 0; i < kSide * kSide * kChannels; ++i) input[i] = static_cast<std::int8_t>(random_());
  for (std::uint32_t i = 0; i < kOutputs * 9 * kChannels / kGroups; ++i) weights[i] = static_cast<std::int8_t>(random_());
  for (std::uint32_t i = 0; i < kOutputs; ++i) bias[i] = static_cast<std::int32_t>(random_() % 1000);
  cox_cube_give(arguments.input, kSide * kSide * kChannels);
  cox_cube_give(arguments.weights, kOutputs * 9 * kChannels / kGroups);
  cox_cube_give(arguments.bias, kOutputs * 4);

  std::uint64_t slots = 0;
  good(cox_cube_conv2d_slots(&arguments, &slots));
  good(cox_cube_conv2d(&stream, &arguments));
  EXPECT_EQ(cox_cube_stream_slots(&stream), slots);
  run();
  cox_cube_take(arguments.output, 4 * 9 * kOutputs * 4);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 9; ++x) {
      for (std::uint32_t o = 0; o < kOutputs; ++o) {
        std::int32_t sum = bias[o];
        for (int ky = 0; ky < 3; ++ky)
          for (int kx = 0; kx < 3; ++kx)
            for (std::uint32_t c = 0; c < 3; ++c) {
              const int row = 2 * y + ky, column = x + kx - 1;
              const bool inside = row < 9 && column >= 0 && column < 9;
              const int value = inside ? input[(static_cast<std::uint32_t>(row * 9 + column)) * kChannels + o / 5 * 3 + c] : 3;
              sum += value * weights[(o * 9 + static_cast<std::uint32_t>(ky * 3 + kx)) * 3 + c];
            }
        ASSERT_EQ(at<std::int32_t>(arguments.output)[static_cast<std::uint32_t>(y * 9 + x) * kOutputs + o], sum)
            << y << " " << x << " " << o;
      }
    }
  }
}

TEST_F(CoxswainCubeTest, Attention) {
  start();
  cox_cube_stream scores, output;
  make(scores, 2 * 64 * 32, 2);
  make(output, 2 * 64 * 32, 2);
  constexpr std::uint32_t kQueries = 40, kKeys = 30, kDepth = 16, kWidth = 24;
  const auto bfloat16 = [&](std::uint32_t rows, std::uint32_t columns) {
    const cox_cube_matrix matrix = {take(std::uint64_t{rows} * columns * 2), rows, columns, 0, COX_CUBE_ROW_MAJOR, false};
    for (std::uint32_t i = 0; i < rows * columns; ++i)
      at<std::uint16_t>(matrix.address)[i] = static_cast<std::uint16_t>((random_() & 0x803F) | 0x3F00);  // magnitudes of 0.5 to 0.75
    cox_cube_give(matrix.address, std::uint64_t{rows} * columns * 2);
    return matrix;
  };
  const auto value = [](const cox_cube_matrix &matrix, std::uint32_t row, std::uint32_t column) {
    const std::uint32_t bits = std::uint32_t{at<std::uint16_t>(matrix.address)[row * matrix.columns + column]} << 16;
    return double{std::bit_cast<float>(bits)};
  };
  cox_cube_attention_arguments arguments = cox_cube_attention_defaults();
  arguments.queries = bfloat16(kQueries, kDepth);
  const cox_cube_matrix keys = bfloat16(kKeys, kDepth);
  arguments.keys = {keys.address, kDepth, kKeys, 0, COX_CUBE_COLUMN_MAJOR, false};
  arguments.values = bfloat16(kKeys, kWidth);
  arguments.output = floats(kQueries, kWidth);
  arguments.to = COX_CUBE_TO_FLOAT;
  arguments.scale = 1;
  std::uint64_t bytes = 0, least = 0;
  good(cox_cube_attention_scratch_bytes(&arguments, &bytes));
  good(cox_cube_attention_least_scratch_bytes(&arguments, &least));
  EXPECT_GT(least, 0U);
  EXPECT_LE(least, bytes);
  refused(cox_cube_attention(&scores, &output, &arguments, 0), "no_room", "scratch");
  arguments.scratch = take(bytes);
  arguments.scratch_bytes = bytes;
  good(cox_cube_attention(&scores, &output, &arguments, 0));
  for (std::uint32_t row = 0; row < kQueries; ++row) {
    std::vector<double> weights(kKeys);
    double sum = 0;
    for (std::uint32_t key = 0; key < kKeys; ++key) {
      double score = 0;
      for (std::uint32_t d = 0; d < kDepth; ++d) score += value(arguments.queries, row, d) * value(keys, key, d);
      sum += weights[key] = std::exp(score);
    }
    for (std::uint32_t column = 0; column < kWidth; ++column) {
      double expected = 0;
      for (std::uint32_t key = 0; key < kKeys; ++key) expected += weights[key] / sum * value(arguments.values, key, column);
      ASSERT_NEAR(element(arguments.output, row, column), expected, 0x1p-8) << row << " " << column;
    }
  }
}

TEST_F(CoxswainCubeTest, Refusals) {
  start();
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  arguments.type = COX_CUBE_FLOAT;
  arguments.left = floats(4, 5);
  arguments.right = floats(6, 7);
  arguments.output = floats(4, 7);
  const cox_status mismatch = cox_cube_gemm(&stream, &arguments);
  EXPECT_STREQ(cox_error_name(mismatch.error), "shape_mismatch");
  EXPECT_EQ(cox_cube_stream_slots(&stream), 0U);
  arguments.right = floats(5, 7);
  const auto not_a_kernel = [&](auto change) {
    cox_cube_gemm_arguments changed = arguments;
    change(changed);
    const cox_status status = cox_cube_gemm(&stream, &changed);
    EXPECT_STREQ(cox_error_name(status.error), "invalid_argument") << status.what;
    EXPECT_EQ(cox_cube_stream_slots(&stream), 0U);
  };
  not_a_kernel([](auto &changed) { changed.type = 256 + COX_CUBE_FLOAT; });
  not_a_kernel([](auto &changed) { changed.to = 256; });
  not_a_kernel([](auto &changed) { changed.activation = 0xFFFFFFFF; });
  refused(cox_cube_stream_init(&stream, at<void>(hal::dram_range().address + 8), 64, 1), "invalid_argument", "stream address");
  make(stream);
  good(cox_cube_gemm(&stream, &arguments));
  run();
}

/// C = A * B, 128 x 64 by 64 x 256, with one MAD (docs/kernels/cube.md, Intrinsics).
TEST_F(CoxswainCubeTest, ByHand) {
  start();
  constexpr std::uint32_t kM = 128, kK = 64, kN = 256;
  const cox_cube_matrix a = floats(kM, kK), b = floats(kK, kN), c = floats(kM, kN);
  const auto append = [&] {
    const cox_cube_dram_to_l1 left = {a.address, kM, kK * 4, kK * 4, true, 0, kM / 16};
    good(cox_cube_move_dram_to_l1(&stream, &left));
    const cox_cube_dram_to_l1 right = {b.address, kK, kN * 4, kN * 4, true, 0x10000, kK / 16};
    good(cox_cube_move_dram_to_l1(&stream, &right));
    good(cox_cube_set_flag(&stream, COX_CUBE_MTE2, COX_CUBE_MTE1, 0));
    good(cox_cube_wait_flag(&stream, COX_CUBE_MTE2, COX_CUBE_MTE1, 0));
    const cox_cube_l1_to_l0 to_l0a = {COX_CUBE_FLOAT, 0, 0, kM / 16, kM, kK, false, false};
    good(cox_cube_move_l1_to_l0a(&stream, &to_l0a));
    const cox_cube_l1_to_l0 to_l0b = {COX_CUBE_FLOAT, 0, 0x10000, kK / 16, kK, kN, true, false};
    good(cox_cube_move_l1_to_l0b(&stream, &to_l0b));
    good(cox_cube_set_flag(&stream, COX_CUBE_MTE1, COX_CUBE_M, 0));
    good(cox_cube_wait_flag(&stream, COX_CUBE_MTE1, COX_CUBE_M, 0));
    const cox_cube_mad mad = {0, 0, 0, kM, kK, kN, COX_CUBE_START_ZERO, 0, false};
    good(cox_cube_mad_f32(&stream, &mad));
    good(cox_cube_set_flag(&stream, COX_CUBE_M, COX_CUBE_FIX, 0));
    good(cox_cube_wait_flag(&stream, COX_CUBE_M, COX_CUBE_FIX, 0));
    const cox_cube_l0c_to_dram out = {c.address, kN * 4, COX_CUBE_TO_FLOAT, 0, kM / 16, kM, kN, false};
    good(cox_cube_move_l0c_to_dram(&stream, &out));
  };
  append();
  run();
  for (const auto &[row, column] : {std::pair(0U, 0U), std::pair(77U, 130U), std::pair(kM - 1, kN - 1)}) {
    float expected = 0;
    for (std::uint32_t k = 0; k < kK; ++k) expected += element(a, row, k) * element(b, k, column);
    EXPECT_EQ(element(c, row, column), expected) << row << ", " << column;
  }
}

TEST_F(CoxswainCubeTest, EachTypeOfMadHasItsName) {
  start();
  const auto type_of = [&](cox_status (*call)(cox_cube_stream *, const cox_cube_mad *)) {
    cox_cube_stream_clear(&stream);
    const cox_cube_mad mad = {0, 0, 0, 16, 32, 16, COX_CUBE_START_ZERO, 0, false};
    good(call(&stream, &mad));
    EXPECT_EQ(cox_cube_stream_slots(&stream), 1U);
    isa::cube::MachineCode code;
    std::memcpy(code.data(), at<void>(stream_memory_), sizeof code);
    return static_cast<int>(isa::get<isa::cube::Opcode::MAD, "Type">(code));
  };
  EXPECT_EQ(type_of(cox_cube_mad_bf16), COX_CUBE_BFLOAT16);
  EXPECT_EQ(type_of(cox_cube_mad_f16), COX_CUBE_HALF);
  EXPECT_EQ(type_of(cox_cube_mad_f32), COX_CUBE_FLOAT);
  EXPECT_EQ(type_of(cox_cube_mad_s8), COX_CUBE_INT8);
  EXPECT_EQ(type_of(cox_cube_mad_s4), COX_CUBE_INT4);
}

TEST_F(CoxswainCubeTest, WhatMadRefuses) {
  start();
  const auto refuse = [&](const cox_cube_mad &mad, const char *name, const char *what) {
    refused(cox_cube_mad_f16(&stream, &mad), name, what);
    EXPECT_EQ(cox_cube_stream_slots(&stream), 0U);
  };
  refuse({1, 0, 0, 16, 16, 16, COX_CUBE_START_ZERO, 0, false}, "misaligned_address", "dst");
  refuse({0, 64 << 10, 0, 16, 16, 16, COX_CUBE_START_ZERO, 0, false}, "address_outside_buffer", "src0");
  refuse({0, 0, 0, 4096, 16, 16, COX_CUBE_START_ZERO, 0, false}, "field_out_of_range", "m");
  refuse({0, 0, 0, 16, 16, 16, COX_CUBE_START_BIAS, 1, false}, "misaligned_address", "bt_addr");
  refuse({0, 0, 0, 16, 16, 16, 3, 0, false}, "field_out_of_range", "start");
  refused(cox_cube_set_flag(&stream, COX_CUBE_M, COX_CUBE_M, 0), "shape_mismatch", "Target");
  refused(cox_cube_set_flag(&stream, COX_CUBE_M, COX_CUBE_FIX, 8), "field_out_of_range", "Event");
  refused(cox_cube_pipe_barrier(&stream, static_cast<cox_cube_pipe>(5)), "field_out_of_range", "pipe");
  EXPECT_EQ(cox_cube_stream_slots(&stream), 0U);
}

TEST_F(CoxswainCubeTest, SubmitReturnsBeforeTheStreamEnds) {
  std::uint32_t tag = 0;
  refused(cox_cube_submit(&stream, &tag), "not_ready", "cox_cube_open");
  refused(cox_cube_wait(0, 0), "not_ready", "cox_cube_open");
  start();
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  arguments.type = COX_CUBE_FLOAT;
  arguments.left = floats(64, 64);
  arguments.right = floats(64, 64);
  arguments.output = floats(64, 64);
  good(cox_cube_gemm(&stream, &arguments));
  refused(cox_cube_submit(&stream, nullptr), "invalid_argument", "handle");
  const std::uint64_t before = board_->now();
  good(cox_cube_submit(&stream, &tag));
  EXPECT_EQ(board_->now(), before);
  EXPECT_EQ(cox_cube_end_cycle(), 0U);
  good(cox_cube_wait(tag, 0));
  EXPECT_GT(cox_cube_end_cycle(), before);
}

/// The two engines have separate queue memory and contexts.
TEST_F(CoxswainCubeTest, BesideTheMxEngine) {
  start();
  good(cox_mx_open());
  const cox_mx_tensor a = {take(4096), 16, 2, 2}, sum = {take(4096), 16, 2, 2};
  std::vector<float> numbers(64, 1.5F);
  good(cox_mx_pack(numbers.data(), &a));
  cox_mx_give(&a);
  cox_mx_stream mx;
  good(cox_mx_stream_init(&mx, at<void>(take(1024)), 1024));
  good(cox_mx_eladd(&mx, &a, &a, &sum));
  cox_cube_gemm_arguments arguments = cox_cube_gemm_defaults();
  arguments.type = COX_CUBE_FLOAT;
  arguments.left = floats(1, 1);
  arguments.right = floats(1, 1);
  arguments.output = floats(1, 1);
  *at<float>(arguments.left.address) = 3;
  *at<float>(arguments.right.address) = 5;
  cox_cube_give(arguments.left.address, sizeof(float));
  cox_cube_give(arguments.right.address, sizeof(float));
  good(cox_cube_gemm(&stream, &arguments));
  for (int i = 0; i < 20; ++i) {
    *at<float>(arguments.output.address) = 0;
    cox_cube_give(arguments.output.address, sizeof(float));
    good(cox_cube_run(&stream, 0));
    EXPECT_EQ(element(arguments.output, 0, 0), 15);
    good(cox_mx_run(&mx, 0));
  }
  cox_mx_take(&sum);
  good(cox_mx_unpack(&sum, numbers.data()));
  EXPECT_EQ(numbers.front(), 3);
}

}  // namespace
}  // namespace cox
