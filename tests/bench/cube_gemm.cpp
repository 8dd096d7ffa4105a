// SPDX-License-Identifier: MIT
#include "cube_gemm.h"

#include <random>

namespace cox::bench {
namespace {

using namespace isa::cube;

constexpr std::uint32_t kRows = 128, kColumns = 256, kStepBytes = 128;
constexpr std::uint32_t kLeft = kL1Bytes / 2;  // address of A in L1

/// Fills with random numbers: integers of any value, or floating-point numbers with magnitudes from 1/8 to 2.
void fill(std::mt19937 &random, std::vector<std::byte> &matrix, Type type) {
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<std::byte>(random());
  const std::size_t bytes = element_bits(type) / 8;
  for (std::size_t i = bytes - 1; !is_integer(type) && i < matrix.size(); i += bytes) {
    const std::byte low = matrix[i] & std::byte{0x81};
    matrix[i] = low | (type == Type::half ? std::byte{0x38} : std::byte{0x3E});
  }
}

}  // namespace

CubeGemm::CubeGemm(const GemmShape &shape, Type type)
    : shape_(shape),
      type_(type),
      a_(std::size_t{shape.m} * shape.k * element_bits(type) / 8),
      b_(std::size_t{shape.k} * shape.n * element_bits(type) / 8),
      c_(std::size_t{shape.m} * shape.n * kAccumulatorBytes) {
  std::mt19937 random(1);
  fill(random, a_, type);
  fill(random, b_, type);
}

void CubeGemm::load(std::vector<std::byte> &matrix, std::uint32_t pitch, std::uint32_t row, std::uint32_t column_bytes, std::uint32_t rows,
                    std::uint32_t row_bytes, std::uint32_t destination, model::cube::Path path) {
  DramToL1 load;
  load.rows = rows;
  load.row_bytes = row_bytes;
  load.source_pitch = pitch;
  load.format = Format::fractal;
  load.destination = destination;
  load.destination_pitch = fractals(rows, kFractalRows);
  model::cube::execute(load, buffers_, matrix.data() + std::size_t{row} * pitch + column_bytes, path);
}

void CubeGemm::run(model::cube::Path path) {
  const std::uint32_t bits = element_bits(type_);
  const std::uint32_t step = kStepBytes * 8 / bits;
  const std::uint32_t a_pitch = shape_.k * bits / 8, b_pitch = shape_.n * bits / 8;
  const std::uint32_t right_bytes = step * kColumns * bits / 8;
  for (std::uint32_t column = 0; column < shape_.n; column += kColumns) {
    for (std::uint32_t row = 0; row < shape_.m; row += kRows) {
      for (std::uint32_t k = 0; k < shape_.k; k += step) {
        const std::uint32_t right = k / step * right_bytes;
        if (row == 0) load(b_, b_pitch, k, column * bits / 8, step, kColumns * bits / 8, right, path);
        load(a_, a_pitch, row, k * bits / 8, kRows, kStepBytes, kLeft, path);
        L1ToL0 move;
        move.type = type_;
        move.source = kLeft;
        move.source_pitch = fractals(kRows, kFractalRows);
        move.rows = kRows;
        move.columns = step;
        model::cube::execute(move, buffers_, nullptr, path);
        move.right = move.transpose = true;
        move.source = right;
        move.source_pitch = fractals(step, kFractalRows);
        move.rows = step;
        move.columns = kColumns;
        model::cube::execute(move, buffers_, nullptr, path);
        Mad mad;
        mad.type = type_;
        mad.m = kRows;
        mad.k = step;
        mad.n = kColumns;
        mad.start = k == 0 ? Start::zero : Start::accumulator;
        model::cube::execute(mad, buffers_, nullptr, path);
      }
      Output output;
      output.destination_pitch = shape_.n * kAccumulatorBytes;
      output.integer = is_integer(type_);
      output.to = output.integer ? OutputType::int32 : OutputType::float32;
      output.source_pitch = fractals(kRows, kFractalRows);
      output.rows = kRows;
      output.columns = kColumns;
      model::cube::execute(output, buffers_, c_.data() + (std::size_t{row} * shape_.n + column) * kAccumulatorBytes, path);
    }
  }
}

}  // namespace cox::bench
