// SPDX-License-Identifier: MIT
// BASE groups 0 to 5, 9, 10 and 15 to 18: one element after another.
#include <bit>
#include <cmath>
#include <compare>

#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Elementwise;
using isa::unity::Opcode;

/// The bits of an element of each source.
using Sources = std::array<std::uint64_t, 3>;

// --- Whole numbers ---

/// x^exponent modulo 2^64 with its sign, or a magnitude of 2^64 if it has more bits and `cap` is set.
Whole power(Whole x, std::uint64_t exponent, bool cap) {
  const bool negative = x.negative && exponent % 2 != 0;
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(x.magnitude);
  bool result_beyond = false, square_beyond = false;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) {
      result_beyond |= __builtin_mul_overflow(result, square, &result) || square_beyond;
    }
    if (exponent > 1) square_beyond |= __builtin_mul_overflow(square, square, &square);
  }
  if (cap && result_beyond && x.magnitude > 1) return whole(negative, Magnitude{1} << 64);
  return whole(negative, result);
}

/// x to a negative power: 1 / x^n lies between two whole numbers for |x| > 1.
Whole inverse_power(Whole x, std::uint64_t n, Rounding rounding) {
  if (x.magnitude == 1) return whole(x.negative && n % 2 != 0, 1);
  if (x.magnitude == 2 && n == 1) return quotient(whole(x.negative, 1), whole(false, 2), rounding);
  return {};  // below one half
}

struct Wholes {
  Whole a, b, c;
};

/// Bits of the result of an operation on whole numbers.
std::uint64_t of_wholes(const Elementwise &operation, const Wholes &in) {
  const auto &[a, b, c] = in;
  const auto store = [&](Whole value) { return bits_of_whole(value, operation.result.unit, operation.saturate); };
  const std::uint64_t all_ones = mask_of(operation.result.unit);
  const Whole one = whole(false, 1);
  switch (operation.op) {
    case Opcode::ADD: return store(a + b);
    case Opcode::SUB: return store(a - b);
    case Opcode::MUL: return store(a * b);
    case Opcode::DIV: return b.magnitude == 0 ? all_ones : store(quotient(a, b, operation.rounding));
    case Opcode::MOD: return store(b.magnitude == 0 ? a : whole(a.negative, a.magnitude % b.magnitude));
    case Opcode::POW: {
      const auto n = static_cast<std::uint64_t>(b.magnitude);
      if (!b.negative) return store(power(a, n, operation.saturate));
      return a.magnitude == 0 ? all_ones : store(inverse_power(a, n, operation.rounding));
    }
    case Opcode::MAX: return store(a < b ? b : a);
    case Opcode::MIN: return store(b < a ? b : a);
    case Opcode::THRES: return store((operation.less ? a < b : b < a) ? a : Whole{});
    case Opcode::ABS: return store(whole(false, a.magnitude));
    case Opcode::MEDIAN: {
      const Whole low = a < b ? a : b, high = a < b ? b : a;
      return store(c < low ? low : high < c ? high : c);
    }
    case Opcode::SIGN: return store(a.negative ? negated(one) : one);
    default: return store(a);  // ROUND, CEIL, FLOOR, DATA_CONVERT
  }
}

// --- Real numbers ---

/// x rounded to a whole number by a mode other than drop.
double rounded_real(double x, Rounding rounding) {
  double result = 0;
  switch (rounding) {
    case Rounding::half_up: result = std::floor(x) + (x - std::floor(x) >= 0.5 ? 1 : 0); break;
    case Rounding::half_from_zero: result = std::round(x); break;
    case Rounding::drop: result = std::trunc(x); break;
    case Rounding::half_even: result = std::nearbyint(x); break;
  }
  return std::isfinite(x) ? std::copysign(result, x) : x;
}

/// -0 is less than +0. Neither is NaN.
bool less_real(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

double maximum(double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : less_real(a, b) ? b : a; }
double minimum(double a, double b) { return std::isnan(a) || std::isnan(b) ? std::nan("") : less_real(b, a) ? b : a; }

template <typename Wide>
Wide function(Opcode op, Wide x) {
  switch (op) {
    case Opcode::RSQRT: return 1 / std::sqrt(x);
    case Opcode::SIN: return std::sin(x);
    case Opcode::COS: return std::cos(x);
    case Opcode::TAN: return std::tan(x);
    case Opcode::ASIN: return std::asin(x);
    case Opcode::ACOS: return std::acos(x);
    case Opcode::ATAN: return std::atan(x);
    case Opcode::SINH: return std::sinh(x);
    case Opcode::COSH: return std::cosh(x);
    case Opcode::TANH: return hyperbolic_tangent(x);
    case Opcode::ASINH: return std::asinh(x);
    case Opcode::ACOSH: return std::acosh(x);
    case Opcode::ATANH: return std::atanh(x);
    case Opcode::EXP: return exponential(x);
    case Opcode::EXPML: return std::expm1(x);
    case Opcode::LOG: return std::log(x);
    case Opcode::LOGLP: return std::log1p(x);
    case Opcode::LOG10: return std::log10(x);
    default: return std::log2(x);
  }
}

/// The result in the float unit `real`, in which all sources are. FP64 has room for the exact results of FP16 and FP32, or for enough bits
/// that the second rounding does no harm.
double of_reals(const Elementwise &operation, Unit real, double a, double b, double c) {
  const auto round = [real](double value) { return rounded_to(value, real); };
  switch (operation.op) {
    case Opcode::ADD: return round(a + b);
    case Opcode::SUB: return round(a - b);
    case Opcode::MUL: return round(a * b);
    case Opcode::DIV: return round(a / b);
    case Opcode::MOD: return std::fmod(a, b);
    case Opcode::MAX: return maximum(a, b);
    case Opcode::MIN: return minimum(a, b);
    case Opcode::THRES: return (operation.less ? a < b : a > b) ? a : 0;
    case Opcode::ABS: return std::fabs(a);
    case Opcode::MEDIAN: return maximum(minimum(a, b), minimum(maximum(a, b), c));
    case Opcode::SIGN: return std::isnan(a) ? a : a < 0 ? -1 : 1;
    case Opcode::SQRT: return round(std::sqrt(a));
    case Opcode::RECIPROCAL: return round(1 / a);
    case Opcode::ROUND: return rounded_real(a, operation.rounding);
    case Opcode::CEIL: return std::ceil(a);
    case Opcode::FLOOR: return std::floor(a);
    case Opcode::DATA_CONVERT: return a;
    default:
      return in_wider(real, [&](auto wide) {
        using Wide = decltype(wide);
        return real_of_bits(bits_of_wide(function(operation.op, static_cast<Wide>(a)), real), real);
      });
  }
}

// --- Bits ---

std::uint64_t of_bits(const Elementwise &operation, const Sources &in) {
  const Unit unit = operation.source[0].unit, to = operation.result.unit;
  const unsigned width = bits_of(unit);
  const auto &[bits, amount, unused] = in;
  switch (operation.op) {
    case Opcode::AND: return in[0] & in[1];
    case Opcode::OR: return in[0] | in[1];
    case Opcode::XOR: return in[0] ^ in[1];
    case Opcode::INV: return ~in[0];
    case Opcode::BCLR: return in[0] | ~in[1];
    case Opcode::BSET: return in[0] & ~in[1];
    case Opcode::ASR:
    case Opcode::NSR: return bits_of_whole(shifted_right(whole_of_bits(bits, unit), amount, operation.rounding), to, operation.saturate);
    case Opcode::ASL: {
      // Above 64 places only the sign of the exact result matters, and 64 places are enough to leave every unit.
      const Whole value = whole_of_bits(bits, unit);
      if (amount >= 64) return operation.saturate ? bits_of_whole(value * whole(false, mask_of(Unit::u64)), to, true) : 0;
      return bits_of_whole(value * whole(false, Magnitude{1} << amount), to, operation.saturate);
    }
    case Opcode::LSR: return amount >= width ? 0 : bits >> amount;
    case Opcode::LSL: return amount >= width ? 0 : bits << amount & mask_of(unit);
    case Opcode::ROR: {
      const unsigned places = static_cast<unsigned>(amount % width);
      return places == 0 ? bits : (bits >> places | bits << (width - places)) & mask_of(unit);
    }
    case Opcode::SXT: return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width)) & mask_of(to);
    case Opcode::SIGN_BIT: {
      const bool negative = (is_signed(unit) || is_float(unit)) && (bits >> (width - 1) & 1) != 0;
      return stored(whole(false, negative ? 1 : 0), to, false);
    }
    default: return bits;  // UXT
  }
}

// --- Comparisons ---

/// The order of two elements; a real one if one of them is a float.
std::partial_ordering compare(const Elementwise &operation, const Sources &in) {
  const Unit first = operation.source[0].unit, second = operation.source[1].unit;
  if (const WidestFloat widest{first, second}) return real_in(in[0], first, *widest) <=> real_in(in[1], second, *widest);
  const Whole a = whole_of_bits(in[0], first), b = whole_of_bits(in[1], second);
  return a == b ? std::partial_ordering::equivalent : a < b ? std::partial_ordering::less : std::partial_ordering::greater;
}

bool of_order(Opcode op, std::partial_ordering order) {
  switch (op) {
    case Opcode::SEQ: return std::is_eq(order);
    case Opcode::SNE: return std::is_neq(order);  // true for NaN
    case Opcode::SLE: return std::is_lteq(order);
    case Opcode::SLT:
    case Opcode::MAXSI: return std::is_lt(order);
    case Opcode::SGE: return std::is_gteq(order);
    default: return std::is_gt(order);  // SGT, MINSI
  }
}

// --- Families ---

enum class Kind : std::uint8_t { number, bits, order };

Kind kind_of(Opcode op) {
  switch (op) {
    case Opcode::AND:
    case Opcode::OR:
    case Opcode::XOR:
    case Opcode::INV:
    case Opcode::BCLR:
    case Opcode::BSET:
    case Opcode::ASR:
    case Opcode::ASL:
    case Opcode::LSR:
    case Opcode::LSL:
    case Opcode::ROR:
    case Opcode::NSR:
    case Opcode::SXT:
    case Opcode::UXT:
    case Opcode::SIGN_BIT: return Kind::bits;
    case Opcode::MAXSI:
    case Opcode::MINSI:
    case Opcode::SEQ:
    case Opcode::SNE:
    case Opcode::SLE:
    case Opcode::SLT:
    case Opcode::SGE:
    case Opcode::SGT: return Kind::order;
    default: return Kind::number;
  }
}

WidestFloat widest_of(const Elementwise &operation) {
  WidestFloat widest{operation.result.unit};
  for (unsigned i = 0; i < operation.sources; ++i) widest.include(operation.source[i].unit);
  return widest;
}

std::uint64_t clip(const Elementwise &operation, std::uint64_t bits) {
  const Unit from = operation.source[0].unit, to = operation.result.unit;
  if (!is_float(to)) {
    const bool real = is_float(from);
    const Whole value = real ? whole_of_real(real_of_bits(bits, from), operation.rounding) : whole_of_bits(bits, from);
    return bits_of_whole(clipped(value, operation.clip), to, operation.saturate || real);
  }
  const WidestFloat widest{from, to};
  return stored(clipped(real_in(bits, from, *widest), operation.clip), to, operation.rounding);
}

std::uint64_t element(const Elementwise &operation, Kind kind, WidestFloat widest, const Sources &in) {
  const Unit to = operation.result.unit;
  if (operation.op == Opcode::CLIP) return clip(operation, in[0]);
  if (kind == Kind::bits) return of_bits(operation, in);
  if (kind == Kind::order) return stored(whole(false, of_order(operation.op, compare(operation, in)) ? 1 : 0), to, false);
  const auto unit = [&](unsigned i) { return operation.source[i].unit; };
  if (widest) {
    const auto real = [&](unsigned i) { return i < operation.sources ? real_in(in[i], unit(i), *widest) : 0; };
    return stored(of_reals(operation, *widest, real(0), real(1), real(2)), to, operation.rounding);
  }
  const auto number = [&](unsigned i) { return i < operation.sources ? whole_of_bits(in[i], unit(i)) : Whole{}; };
  return of_wholes(operation, {number(0), number(1), number(2)});
}

/// ASUM.
std::uint64_t sum(const Elementwise &operation, const std::byte *source) {
  const Unit from = operation.source[0].unit, to = operation.result.unit;
  const std::uint64_t count = operation.source[0].elements;
  if (const WidestFloat widest{from, to}) {
    return in_wider(*widest, [&](auto wide) {
      for (std::uint64_t i = 0; i < count; ++i) wide += static_cast<decltype(wide)>(real_in(load_bits(source, from, i), from, *widest));
      return stored(rounded_to(static_cast<double>(wide), *widest), to, operation.rounding);
    });
  }
  Whole total;
  for (std::uint64_t i = 0; i < count; ++i) total = total + whole_of_bits(load_bits(source, from, i), from);
  return bits_of_whole(total, to, operation.saturate);
}

/// COS_SIM: the dot product over the product of the lengths, each at least 1e-8.
std::uint64_t cosine(const Elementwise &operation, WidestFloat widest, const std::byte *first, const std::byte *second) {
  return in_wider(*widest, [&](auto wide) {
    using Wide = decltype(wide);
    Wide dot = 0, squares0 = 0, squares1 = 0;
    for (std::uint64_t i = 0; i < operation.source[0].elements; ++i) {
      const auto value = [&](const std::byte *run, unsigned s, std::uint64_t index) {
        return static_cast<Wide>(real_in(load_bits(run, operation.source[s].unit, index), operation.source[s].unit, *widest));
      };
      const Wide a = value(first, 0, i), b = value(second, 1, operation.scalar_second ? 0 : i);
      dot += a * b;
      squares0 += a * a;
      squares1 += b * b;
    }
    const auto length = [](Wide squares) { return std::isnan(squares) ? squares : std::max(std::sqrt(squares), static_cast<Wide>(1e-8)); };
    const Wide result = dot / (length(squares0) * length(squares1));
    return stored(rounded_to(static_cast<double>(result), *widest), operation.result.unit, operation.rounding);
  });
}

}  // namespace

void elementwise(const Elementwise &operation, Memory &memory) {
  std::array<const std::byte *, 3> sources{};
  for (unsigned i = 0; i < operation.sources; ++i) sources[i] = read(memory, operation.source[i]);
  std::byte *result = write(memory, operation.result);
  const WidestFloat widest = widest_of(operation);
  const Unit to = operation.result.unit;
  if (operation.op == Opcode::ASUM || operation.op == Opcode::COS_SIM) {
    store_bits(result, to, 0,
               operation.op == Opcode::ASUM ? sum(operation, sources[0]) : cosine(operation, widest, sources[0], sources[1]));
  } else {
    const Kind kind = kind_of(operation.op);
    Sources in{};
    // The scalar is read first, because the result may overwrite it.
    if (operation.scalar_second && sources[1] != nullptr) in[1] = load_bits(sources[1], operation.source[1].unit, 0);
    for (std::uint64_t i = 0; i < operation.result.elements; ++i) {
      for (unsigned s = 0; s < operation.sources; ++s) {
        if (s != 1 || !operation.scalar_second) in[s] = load_bits(sources[s], operation.source[s].unit, i);
      }
      store_bits(result, to, i, element(operation, kind, widest, in));
    }
  }
  clear_spare(result, to, operation.result.elements);
}

}  // namespace cox::model::unity::reference
