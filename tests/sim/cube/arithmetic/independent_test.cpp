// SPDX-License-Identifier: MIT
// Compares the model's reference path with products of plain matrices. Operands go from rows in DRAM through all moves to the array, and
// results go back to rows in DRAM. Integer results are also compared with oneDNN's.
#include <gtest/gtest.h>
#include <oneapi/dnnl/dnnl.h>

#include <cmath>
#include <cstring>

#include "random_case.h"

namespace cox::test {
namespace {

using namespace isa::cube;
using model::cube::Path;

/// A matrix, stored row by row, with one word per element.
struct Matrix {
  std::uint32_t rows = 0, columns = 0;
  std::vector<std::uint32_t> elements;

  Matrix(std::uint32_t row_count, std::uint32_t column_count)
      : rows(row_count), columns(column_count), elements(std::size_t{row_count} * column_count) {}
  std::uint32_t &at(std::uint32_t row, std::uint32_t column) { return elements[std::size_t{row} * columns + column]; }
  [[nodiscard]] std::uint32_t at(std::uint32_t row, std::uint32_t column) const { return elements[std::size_t{row} * columns + column]; }

  [[nodiscard]] Matrix transposed() const {
    Matrix result(columns, rows);
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t column = 0; column < columns; ++column) result.at(column, row) = at(row, column);
    }
    return result;
  }
  /// The rows as they lie in DRAM. Each row begins at a new byte. Of the two 4-bit elements in a byte, the first is in the low half.
  [[nodiscard]] std::vector<std::byte> packed(std::uint32_t bits) const {
    std::vector<std::byte> bytes(std::size_t{rows} * row_bytes(bits));
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::byte *to = bytes.data() + std::size_t{row} * row_bytes(bits);
      for (std::uint32_t column = 0; column < columns; ++column) {
        if (bits == 4) {
          to[column / 2] |= static_cast<std::byte>(at(row, column) << (column % 2 * 4));
        } else {
          std::memcpy(to + column * bits / 8, &elements[std::size_t{row} * columns + column], bits / 8);
        }
      }
    }
    return bytes;
  }
  [[nodiscard]] std::uint32_t row_bytes(std::uint32_t bits) const { return (columns * bits + 7) / 8; }
};

Matrix random_matrix(Random &random, std::uint32_t rows, std::uint32_t columns, Type type, Style style) {
  Matrix matrix(rows, columns);
  for (std::uint32_t &element : matrix.elements) element = random_element(random, type, style);
  return matrix;
}

double number(std::uint32_t bits, Type type) {
  switch (type) {
    case Type::bfloat16: return std::bit_cast<float>(bits << 16);
    case Type::half: {
      const double magnitude =
          (bits >> 10 & 31) == 0 ? std::ldexp(bits & 1023, -24) : std::ldexp((bits & 1023) + 1024, static_cast<int>(bits >> 10 & 31) - 25);
      const double finite = (bits >> 10 & 31) == 31 ? ((bits & 1023) != 0 ? std::nan("") : HUGE_VAL) : magnitude;
      return (bits & 0x8000) != 0 ? -finite : finite;
    }
    case Type::float32: return std::bit_cast<float>(bits);
    case Type::int8: return static_cast<std::int8_t>(bits);
    case Type::int4: return (bits & 8) != 0 ? static_cast<double>(bits) - 16 : bits;
  }
  return 0;
}

/// Returns a * b + start. `start` has a value for each column.
Matrix product(const Matrix &a, const Matrix &b, const std::vector<std::uint32_t> &start, Type type) {
  Matrix c(a.rows, b.columns);
  for (std::uint32_t i = 0; i < c.rows; ++i) {
    for (std::uint32_t j = 0; j < c.columns; ++j) {
      if (is_integer(type)) {
        std::int64_t sum = static_cast<std::int32_t>(start[j]);
        for (std::uint32_t k = 0; k < a.columns; ++k) sum += static_cast<std::int64_t>(number(a.at(i, k), type) * number(b.at(k, j), type));
        c.at(i, j) = static_cast<std::uint32_t>(sum);
      } else {
        auto sum = std::bit_cast<float>(start[j]);
        for (std::uint32_t k = 0; k < a.columns; ++k) {
          sum = std::fma(static_cast<float>(number(a.at(i, k), type)), static_cast<float>(number(b.at(k, j), type)), sum);
        }
        c.at(i, j) = std::isnan(sum) ? 0x7FC00000 : std::bit_cast<std::uint32_t>(sum);
      }
    }
  }
  return c;
}

/// The matrix unit with its reference or its fast path, driven by the operations that a kernel would submit.
class Unit {
 public:
  explicit Unit(Random &random, Path path = Path::reference) : path_(path) {
    for (model::cube::Buffer *buffer : {&buffers_.l1, &buffers_.l0a, &buffers_.l0b, &buffers_.l0c}) fill(random, *buffer);
  }

  void load(const Matrix &matrix, Type type, std::uint32_t to, Format format = Format::fractal) {
    std::vector<std::byte> bytes = matrix.packed(element_bits(type));
    const std::uint32_t row_bytes = matrix.row_bytes(element_bits(type));
    model::cube::execute(DramToL1{.rows = matrix.rows,
                                  .row_bytes = row_bytes,
                                  .source_pitch = row_bytes,
                                  .format = format,
                                  .destination = to,
                                  .destination_pitch = format == Format::fractal ? (matrix.rows + 15) / 16 : row_bytes},
                         buffers_, bytes.data(), path_);
  }
  /// Moves the elements [first, first + size) along k: columns of A to L0A, or rows of B to L0B. load() has put the matrix at `from`.
  void move(bool right, Type type, bool transpose, bool k_align, std::uint32_t from, std::uint32_t l1_rows, std::uint32_t other,
            std::uint32_t first, std::uint32_t size) {
    const std::uint32_t pitch = (l1_rows + 15) / 16, width = 256 / element_bits(type);
    // L1 holds the fractals column by column, with `pitch` fractals per column.
    const std::uint32_t source = from + (transpose ? first / 16 : first / width * pitch) * 512;
    execute(L1ToL0{.right = right,
                   .type = type,
                   .transpose = transpose,
                   .k_align = k_align,
                   .source = source,
                   .source_pitch = pitch,
                   .rows = right ? size : other,
                   .columns = right ? other : size});
  }
  void execute(const Operation &operation) { model::cube::execute(operation, buffers_, nullptr, path_); }

  /// The matrix of accumulators at the start of L0C.
  Matrix accumulators(std::uint32_t rows, std::uint32_t columns, bool integer) {
    Matrix result(rows, columns);
    Output output{.configuration = {},
                  .destination_pitch = columns * 4,
                  .integer = integer,
                  .to = integer ? OutputType::int32 : OutputType::float32,
                  .source_pitch = (rows + 15) / 16,
                  .rows = rows,
                  .columns = columns};
    model::cube::execute(output, buffers_, reinterpret_cast<std::byte *>(result.elements.data()), path_);
    return result;
  }

 private:
  model::cube::Buffers buffers_;
  Path path_;
};

struct Problem {
  Type type = Type::bfloat16;
  std::uint32_t m = 1, k = 1, n = 1, split = 0;  ///< split: size of the steps of k; 0: one step
  bool a_transposed = false, b_transposed = false, k_align = false;
};

/// Computes the product with the unit. The sums start from `biases`, which go through the bias table.
Matrix product_in_unit(Unit &unit, const Problem &problem, const Matrix &a, const Matrix &b, const std::vector<std::uint32_t> &biases) {
  constexpr std::uint32_t kRight = 512 << 10, kBiases = 1000 << 10;
  const Type type = problem.type;
  // L1 holds A as m x k, or as k x m if a_transposed. It holds B as k x n, or as n x k if b_transposed. The move to L0B transposes B unless
  // it is n x k.
  unit.load(problem.a_transposed ? a.transposed() : a, type, 0);
  unit.load(problem.b_transposed ? b.transposed() : b, type, kRight);
  Matrix row(1, 256);
  std::copy(biases.begin(), biases.end(), row.elements.begin());
  unit.load(row, Type::float32, kBiases, Format::linear);
  unit.execute(L1ToBt{.source = kBiases, .destination = 0, .bytes = 1024});
  const std::uint32_t step = problem.split == 0 ? problem.k : problem.split;
  for (std::uint32_t first = 0; first < problem.k; first += step) {
    const std::uint32_t size = std::min(step, problem.k - first);
    unit.move(false, type, problem.a_transposed, problem.k_align, 0, problem.a_transposed ? problem.k : problem.m, problem.m, first, size);
    unit.move(true, type, !problem.b_transposed, problem.k_align, kRight, problem.b_transposed ? problem.n : problem.k, problem.n, first,
              size);
    unit.execute(Mad{.type = type,
                     .m = problem.m,
                     .k = size,
                     .n = problem.n,
                     .k_align = problem.k_align,
                     .start = first == 0 ? Start::bias_table : Start::accumulator});
  }
  return unit.accumulators(problem.m, problem.n, is_integer(type));
}

Problem random_problem(Random &random, Type type) {
  for (;;) {
    Problem problem{type, random_size(random, 200), random_size(random, 600), random_size(random, 256)};
    problem.a_transposed = random.one_of(2);
    problem.b_transposed = random.one_of(2);
    problem.k_align = type == Type::float32 && random.one_of(2);
    if (type == Type::int4) {  // rows must have whole bytes
      problem.k += problem.k % 2;
      problem.n += problem.n % 2;
      problem.m += problem.m % 2;
    }
    const Mad mad{.type = type, .m = problem.m, .k = problem.k, .n = problem.n, .k_align = problem.k_align};
    if (mad.m_count() * mad.k_count() > 128 || mad.n_count() * mad.k_count() > 128 || mad.m_count() * mad.n_count() > 256) continue;
    if (problem.m * problem.k * problem.n > 60000) continue;
    return problem;
  }
}

std::vector<std::uint32_t> random_biases(Random &random, const Problem &problem, Style style) {
  std::vector<std::uint32_t> biases(problem.n);
  for (std::uint32_t &bias : biases) bias = is_integer(problem.type) ? random.word() : random_element(random, Type::float32, style);
  return biases;
}

TEST(Independent, ProductsOfPlainMatrices) {
  Random random(1);
  Unit unit(random), fast(random, Path::fast);
  for (std::uint32_t i = 0; i < 200; ++i) {
    const Problem problem = random_problem(random, static_cast<Type>(i % 5));
    const Style style = random_style(random);
    const Matrix a = random_matrix(random, problem.m, problem.k, problem.type, style);
    const Matrix b = random_matrix(random, problem.k, problem.n, problem.type, style);
    const std::vector<std::uint32_t> biases = random_biases(random, problem, style);
    const Matrix expected = product(a, b, biases, problem.type);
    ASSERT_EQ(product_in_unit(unit, problem, a, b, biases).elements, expected.elements) << "case " << i;
    // The unit must give the same bits if it computes the product in several steps of k. A step is a multiple of 64 elements, so it has
    // whole fractals in every type.
    Problem split = problem;
    split.split = 64 * random.in(1, 3);
    ASSERT_EQ(product_in_unit(fast, split, a, b, biases).elements, expected.elements) << "case " << i;
  }
}

TEST(Independent, BytesEqualOnednn) {
  (void)dnnl_set_max_cpu_isa(dnnl_cpu_isa_avx512_core_vnni);  // oneDNN's AMX code needs a permission that oneDNN does not request
  Random random(2);
  Unit unit(random);
  for (std::uint32_t i = 0; i < 40; ++i) {
    const Problem problem = random_problem(random, Type::int8);
    const Matrix a = random_matrix(random, problem.m, problem.k, Type::int8, Style::special);
    Matrix b = random_matrix(random, problem.k, problem.n, Type::int8, Style::usual);
    for (std::uint32_t &element : b.elements)
      // without VNNI, oneDNN saturates the sum of two products, so the elements stay between -64 and 63
      element = ((element & 0x7F) - 64) & 0xFF;
    std::vector<std::uint32_t> none(problem.n);
    std::vector<std::int8_t> left(a.elements.begin(), a.elements.end()), right(b.elements.begin(), b.elements.end());
    std::vector<std::int32_t> expected(std::size_t{problem.m} * problem.n);
    const std::int32_t offset = 0;
    ASSERT_EQ(dnnl_gemm_s8s8s32('N', 'N', 'F', problem.m, problem.n, problem.k, 1.0F, left.data(), problem.k, 0, right.data(), problem.n, 0,
                                0.0F, expected.data(), problem.n, &offset),
              dnnl_success);
    const Matrix c = product_in_unit(unit, problem, a, b, none);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), c.elements.begin(),
                           [](std::int32_t x, std::uint32_t y) { return x == static_cast<std::int32_t>(y); }))
        << "case " << i;
  }
}

TEST(Independent, ConvolutionsOfPlainMaps) {
  Random random(3);
  Unit unit(random), fast(random, Path::fast);
  constexpr std::uint32_t kWeights = 512 << 10;
  for (std::uint32_t i = 0; i < 120; ++i) {
    const Type type = static_cast<Type>(i % 5);
    Im2col map;
    map.type = type;
    map.height = random.in(1, 9);
    map.width = random.in(1, 9);
    map.channels = random.in(1, 10) * 2;
    map.pad_value = type == Type::int8 ? static_cast<std::int32_t>(random.in(0, 255)) - 128 : 0;
    map.kernel_height = random.in(1, 3);
    map.kernel_width = random.in(1, 3);
    map.stride_y = random.in(1, 2);
    map.stride_x = random.in(1, 3);
    map.dilation_y = random.in(1, 2);
    map.dilation_x = random.in(1, 2);
    map.pad_top = random.in(0, 2);
    map.pad_left = random.in(0, 2);
    map.out_width = random.in(1, 7);
    const std::uint32_t out_height = random.in(1, 6), kernels = random.in(1, 20) * 2;
    const auto depth = static_cast<std::uint32_t>(map.depth());
    const Matrix pixels = random_matrix(random, map.height * map.width, map.channels, type, Style::usual);
    const Matrix weights = random_matrix(random, depth, kernels, type, Style::usual);

    Matrix patches(out_height * map.out_width, depth);
    for (std::uint32_t place = 0; place < patches.rows; ++place) {
      std::uint32_t column = 0;
      for (std::uint32_t ky = 0; ky < map.kernel_height; ++ky) {
        for (std::uint32_t kx = 0; kx < map.kernel_width; ++kx) {
          for (std::uint32_t channel = 0; channel < map.channels; ++channel, ++column) {
            const int y = static_cast<int>(place / map.out_width * map.stride_y + ky * map.dilation_y) - static_cast<int>(map.pad_top);
            const int x = static_cast<int>(place % map.out_width * map.stride_x + kx * map.dilation_x) - static_cast<int>(map.pad_left);
            const bool inside = y >= 0 && x >= 0 && y < static_cast<int>(map.height) && x < static_cast<int>(map.width);
            patches.at(place, column) = inside
                                            ? pixels.at(static_cast<std::uint32_t>(y) * map.width + static_cast<std::uint32_t>(x), channel)
                                            : static_cast<std::uint32_t>(map.pad_value);
          }
        }
      }
    }
    const Matrix expected = product(patches, weights, std::vector<std::uint32_t>(kernels), type);

    map.pixel_pitch = pixels.row_bytes(element_bits(type));
    map.row_pitch = map.pixel_pitch * map.width;
    const std::uint32_t width = std::max(16U, fractal_width(type)), first_row = random.in(0, out_height * map.out_width - 1);
    for (Unit *now : {&unit, &fast}) {
      now->load(pixels, type, 0, Format::linear);
      now->load(weights, type, kWeights);
      // Computes only the output positions from first_row on. The first step multiplies the first `width` columns of the patches, the
      // second step the rest, if any.
      const std::uint32_t rows = patches.rows - first_row, step = depth > width ? width : depth;
      for (std::uint32_t first = 0; first < depth; first += step) {
        const std::uint32_t size = first == 0 ? step : depth - first;
        now->execute(Im2colToL0A{.map = map, .source = 0, .first_place = first_row, .rows = rows, .first_column = first, .columns = size});
        now->move(true, type, true, false, kWeights, depth, kernels, first, size);
        now->execute(Mad{.type = type, .m = rows, .k = size, .n = kernels, .start = first == 0 ? Start::zero : Start::accumulator});
        if (first != 0) break;
      }
      const Matrix c = now->accumulators(rows, kernels, is_integer(type));
      ASSERT_TRUE(std::equal(c.elements.begin(), c.elements.end(), expected.elements.begin() + std::ptrdiff_t{first_row} * kernels))
          << "case " << i;
    }
  }
}

}  // namespace
}  // namespace cox::test
