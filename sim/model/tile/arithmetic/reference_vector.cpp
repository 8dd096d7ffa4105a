// SPDX-License-Identifier: MIT
// Vector operations, one scalar at a time. Built without contraction: each operation on numbers rounds on its own.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "coxswain/isa/numbers/exponential.h"
#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/layout.h"
#include "sim/model/tile/arithmetic/reference.h"
#include "sim/model/tile/arithmetic/resize.h"
#include "sim/model/tile/arithmetic/table.h"
#include "sim/model/tile/arithmetic/vector_scalars.h"
#include "sim/model/tile/arithmetic/writes.h"

namespace cox::model::arithmetic::reference {
namespace {

using isa::tile::CompareMode;
using isa::tile::Dimensions;
using isa::tile::Group1Mode;
using isa::tile::GroupMode;
using isa::tile::Map;
using isa::tile::Vector;
using isa::tile::VectorFunction;

float whole_number(float value, std::uint8_t rounding) {
  switch (rounding) {
    case 1: return std::floor(value);
    case 2: return std::nearbyint(value);  // half to even, in the default rounding mode
    case 3: return std::trunc(value);
    default: return value;
  }
}

/// The greater value: NaN if either is NaN, `a` if they are equal.
float greater(float a, float b) { return std::isnan(b) || b > a ? b : a; }
float lesser(float a, float b) { return std::isnan(b) || b < a ? b : a; }

/// Adds values in the order that docs/arithmetic.md defines: one after another, or in eight lanes that are added at the end.
class Sum {
 public:
  explicit Sum(bool lanes) : count_(lanes ? 8 : 1) {}

  void add(float value) {
    float &lane = lanes_[number_++ % count_];
    lane = lane + value;
  }
  [[nodiscard]] float result() const {
    if (count_ == 1) return lanes_[0];
    return ((lanes_[0] + lanes_[1]) + (lanes_[2] + lanes_[3])) + ((lanes_[4] + lanes_[5]) + (lanes_[6] + lanes_[7]));
  }

 private:
  std::array<float, 8> lanes_{};  // every lane begins with +0
  std::uint64_t count_, number_ = 0;
};

class Calculation {
 public:
  Calculation(const Vector &operation, const Memories &memories)
      : op_(operation), memories_(memories), scalars_(operation, memories), entries_(table_entries(operation.table, memories.table)) {}

  void run() {
    if (op_.is_reduction()) {
      reduce_all();
    } else {
      for (std::uint32_t h = 0; h < op_.height; ++h) {
        for (std::uint32_t w = 0; w < op_.width; ++w) pixel(h, w);
      }
    }
    writes_.commit(memories_.destination);
  }

 private:
  [[nodiscard]] float element(const Memory &memory, const Map &map, std::int64_t h, std::int64_t w, std::int64_t c) const {
    const std::int64_t bit = element_bit(map, pixel_address(map, 0, h, w), c);
    return real_of(read_element(memory, bit, map.element_bits), map.format);
  }

  [[nodiscard]] float dequantised(float value, float scale, float zero_point) const {
    if (!op_.dequantise) return value;
    value = value * scale;
    value = value + zero_point;
    return whole_number(value, op_.dequantisation_rounding);
  }

  /// An element of the tensor at STaddr.
  [[nodiscard]] float source_element(std::int64_t h, std::int64_t w, std::int64_t c) const {
    const float value = dequantised(element(memories_.source, op_.source, h, w, c), op_.source_scale, op_.source_zero_point);
    return op_.multiply_elements && op_.function != VectorFunction::average_pool ? value * scalars_.multiplier : value;
  }
  /// Like source_element(), for a tensor that may lack dimensions. The tensor repeats its elements along each dimension that it lacks.
  [[nodiscard]] float source(std::int64_t h, std::int64_t w, std::int64_t c) const {
    return source_element(has_dimension(op_.dimensions, Dimensions::H) ? h : 0, has_dimension(op_.dimensions, Dimensions::W) ? w : 0,
                          has_dimension(op_.dimensions, Dimensions::C) ? c : 0);
  }
  /// An element of the tensor at STaddr1.
  [[nodiscard]] float source1(std::int64_t h, std::int64_t w, std::int64_t c) const {
    const float value =
        element(memories_.source1, op_.source1, has_dimension(op_.dimensions1, Dimensions::H) ? h : 0,
                has_dimension(op_.dimensions1, Dimensions::W) ? w : 0, has_dimension(op_.dimensions1, Dimensions::C) ? c : 0);
    return dequantised(value, op_.source1_scale, op_.source1_zero_point);
  }

  void put(std::int64_t h, std::int64_t w, std::int64_t c, float value) {
    switch (op_.group1) {
      case Group1Mode::DEFAULT: break;
      case Group1Mode::ADD: value = value + scalars_.operand1; break;
      case Group1Mode::SUB: value = value - scalars_.operand1; break;
      case Group1Mode::MUL: value = value * scalars_.operand1; break;
    }
    if (op_.affine) {
      value = value * scalars_.factor;
      value = value + scalars_.summand;
    }
    if (op_.apply_scale) value = value * op_.scale;
    if (op_.apply_zero_point) value = op_.subtract_zero_point ? value - op_.zero_point : value + op_.zero_point;
    value = value * std::ldexp(1.0F, -static_cast<int>(op_.shift));
    const Map &map = op_.destination;
    writes_.put(element_bit(map, pixel_address(map, 0, h, w), c), map.element_bits, to_element(value, map.format, op_.rounding));
  }

  void pixel(std::uint32_t h, std::uint32_t w) {
    if (op_.function == VectorFunction::softmax) return softmax(h, w);
    if (op_.function == VectorFunction::layer_norm) return layer_norm(h, w);
    for (std::uint32_t c = 0; c < op_.channels; ++c) put(h, w, c, value(h, w, c));
  }

  [[nodiscard]] float value(std::uint32_t h, std::uint32_t w, std::uint32_t c) const {
    switch (op_.function) {
      case VectorFunction::maximum_pool:
      case VectorFunction::minimum_pool:
      case VectorFunction::average_pool: return pool(h, w, c);
      case VectorFunction::nearest:
      case VectorFunction::bilinear: return resized(h, w, c);
      case VectorFunction::table: return entries_.empty() ? source(h, w, c) : look_up(op_.table, entries_.data(), source(h, w, c));
      case VectorFunction::arithmetic: return arithmetic(source(h, w, c), op_.two_tensors ? source1(h, w, c) : scalars_.operand);
      case VectorFunction::compare: return compare(source(h, w, c), op_.two_tensors ? source1(h, w, c) : scalars_.operand);
      default: return source(h, w, c);
    }
  }

  [[nodiscard]] float arithmetic(float a, float b) const {
    switch (op_.group) {
      case GroupMode::DEFAULT: return a + b;
      case GroupMode::SUB: return a - b;
      case GroupMode::RSUB: return b - a;
      case GroupMode::MUL: return a * b;
      case GroupMode::DIV: return a / b;
    }
    return a;
  }

  [[nodiscard]] float compare(float a, float b) const {
    switch (op_.compare) {
      case CompareMode::DEFAULT: return a;
      case CompareMode::MAX: return greater(a, b);
      case CompareMode::MIN: return lesser(a, b);
      case CompareMode::GT: return a > b ? 1.0F : 0.0F;
      case CompareMode::GE: return a >= b ? 1.0F : 0.0F;
      case CompareMode::LT: return a < b ? 1.0F : 0.0F;
      case CompareMode::LE: return a <= b ? 1.0F : 0.0F;
      case CompareMode::EQ: return a == b ? 1.0F : 0.0F;
      case CompareMode::NE: return a != b ? 1.0F : 0.0F;
    }
    return a;
  }

  [[nodiscard]] bool inside(std::int64_t row, std::int64_t column) const {
    return row >= 0 && row < op_.source.height && column >= 0 && column < op_.source.width;
  }

  [[nodiscard]] float pool(std::uint32_t h, std::uint32_t w, std::uint32_t c) const {
    const bool least = op_.function == VectorFunction::minimum_pool;
    float best = least ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
    float sum = 0;
    for (std::uint32_t r = 0; r < op_.kernel_height; ++r) {
      for (std::uint32_t s = 0; s < op_.kernel_width; ++s) {
        const std::int64_t row = std::int64_t{op_.first_row} + std::int64_t{h} * op_.stride_height + r;
        const std::int64_t column = std::int64_t{op_.first_column} + std::int64_t{w} * op_.stride_width + s;
        const float x = inside(row, column) ? source_element(row, column, c) : op_.padding_value;
        best = least ? lesser(best, x) : greater(best, x);
        const float term = x * scalars_.multiplier;
        sum = sum + term;
      }
    }
    return op_.function == VectorFunction::average_pool ? sum : best;
  }

  /// Returns the element at a position. Outside of the map, returns the nearest element or the padding value.
  [[nodiscard]] float area(std::int64_t row, std::int64_t column, std::uint32_t c) const {
    if (op_.padding_value == isa::tile::kNoAreaCorrection) {
      row = std::clamp<std::int64_t>(row, 0, std::int64_t{op_.source.height} - 1);
      column = std::clamp<std::int64_t>(column, 0, std::int64_t{op_.source.width} - 1);
    }
    return inside(row, column) ? source_element(row, column, c) : op_.padding_value;
  }

  [[nodiscard]] float resized(std::uint32_t h, std::uint32_t w, std::uint32_t c) const {
    const Position row = resize_position(op_, 0, h);
    const Position column = resize_position(op_, 1, w);
    if (op_.function == VectorFunction::nearest) return area(row.index, column.index, c);
    const float top = between(area(row.index, column.index, c), area(row.index, column.index + 1, c), column.fraction);
    const float bottom = between(area(row.index + 1, column.index, c), area(row.index + 1, column.index + 1, c), column.fraction);
    return between(top, bottom, row.fraction);
  }

  static float between(float a, float b, float fraction) {
    const float difference = b - a;
    const float part = fraction * difference;
    return a + part;
  }

  void softmax(std::uint32_t h, std::uint32_t w) {
    float largest = -std::numeric_limits<float>::infinity();
    for (std::uint32_t c = 0; c < op_.channels; ++c) largest = greater(largest, source(h, w, c));
    std::vector<float> powers(op_.channels);
    Sum sum(op_.lanes);
    for (std::uint32_t c = 0; c < op_.channels; ++c) {
      powers[c] = isa::numbers::exponential(source(h, w, c) - largest);
      sum.add(powers[c]);
    }
    for (std::uint32_t c = 0; c < op_.channels; ++c) put(h, w, c, powers[c] / sum.result());
  }

  void layer_norm(std::uint32_t h, std::uint32_t w) {
    const auto count = static_cast<float>(op_.channels);
    Sum sum(op_.lanes);
    for (std::uint32_t c = 0; c < op_.channels; ++c) sum.add(source(h, w, c));
    const float mean = sum.result() / count;
    Sum squares(op_.lanes);
    for (std::uint32_t c = 0; c < op_.channels; ++c) {
      const float difference = source(h, w, c) - mean;
      squares.add(difference * difference);
    }
    const float variance = squares.result() / count;
    const float deviation = std::sqrt(variance + scalars_.operand);
    for (std::uint32_t c = 0; c < op_.channels; ++c) {
      float y = (source(h, w, c) - mean) / deviation;
      if (op_.two_tensors) {
        y = y * source1(0, w, c);
        y = y + source1(1, w, c);
      }
      put(h, w, c, y);
    }
  }

  void reduce_all() {
    const bool over_c = has_dimension(op_.reduced, Dimensions::C);
    const bool over_w = has_dimension(op_.reduced, Dimensions::W);
    const bool over_h = has_dimension(op_.reduced, Dimensions::H);
    for (std::uint32_t h = 0; h < (over_h ? 1 : op_.height); ++h) {
      for (std::uint32_t w = 0; w < (over_w ? 1 : op_.width); ++w) {
        for (std::uint32_t c = 0; c < (over_c ? 1 : op_.channels); ++c) {
          const float y = reduce({h, over_h ? op_.height : h + 1}, {w, over_w ? op_.width : w + 1}, {c, over_c ? op_.channels : c + 1});
          keep_result(op_, memories_, y);
          put(h, w, c, y);
        }
      }
    }
  }

  struct Range {
    std::uint32_t begin, end;
  };
  [[nodiscard]] float reduce(Range rows, Range columns, Range channels) const {
    Sum sum(op_.lanes);
    std::uint64_t count = 0;
    float largest = -std::numeric_limits<float>::infinity();
    float smallest = std::numeric_limits<float>::infinity();
    for (std::uint32_t h = rows.begin; h < rows.end; ++h) {
      for (std::uint32_t w = columns.begin; w < columns.end; ++w) {
        for (std::uint32_t c = channels.begin; c < channels.end; ++c) {
          const float x = source(h, w, c);
          sum.add(x);
          largest = greater(largest, x);
          smallest = lesser(smallest, x);
          ++count;
        }
      }
    }
    switch (op_.function) {
      case VectorFunction::sum: return sum.result();
      case VectorFunction::mean: return sum.result() / static_cast<float>(count);
      case VectorFunction::maximum: return largest;
      default: return smallest;
    }
  }

  const Vector &op_;
  const Memories &memories_;
  VectorScalars scalars_;
  std::vector<float> entries_;
  Writes writes_;
};

}  // namespace

void vector(const Vector &operation, const Memories &memories) { Calculation(operation, memories).run(); }

}  // namespace cox::model::arithmetic::reference
