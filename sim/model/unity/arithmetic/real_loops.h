// SPDX-License-Identifier: MIT
// The inner loops on FP32, for one instruction set (kernels_loops.h has the rules). The loops are plain, so that the compiler uses the
// vectors of its instruction set. ivdep: a result lies where a source lies, or nowhere near it.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "sim/model/unity/arithmetic/exponential.h"
#include "sim/model/unity/arithmetic/hyperbolic_tangent.h"
#include "sim/model/unity/arithmetic/real_kernels.h"

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-pragmas"  // Clang, which compiles fuzz targets, has no ivdep
#endif

namespace cox::model::unity {
namespace {

using isa::unity::Rounding;

constexpr float kNan = __builtin_nanf("");

inline float canonical(float x) { return x == x ? x : kNan; }

/// Changes the bits of numbers to integers in the order of the numbers, -0 below +0, and back.
inline std::int32_t ordered(std::int32_t bits) { return bits ^ (bits >> 31 & 0x7FFFFFFF); }
constexpr std::int32_t kMagnitude = 0x7FFFFFFF, kInfinity = 0x7F800000;

/// The larger or smaller one; NaN if there is one. -0 is below +0: the two orders of comparison differ only in the sign of a zero.
template <bool kLargest>
float extreme_of(float a, float b) {
  const float x = kLargest ? (a > b ? a : b) : (a < b ? a : b), y = kLargest ? (b > a ? b : a) : (b < a ? b : a);
  const auto x_bits = __builtin_bit_cast(std::int32_t, x), y_bits = __builtin_bit_cast(std::int32_t, y);
  const std::int32_t both = x_bits & y_bits, either = x_bits | y_bits;
  return __builtin_isunordered(a, b) ? kNan : __builtin_bit_cast(float, kLargest ? both : either);
}

// --- Element by element ---

template <typename Function>
void pairs_with(Function function, const Float *first, const Float *second, bool scalar, std::size_t count, Float *result) {
  if (scalar) {
    const float b = second[0];
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) result[i] = function(first[i], b);
    return;
  }
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) result[i] = function(first[i], second[i]);
}

void pairs(RealPair function, const Float *first, const Float *second, bool scalar, std::size_t count, Float *result) {
  const auto run = [&](auto f) { pairs_with(f, first, second, scalar, count, result); };
  switch (function) {
    case RealPair::add: run([](float a, float b) { return canonical(a + b); }); break;
    case RealPair::subtract: run([](float a, float b) { return canonical(a - b); }); break;
    case RealPair::multiply: run([](float a, float b) { return canonical(a * b); }); break;
    case RealPair::divide: run([](float a, float b) { return canonical(a / b); }); break;
    case RealPair::maximum: run([](float a, float b) { return extreme_of<true>(a, b); }); break;
    case RealPair::minimum: run([](float a, float b) { return extreme_of<false>(a, b); }); break;
  }
}

template <typename Function>
void each_with(Function function, const Float *source, std::size_t count, Float *result) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) result[i] = canonical(function(source[i]));
}

/// A function of exponential.h.
template <typename Function>
float of_range(float x, Function function) {
  const auto y = static_cast<float>(function(static_cast<double>(within_exponents(x))));
  return x == x ? y : x;
}

/// tanh_of(). AVX-512 looks 16 numbers up at once in a line of the table, which two registers hold.
void tanh_each(const Float *source, std::size_t count, Float *result) {
  std::size_t i = 0;
#if defined(__AVX512F__)
  const auto line = [](unsigned number, __m512i interval) {
    return _mm512_permutex2var_ps(_mm512_loadu_ps(kTanh[number]), interval, _mm512_loadu_ps(kTanh[number] + 16));
  };
  const __m512i first = _mm512_set1_epi32(kTanhFirst), last = _mm512_set1_epi32(kTanhLast), sign = _mm512_set1_epi32(-0x7FFFFFFF - 1);
  for (; i + 16 <= count; i += 16) {
    const __m512 x = _mm512_loadu_ps(source + i);
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i magnitude = _mm512_min_epu32(_mm512_andnot_si512(sign, bits), last);
    const __m512i interval = _mm512_srli_epi32(_mm512_sub_epi32(_mm512_max_epu32(magnitude, first), first), kTanhShift);
    const __m512 y = _mm512_sub_ps(_mm512_castsi512_ps(magnitude), line(0, interval));
    __m512 p = line(6, interval);
#pragma GCC unroll 5
    for (unsigned number = 5; number > 0; --number) p = _mm512_fmadd_ps(p, y, line(number, interval));
    const __m512i signed_bits = _mm512_or_si512(_mm512_castps_si512(p), _mm512_and_si512(sign, bits));
    const __mmask16 ordered = _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
    _mm512_storeu_ps(result + i, _mm512_mask_blend_ps(ordered, _mm512_set1_ps(kNan), _mm512_castsi512_ps(signed_bits)));
  }
#endif
  for (; i < count; ++i) result[i] = canonical(tanh_of(source[i]));
}

void each(RealFunction function, const Float *source, std::size_t count, Float *result) {
  const auto run = [&](auto f) { each_with(f, source, count, result); };
  switch (function) {
    case RealFunction::absolute: run([](float x) { return __builtin_fabsf(x); }); break;
    case RealFunction::square_root: run([](float x) { return __builtin_sqrtf(x); }); break;
    case RealFunction::reciprocal: run([](float x) { return 1 / x; }); break;
    case RealFunction::relu: run([](float x) { return x <= 0 ? 0.0F : x; }); break;
    case RealFunction::relu6: run([](float x) { return x <= 0 ? 0.0F : x > 6 ? 6.0F : x; }); break;
    case RealFunction::exponential: run([](float x) { return of_range(x, [](double y) { return exponential_within(y); }); }); break;
    case RealFunction::sigmoid: run([](float x) { return of_range(x, [](double y) { return sigmoid_within(y); }); }); break;
    case RealFunction::tanh: tanh_each(source, count, result); break;
  }
}

template <Rounding kRounding>
std::int32_t rounded_float(float x) {
  const auto toward_zero = static_cast<std::int32_t>(x);
  const float rest = x - static_cast<float>(toward_zero);  // exact
  switch (kRounding) {
    case Rounding::drop: return toward_zero;
    case Rounding::half_up: return toward_zero + (rest >= 0.5F ? 1 : 0) - (rest < -0.5F ? 1 : 0);
    case Rounding::half_from_zero: return toward_zero + (rest >= 0.5F ? 1 : 0) - (rest <= -0.5F ? 1 : 0);
    default: {
      const std::int32_t odd = toward_zero & 1;
      return toward_zero + (rest > 0.5F ? 1 : 0) - (rest < -0.5F ? 1 : 0) + (rest == 0.5F ? odd : 0) - (rest == -0.5F ? odd : 0);
    }
  }
}

template <Rounding kRounding, typename Element>
void to_elements(const Float *source, std::size_t count, float low, float high, Element *result) {
  for (std::size_t i = 0; i < count; ++i) {
    const float x = source[i] == source[i] ? source[i] : 0;
    const float above = x < low ? low : x;
    result[i] = static_cast<Element>(rounded_float<kRounding>(above > high ? high : above));
  }
}

template <Rounding kRounding>
void to_bytes(const Float *source, std::size_t count, float low, float high, unsigned bytes, void *result) {
  using Byte [[gnu::may_alias]] = std::uint8_t;
  using Half [[gnu::may_alias]] = std::uint16_t;
  if (bytes == 1) {
    to_elements<kRounding>(source, count, low, high, static_cast<Byte *>(result));
  } else {
    to_elements<kRounding>(source, count, low, high, static_cast<Half *>(result));
  }
}

void to_wholes(const Float *source, std::size_t count, Rounding rounding, float low, float high, unsigned bytes, void *result) {
  switch (rounding) {
    case Rounding::drop: to_bytes<Rounding::drop>(source, count, low, high, bytes, result); break;
    case Rounding::half_up: to_bytes<Rounding::half_up>(source, count, low, high, bytes, result); break;
    case Rounding::half_from_zero: to_bytes<Rounding::half_from_zero>(source, count, low, high, bytes, result); break;
    case Rounding::half_even: to_bytes<Rounding::half_even>(source, count, low, high, bytes, result); break;
  }
}

// --- Sums and extremes ---

#if defined(__AVX512F__)
constexpr std::size_t kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t kVectorBytes = 32;
#else
constexpr std::size_t kVectorBytes = 16;
#endif
using Doubles [[gnu::vector_size(kVectorBytes)]] = double;
using HalfFloats [[gnu::vector_size(kVectorBytes / 2), gnu::aligned(4), gnu::may_alias]] = float;
constexpr std::size_t kDoubles = kVectorBytes / sizeof(double), kSumVectors = kPartialSums / kDoubles;

inline Doubles load_doubles(const Float *from) { return __builtin_convertvector(*reinterpret_cast<const HalfFloats *>(from), Doubles); }
inline Doubles load_doubles(const double *from) {
  Doubles x;
  __builtin_memcpy(&x, from, sizeof x);
  return x;
}

/// Adds terms to the partial sums: those of whole lines in registers, and the rest one by one. `term` takes a number or a vector.
template <typename Term, typename Number>
void sum_with(Term term, const Number *source, std::size_t count, double *partial) {
  Doubles sums[kSumVectors];
  __builtin_memcpy(sums, partial, sizeof sums);
  std::size_t i = 0;
  for (; i + kPartialSums <= count; i += kPartialSums) {
#pragma GCC unroll 16
    for (std::size_t s = 0; s < kSumVectors; ++s) sums[s] += term(load_doubles(source + i + s * kDoubles));
  }
  __builtin_memcpy(partial, sums, sizeof sums);
  for (std::size_t s = 0; i < count; ++i, ++s) partial[s] += term(static_cast<double>(source[i]));
}

void sum(const Float *source, std::size_t count, double *partial) {
  sum_with([](auto x) { return x; }, source, count, partial);
}

void sum_squares(const Float *source, std::size_t count, double mean, double *partial) {
  sum_with([mean](auto x) { return (x - mean) * (x - mean); }, source, count, partial);
}

void add_to(const Float *source, std::size_t count, double *sums) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) sums[i] += static_cast<double>(source[i]);
}

float extreme(const Float *source, std::size_t count, bool largest) {
  using Word [[gnu::may_alias]] = std::int32_t;
  const auto *words = reinterpret_cast<const Word *>(source);
  const std::int32_t flip = largest ? 0 : -1;
  std::int32_t best = -0x7FFFFFFF - 1, magnitude = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int32_t positive = words[i] & kMagnitude, place = ordered(words[i]) ^ flip;
    best = place > best ? place : best;
    magnitude = positive > magnitude ? positive : magnitude;
  }
  return magnitude > kInfinity ? kNan : __builtin_bit_cast(float, ordered(best ^ flip));
}

// --- Softmax and norms ---

void exponentials(const Float *source, std::size_t count, double largest, double *result, double *partial) {
  for (std::size_t i = 0; i < count; ++i) result[i] = exponential_of(static_cast<double>(source[i]) - largest);
  sum_with([](auto x) { return x; }, static_cast<const double *>(result), count, partial);
}

void scale(const double *source, std::size_t count, double factor, Float *result) {
  for (std::size_t i = 0; i < count; ++i) result[i] = canonical(static_cast<float>(source[i] * factor));
}

void normalise(const Float *source, std::size_t count, double mean, double factor, const Float *weight, const Float *bias, Float *result) {
  const auto run = [&](auto finish) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i) {
      result[i] = canonical(static_cast<float>(finish((static_cast<double>(source[i]) - mean) * factor, i)));
    }
  };
  const auto weighted = [weight](double y, std::size_t i) { return y * static_cast<double>(weight[i]); };
  if (weight != nullptr && bias != nullptr) {
    run([=](double y, std::size_t i) { return weighted(y, i) + static_cast<double>(bias[i]); });
  } else if (weight != nullptr) {
    run(weighted);
  } else if (bias != nullptr) {
    run([=](double y, std::size_t i) { return y + static_cast<double>(bias[i]); });
  } else {
    run([](double y, std::size_t) { return y; });
  }
}

}  // namespace
}  // namespace cox::model::unity

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
