// SPDX-License-Identifier: MIT
// A matrix product with its matrices in the test's memory. It runs gemm() through the model's arithmetic and compares the result with Eigen
// and plain loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "coxswain/kernels/cube/gemm.h"

namespace cox::tests {

using kernels::cube::GemmArguments;
using kernels::cube::Matrix;
using kernels::cube::Stream;

/// Memory with a stream in it. Bus addresses are this process's pointers.
class CubeMemory {
 public:
  explicit CubeMemory(std::size_t bytes, std::size_t stream_bytes = 1U << 20);

  [[nodiscard]] Stream &stream() { return stream_; }
  /// Takes memory behind the previous range, with a gap between. The address is a multiple of `aligned` but not of 2 * `aligned`.
  std::uint64_t take(std::uint64_t bytes, std::uint32_t aligned = 4);
  [[nodiscard]] std::span<std::byte> bytes() { return {memory_.data(), size_}; }

 private:
  std::size_t size_;
  std::vector<std::byte> memory_, stream_memory_;
  std::uint64_t used_ = 0;
  Stream stream_;
};

/// Fills memory with random elements of this type. Floating-point elements have a standard normal distribution.
void fill_elements(std::uint64_t address, std::uint64_t bytes, isa::cube::Type type, std::mt19937 &random);

class GemmProblem {
 public:
  /// Takes sizes, types, orders and factors from `wanted`, and gives each matrix an address in DRAM or in L1. Biases, scales and the addend
  /// exist if their address in `wanted` is not 0; they get random data. An addend at kInPlace is the output's memory. With `gap`, pitches
  /// and batch strides are larger than needed.
  GemmProblem(const GemmArguments &wanted, std::mt19937 &random, bool gap = false);
  static constexpr std::uint64_t kInPlace = 2;

  GemmArguments arguments;

  /// Appends the moves that bring operands to L1, then gemm(), and executes the stream. Expects no hazard and no superfluous flag, and
  /// that only the output changes.
  void run(const kernels::cube::Tiling *tiling = nullptr);
  /// Integers must equal Eigen's sums after the output stages. Floating-point results must equal those of a loop of std::fma() bit for bit.
  /// They may differ from Eigen's results in double precision by at most the bound in docs/kernels/cube.md.
  void expect_right();

  [[nodiscard]] std::string text() const;
  [[nodiscard]] CubeMemory &memory() { return memory_; }
  /// Returns the memory of an output element.
  [[nodiscard]] std::span<std::byte> output(std::uint32_t batch, std::uint32_t row, std::uint32_t column);
  /// DRAM address of a matrix element, or of the byte that contains it. For a matrix in L1 it is the address of the copy in DRAM.
  [[nodiscard]] std::uint64_t left_element(std::uint32_t batch, std::uint32_t row, std::uint32_t k) const;
  [[nodiscard]] std::uint64_t right_element(std::uint32_t batch, std::uint32_t k, std::uint32_t column) const;

 private:
  struct Operand {
    Matrix dram;  ///< address in DRAM, even if the matrix is moved to L1
    std::uint64_t stride = 0;
  };
  Operand place(Matrix &matrix, std::uint64_t &stride, std::uint32_t &l1, std::mt19937 &random, bool gap);
  void move_to_l1(const Operand &operand, const Matrix &l1, std::uint64_t stride);
  [[nodiscard]] double value(const Operand &operand, std::uint32_t batch, std::uint32_t row, std::uint32_t column) const;
  void expect_batch(std::uint32_t batch);

  CubeMemory memory_;
  Operand left_, right_;
  std::vector<std::byte> before_;  ///< contents of the memory when run() began
};

/// Applies the output stages of docs/isa/cube.md to an accumulator. The functions return the bits of the output element.
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
