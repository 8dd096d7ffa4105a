// SPDX-License-Identifier: MIT
// Computes a row of results from its accumulators, for one instruction set, with loops that compilers vectorise well. The functions have
// internal linkage in the including file, like those of kernels_multiply.h. Built without contraction: each multiply and each add rounds on
// its own.
#pragma once

#include "sim/model/cube/arithmetic/kernels.h"

namespace cox::model::cube {
namespace {

constexpr std::uint32_t kChunk = 256;  // number of columns that are computed at a time; a multiple of 16

constexpr std::uint32_t kFloatNan = 0x7FC00000;
constexpr std::uint16_t kBfloat16Nan = 0x7FC0;

/// Copies `count` numbers of a row, beginning with column `first`. A row may begin at any byte.
template <typename T>
void take(T *__restrict numbers, const std::byte *from, std::uint32_t first, std::uint32_t count) {
  __builtin_memcpy(numbers, from + std::size_t{first} * sizeof(T), std::size_t{count} * sizeof(T));
}
template <typename T>
void give(std::byte *to, const T *__restrict numbers, std::uint32_t first, std::uint32_t count) {
  __builtin_memcpy(to + std::size_t{first} * sizeof(T), numbers, std::size_t{count} * sizeof(T));
}

void scale(float *__restrict x, const OutputRow &row, std::uint32_t first, std::uint32_t count) {
  if (!row.scaled) return;
  if (row.scales == nullptr) {
    for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] * row.scale;
    return;
  }
  alignas(64) float factors[kChunk];
  take(factors, row.scales, first, count);
  for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] * factors[i];
}

template <typename Real>
void add_residual(float *__restrict x, const OutputRow &row, std::uint32_t first, std::uint32_t count) {
  if (row.residual == nullptr) return;
  using isa::cube::OutputType;
  alignas(64) float residual[kChunk];
  if (row.to == OutputType::bfloat16) {
    alignas(32) std::uint16_t halves[kChunk];
    take(halves, row.residual, first, count);
    for (std::uint32_t i = 0; i < count; ++i) residual[i] = __builtin_bit_cast(float, std::uint32_t{halves[i]} << 16);
  } else if (row.to == OutputType::half) {
    alignas(32) std::uint16_t halves[kChunk] = {};
    take(halves, row.residual, first, count);
    for (std::uint32_t i = 0; i < count; i += 16) Real::widen(halves + i, residual + i);
  } else if (row.to == OutputType::int8) {
    const auto *from = reinterpret_cast<const signed char *>(row.residual) + first;
    for (std::uint32_t i = 0; i < count; ++i) residual[i] = static_cast<float>(from[i]);
  } else {
    take(residual, row.residual, first, count);
  }
  const float beta = row.beta;
  for (std::uint32_t i = 0; i < count; ++i) x[i] = __builtin_fmaf(beta, residual[i], x[i]);
}

void add_bias(float *__restrict x, const OutputRow &row, std::uint32_t first, std::uint32_t count) {
  if (row.biases == nullptr || row.integer) return;
  alignas(64) float biases[kChunk];
  take(biases, row.biases, first, count);
  for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] + biases[i];
}

void activate(float *__restrict x, const OutputRow &row, std::uint32_t count) {
  using isa::cube::Activation;
  const float parameter = row.activation_parameter;
  switch (row.activation) {
    case Activation::None: return;
    case Activation::ReLU:
      for (std::uint32_t i = 0; i < count; ++i) x[i] = x[i] < 0.0F ? 0.0F : x[i];
      return;
    case Activation::LeakyReLU:
      for (std::uint32_t i = 0; i < count; ++i) {
        const float sloped = x[i] * parameter;
        x[i] = x[i] < 0.0F ? sloped : x[i];
      }
      return;
    case Activation::Clip:
      for (std::uint32_t i = 0; i < count; ++i) {
        const float positive = x[i] < 0.0F ? 0.0F : x[i];
        x[i] = positive > parameter ? parameter : positive;
      }
      return;
  }
}

void quantise(const float *__restrict x, std::uint32_t count, std::int32_t zero_point, std::byte *out) {
  constexpr float kFar = 1024.0F;      // greater than any INT8 value and any zero point
  constexpr float kUnits = 0x1.8p23F;  // an FP32 of this size has no fraction bits, so adding it rounds to whole numbers, half to even
  alignas(64) signed char bytes[kChunk];
  for (std::uint32_t i = 0; i < count; ++i) {
    const float number = x[i] == x[i] ? x[i] : 0.0F;
    const float above = number < -kFar ? -kFar : number;
    const float near = above > kFar ? kFar : above;
    const float shifted = near + kUnits;
    const std::int32_t sum = static_cast<std::int32_t>(shifted - kUnits) + zero_point;
    const std::int32_t low = sum < -128 ? -128 : sum;
    bytes[i] = static_cast<signed char>(low > 127 ? 127 : low);
  }
  __builtin_memcpy(out, bytes, count);
}

template <typename Real>
void convert(const float *__restrict x, const OutputRow &row, std::uint32_t first, std::uint32_t count) {
  using isa::cube::OutputType;
  if (row.to == OutputType::int8) return quantise(x, count, row.zero_point, row.out + first);
  if (row.to == OutputType::bfloat16) {
    alignas(32) std::uint16_t halves[kChunk];
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto bits = __builtin_bit_cast(std::uint32_t, x[i]);
      const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
      halves[i] = static_cast<std::uint16_t>(x[i] == x[i] ? rounded : kBfloat16Nan);
    }
    return give(row.out, halves, first, count);
  }
  alignas(64) std::uint32_t words[kChunk];
  for (std::uint32_t i = 0; i < count; ++i) words[i] = x[i] == x[i] ? __builtin_bit_cast(std::uint32_t, x[i]) : kFloatNan;
  if (row.to == OutputType::half) {
    alignas(32) std::uint16_t halves[kChunk];
    for (std::uint32_t i = 0; i < count; i += 16) Real::narrow(words + i, halves + i);
    return give(row.out, halves, first, count);
  }
  give(row.out, words, first, count);
}

/// Adds the biases to integer accumulators. `words` has room for whole groups of 16.
void sum_integers(std::uint32_t *__restrict words, const OutputRow &row, std::uint32_t first, std::uint32_t count) {
  if (row.biases == nullptr) return;
  alignas(64) std::uint32_t biases[kChunk];
  take(biases, row.biases, first, count);
  for (std::uint32_t i = 0; i < count; ++i) words[i] += biases[i];
}

void store_integers(std::uint32_t *__restrict words, const OutputRow &row, std::uint32_t first, std::uint32_t count) {
  if (row.activation == isa::cube::Activation::ReLU) {
    for (std::uint32_t i = 0; i < count; ++i) words[i] = words[i] > 0x7FFFFFFFU ? 0 : words[i];
  }
  give(row.out, words, first, count);
}

template <typename Real>
void finish(const OutputRow &row) {
  constexpr std::uint32_t kGroup = isa::cube::kFractalRows;
  for (std::uint32_t first = 0; first < row.columns; first += kChunk) {
    const std::uint32_t count = row.columns - first < kChunk ? row.columns - first : kChunk;
    alignas(64) std::uint32_t words[kChunk];
    const std::byte *from = row.accumulators + first / kGroup * row.pitch;
    for (std::uint32_t i = 0; i < count; i += kGroup, from += row.pitch) __builtin_memcpy(words + i, from, kGroup * sizeof words[0]);
    alignas(64) float x[kChunk] = {};  // zeros after `count`, because FP16 numbers are converted in groups of 16
    if (row.integer) {
      sum_integers(words, row, first, count);
      if (row.to == isa::cube::OutputType::int32) {
        store_integers(words, row, first, count);
        continue;
      }
      for (std::uint32_t i = 0; i < count; ++i) x[i] = static_cast<float>(static_cast<std::int32_t>(words[i]));
    } else {
      __builtin_memcpy(x, words, std::size_t{count} * sizeof(float));
    }
    scale(x, row, first, count);
    add_residual<Real>(x, row, first, count);
    add_bias(x, row, first, count);
    activate(x, row, count);
    convert<Real>(x, row, first, count);
  }
}

}  // namespace
}  // namespace cox::model::cube
