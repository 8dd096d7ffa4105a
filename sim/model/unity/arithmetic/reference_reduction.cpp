// SPDX-License-Identifier: MIT
// REDUCE_*.
#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/partial_sums.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "sim/model/unity/arithmetic/wide_whole.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Opcode;
using isa::unity::Reduction;

/// The elements that become one.
struct Group {
  const Reduction &operation;
  const std::byte *source;
  std::uint32_t h, w, c;  ///< 0 in directions that are reduced

  [[nodiscard]] Unit unit() const { return operation.source.unit; }
  [[nodiscard]] std::uint64_t count() const {
    return (operation.over_height ? std::uint64_t{operation.height} : 1) * (operation.over_width ? operation.width : 1) *
           (operation.over_channels ? operation.channels : 1);
  }
  /// Calls `visit` with the bits of each element, by row, column and channel.
  template <typename Visit>
  void for_each(Visit visit) const {
    const std::uint32_t heights = operation.over_height ? operation.height : 1, widths = operation.over_width ? operation.width : 1;
    const std::uint32_t depths = operation.over_channels ? operation.channels : 1;
    for (std::uint32_t i = 0; i < heights; ++i) {
      for (std::uint32_t j = 0; j < widths; ++j) {
        for (std::uint32_t k = 0; k < depths; ++k) {
          const std::uint64_t index = ((h + i) * std::uint64_t{operation.width} + w + j) * operation.channels + c + k;
          visit(load_bits(source, unit(), index));
        }
      }
    }
  }
};

// --- Whole numbers ---

template <typename Visit>
void for_each_whole(const Group &group, Visit visit) {
  group.for_each([&](std::uint64_t bits) { visit(whole_of_bits(bits, group.unit())); });
}

Whole sum(const Group &group) {
  Whole total;
  for_each_whole(group, [&](Whole x) { total = total + x; });
  return total;
}

/// The product modulo 2^64 with its sign, or a magnitude of 2^64 if it has more bits and the result is clamped.
Whole product_of(const Group &group, bool cap) {
  bool negative = false, beyond = false, zero = false;
  std::uint64_t magnitude = 1;
  for_each_whole(group, [&](Whole x) {
    negative = negative != x.negative;
    zero = zero || x.magnitude == 0;
    beyond |= __builtin_mul_overflow(magnitude, static_cast<std::uint64_t>(x.magnitude), &magnitude);
  });
  if (zero) return {};
  return whole(negative, cap && beyond ? Magnitude{1} << 64 : Magnitude{magnitude});
}

/// (n * sum of squares - square of the sum) / n^2.
Whole variance(const Group &group, Rounding rounding) {
  const Magnitude n = group.count();
  WideMagnitude squares;
  for_each_whole(group, [&](Whole x) { squares = squares + product(x.magnitude, x.magnitude); });
  const WideMagnitude low = product(squares.low, n), high = product(squares.high, n);
  const WideMagnitude scaled = low + WideMagnitude{high.low, 0};
  const Magnitude total = sum(group).magnitude;
  return whole(false, quotient(scaled - product(total, total), n * n, rounding));
}

std::uint64_t reduced_wholes(const Group &group) {
  const Reduction &operation = group.operation;
  const auto store = [&](Whole value) { return bits_of_whole(value, group.unit(), operation.saturate); };
  switch (operation.op) {
    case Opcode::REDUCE_MEAN: return store(quotient(sum(group), whole(false, group.count()), operation.rounding));
    case Opcode::REDUCE_PROD: return store(product_of(group, operation.saturate));
    case Opcode::REDUCE_SUM: return store(sum(group));
    case Opcode::REDUCE_VAR: return store(variance(group, operation.rounding));
    default: {  // REDUCE_MAX, REDUCE_MIN
      bool first = true;
      Whole best;
      for_each_whole(group, [&](Whole x) {
        if (first || (operation.op == Opcode::REDUCE_MAX ? best < x : x < best)) best = x;
        first = false;
      });
      return store(best);
    }
  }
}

// --- Real numbers ---

template <typename Wide>
Wide reduced_reals(const Group &group) {
  const auto for_each = [&](auto visit) {
    group.for_each([&](std::uint64_t bits) { visit(static_cast<Wide>(real_of_bits(bits, group.unit()))); });
  };
  const auto n = static_cast<Wide>(group.count());
  Wide total = 0;
  switch (group.operation.op) {
    case Opcode::REDUCE_PROD:
      total = 1;
      for_each([&](Wide x) { total *= x; });
      return total;
    case Opcode::REDUCE_MEAN:
    case Opcode::REDUCE_SUM:
    case Opcode::REDUCE_VAR: {
      PartialSums<Wide> sums, squares;
      for_each([&](Wide x) { sums.add(x); });
      if (group.operation.op == Opcode::REDUCE_SUM) return sums.total();
      const Wide mean = sums.total() / n;
      if (group.operation.op == Opcode::REDUCE_MEAN) return mean;
      for_each([&](Wide x) { squares.add((x - mean) * (x - mean)); });
      return squares.total() / n;
    }
    default: {  // REDUCE_MAX, REDUCE_MIN; NaN wins, and -0 is less than +0
      const bool most = group.operation.op == Opcode::REDUCE_MAX;
      bool first = true;
      for_each([&](Wide x) {
        const bool less = most ? total < x || (total == x && std::signbit(total)) : x < total || (x == total && std::signbit(x));
        if (first || (!std::isnan(total) && (std::isnan(x) || less))) total = x;
        first = false;
      });
      return total;
    }
  }
}

bool is_true(std::uint64_t bits, Unit unit) {
  return is_float(unit) ? real_of_bits(bits, unit) != 0 : bits != 0;  // NaN is true
}

std::uint64_t reduced(const Group &group) {
  const Unit unit = group.unit();
  const Opcode op = group.operation.op;
  if (op == Opcode::REDUCE_ALL || op == Opcode::REDUCE_ANY) {
    bool all = true, any = false;
    group.for_each([&](std::uint64_t bits) {
      all = all && is_true(bits, unit);
      any = any || is_true(bits, unit);
    });
    return stored(whole(false, (op == Opcode::REDUCE_ALL ? all : any) ? 1 : 0), unit, false);
  }
  if (!is_float(unit)) return reduced_wholes(group);
  return in_wider(unit, [&](auto wide) { return bits_of_wide(reduced_reals<decltype(wide)>(group), unit); });
}

}  // namespace

void reduction(const Reduction &operation, Memory &memory) {
  const std::byte *source = read(memory, operation.source);
  std::byte *result = write(memory, operation.result);
  std::uint64_t index = 0;
  for (std::uint32_t h = 0; h < (operation.over_height ? 1 : operation.height); ++h) {
    for (std::uint32_t w = 0; w < (operation.over_width ? 1 : operation.width); ++w) {
      for (std::uint32_t c = 0; c < (operation.over_channels ? 1 : operation.channels); ++c) {
        store_bits(result, operation.result.unit, index++, reduced({operation, source, h, w, c}));
      }
    }
  }
  clear_spare(result, operation.result.unit, operation.result.elements);
}

}  // namespace cox::model::unity::reference
