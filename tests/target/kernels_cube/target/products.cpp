// SPDX-License-Identifier: MIT
// Compares gemm on the core with plain loops, bit for bit.
#include <array>
#include <bit>
#include <cstdio>

#include "coxswain/kernels/cube/gemm.h"
#include "elements.h"
#include "selftest.h"

namespace selftest {
namespace {

namespace cube = cox::kernels::cube;
using cube::GemmArguments;
using cube::Matrix;
using cube::Order;

struct Problem {
  GemmArguments call;
  std::span<std::byte> left, right, output, addend;
  std::span<float> biases, scales;
};

constexpr bool has_rows(const Matrix &matrix) { return matrix.order == Order::row_major; }
/// Returns the number of elements before (row, column). Each row (of a matrix in column order: each column) begins at a whole byte.
std::size_t place(const Matrix &matrix, std::uint32_t row, std::uint32_t column, std::uint32_t bits) {
  const std::size_t pitch = std::size_t{matrix.pitch} * 8 / bits;
  return has_rows(matrix) ? row * pitch + column : column * pitch + row;
}

std::uint32_t from_to(std::uint32_t least, std::uint32_t most) { return least + random_bits() % (most - least + 1); }

/// Allocates a matrix, sometimes with a gap behind each row.
std::span<std::byte> allocate(Matrix &matrix, std::uint32_t bits, std::uint32_t batches, std::uint64_t &stride) {
  const std::uint32_t runs = has_rows(matrix) ? matrix.rows : matrix.columns, run = has_rows(matrix) ? matrix.columns : matrix.rows;
  matrix.pitch = (run * bits + 7) / 8 + from_to(0, 2) * 8;
  if (bits >= 8) matrix.pitch = (matrix.pitch + bits / 8 - 1) / (bits / 8) * (bits / 8);
  stride = std::uint64_t{matrix.pitch} * runs;
  const std::span<std::byte> memory = take(static_cast<std::size_t>(stride * batches));
  matrix.address = address_of(memory);
  return memory;
}

constexpr Type type_of(OutputType type) {
  return type == OutputType::half       ? Type::half
         : type == OutputType::bfloat16 ? Type::bfloat16
         : type == OutputType::int8     ? Type::int8
                                        : Type::float32;
}

void allocate(Problem &problem) {
  GemmArguments &call = problem.call;
  const std::uint32_t bits = cox::isa::cube::element_bits(call.type), output_bits = cox::isa::cube::element_bytes(call.to) * 8;
  const bool is_integer = cox::isa::cube::is_integer(call.type);
  problem.left = allocate(call.left, bits, call.batches, call.left_stride);
  problem.right = allocate(call.right, bits, call.batches, call.right_stride);
  problem.output = allocate(call.output, output_bits, call.batches, call.output_stride);
  problem.addend = allocate(call.addend, output_bits, call.batches, call.addend_stride);
  problem.biases = take_array<float>(call.output.columns);
  problem.scales = take_array<float>(call.output.columns);
  fill(problem.left, call.type);
  fill(problem.right, call.type);
  fill(problem.addend, type_of(call.to));
  for (float &bias : problem.biases) bias = is_integer ? std::bit_cast<float>(random_bits() >> 20) : random_value();
  for (float &scale : problem.scales) scale = random_value() * (is_integer ? 0x1p-8F : 1);
  if (call.biases != 0) call.biases = address_of(problem.biases);
  if (call.scales != 0) call.scales = address_of(problem.scales);
  for (const std::span<std::byte> memory : {problem.left, problem.right, problem.output, problem.addend}) give(memory);
  give(std::as_bytes(problem.biases));
  give(std::as_bytes(problem.scales));
}

std::uint32_t element(const Problem &problem, std::uint32_t batch, std::uint32_t row, std::uint32_t column) {
  const GemmArguments &call = problem.call;
  const std::uint32_t bits = cox::isa::cube::element_bits(call.type);
  Sum sum(call.type);
  for (std::uint32_t k = 0; k < call.left.columns; ++k)
    sum.add(problem.left.data() + batch * call.left_stride, place(call.left, row, k, bits),
            problem.right.data() + batch * call.right_stride, place(call.right, k, column, bits));
  Ending ending{.to = call.to};
  ending.scaled = call.scales != 0 || call.alpha != 1;
  ending.scale = call.scales != 0 ? problem.scales[column] : call.alpha;
  ending.has_residual = call.beta != 0;
  ending.beta = call.beta;
  if (ending.has_residual)
    ending.residual = read_output(problem.addend.data() + batch * call.addend_stride,
                                  place(call.addend, row, column, cox::isa::cube::element_bytes(call.to) * 8), call.to);
  ending.has_bias = call.biases != 0;
  ending.bias = problem.biases[column];
  ending.integer_bias = std::bit_cast<std::int32_t>(problem.biases[column]);
  ending.activation = call.activation;
  ending.parameter = call.activation_parameter;
  ending.zero_point = call.zero_point;
  return finish(sum, ending);
}

bool matches(const Problem &problem) {
  const GemmArguments &call = problem.call;
  const std::uint32_t bytes = cox::isa::cube::element_bytes(call.to);
  fetch(problem.output);
  for (std::uint32_t batch = 0; batch < call.batches; ++batch) {
    for (std::uint32_t row = 0; row < call.output.rows; ++row) {
      for (std::uint32_t column = 0; column < call.output.columns; ++column) {
        const std::uint32_t made =
            read_bits(problem.output.data() + batch * call.output_stride, place(call.output, row, column, bytes * 8), bytes);
        if (made != element(problem, batch, row, column)) return false;
      }
    }
  }
  return true;
}

Matrix random_order(std::uint32_t rows, std::uint32_t columns) {
  return {.rows = rows, .columns = columns, .order = from_to(0, 1) == 0 ? Order::row_major : Order::column_major};
}

GemmArguments random_call(Type type, std::uint32_t most) {
  const bool is_integer = cox::isa::cube::is_integer(type);
  const std::uint32_t even = type == Type::int4 ? 2 : 1;
  const std::uint32_t m = from_to(1, most / even) * even, k = from_to(1, most / even) * even, n = from_to(1, most / even) * even;
  GemmArguments call;
  call.type = type;
  call.left = random_order(m, k);
  call.right = random_order(k, n);
  call.output = call.addend = {.rows = m, .columns = n};
  call.batches = from_to(1, 2);
  call.biases = from_to(0, 1);
  constexpr OutputType kReal[] = {OutputType::float32, OutputType::half, OutputType::bfloat16, OutputType::int8};
  call.to = is_integer ? (from_to(0, 2) == 0 ? OutputType::int32 : OutputType::int8) : kReal[from_to(0, 3)];
  if (call.to == OutputType::int32) return call;
  if (from_to(0, 1) == 0) {
    call.scales = 1;
  } else {
    call.alpha = is_integer ? 0.003F : 0.7F;
  }
  if (from_to(0, 1) == 0) call.beta = 0.5F;
  call.activation = static_cast<Activation>(from_to(0, 3));
  call.activation_parameter = 0.25F;
  if (call.to == OutputType::int8) call.zero_point = static_cast<std::int32_t>(from_to(0, 20)) - 10;
  return call;
}

}  // namespace

void test_products() {
  bool same = true;
  for (const Type type : {Type::bfloat16, Type::half, Type::float32, Type::int8, Type::int4}) {
    for (unsigned i = 0; same && i < 5; ++i) {
      release_memory();
      Problem problem;
      problem.call = random_call(type, i == 4 ? 150 : 50);
      if (i == 4) problem.call.batches = 1;
      allocate(problem);
      stream.clear();
      same = good(cube::gemm(stream, problem.call)) && good(engine.run(stream, kLimit)) && matches(problem);
      if (!same) std::printf("product %u of type %u\n", i, static_cast<unsigned>(type));
    }
  }
  verdict("products", same);
}

}  // namespace selftest
