// SPDX-License-Identifier: MIT
// AI group 0 but SOFTMAX and LOGSOFTMAX.
#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Activation;
using isa::unity::Opcode;

/// A magnitude that no unit holds.
constexpr Magnitude kBeyond = Magnitude{1} << 100;

// --- Whole numbers ---

/// Whether x < y, exactly; false if y is NaN.
bool less(Whole x, double y) {
  if (std::isnan(y)) return false;
  const Whole floor = whole_of_real(std::floor(y), Rounding::drop);
  return std::floor(y) == y ? x < floor : !(floor < x);
}
bool less(double x, Whole y) { return !std::isnan(x) && less(negated(y), -x); }

/// x * 2^places, or a magnitude that no unit holds.
Whole shifted_left(Whole x, std::uint64_t places) {
  if (x.magnitude == 0) return x;
  if (places > 100 || (x.magnitude >> (127 - places)) != 0) return whole(x.negative, kBeyond);
  return whole(x.negative, x.magnitude << places);
}

/// x * y, rounded half to even.
Whole scaled(Whole x, double y) {
  if (std::isnan(y) || (std::isinf(y) && x.magnitude == 0)) return {};
  if (std::isinf(y)) return whole(x.negative != (y < 0), kBeyond);
  int exponent = 0;
  const double fraction = std::frexp(y, &exponent);  // 24 bits, because y is FP32
  const Whole product = x * whole_of(static_cast<std::int64_t>(std::ldexp(fraction, 24)));
  exponent -= 24;
  return exponent < 0 ? shifted_right(product, static_cast<std::uint64_t>(-exponent), Rounding::half_even)
                      : shifted_left(product, static_cast<std::uint64_t>(exponent));
}

Whole prelu(Whole x, Whole multiplier, Whole shift) {
  if (!x.negative) return x;
  const Whole product = x * multiplier;
  const auto places = static_cast<std::uint64_t>(shift.magnitude);
  return shift.negative ? shifted_left(product, places) : shifted_right(product, places, Rounding::half_from_zero);
}

Whole of_whole(const Activation &operation, Whole x) {
  const double first = static_cast<double>(operation.parameter[0]), second = static_cast<double>(operation.parameter[1]);
  switch (operation.op) {
    case Opcode::RELU: return x.negative ? Whole{} : x;
    case Opcode::RELU6: return x.negative ? Whole{} : whole(false, x.magnitude > 6 ? 6 : x.magnitude);
    case Opcode::THRESHOLD_RELU: return less(first, x) ? x : Whole{};
    case Opcode::LEAKY_RELU: return x.negative ? scaled(x, first) : x;
    case Opcode::HARD_SHRINK: return less(first, x) || less(x, -first) ? x : Whole{};
    default:  // BRELU, HARD_TANH
      if (less(x, first)) return whole_of_real(first, Rounding::half_even);
      return less(second, x) ? whole_of_real(second, Rounding::half_even) : x;
  }
}

// --- Real numbers ---

template <typename Wide>
Wide of_real(const Activation &operation, Wide x) {
  const auto first = static_cast<Wide>(operation.parameter[0]), second = static_cast<Wide>(operation.parameter[1]);
  if (std::isnan(x)) return x;
  switch (operation.op) {
    case Opcode::RELU: return x > 0 ? x : 0;
    case Opcode::RELU6: return x > 6 ? 6 : x > 0 ? x : 0;
    case Opcode::THRESHOLD_RELU: return x > first ? x : 0;
    case Opcode::LEAKY_RELU: return x > 0 ? x : x * first;
    case Opcode::HARD_SHRINK: return x > first || x < -first ? x : 0;
    case Opcode::BRELU:
    case Opcode::HARD_TANH: return x < first ? first : x > second ? second : x;
    case Opcode::ELU: return x > 0 ? x : first * std::expm1(x);
    case Opcode::SELU: return x > 0 ? first * x : first * (second * std::expm1(x));
    case Opcode::HARD_SIGMOID: return x >= 3 ? 1 : x <= -3 ? 0 : first * x + second;
    case Opcode::SIGMOID: return sigmoid_to_round(x);
    case Opcode::AI_TANH: return hyperbolic_tangent(x);
    case Opcode::SOFTPLUS: return softplus(x);
    case Opcode::SOFT_SIGN: return soft_sign(x);
    case Opcode::GELU: return gelu(x);
    case Opcode::SWISH: return swish(x);
    case Opcode::HARD_SWISH: return hard_swish(x);
    case Opcode::ERF: return std::erf(x);
    default: return tanh_shrink(x);
  }
}

/// PRELU of a float: the product is one operation in the wider of both units.
double prelu_real(std::uint64_t bits, Unit unit, std::uint64_t multiplier, Unit multiplier_unit) {
  const double x = real_of_bits(bits, unit);
  if (x > 0 || std::isnan(x)) return x;
  const WidestFloat widest{unit, multiplier_unit};
  return rounded_to(x * real_in(multiplier, multiplier_unit, *widest), *widest);
}

}  // namespace

void activation(const Activation &operation, Memory &memory) {
  const Unit unit = operation.source.unit;
  const std::byte *source = read(memory, operation.source);
  const std::byte *multipliers = read_optional(memory, operation.multiplier), *shifts = read_optional(memory, operation.shift);
  std::byte *result = write(memory, operation.result);
  for (std::uint64_t i = 0; i < operation.result.elements; ++i) {
    const std::uint64_t bits = load_bits(source, unit, i);
    std::uint64_t y = 0;
    if (operation.op == Opcode::PRELU) {
      const std::uint64_t n = operation.broadcast.index(i);
      const Unit multiplier_unit = operation.multiplier.unit;
      const std::uint64_t multiplier = load_bits(multipliers, multiplier_unit, n);
      if (is_float(unit)) {
        y = bits_of_real(prelu_real(bits, unit, multiplier, multiplier_unit), unit);
      } else {
        const Whole shift = shifts == nullptr ? Whole{} : whole_of_bits(load_bits(shifts, operation.shift.unit, n), operation.shift.unit);
        y = bits_of_whole(prelu(whole_of_bits(bits, unit), whole_of_bits(multiplier, multiplier_unit), shift), unit, true);
      }
    } else if (is_float(unit)) {
      y = in_wider(
          unit, [&](auto wide) { return bits_of_wide(of_real(operation, static_cast<decltype(wide)>(real_of_bits(bits, unit))), unit); });
    } else {
      y = bits_of_whole(of_whole(operation, whole_of_bits(bits, unit)), unit, true);
    }
    store_bits(result, unit, i, y);
  }
  clear_spare(result, unit, operation.result.elements);
}

}  // namespace cox::model::unity::reference
