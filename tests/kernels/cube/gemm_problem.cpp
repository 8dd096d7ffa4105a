// SPDX-License-Identifier: MIT
#include "tests/kernels/cube/gemm_problem.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "coxswain/isa/cube/build.h"
#include "sim/model/cube/hazard/detector.h"
#include "tests/kernels/cube/conv2d_problem.h"
#include "tests/kernels/cube/numbers.h"

namespace cox::tests {
namespace {

using isa::cube::Activation;
using isa::cube::element_bits;
using isa::cube::element_bytes;
using isa::cube::fractals;
using isa::cube::is_integer;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRows;
using isa::cube::OutputType;
using isa::cube::Type;
using kernels::cube::Order;

template <typename T>
T load(std::uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void *>(address), sizeof(T));  // NOLINT(performance-no-int-to-ptr)
  return value;
}
template <typename T>
void store(std::uint64_t address, T value) {
  std::memcpy(reinterpret_cast<void *>(address), &value, sizeof(T));  // NOLINT(performance-no-int-to-ptr)
}

float output_value(std::uint64_t address, OutputType type) {
  switch (type) {
    case OutputType::float32: return load<float>(address);
    case OutputType::half: return half_value(load<std::uint16_t>(address));
    case OutputType::bfloat16: return bfloat16_value(load<std::uint16_t>(address));
    case OutputType::int32: return static_cast<float>(load<std::int32_t>(address));
    case OutputType::int8: return load<std::int8_t>(address);
  }
  return 0;
}

constexpr std::uint32_t kNan = 0x7FC00000;

/// The largest error of rounding `number` to this type.
double rounding(OutputType type, double number) {
  switch (type) {
    case OutputType::bfloat16: return std::ldexp(std::fabs(number), -8) + 1e-38;
    case OutputType::half: return std::ldexp(std::fabs(number), -11) + std::ldexp(1.0, -24);
    case OutputType::int8: return 1;
    default: return 0;
  }
}

}  // namespace

CubeMemory::CubeMemory(std::size_t bytes, std::size_t stream_bytes) : size_(bytes), memory_(bytes), stream_memory_(stream_bytes + 32) {
  const isa::Window windows[] = {{.base = reinterpret_cast<std::uintptr_t>(memory_.data()), .bytes = bytes, .read = true, .write = true}};
  std::span<std::byte> code = stream_memory_;
  code = code.subspan((32 - reinterpret_cast<std::uintptr_t>(code.data()) % 32) % 32).first(stream_bytes);
  EXPECT_TRUE(stream_.init(code, windows).ok());
}

std::uint64_t CubeMemory::take(std::uint64_t bytes, std::uint32_t aligned) {
  const std::uint64_t base = reinterpret_cast<std::uintptr_t>(memory_.data());
  const std::uint64_t address = (base + used_ + 2ULL * aligned - 1) / (2ULL * aligned) * (2ULL * aligned) + aligned;
  used_ = address + bytes - base;
  if (used_ > size_) {
    ADD_FAILURE() << "the test's memory is too small";
    std::abort();
  }
  return address;
}

void fill_elements(std::uint64_t address, std::uint64_t bytes, Type type, std::mt19937 &random) {
  std::normal_distribution<float> normal;
  const std::uint32_t step = is_integer(type) ? 1 : element_bits(type) / 8;
  for (std::uint64_t i = 0; i < bytes; i += step) {
    const float value = normal(random);
    switch (type) {
      case Type::bfloat16: store(address + i, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16)); break;
      case Type::half: store(address + i, std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))); break;
      case Type::float32: store(address + i, value); break;
      default: store(address + i, static_cast<std::uint8_t>(random())); break;
    }
  }
}

std::uint32_t Finish::converted(float value) const {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const bool nan = std::isnan(value);
  switch (arguments.to) {
    case OutputType::float32: return nan ? kNan : bits;
    case OutputType::bfloat16: return nan ? kNan >> 16 : (bits + 0x7FFF + (bits >> 16 & 1)) >> 16;
    case OutputType::half: return nan ? 0x7E00 : std::bit_cast<std::uint16_t>(static_cast<_Float16>(value));
    case OutputType::int8: {
      if (nan) value = 0;
      const double sum = std::nearbyint(static_cast<double>(value)) + arguments.zero_point;
      return static_cast<std::uint8_t>(static_cast<std::int8_t>(std::fmin(std::fmax(sum, -128), 127)));
    }
    default: ADD_FAILURE(); return 0;
  }
}

float Finish::activated(float value) const {
  const float parameter = arguments.activation_parameter;
  switch (arguments.activation) {
    case Activation::None: return value;
    case Activation::ReLU: return value < 0 ? 0.0F : value;
    case Activation::LeakyReLU: return value < 0 ? value * parameter : value;
    case Activation::Clip: return value < 0 ? 0.0F : (value > parameter ? parameter : value);
  }
  return value;
}

float Finish::scaled(float value, std::uint32_t column) const {
  if (arguments.scales != 0) return value * load<float>(arguments.scales + 4ULL * column);
  return arguments.alpha == 1 ? value : value * arguments.alpha;
}

std::uint32_t Finish::of_float(float accumulator, std::uint32_t column, float addend) const {
  float value = scaled(accumulator, column);
  if (arguments.beta != 0) value = std::fma(arguments.beta, addend, value);
  if (arguments.biases != 0) value += load<float>(arguments.biases + 4ULL * column);
  return converted(activated(value));
}

std::uint32_t Finish::of_integer(std::int32_t accumulator, std::uint32_t column, float addend) const {
  auto sum = static_cast<std::uint32_t>(accumulator);
  if (arguments.biases != 0) sum += load<std::uint32_t>(arguments.biases + 4ULL * column);
  const auto integer = static_cast<std::int32_t>(sum);
  if (arguments.to == OutputType::int32) return arguments.activation == Activation::ReLU && integer < 0 ? 0 : sum;
  float value = scaled(static_cast<float>(integer), column);
  if (arguments.beta != 0) value = std::fma(arguments.beta, addend, value);
  return converted(activated(value));
}

GemmProblem::GemmProblem(const GemmArguments &wanted, std::mt19937 &random, bool gap)
    : arguments(wanted),
      memory_((4ULL << 20) + 8 * (std::uint64_t{wanted.batches} * (std::uint64_t{wanted.left.rows} * wanted.left.columns +
                                                                   std::uint64_t{wanted.right.rows} * wanted.right.columns +
                                                                   2ULL * wanted.left.rows * wanted.right.columns))) {
  GemmArguments &a = arguments;
  const std::uint32_t m = a.left.rows, n = a.right.columns, element = element_bytes(a.to);
  std::uint32_t l1 = gap ? 3 * kFractalBytes : 0;
  left_ = place(a.left, a.left_stride, l1, random, gap);
  right_ = place(a.right, a.right_stride, l1, random, gap);
  a.output.rows = m;
  a.output.columns = n;
  a.output.pitch = gap ? (n + static_cast<std::uint32_t>(random() % 9)) * element : 0;
  const std::uint64_t pitch = a.output.pitch != 0 ? a.output.pitch : std::uint64_t{n} * element;
  a.output_stride = m * pitch + (gap ? random() % 5 * element : 0);
  const std::uint64_t bytes = a.batches * a.output_stride;
  a.output.address = memory_.take(bytes, element);
  fill_elements(a.output.address, bytes, Type::int8, random);
  if (a.beta != 0) {
    constexpr Type kTypes[] = {Type::float32, Type::half, Type::bfloat16, Type::int8, Type::int8};
    const bool in_place = a.addend.address == kInPlace;
    a.addend = a.output;
    a.addend_stride = a.output_stride;
    if (!in_place) a.addend.address = memory_.take(bytes, element);
    fill_elements(a.addend.address, bytes, kTypes[static_cast<unsigned>(a.to)], random);
  }
  if (a.biases != 0) {
    a.biases = memory_.take(4ULL * n);
    fill_elements(a.biases, 4ULL * n, is_integer(a.type) ? Type::int8 : Type::float32, random);
    // Shifts integer biases so that they are not much larger than the products.
    for (std::uint32_t i = 0; is_integer(a.type) && i < n; ++i) store(a.biases + 4ULL * i, load<std::int32_t>(a.biases + 4ULL * i) >> 15);
  }
  if (a.scales != 0) {
    a.scales = memory_.take(4ULL * n);
    for (std::uint32_t i = 0; i < n; ++i) store(a.scales + 4ULL * i, std::uniform_real_distribution<float>(0.001F, 0.02F)(random));
  }
}

GemmProblem::Operand GemmProblem::place(Matrix &matrix, std::uint64_t &stride, std::uint32_t &l1, std::mt19937 &random, bool gap) {
  const Type type = arguments.type;
  const bool rows = matrix.order == Order::row_major;
  const std::uint32_t lines = rows ? matrix.rows : matrix.columns, length = rows ? matrix.columns : matrix.rows;
  const std::uint32_t bytes = (length * element_bits(type) + 7) / 8, element = std::max(element_bits(type) / 8, 1U);
  Operand operand{.dram = matrix};
  operand.dram.in_l1 = false;
  operand.dram.pitch = gap ? bytes + static_cast<std::uint32_t>(random() % 9) * element : bytes;
  operand.stride = std::uint64_t{lines} * operand.dram.pitch + (gap ? random() % 5 * element : 0);
  operand.dram.address = memory_.take(arguments.batches * operand.stride, element);
  fill_elements(operand.dram.address, arguments.batches * operand.stride, type, random);
  if (!matrix.in_l1) {
    matrix.address = operand.dram.address;
    matrix.pitch = gap ? operand.dram.pitch : 0;
    stride = operand.stride;
    return operand;
  }
  matrix.pitch = fractals(lines, kFractalRows) + (gap ? 1 : 0);
  matrix.address = l1;
  stride = std::uint64_t{fractals(bytes, 32)} * matrix.pitch * kFractalBytes;
  l1 += static_cast<std::uint32_t>(stride * arguments.batches) + kFractalBytes;
  return operand;
}

void GemmProblem::move_to_l1(const Operand &operand, const Matrix &l1, std::uint64_t stride) {
  const bool rows = l1.order == Order::row_major;
  const std::uint32_t lines = rows ? l1.rows : l1.columns, length = rows ? l1.columns : l1.rows;
  for (std::uint32_t batch = 0; batch < arguments.batches; ++batch) {
    const isa::cube::DramToL1 move{.source = operand.dram.address + batch * operand.stride,
                                   .rows = lines,
                                   .row_bytes = (length * element_bits(arguments.type) + 7) / 8,
                                   .source_pitch = operand.dram.pitch,
                                   .format = isa::cube::Format::fractal,
                                   .destination = static_cast<std::uint32_t>(l1.address + batch * stride),
                                   .destination_pitch = l1.pitch};
    ASSERT_TRUE(memory_.stream().append(isa::cube::encode(move)).ok());
  }
}

void GemmProblem::run(const kernels::cube::Tiling *tiling) {
  Stream &stream = memory_.stream();
  stream.clear();
  if (arguments.left.in_l1) move_to_l1(left_, arguments.left, arguments.left_stride);
  if (arguments.right.in_l1) move_to_l1(right_, arguments.right, arguments.right_stride);
  if (stream.slots() != 0) {
    ASSERT_TRUE(stream.append(isa::cube::encode(isa::cube::Barrier{.pipes = 15})).ok());
  }
  const Status status = tiling != nullptr ? gemm(stream, arguments, *tiling) : gemm(stream, arguments);
  ASSERT_TRUE(status.ok()) << error_name(status.code()) << " " << status.what() << " " << status.value() << " " << status.limit();
  const model::cube::Analysis analysis = model::cube::analyse(stream.code());
  ASSERT_TRUE(analysis.refusal.ok()) << error_name(analysis.refusal.code()) << " " << analysis.refusal.what() << " of slot "
                                     << analysis.refusal.index();
  ASSERT_TRUE(analysis.findings.empty()) << analysis.findings.front().text();
  before_.assign(memory_.bytes().begin(), memory_.bytes().end());
  execute(stream.code());

  // Only the output may change.
  std::vector<std::byte> rest(memory_.bytes().begin(), memory_.bytes().end());
  const std::size_t row_bytes = std::size_t{arguments.output.columns} * element_bytes(arguments.to);
  for (std::uint32_t batch = 0; batch < arguments.batches; ++batch) {
    for (std::uint32_t row = 0; row < arguments.output.rows; ++row) {
      const auto offset = static_cast<std::ptrdiff_t>(output(batch, row, 0).data() - memory_.bytes().data());
      std::copy_n(before_.begin() + offset, row_bytes, rest.begin() + offset);
    }
  }
  EXPECT_TRUE(rest == before_) << "written outside of the output";
}

std::span<std::byte> GemmProblem::output(std::uint32_t batch, std::uint32_t row, std::uint32_t column) {
  const GemmArguments &a = arguments;
  const std::uint64_t element = element_bytes(a.to), pitch = a.output.pitch != 0 ? a.output.pitch : a.output.columns * element;
  const std::uint64_t address = a.output.address + batch * a.output_stride + row * pitch + column * element;
  return memory_.bytes().subspan(address - reinterpret_cast<std::uintptr_t>(memory_.bytes().data()), element);
}

namespace {

std::uint64_t element_address(const Matrix &matrix, std::uint64_t stride, std::uint32_t batch, std::uint32_t row, std::uint32_t column,
                              Type type) {
  const bool rows = matrix.order == Order::row_major;
  return matrix.address + batch * stride + std::uint64_t{rows ? row : column} * matrix.pitch +
         std::uint64_t{rows ? column : row} * element_bits(type) / 8;
}

}  // namespace

std::uint64_t GemmProblem::left_element(std::uint32_t batch, std::uint32_t row, std::uint32_t k) const {
  return element_address(left_.dram, left_.stride, batch, row, k, arguments.type);
}
std::uint64_t GemmProblem::right_element(std::uint32_t batch, std::uint32_t k, std::uint32_t column) const {
  return element_address(right_.dram, right_.stride, batch, k, column, arguments.type);
}

double GemmProblem::value(const Operand &operand, std::uint32_t batch, std::uint32_t row, std::uint32_t column) const {
  const std::uint64_t address = element_address(operand.dram, operand.stride, batch, row, column, arguments.type);
  switch (arguments.type) {
    case Type::bfloat16: return bfloat16_value(load<std::uint16_t>(address));
    case Type::half: return half_value(load<std::uint16_t>(address));
    case Type::float32: return load<float>(address);
    case Type::int8: return load<std::int8_t>(address);
    case Type::int4: {
      const std::uint32_t along = operand.dram.order == Order::row_major ? column : row;
      const std::uint32_t nibble = (load<std::uint8_t>(address) >> along % 2 * 4) & 15U;
      return nibble < 8 ? nibble : nibble - 16.0;
    }
  }
  return 0;
}

void GemmProblem::expect_right() {
  for (std::uint32_t batch = 0; batch < arguments.batches; ++batch) expect_batch(batch);
}

void GemmProblem::expect_batch(std::uint32_t batch) {
  const GemmArguments &a = arguments;
  const auto m = static_cast<Eigen::Index>(a.left.rows), k = static_cast<Eigen::Index>(a.left.columns);
  const auto n = static_cast<Eigen::Index>(a.right.columns);
  Eigen::MatrixXd left(m, k), right(k, n);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < k; ++j) left(i, j) = value(left_, batch, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  }
  for (Eigen::Index i = 0; i < k; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) right(i, j) = value(right_, batch, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
  }
  const Eigen::MatrixXd product = left * right, magnitudes = left.cwiseAbs() * right.cwiseAbs();
  const Eigen::MatrixXf left_rows = left.cast<float>().transpose(), right_columns = right.cast<float>();
  const Finish finish{a};
  const std::uint64_t shift = batch * a.addend_stride + a.addend.address - reinterpret_cast<std::uintptr_t>(memory_.bytes().data());
  const std::uint64_t addend_pitch = a.addend.pitch != 0 ? a.addend.pitch : std::uint64_t{a.addend.columns} * element_bytes(a.to);
  for (Eigen::Index i = 0; i < m; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      const auto row = static_cast<std::uint32_t>(i), column = static_cast<std::uint32_t>(j);
      const std::span<std::byte> element = output(batch, row, column);
      std::uint32_t actual = 0;
      std::memcpy(&actual, element.data(), element.size());
      float addend = 0;
      if (a.beta != 0) {
        const std::uint64_t at = shift + row * addend_pitch + std::uint64_t{column} * element_bytes(a.to);
        addend = output_value(reinterpret_cast<std::uintptr_t>(before_.data()) + at, a.to);
      }
      if (is_integer(a.type)) {
        const auto sum = static_cast<std::uint32_t>(static_cast<std::int64_t>(product(i, j)));
        ASSERT_EQ(actual, finish.of_integer(static_cast<std::int32_t>(sum), column, addend)) << text() << " at " << row << ", " << column;
        continue;
      }
      float accumulator = 0;
      for (Eigen::Index p = 0; p < k; ++p) accumulator = std::fma(left_rows(p, i), right_columns(p, j), accumulator);
      ASSERT_EQ(actual, finish.of_float(accumulator, column, addend)) << text() << " at " << row << ", " << column;
      // The bound allows k roundings in the sum and one in each later stage. Each rounded number is at most `size`.
      if (!std::isfinite(product(i, j))) continue;
      const double factor = a.scales != 0 ? load<float>(a.scales + 4ULL * column) : a.alpha;
      const double bias = a.biases != 0 ? load<float>(a.biases + 4ULL * column) : 0;
      double expected = factor * product(i, j) + double{a.beta} * addend + bias;
      const double size = std::fabs(factor) * magnitudes(i, j) + std::fabs(double{a.beta} * addend) + std::fabs(bias);
      const double bound = (static_cast<double>(k) + 3) * std::ldexp(1.0, -24) * size * 1.01;
      if (a.activation != Activation::None && expected < 0)
        expected = a.activation == Activation::LeakyReLU ? expected * a.activation_parameter : 0;
      if (a.activation == Activation::Clip) expected = std::fmin(expected, a.activation_parameter);
      if (a.to == OutputType::int8) expected = std::fmin(std::fmax(expected + a.zero_point, -128), 127);
      if (a.to == OutputType::half && std::fabs(expected) > 65000) continue;
      ASSERT_NEAR(output_value(reinterpret_cast<std::uintptr_t>(element.data()), a.to), expected,
                  bound + rounding(a.to, std::fabs(expected) + bound))
          << text() << " at " << row << ", " << column;
    }
  }
}

std::string GemmProblem::text() const {
  const GemmArguments &a = arguments;
  const auto order = [](const Matrix &matrix) {
    return std::string(matrix.order == Order::row_major ? " row-major" : " column-major") + (matrix.in_l1 ? " in L1" : "");
  };
  return std::to_string(a.left.rows) + "x" + std::to_string(a.left.columns) + "x" + std::to_string(a.right.columns) + " type " +
         std::to_string(static_cast<int>(a.type)) + " to " + std::to_string(static_cast<int>(a.to)) + order(a.left) + "," + order(a.right) +
         " batches " + std::to_string(a.batches) + " alpha " + std::to_string(a.alpha) + " beta " + std::to_string(a.beta);
}

}  // namespace cox::tests
