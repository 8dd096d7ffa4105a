// SPDX-License-Identifier: MIT
// The loops of VectorKernels, which compilers vectorise well. Like kernels_common.h, this is included by one source file for each
// instruction set and has internal linkage there.
#pragma once

#include "coxswain/isa/numbers/exponential.h"
#include "sim/model/tile/arithmetic/conversion_kernels.h"
#include "sim/model/tile/arithmetic/vector_kernels.h"

namespace cox::model::arithmetic {
namespace {

using isa::tile::CompareMode;
using isa::tile::GroupMode;

void affine(float scale, float zero_point, std::int64_t count, float *values) { conversion::affine(scale, zero_point, count, values); }

void store(const float *in, std::int64_t count, const Storage &storage, void *out) { store_elements(in, count, storage, out); }

void whole_numbers(std::uint8_t rounding, std::int64_t count, float *values) {
  switch (rounding) {
    case 1:
      for (std::int64_t i = 0; i < count; ++i) values[i] = __builtin_floorf(values[i]);
      return;
    case 2:
      for (std::int64_t i = 0; i < count; ++i) values[i] = conversion::nearest_even(values[i]);
      return;
    case 3:
      for (std::int64_t i = 0; i < count; ++i) values[i] = __builtin_truncf(values[i]);
      return;
    default: return;
  }
}

void load(const void *in, const isa::tile::Format &format, std::int64_t count, const Preparation &preparation, float *out) {
  load_elements(in, format, count, out);
  if (preparation.dequantise) {
    affine(preparation.scale, preparation.zero_point, count, out);
    whole_numbers(preparation.rounding, count, out);
  }
  if (preparation.multiply) {
    const float multiplier = preparation.multiplier;
    for (std::int64_t i = 0; i < count; ++i) out[i] = out[i] * multiplier;
  }
}

void add_scaled(const float *__restrict in, float multiplier, std::int64_t count, float *__restrict a) {
  for (std::int64_t i = 0; i < count; ++i) {
    const float term = in[i] * multiplier;
    a[i] = a[i] + term;
  }
}

/// a = function(a, b)
template <typename Function>
void apply(const Operand &b, std::int64_t count, float *__restrict a, Function function) {
  if (b.values == nullptr) {
    const float value = b.value;
    for (std::int64_t i = 0; i < count; ++i) a[i] = function(a[i], value);
  } else {
    const float *__restrict values = b.values;
    for (std::int64_t i = 0; i < count; ++i) a[i] = function(a[i], values[i]);
  }
}

void arithmetic(const Operand &b, GroupMode mode, std::int64_t count, float *a) {
  switch (mode) {
    case GroupMode::DEFAULT: return apply(b, count, a, [](float x, float y) { return x + y; });
    case GroupMode::SUB: return apply(b, count, a, [](float x, float y) { return x - y; });
    case GroupMode::RSUB: return apply(b, count, a, [](float x, float y) { return y - x; });
    case GroupMode::MUL: return apply(b, count, a, [](float x, float y) { return x * y; });
    case GroupMode::DIV: return apply(b, count, a, [](float x, float y) { return x / y; });
  }
}

float greater(float a, float b) {
  const float larger = b > a ? b : a;  // keeps a NaN in `a`, because every comparison with it is false
  return b == b ? larger : b;
}

float lesser(float a, float b) {
  const float smaller = b < a ? b : a;
  return b == b ? smaller : b;
}

void compare(const Operand &b, CompareMode mode, std::int64_t count, float *a) {
  switch (mode) {
    case CompareMode::DEFAULT: return;
    case CompareMode::MAX: return apply(b, count, a, [](float x, float y) { return greater(x, y); });
    case CompareMode::MIN: return apply(b, count, a, [](float x, float y) { return lesser(x, y); });
    case CompareMode::GT: return apply(b, count, a, [](float x, float y) { return x > y ? 1.0F : 0.0F; });
    case CompareMode::GE: return apply(b, count, a, [](float x, float y) { return x >= y ? 1.0F : 0.0F; });
    case CompareMode::LT: return apply(b, count, a, [](float x, float y) { return x < y ? 1.0F : 0.0F; });
    case CompareMode::LE: return apply(b, count, a, [](float x, float y) { return x <= y ? 1.0F : 0.0F; });
    case CompareMode::EQ: return apply(b, count, a, [](float x, float y) { return x == y ? 1.0F : 0.0F; });
    case CompareMode::NE: return apply(b, count, a, [](float x, float y) { return x != y ? 1.0F : 0.0F; });
  }
}

/// The first loop computes positions in the table, and the second one reads the table. Compilers can vectorise the first loop only if it is
/// separate.
template <bool kExtrapolate>
void look_up_all(const Segments &table, std::int64_t count, float *values) {
  constexpr std::int64_t kBlock = 256;
  float fractions[kBlock];
  std::int32_t segments[kBlock];
  const Segments local{nullptr, table.count, table.low, table.per_unit, kExtrapolate};
  const float *entries = table.entries;
  for (std::int64_t done = 0; done < count; done += kBlock) {
    const std::int64_t now = count - done < kBlock ? count - done : kBlock;
    float *block = values + done;
    for (std::int64_t i = 0; i < now; ++i) {
      const SegmentPlace place = place_in(local, block[i]);
      segments[i] = place.segment;
      fractions[i] = place.fraction;
    }
    for (std::int64_t i = 0; i < now; ++i) block[i] = value_at(entries, {segments[i], fractions[i]});
  }
}

void table(const Segments &table, std::int64_t count, float *values) {
  if (table.extrapolate) return look_up_all<true>(table, count, values);
  look_up_all<false>(table, count, values);
}

void exponential(float subtrahend, std::int64_t count, float *values) {
  for (std::int64_t i = 0; i < count; ++i) values[i] = isa::numbers::exponential(values[i] - subtrahend);
}

template <typename Better>
float extreme(const float *in, std::int64_t count, float start, Better better) {
  constexpr std::int64_t kWide = 32;
  float best[kWide];
  for (float &value : best) value = start;
  std::int64_t i = 0;
  for (; i + kWide <= count; i += kWide) {
    for (std::int64_t j = 0; j < kWide; ++j) best[j] = better(best[j], in[i + j]);
  }
  float result = start;
  for (const float value : best) result = better(result, value);
  for (; i < count; ++i) result = better(result, in[i]);
  if (result != 0) return result;
  for (i = 0; in[i] != 0;) ++i;  // +0 and -0 compare equal, so take the first zero of the input
  return in[i];
}

float extreme(const float *in, CompareMode mode, std::int64_t count) {
  return mode == CompareMode::MAX ? extreme(in, count, -__builtin_inff(), greater) : extreme(in, count, __builtin_inff(), lesser);
}

void bilinear(const float *const *corners, float row_fraction, float column_fraction, std::int64_t count, float *__restrict out) {
  const auto between = [](float a, float b, float fraction) {
    const float difference = b - a;
    const float part = fraction * difference;
    return a + part;
  };
  const float *a = corners[0];
  const float *b = corners[1];
  const float *c = corners[2];
  const float *d = corners[3];
  for (std::int64_t i = 0; i < count; ++i) {
    const float top = between(a[i], b[i], column_fraction);
    const float bottom = between(c[i], d[i], column_fraction);
    out[i] = between(top, bottom, row_fraction);
  }
}

}  // namespace
}  // namespace cox::model::arithmetic
