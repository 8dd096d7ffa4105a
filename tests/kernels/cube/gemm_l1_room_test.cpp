// SPDX-License-Identifier: MIT
// gemm() and gemv() with operands in L1 that leave only a few fractals free. Biases, factors, the addend and the other operand need room
// there. With exactly enough room, results are right. With one fractal less, the call returns no_room and writes nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/gemv.h"
#include "tests/kernels/cube/gemm_problem.h"

namespace cox::tests {
namespace {

using isa::cube::fractals;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRows;
using kernels::cube::choose_tiling;
using kernels::cube::gemm_product;
using kernels::cube::GemvArguments;
using kernels::cube::Order;
using kernels::cube::OutputType;
using kernels::cube::Tiling;
using kernels::cube::Type;

constexpr std::uint32_t kL1Fractals = isa::cube::kL1Bytes / kFractalBytes;
/// If both operands are in L1, A lies before this fractal and B behind it.
constexpr std::uint32_t kBorder = 128;

/// k of all products. Along k, each matrix in L1 is two fractals wide.
constexpr std::uint32_t kTwoUnits = 32;

enum class Free : std::uint8_t { front, middle, end };

/// Places a matrix of two fractal columns, `lines` rows high, so that it spans fractals [first, end) of L1.
void take_l1(Matrix &matrix, std::uint32_t lines, std::uint32_t first, std::uint32_t end) {
  matrix.address = std::uint64_t{first} * kFractalBytes;
  matrix.pitch = end - first - fractals(lines, kFractalRows);
}

/// Spreads the operands that are in L1, so that one contiguous part of `room` fractals stays free.
void leave_room(GemmArguments &a, std::uint32_t room, Free free) {
  const std::uint32_t first = free == Free::front ? room : 0, end = free == Free::end ? kL1Fractals - room : kL1Fractals;
  const std::uint32_t left_end = a.right.in_l1 ? kBorder : end;
  const std::uint32_t right_first = !a.left.in_l1 ? first : free == Free::middle ? kBorder + room : kBorder;
  if (a.left.in_l1) take_l1(a.left, a.left.rows, first, left_end);
  if (a.right.in_l1) take_l1(a.right, a.right.columns, right_first, end);
}

std::string text(const GemmProblem &problem, std::uint32_t room, Free free) {
  const GemmArguments &a = problem.arguments;
  return problem.text() + (a.biases != 0 ? " biases" : "") + (a.scales != 0 ? " scales" : "") + ", free part " +
         std::to_string(static_cast<unsigned>(free)) + " of " + std::to_string(room) + " fractals";
}

void expect_right(GemmProblem &problem, std::uint32_t room, Free free) {
  leave_room(problem.arguments, room, free);
  SCOPED_TRACE(text(problem, room, free));
  problem.run();
  problem.expect_right();
}

void expect_no_room(GemmProblem &problem, std::uint32_t room, Free free) {
  leave_room(problem.arguments, room, free);
  SCOPED_TRACE(text(problem, room, free));
  Stream &stream = problem.memory().stream();
  stream.clear();
  ASSERT_TRUE(stream.append(isa::cube::encode(isa::cube::Barrier{.pipes = 15})).ok());
  const std::vector<std::byte> before(stream.code().begin(), stream.code().end());
  const auto is_unchanged = [&] { return std::ranges::equal(stream.code(), before); };
  const Status status = gemm(stream, problem.arguments);
  EXPECT_EQ(status.code(), ErrorCode::no_room) << error_name(status.code());
  EXPECT_STREQ(status.what(), "L1");
  EXPECT_TRUE(is_unchanged());
  const Tiling tiling = choose_tiling(gemm_product(problem.arguments));
  const ErrorCode expected = tiling.fits() ? ErrorCode::no_room : ErrorCode::invalid_argument;
  EXPECT_EQ(gemm(stream, problem.arguments, tiling).code(), expected);
  EXPECT_TRUE(is_unchanged());
}

GemmArguments product(std::uint32_t m, std::uint32_t n) {
  GemmArguments a;
  a.left.rows = m;
  a.left.columns = a.right.rows = kTwoUnits;
  a.right.columns = n;
  a.right.order = Order::column_major;
  return a;
}

/// Each part of a 16 x 16 product takes a known number of fractals. Biases take 1, factors take 1, an operand that
/// comes from DRAM takes 1, and an FP32 addend takes 4.
TEST(GemmL1Room, ExactlyEnoughSufficesAndOneFractalLessIsRefused) {
  std::mt19937 random(61);
  for (unsigned parts = 0; parts < 32; ++parts) {
    const bool left_comes = (parts & 1) != 0, right_comes = (parts & 2) != 0;
    const bool biases = (parts & 4) != 0, scales = (parts & 8) != 0, addend = (parts & 16) != 0;
    if (left_comes && right_comes) continue;
    GemmArguments a = product(16, 16);
    a.left.in_l1 = !left_comes;
    a.right.in_l1 = !right_comes;
    a.biases = biases ? 1 : 0;
    a.scales = scales ? 1 : 0;
    a.beta = addend ? 0.5F : 0;
    GemmProblem problem(a, random);
    const unsigned need = (left_comes || right_comes ? 1 : 0) + (biases ? 1 : 0) + (scales ? 1 : 0) + (addend ? 4 : 0);
    for (const Free free : {Free::front, Free::middle, Free::end}) {
      if (free == Free::middle && (left_comes || right_comes)) continue;
      expect_right(problem, need, free);
      for (unsigned room = 0; room < need; ++room) expect_no_room(problem, room, free);
    }
  }
}

/// Biases and factors of 192 columns take one and a half fractals each, which count as two.
TEST(GemmL1Room, BiasesAndFactorsTakeWholeFractals) {
  std::mt19937 random(62);
  for (const unsigned parts : {1U, 2U, 3U}) {
    GemmArguments a = product(64, 192);
    a.left.in_l1 = a.right.in_l1 = true;
    a.biases = parts & 1;
    a.scales = parts >> 1;
    GemmProblem problem(a, random);
    const unsigned need = parts == 3 ? 4 : 2;
    for (const Free free : {Free::front, Free::middle, Free::end}) {
      expect_right(problem, need, free);
      for (unsigned room = 0; room < need; ++room) expect_no_room(problem, room, free);
    }
  }
}

/// gemm() writes 9,001 columns in two sections. The biases of the wider section, with 4,544 columns, take 36 fractals.
TEST(GemmL1Room, SectionsNeedRoomForTheirBiases) {
  std::mt19937 random(63);
  GemmArguments a = product(1, 9001);
  a.left.in_l1 = a.right.in_l1 = true;
  a.biases = 1;
  GemmProblem problem(a, random);
  for (const Free free : {Free::front, Free::middle, Free::end}) {
    expect_right(problem, 36, free);
    for (const unsigned room : {0U, 35U}) expect_no_room(problem, room, free);
  }
}

/// The vector of gemv() always comes from DRAM. A block of it takes 1 fractal, as do biases and factors, and the addend takes 4.
TEST(GemvL1Room, ExactlyEnoughSufficesAndOneFractalLessIsRefused) {
  CubeMemory memory(1U << 16);
  for (unsigned parts = 0; parts < 8; ++parts) {
    const bool biases = (parts & 1) != 0, scales = (parts & 2) != 0, addend = (parts & 4) != 0;
    GemvArguments a;
    a.matrix.rows = 16;
    a.matrix.columns = kTwoUnits;
    a.matrix.in_l1 = true;
    a.vector = memory.take(64);
    a.output = memory.take(64);
    a.biases = biases ? memory.take(64) : 0;
    a.scales = scales ? memory.take(64) : 0;
    a.beta = addend ? 0.5F : 0;
    a.addend = a.output;
    const unsigned need = 1 + (biases ? 1 : 0) + (scales ? 1 : 0) + (addend ? 4 : 0);
    Stream &stream = memory.stream();
    for (unsigned room = 0; room <= need; ++room) {
      SCOPED_TRACE(std::to_string(parts) + ", " + std::to_string(room) + " fractals");
      take_l1(a.matrix, a.matrix.rows, room, kL1Fractals);
      stream.clear();
      const Status status = gemv(stream, a);
      EXPECT_EQ(status.code(), room == need ? ErrorCode::ok : ErrorCode::no_room) << error_name(status.code());
      EXPECT_EQ(stream.slots() != 0, room == need);
    }
  }
}

}  // namespace
}  // namespace cox::tests
