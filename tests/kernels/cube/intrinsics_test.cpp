// SPDX-License-Identifier: MIT
// Runs programs that use only the intrinsics on the model, and compares their results with plain loops. Also tests calls that the
// intrinsics refuse.
#include "coxswain/kernels/cube/intrinsics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "coxswain/hal/board.h"
#include "coxswain/isa/cube/build.h"
#include "coxswain/isa/cube/warning.h"
#include "coxswain/kernels/cube/engine.h"
#include "tests/kernels/device_test.h"

namespace cox::kernels::cube::intrinsics {
namespace {

using isa::cube::fractals;
using isa::cube::kFractalRows;
using isa::cube::MachineCode;
using isa::cube::OutputType;
using isa::cube::Pipe;

// Addresses in DRAM.
constexpr std::uint64_t kA = 0, kB = 2U << 20, kBias = 4U << 20, kC = 5U << 20;
// Addresses in L1.
constexpr std::uint32_t kA1 = 0, kB1 = 512 << 10, kBias1 = 1020 << 10;

/// Makes pointers as the example code of docs/kernels/cube.md does.
template <typename T>
__ca__ T *in_l0a(std::uintptr_t offset) {
  return reinterpret_cast<__ca__ T *>(offset);
}
template <typename T>
__cb__ T *in_l0b(std::uintptr_t offset) {
  return reinterpret_cast<__cb__ T *>(offset);
}
template <typename T>
__cc__ T *in_l0c(std::uintptr_t offset) {
  return reinterpret_cast<__cc__ T *>(offset);
}

/// Makes `next` wait for `pipe`.
void after(pipe_t pipe, pipe_t next, event_t event = EVENT_ID0) {
  set_flag(pipe, next, event);
  wait_flag(pipe, next, event);
}

class IntrinsicsTest : public tests::HazardsTest {
 protected:
  IntrinsicsTest() {
    const Status status = engine.init(accelerator, {.windows = windows});
    EXPECT_TRUE(status.ok()) << status.what();
    EXPECT_TRUE(stream.init(board_->core_dram().subspan(kWindowBytes, kMiB), windows).ok());
  }

  template <typename T>
  T *in_dram(std::uint64_t offset) {
    return reinterpret_cast<T *>(board_->dram().data() + offset);
  }
  void run() {
    const Status status = engine.run(stream);
    ASSERT_TRUE(status.ok()) << error_name(status.code()) << " " << engine.fault().name << " " << status.what() << " " << status.index();
    stream.clear();
  }

  Engine engine;
  Stream stream;
};

// One class for each type. put() writes a random element to DRAM and returns its value. row_bytes(k) is the size of a row of `k` elements.

struct Bfloat16 {
  using Element = bfloat16_t;
  using Accumulator = float;
  static constexpr OutputType kOut = OutputType::float32;
  static constexpr std::uint32_t kBytes = 2;
  static std::uint32_t row_bytes(std::uint32_t k) { return 2 * k; }
  /// Writes a random element at `place` of `row` and returns its value. Its magnitude is from 2^-4 to nearly 2^4.
  static float put(std::byte *row, std::uint32_t place, std::uint32_t random) {
    const auto bits = static_cast<std::uint16_t>((random & 0x807F) | (123 + (random >> 16) % 8) << 7);
    std::memcpy(row + 2 * place, &bits, 2);
    return std::copysign(std::ldexp(1 + static_cast<float>(bits & 0x7F) / 128, (bits >> 7 & 0xFF) - 127),
                         (bits & 0x8000) != 0 ? -1.F : 1.F);
  }
};
struct Half : Bfloat16 {
  using Element = half;
  static float put(std::byte *row, std::uint32_t place, std::uint32_t random) {
    const auto bits = static_cast<std::uint16_t>((random & 0x83FF) | (11 + (random >> 16) % 8) << 10);
    std::memcpy(row + 2 * place, &bits, 2);
    return std::copysign(std::ldexp(1 + static_cast<float>(bits & 0x3FF) / 1024, (bits >> 10 & 0x1F) - 15),
                         (bits & 0x8000) != 0 ? -1.F : 1.F);
  }
};
struct Float : Bfloat16 {
  using Element = float;
  static constexpr std::uint32_t kBytes = 4;
  static std::uint32_t row_bytes(std::uint32_t k) { return 4 * k; }
  static float put(std::byte *row, std::uint32_t place, std::uint32_t random) {
    const float value = std::ldexp(static_cast<float>(static_cast<std::int32_t>(random)), -31);
    std::memcpy(row + 4 * place, &value, 4);
    return value;
  }
};
struct Int8 {
  using Element = int8_t;
  using Accumulator = int32_t;
  static constexpr OutputType kOut = OutputType::int32;
  static constexpr std::uint32_t kBytes = 1;
  static std::uint32_t row_bytes(std::uint32_t k) { return k; }
  static std::int32_t put(std::byte *row, std::uint32_t place, std::uint32_t random) {
    row[place] = static_cast<std::byte>(random);
    return static_cast<std::int8_t>(random);
  }
};
struct S4 : Int8 {
  using Element = void;
  static std::uint32_t row_bytes(std::uint32_t k) { return k / 2; }
  /// The low nibble of a byte holds the first of its two elements.
  static std::int32_t put(std::byte *row, std::uint32_t place, std::uint32_t random) {
    const std::uint32_t nibble = random % 16;
    const std::byte old = row[place / 2];
    row[place / 2] = place % 2 == 0 ? (old & std::byte{0xF0}) | std::byte(nibble) : (old & std::byte{0x0F}) | std::byte(nibble << 4);
    return static_cast<std::int32_t>(nibble) - (nibble < 8 ? 0 : 16);
  }
};

float step(float a, float b, float c) { return std::fma(a, b, c); }
std::int32_t step(std::int32_t a, std::int32_t b, std::int32_t c) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(c) + static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

template <typename T>
void move_left(std::uint32_t m, std::uint32_t k) {
  if constexpr (std::is_same_v<T, S4>)
    l1_to_l0a_s4(in_l0a<void>(0), kA1, fractals(m, kFractalRows), m, k);
  else
    l1_to_l0a(in_l0a<typename T::Element>(0), kA1, fractals(m, kFractalRows), m, k);
}
template <typename T>
void move_right(std::uint32_t k, std::uint32_t n) {
  if constexpr (std::is_same_v<T, S4>)
    l1_to_l0b_s4(in_l0b<void>(0), kB1, fractals(n, kFractalRows), k, n);
  else
    l1_to_l0b(in_l0b<typename T::Element>(0), kB1, fractals(n, kFractalRows), k, n);
}
/// Calls mad() or mad_s4() without a bias table.
template <typename T>
void multiply(std::uint16_t m, std::uint16_t k, std::uint16_t n, bool from_zero) {
  const auto c = in_l0c<typename T::Accumulator>(0);
  if constexpr (std::is_same_v<T, S4>)
    mad_s4(c, in_l0a<void>(0), in_l0b<void>(0), m, k, n, 0, 0, 0, false, false, false, from_zero);
  else
    mad(c, in_l0a<typename T::Element>(0), in_l0b<typename T::Element>(0), m, k, n, 0, 0, 0, false, false, false, from_zero);
}
/// Calls mad() or mad_s4() with a bias table.
template <typename T>
void multiply_with_bias(std::uint64_t bt_addr, std::uint16_t m, std::uint16_t k, std::uint16_t n) {
  const auto c = in_l0c<typename T::Accumulator>(0);
  if constexpr (std::is_same_v<T, S4>)
    mad_s4(c, in_l0a<void>(0), in_l0b<void>(0), bt_addr, m, k, n, 0, 0, 0, false, false, true, false);
  else
    mad(c, in_l0a<typename T::Element>(0), in_l0b<typename T::Element>(0), bt_addr, m, k, n, 0, 0, 0, false, false, true, false);
}

template <typename T>
class Products : public IntrinsicsTest {
 protected:
  using Accumulator = typename T::Accumulator;
  struct Matrices {
    std::vector<Accumulator> a, b, bias;
  };

  /// Fills A with m rows of k elements, B with n rows of k elements, and 256 biases.
  Matrices make(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
    Matrices made;
    const auto fill = [&](std::uint64_t offset, std::uint32_t rows, std::vector<Accumulator> &values) {
      for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t i = 0; i < k; ++i)
          values.push_back(
              T::put(in_dram<std::byte>(offset) + std::size_t{row} * T::row_bytes(k), i, static_cast<std::uint32_t>(random())));
    };
    fill(kA, m, made.a);
    fill(kB, n, made.b);
    for (int i = 0; i < 256; ++i) made.bias.push_back(static_cast<Accumulator>(static_cast<std::int32_t>(random() % 2000) - 1000));
    std::memcpy(in_dram<std::byte>(kBias), made.bias.data(), 1024);
    return made;
  }
  static void load(std::uint32_t m, std::uint32_t k, std::uint32_t n) {
    using isa::cube::Format;
    const auto fractal = [&](std::uint64_t from, std::uint32_t rows, std::uint32_t to) {
      const std::uint32_t bytes = T::row_bytes(k);
      dram_to_l1({at(from), rows, bytes, bytes, Format::fractal, to, fractals(rows, kFractalRows)});
    };
    fractal(kA, m, kA1);
    fractal(kB, n, kB1);
    dram_to_l1({at(kBias), 1, 1024, 0, Format::linear, kBias1, 1024});
    after(PIPE_MTE2, PIPE_MTE1);
    move_left<T>(m, k);
    move_right<T>(k, n);
    l1_to_bt(0, kBias1, 1024);
    after(PIPE_MTE1, PIPE_M);
  }
  static void store(std::uint32_t m, std::uint32_t n) {
    after(PIPE_M, PIPE_FIX);
    out_cfg({});
    l0c_to_dram(at(kC), in_l0c<Accumulator>(0),
                {.configuration = {},
                 .destination_pitch = n * 4,
                 .to = T::kOut,
                 .source_pitch = fractals(m, kFractalRows),
                 .rows = m,
                 .columns = n});
  }
  void expect_equal(const Matrices &made, std::uint32_t m, std::uint32_t k, std::uint32_t n, const std::vector<Accumulator> &start,
                    int times) {
    for (std::uint32_t row = 0; row < m; ++row) {
      for (std::uint32_t column = 0; column < n; ++column) {
        Accumulator expected = start[column];
        for (int time = 0; time < times; ++time)
          for (std::uint32_t i = 0; i < k; ++i) expected = step(made.a[row * k + i], made.b[column * k + i], expected);
        ASSERT_EQ(in_dram<Accumulator>(kC)[row * n + column], expected) << m << "x" << k << "x" << n << " at " << row << ", " << column;
      }
    }
  }

  /// Computes c = a * b, then c = a * b + c, then c = a * b + bias.
  void check(std::uint16_t m, std::uint16_t k, std::uint16_t n) {
    const bool empty = m == 0 || k == 0 || n == 0;
    const Matrices made = make(m, k, n);
    {
      Scope scope(stream);
      if (!empty) load(m, k, n);
      multiply<T>(m, k, n, true);
      multiply<T>(m, k, n, false);
      if (!empty) store(m, n);
      ASSERT_TRUE(scope.status().ok()) << scope.status().what() << " " << m << "x" << k << "x" << n;
      ASSERT_EQ(scope.warnings(), empty ? unsigned{isa::cube::kWarnEmptyMad} : 0U);
    }
    run();
    ASSERT_EQ(engine.warnings(), empty ? unsigned{isa::cube::kWarnEmptyMad} : 0U) << "the device must report this warning";
    if (!empty) expect_equal(made, m, k, n, std::vector<Accumulator>(n), 2);
    {
      Scope scope(stream);
      if (!empty) load(m, k, n);
      multiply_with_bias<T>(128, m, k, n);
      if (!empty) store(m, n);
      ASSERT_TRUE(scope.status().ok()) << scope.status().what() << " " << m << "x" << k << "x" << n;
    }
    run();
    if (!empty) expect_equal(made, m, k, n, {made.bias.begin() + 32, made.bias.begin() + 32 + n}, 1);
  }

  std::mt19937 random{1};
};

using Types = testing::Types<Bfloat16, Half, Float, Int8, S4>;
TYPED_TEST_SUITE(Products, Types);

TYPED_TEST(Products, AroundAFractal) {
  // S4 needs an even k.
  constexpr unsigned kUnit = std::is_same_v<TypeParam, S4> ? 2 : 1;
  for (const unsigned m : {0U, 1U, 15U, 16U, 17U})
    for (const unsigned k : {0U, 1U, 15U, 16U, 17U})
      for (const unsigned n : {0U, 1U, 15U, 16U, 17U})
        this->check(static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(k * kUnit), static_cast<std::uint16_t>(n));
}

/// Values of k near its limits: 16 rows of 4,096 bytes fill L0A or L0B, and an instruction takes k up to 4,095.
TYPED_TEST(Products, AsLargeAsItGets) {
  const unsigned most = 4096 / TypeParam::kBytes;
  for (const unsigned k : {most - 2, most - 1, 4094U, 4095U}) {
    if (k > most || k > 4095 || (std::is_same_v<TypeParam, S4> && k % 2 != 0)) continue;
    for (const unsigned m : {1U, 16U})
      for (const unsigned n : {1U, 15U})
        this->check(static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(n));
  }
  // For any k except 0, a side of 4,094 takes at least 128 KiB of L0A or L0B, which have 64 KiB.
  for (const unsigned side : {4094U, 4095U}) {
    const auto large = static_cast<std::uint16_t>(side);
    this->check(large, 0, 1);
    this->check(1, 0, large);
    this->check(large, 2, 0);
    this->check(0, 2, large);
    const auto refused = [&](std::uint16_t m, std::uint16_t n, const char *what) {
      Scope scope(this->stream);
      multiply<TypeParam>(m, 2, n, true);
      EXPECT_EQ(scope.status().code(), ErrorCode::address_outside_buffer);
      EXPECT_STREQ(scope.status().what(), what);
      EXPECT_EQ(scope.status().value(), 128 << 10);
      EXPECT_EQ(scope.status().limit(), 64 << 10);
    };
    refused(large, 1, "src0");
    refused(1, large, "src1");
  }
}

TYPED_TEST(Products, ABiasPastTheTablesEndWraps) {
  constexpr std::uint16_t kM = 3, kK = 4, kN = 100;
  const auto made = this->make(kM, kK, kN);
  {
    Scope scope(this->stream);
    this->load(kM, kK, kN);
    multiply_with_bias<TypeParam>(1024 - 128, kM, kK, kN);
    this->store(kM, kN);
    ASSERT_TRUE(scope.status().ok()) << scope.status().what();
    EXPECT_EQ(scope.warnings(), unsigned{isa::cube::kWarnBiasWrapped});
  }
  this->run();
  EXPECT_EQ(this->engine.warnings(), unsigned{isa::cube::kWarnBiasWrapped});
  std::vector<typename TypeParam::Accumulator> start;
  for (unsigned i = 0; i < kN; ++i) start.push_back(made.bias[(1024 / 4 - 32 + i) % 256]);
  this->expect_equal(made, kM, kK, kN, start, 1);
}

/// c = a * b in tiles of 64 x 64 x 64. L0A and L0B have two halves: the moves fill one while the array works on the other.
TEST_F(IntrinsicsTest, AProductInTiles) {
  constexpr std::uint32_t kM = 100, kK = 200, kN = 150, kHalfOfL0 = 32 << 10;
  static constexpr std::uint32_t kTile = 64;
  std::mt19937 random(3);
  std::vector<float> a, b;
  for (std::uint32_t i = 0; i < kM * kK; ++i) a.push_back(Half::put(in_dram<std::byte>(kA), i, static_cast<std::uint32_t>(random())));
  for (std::uint32_t i = 0; i < kK * kN; ++i) b.push_back(Half::put(in_dram<std::byte>(kB), i, static_cast<std::uint32_t>(random())));

  const auto of = [](std::uint32_t first, std::uint32_t all) { return std::min(kTile, all - first); };
  {
    Scope scope(stream);
    // A is m x k and B is k x n, both row-major. A column of fractals in L1 has 16 columns of the matrix. Columns of fractals follow each
    // other.
    dram_to_l1({at(kA), kM, kK * 2, kK * 2, isa::cube::Format::fractal, kA1, fractals(kM, 16)});
    dram_to_l1({at(kB), kK, kN * 2, kN * 2, isa::cube::Format::fractal, kB1, fractals(kK, 16)});
    out_cfg({});
    after(PIPE_MTE2, PIPE_MTE1);
    // At first both halves of L0A and L0B are free.
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    set_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
    set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    unsigned turn = 0;
    for (std::uint32_t row = 0; row < kM; row += kTile) {
      for (std::uint32_t column = 0; column < kN; column += kTile) {
        const std::uint32_t m = of(row, kM), n = of(column, kN);
        const auto c = in_l0c<float>(0);
        wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
        for (std::uint32_t first = 0; first < kK; first += kTile, turn ^= 1) {
          const auto event = static_cast<event_t>(turn);
          const std::uint32_t k = of(first, kK);
          const auto left = in_l0a<half>(turn * kHalfOfL0);
          const auto right = in_l0b<half>(turn * kHalfOfL0);
          wait_flag(PIPE_M, PIPE_MTE1, event);
          l1_to_l0a(left, kA1 + (first / 16 * fractals(kM, 16) + row / 16) * 512, fractals(kM, 16), m, k);
          l1_to_l0b(right, kB1 + (column / 16 * fractals(kK, 16) + first / 16) * 512, fractals(kK, 16), k, n, true);
          set_flag(PIPE_MTE1, PIPE_M, event);
          wait_flag(PIPE_MTE1, PIPE_M, event);
          mad(c, left, right, static_cast<std::uint16_t>(m), static_cast<std::uint16_t>(k), static_cast<std::uint16_t>(n), 0, 0, 0, false,
              false, false, first == 0);
          set_flag(PIPE_M, PIPE_MTE1, event);
        }
        after(PIPE_M, PIPE_FIX);
        l0c_to_dram(at(kC) + (row * kN + column) * 4, c,
                    {.configuration = {}, .destination_pitch = kN * 4, .source_pitch = fractals(m, 16), .rows = m, .columns = n});
        set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
      }
    }
    wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID0);
    wait_flag(PIPE_M, PIPE_MTE1, EVENT_ID1);
    ASSERT_TRUE(scope.status().ok()) << scope.status().what() << " of call " << scope.status().index();
  }
  run();
  EXPECT_EQ(engine.warnings(), 0U);
  for (std::uint32_t row = 0; row < kM; ++row) {
    for (std::uint32_t column = 0; column < kN; ++column) {
      float expected = 0;
      for (std::uint32_t i = 0; i < kK; ++i) expected = std::fma(a[row * kK + i], b[i * kN + column], expected);
      ASSERT_EQ(in_dram<float>(kC)[row * kN + column], expected) << row << ", " << column;
    }
  }
}

// Calls that the intrinsics refuse.

/// Parameters of a valid call. Tests change one of them.
struct Call {
  std::uintptr_t dst = 0, src0 = 0, src1 = 0;
  std::uint64_t bt_addr = 0;
  std::uint16_t m = 16, k = 16, n = 16;
  std::uint8_t feat = 0, smask = 0, unit = 0;
  bool offset = false, source = false, init = true;

  void mad() const {
    intrinsics::mad(in_l0c<float>(dst), in_l0a<half>(src0), in_l0b<half>(src1), m, k, n, feat, smask, unit, false, offset, source, init);
  }
  void mad_with_bias() const {
    intrinsics::mad(in_l0c<float>(dst), in_l0a<half>(src0), in_l0b<half>(src1), bt_addr, m, k, n, feat, smask, unit, false, offset, source,
                    init);
  }
  void mad_s4() const {
    intrinsics::mad_s4(in_l0c<int32_t>(dst), in_l0a<void>(src0), in_l0b<void>(src1), m, k, n, feat, smask, unit, false, offset, source,
                       init);
  }
};

TEST_F(IntrinsicsTest, WhatMadRefuses) {
  const auto refused = [&](auto &&call, ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) {
    Scope scope(stream);
    Call().mad();
    const std::uint32_t before = stream.slots();
    call();
    EXPECT_EQ(scope.status().code(), code) << what << ": " << error_name(scope.status().code());
    EXPECT_STREQ(scope.status().what(), what);
    EXPECT_EQ(scope.status().index(), 1) << what;
    EXPECT_EQ(scope.status().value(), value) << what;
    EXPECT_EQ(scope.status().limit(), limit) << what;
    EXPECT_EQ(stream.slots(), before) << what;
    Call().mad();
    EXPECT_EQ(stream.slots(), before) << "later instructions must not be appended either";
    EXPECT_EQ(scope.calls(), 3);
    EXPECT_STREQ(scope.status().what(), what) << "the first";
    EXPECT_EQ(scope.warnings(), 0U);
  };
  const auto both = [&](const Call &call, ErrorCode code, const char *what, std::int64_t value, std::int64_t limit) {
    refused([&] { call.mad(); }, code, what, value, limit);
    refused([&] { call.mad_with_bias(); }, code, what, value, limit);
    refused([&] { call.mad_s4(); }, code, what, value, limit);
  };
  both({.m = 4096}, ErrorCode::field_out_of_range, "m", 4096, 4095);
  both({.k = 4096}, ErrorCode::field_out_of_range, "k", 4096, 4095);
  both({.n = 65535}, ErrorCode::field_out_of_range, "n", 65535, 4095);
  both({.feat = 1}, ErrorCode::field_out_of_range, "featOffset", 1, 0);
  both({.smask = 127}, ErrorCode::field_out_of_range, "smaskOffset", 127, 0);
  both({.unit = 3}, ErrorCode::field_out_of_range, "unitFlag", 3, 0);
  both({.offset = true}, ErrorCode::field_out_of_range, "isWeightOffset", 1, 0);
  both({.dst = 512}, ErrorCode::misaligned_address, "dst", 512, 1024);
  both({.src0 = 256}, ErrorCode::misaligned_address, "src0", 256, 512);
  both({.src1 = 2}, ErrorCode::misaligned_address, "src1", 2, 512);
  both({.dst = 256 << 10}, ErrorCode::address_outside_buffer, "dst", 256 << 10, 256 << 10);
  both({.src0 = 64 << 10}, ErrorCode::address_outside_buffer, "src0", 64 << 10, 64 << 10);
  both({.src1 = ~std::uintptr_t{511}}, ErrorCode::address_outside_buffer, "src1", -512, 64 << 10);
  both({.dst = 255 << 10, .m = 17}, ErrorCode::address_outside_buffer, "dst", 257 << 10, 256 << 10);
  both({.src0 = 65024, .m = 17}, ErrorCode::address_outside_buffer, "src0", 66048, 64 << 10);
  both({.src1 = 65024, .n = 17}, ErrorCode::address_outside_buffer, "src1", 66048, 64 << 10);

  const Call odd{.k = 15};
  refused([&] { odd.mad_s4(); }, ErrorCode::shape_mismatch, "k", 15, 2);
  const Call no_address{.source = true, .init = false};
  refused([&] { no_address.mad(); }, ErrorCode::shape_mismatch, "cmatrixSource", 1, 0);
  refused([&] { no_address.mad_s4(); }, ErrorCode::shape_mismatch, "cmatrixSource", 1, 0);
  const Call misaligned{.bt_addr = 32, .source = true, .init = false};
  refused([&] { misaligned.mad_with_bias(); }, ErrorCode::misaligned_address, "bt_addr", 32, 64);
  const Call far{.bt_addr = std::uint64_t{1} << 32, .source = true, .init = false};
  refused([&] { far.mad_with_bias(); }, ErrorCode::field_out_of_range, "bt_addr", std::int64_t{1} << 32, 0xFFFFFFFF);
}

TEST_F(IntrinsicsTest, AnEmptyMadIsNotRefusedForAnyArgument) {
  const Call wrong[] = {{.m = 4096},
                        {.k = 65535},
                        {.n = 4096},
                        {.feat = 1},
                        {.smask = 127},
                        {.unit = 3},
                        {.offset = true},
                        {.dst = 512},
                        {.src0 = 256},
                        {.src1 = 2},
                        {.dst = 256 << 10},
                        {.src1 = ~std::uintptr_t{511}},
                        {.k = 15},
                        {.source = true, .init = false},
                        {.bt_addr = std::uint64_t{1} << 40, .source = true, .init = false}};
  for (const Call &call : wrong) {
    for (std::uint16_t Call::*const side : {&Call::m, &Call::k, &Call::n}) {
      Call empty = call;
      empty.*side = 0;
      stream.clear();
      Scope scope(stream);
      empty.mad();
      empty.mad_with_bias();
      empty.mad_s4();
      ASSERT_TRUE(scope.status().ok()) << scope.status().what();
      ASSERT_EQ(scope.warnings(), unsigned{isa::cube::kWarnEmptyMad});
      ASSERT_EQ(stream.slots(), 3U);
      ASSERT_TRUE(engine.run(stream).ok());
      ASSERT_EQ(engine.warnings(), unsigned{isa::cube::kWarnEmptyMad});
    }
  }
}

TEST_F(IntrinsicsTest, WhatIsNotLookedAtIsNotRefused) {
  Scope scope(stream);
  Call{.bt_addr = 33, .source = true, .init = true}.mad_with_bias();
  Call{.bt_addr = ~std::uint64_t{0}, .source = false, .init = false}.mad_with_bias();
  Call{.source = true, .init = true}.mad();
  intrinsics::mad(in_l0c<float>(0), in_l0a<half>(0), in_l0b<half>(0), 16, 16, 16, 0, 0, 0, true, false, false, true);
  EXPECT_TRUE(scope.status().ok()) << scope.status().what();
  EXPECT_EQ(stream.slots(), 4U);
}

TEST_F(IntrinsicsTest, WhatTheOthersRefuse) {
  const auto refused = [&](auto &&call, ErrorCode code, const char *what) {
    Scope scope(stream);
    call();
    EXPECT_EQ(scope.status().code(), code) << what << ": " << error_name(scope.status().code());
    EXPECT_STREQ(scope.status().what(), what);
    EXPECT_EQ(stream.slots(), 0U);
  };
  using enum ErrorCode;
  refused([] { set_flag(PIPE_ALL, PIPE_M, EVENT_ID0); }, field_out_of_range, "Pipe");
  refused([] { set_flag(PIPE_M, PIPE_ALL, EVENT_ID0); }, field_out_of_range, "Target");
  refused([] { wait_flag(PIPE_ALL, PIPE_M, EVENT_ID0); }, field_out_of_range, "Origin");
  refused([] { set_flag(PIPE_M, PIPE_M, EVENT_ID0); }, shape_mismatch, "Target");
  refused([] { wait_flag(PIPE_M, PIPE_M, EVENT_ID0); }, shape_mismatch, "Origin");
  refused([] { dram_to_l1({.source = at(kWindowBytes)}); }, address_outside_window, "Source");
  refused([] { dram_to_l1({.source = at(0), .row_bytes = 2, .destination = (1U << 20) - 1}); }, address_outside_buffer, "Destination");
  refused([] { dram_to_l1({.source = std::uint64_t{1} << 48}); }, field_out_of_range, "SourceHigh");
  refused([] { l1_to_l0a(in_l0a<half>(512), 0, 1, 4096, 1); }, field_out_of_range, "Rows");
  refused([] { l1_to_l0a(in_l0a<half>(8), 0, 1, 16, 16); }, misaligned_address, "Destination");
  refused([] { l1_to_l0b(in_l0b<half>(64 << 10), 0, 1, 16, 16); }, address_outside_buffer, "Destination");
  refused([] { l1_to_l0b_s4(in_l0b<void>(0), 0, 1, 15, 16); }, shape_mismatch, "Rows");
  refused([] { l1_to_bt(1024, 0, 64); }, address_outside_buffer, "Destination");
  refused([] { l1_to_bt(64, 0, 1024); }, address_outside_buffer, "Destination");
  refused([] { im2col_cfg({.height = 0}); }, field_out_of_range, "Height");
  refused([] { im2col_to_l0a({}); }, missing_configuration, "IM2COL_CFG");
  refused([] { out_cfg({.zero_point = 128}); }, field_out_of_range, "ZeroPoint");
  refused([] { l0c_to_dram(at(0), in_l0c<float>(0), {}); }, missing_configuration, "OUT_CFG");
  refused([] { l0c_to_l1(1 << 20, in_l0c<float>(0), {}); }, address_outside_buffer, "Destination");
}

TEST_F(IntrinsicsTest, SlotsOfTheOthers) {
  const isa::cube::Im2col map{.height = 5, .width = 4, .channels = 3, .pad_value = 0, .pixel_pitch = 6, .row_pitch = 24, .out_width = 4};
  const isa::cube::Im2colToL0A patches{.map = {}, .destination = 512, .rows = 16, .columns = 3};
  const isa::cube::OutputConfiguration set{.scale_mode = isa::cube::ScaleMode::tensor, .scale = 0.5F};
  isa::cube::Output out{
      .configuration = {}, .to_l1 = true, .destination = 512, .destination_pitch = 8, .integer = true, .to = OutputType::half};
  {
    Scope scope(stream);
    set_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID3);
    wait_flag(PIPE_MTE2, PIPE_MTE1, EVENT_ID3);
    pipe_barrier(PIPE_MTE1);
    pipe_barrier(PIPE_ALL);
    l1_to_bt(64, 128, 192);
    im2col_cfg(map);
    im2col_to_l0a(patches);
    out_cfg(set);
    l0c_to_l1(512, in_l0c<int32_t>(0), out);
    ASSERT_TRUE(scope.status().ok()) << scope.status().what() << scope.status().index();
  }
  const std::vector<MachineCode> expected = {isa::cube::encode_set_flag(Pipe::MTE2, Pipe::MTE1, 3),
                                             isa::cube::encode_wait_flag(Pipe::MTE1, Pipe::MTE2, 3),
                                             isa::cube::encode(isa::cube::Barrier{.pipes = 2}),
                                             isa::cube::encode(isa::cube::Barrier{.pipes = 15}),
                                             isa::cube::encode(isa::cube::L1ToBt{.source = 128, .destination = 64, .bytes = 192}),
                                             isa::cube::encode(map),
                                             isa::cube::encode(patches),
                                             isa::cube::encode(set),
                                             isa::cube::encode(out)};
  ASSERT_EQ(stream.slots(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(std::memcmp(stream.code().data() + i * sizeof(MachineCode), expected[i].data(), sizeof(MachineCode)), 0) << i;
}

TEST_F(IntrinsicsTest, SlotsOfMad) {
  isa::cube::Mad expected{.type = isa::cube::Type::float32, .left = 1024, .right = 512, .destination = 2048, .m = 1, .k = 2, .n = 3};
  const auto c = in_l0c<float>(2048);
  const auto a = in_l0a<float>(1024);
  const auto b = in_l0b<float>(512);
  const auto expect = [&] {
    ASSERT_EQ(stream.code().size(), sizeof(MachineCode));
    EXPECT_EQ(std::memcmp(stream.code().data(), isa::cube::encode(expected).data(), sizeof(MachineCode)), 0);
    stream.clear();
  };
  Scope scope(stream);
  mad(c, a, b, 1, 2, 3, 0, 0, 0, false, false, false, true);
  expect();
  mad(c, a, b, 1, 2, 3, 0, 0, 0, true, false, false, true);
  expected.k_align = true;
  expect();
  mad(c, a, b, 1, 2, 3, 0, 0, 0, true, false, false, false);
  expected.start = isa::cube::Start::accumulator;
  expect();
  mad(c, a, b, 320, 1, 2, 3, 0, 0, 0, true, false, true, false);
  expected.start = isa::cube::Start::bias_table;
  expected.bias_address = 320;
  expect();
  l1_to_l0a(a, 512, 3, 33, 10, true, true);
  EXPECT_EQ(std::memcmp(stream.code().data(),
                        isa::cube::encode(isa::cube::L1ToL0{.right = false,
                                                            .type = isa::cube::Type::float32,
                                                            .transpose = true,
                                                            .k_align = true,
                                                            .source = 512,
                                                            .source_pitch = 3,
                                                            .destination = 1024,
                                                            .rows = 33,
                                                            .columns = 10})
                            .data(),
                        sizeof(MachineCode)),
            0);
  EXPECT_TRUE(scope.status().ok()) << scope.status().what();
}

TEST_F(IntrinsicsTest, ScopesMayBeNested) {
  Stream inner_stream;
  ASSERT_TRUE(inner_stream.init(board_->core_dram().subspan(kWindowBytes + kMiB, 64), windows).ok());
  Scope outer(stream);
  Call().mad();
  {
    Scope inner(inner_stream);
    for (int i = 0; i < 3; ++i) Call().mad();
    EXPECT_EQ(inner.status().code(), ErrorCode::no_room);
    EXPECT_EQ(inner.status().index(), 2);
    EXPECT_EQ(inner_stream.slots(), 2U);
  }
  Call().mad();
  EXPECT_EQ(stream.slots(), 2U);
  EXPECT_EQ(outer.calls(), 2);
  EXPECT_TRUE(outer.status().ok());
}

TEST_F(IntrinsicsTest, ACallOutsideAllScopesIsAnError) {
  EXPECT_EQ(calls_outside_scopes(), 0U);
  {
    Scope scope(stream);
    Call().mad();
  }
  testing::internal::CaptureStdout();
  Call().mad();
  set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "coxswain: an instruction of the matrix unit outside of a Scope is lost\r\n") << "once";
  EXPECT_EQ(calls_outside_scopes(), 2U);
  {
    Scope scope(stream);
    Call().mad();
    EXPECT_EQ(scope.status().code(), ErrorCode::not_ready);
    EXPECT_STREQ(scope.status().what(), "Scope");
    EXPECT_EQ(scope.status().value(), 2);
    EXPECT_EQ(stream.slots(), 1U);
  }
  EXPECT_EQ(calls_outside_scopes(), 0U);
  Scope next(stream);
  Call().mad();
  EXPECT_TRUE(next.status().ok()) << "reported once";
  EXPECT_EQ(stream.slots(), 2U);
}

}  // namespace
}  // namespace cox::kernels::cube::intrinsics
