// SPDX-License-Identifier: MIT
// A matrix product with its matrices in memory of the test, what gemm() makes of it through the model's arithmetic, and what Eigen and
// plain loops say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "kernels/cube/gemm.h"

namespace cox::tests {

using kernels::cube::GemmArguments;
using kernels::cube::Matrix;
using kernels::cube::Stream;

/// Memory with a stream over it. Bus addresses are this process's pointers.
class CubeMemory {
 public:
  explicit CubeMemory(std::size_t bytes, std::size_t stream_bytes = 1U << 20);

  [[nodiscard]] Stream &stream() { return stream_; }
  /// Behind what was taken before, with a gap, `aligned` so and no better.
  std::uint64_t take(std::uint64_t bytes, std::uint32_t aligned = 4);
  [[nodiscard]] std::span<std::byte> bytes() { return {memory_.data(), size_}; }

 private:
  std::size_t size_;
  std::vector<std::byte> memory_, stream_memory_;
  std::uint64_t used_ = 0;
  Stream stream_;
};

/// Random elements of that type, floating-point ones around 1.
void fill_elements(std::uint64_t address, std::uint64_t bytes, isa::cube::Type type, std::mt19937 &random);

class GemmProblem {
 public:
  /// Sizes, types, orders, factors as wanted; matrices get memory, and those that are to be in L1 places there. `gap`: pitches and batches
  /// are further apart than they need to be. Addresses of biases and scales that are not 0 become those of random ones, so does the
  /// addend's, unless it is kInPlace.
  GemmProblem(const GemmArguments &wanted, std::mt19937 &random, bool gap = false);
  static constexpr std::uint64_t kInPlace = 2;

  GemmArguments arguments;

  /// gemm() into the stream, behind the moves of what is to be in L1. The stream has neither hazards nor a flag too many; then what it
  /// does. That nothing but the output has changed.
  void run(const kernels::cube::Tiling *tiling = nullptr);
  /// Integers are exactly Eigen's, made what they become by plain code; floating-point numbers are as near to Eigen's in double precision
  /// as docs/kernels/cube.md states, and to the bit those of a loop of fma.
  void expect_right();

  [[nodiscard]] std::string text() const;
  [[nodiscard]] CubeMemory &memory() { return memory_; }
  /// Bytes of an element of the output.
  [[nodiscard]] std::span<std::byte> output(std::uint32_t batch, std::uint32_t row, std::uint32_t column);
  /// Address of an element, or the byte that it is in, of a matrix in DRAM (a copy, of one in L1).
  [[nodiscard]] std::uint64_t left_element(std::uint32_t batch, std::uint32_t row, std::uint32_t k) const;
  [[nodiscard]] std::uint64_t right_element(std::uint32_t batch, std::uint32_t k, std::uint32_t column) const;

 private:
  struct Operand {
    Matrix dram;  ///< where it is in DRAM, also of one that is moved to L1
    std::uint64_t stride = 0;
  };
  Operand place(Matrix &matrix, std::uint64_t &stride, std::uint32_t &l1, std::mt19937 &random, bool gap);
  void move_to_l1(const Operand &operand, const Matrix &l1, std::uint64_t stride);
  [[nodiscard]] double value(const Operand &operand, std::uint32_t batch, std::uint32_t row, std::uint32_t column) const;
  void expect_batch(std::uint32_t batch);

  CubeMemory memory_;
  Operand left_, right_;
  std::vector<std::byte> before_;  ///< of memory, as it was when run() began
};

/// What the unit makes of an accumulator, stage by stage as docs/isa/cube.md states them, as bytes of the output's type.
struct Finish {
  const GemmArguments &arguments;

  [[nodiscard]] std::uint32_t of_float(float accumulator, std::uint32_t column, float addend) const;
  [[nodiscard]] std::uint32_t of_integer(std::int32_t accumulator, std::uint32_t column, float addend) const;

 private:
  [[nodiscard]] std::uint32_t converted(float value) const;
  [[nodiscard]] float activated(float value) const;
  [[nodiscard]] float scaled(float value, std::uint32_t column) const;
};

}  // namespace cox::tests
