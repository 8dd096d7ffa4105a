// SPDX-License-Identifier: MIT
// The inner loops, for one instruction set. Each instruction set has one source file that includes this; the functions have internal
// linkage there and use nothing of the standard library. Otherwise the linker could give all callers the same copy of a function, perhaps
// the one that was built with AVX-512. The loops are plain, so that the compiler uses the vectors of its instruction set.
#pragma once

#include "sim/model/unity/arithmetic/kernels.h"

namespace cox::model::unity {
namespace {

/// Products and sums wrap, and so are written with unsigned numbers where they can overflow.
template <std::size_t kOutputs>
void multiply_some(const std::int16_t *__restrict patch, const std::int16_t *__restrict weights, std::size_t length, std::int32_t *sums) {
  std::uint32_t parts[kOutputs] = {};
  for (std::size_t k = 0; k < length; ++k) {
#pragma GCC unroll 8
    for (std::size_t o = 0; o < kOutputs; ++o) {
      parts[o] += static_cast<std::uint32_t>(static_cast<std::int32_t>(patch[k]) * static_cast<std::int32_t>(weights[o * length + k]));
    }
  }
  for (std::size_t o = 0; o < kOutputs; ++o) sums[o] = static_cast<std::int32_t>(parts[o]);
}

void multiply(const std::int16_t *patch, const std::int16_t *weights, std::size_t length, std::size_t outputs, std::int32_t *sums) {
  std::size_t o = 0;
  for (; o + 4 <= outputs; o += 4) multiply_some<4>(patch, weights + o * length, length, sums + o);
  for (; o < outputs; ++o) multiply_some<1>(patch, weights + o * length, length, sums + o);
}

void multiply_channels(const std::int16_t *pixel, const std::ptrdiff_t *offsets, std::size_t taps, const std::int16_t *weights,
                       std::size_t outputs, std::int32_t *sums) {
  constexpr std::size_t kBlock = 32;
  std::size_t first = 0;
  for (; first + kBlock <= outputs; first += kBlock) {
    std::uint32_t parts[kBlock] = {};
    for (std::size_t t = 0; t < taps; ++t) {
      const std::int16_t *__restrict in = pixel + offsets[t] + first;
      const std::int16_t *__restrict line = weights + t * outputs + first;
      for (std::size_t o = 0; o < kBlock; ++o) {
        parts[o] += static_cast<std::uint32_t>(static_cast<std::int32_t>(in[o]) * static_cast<std::int32_t>(line[o]));
      }
    }
    for (std::size_t o = 0; o < kBlock; ++o) sums[first + o] = static_cast<std::int32_t>(parts[o]);
  }
  for (std::size_t o = first; o < outputs; ++o) sums[o] = 0;
  for (std::size_t t = 0; t < taps; ++t) {
    const std::int16_t *__restrict in = pixel + offsets[t];
    const std::int16_t *__restrict line = weights + t * outputs;
    for (std::size_t o = first; o < outputs; ++o) {
      const auto product = static_cast<std::uint32_t>(static_cast<std::int32_t>(in[o]) * static_cast<std::int32_t>(line[o]));
      sums[o] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[o]) + product);
    }
  }
}

/// high_product() of fixed_point.h.
inline std::int32_t loop_high_product(std::int32_t a, std::int32_t b) {
  const std::int64_t high = (static_cast<std::int64_t>(a) * b + (1LL << 30)) >> 31;
  return static_cast<std::int32_t>(high < 0x7FFFFFFF ? high : 0x7FFFFFFF);
}

/// requantised() of fixed_point.h.
inline std::int32_t loop_requantised(std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
  const unsigned left = shift > 0 ? static_cast<unsigned>(shift) : 0, right = shift < 0 ? static_cast<unsigned>(-shift) : 0;
  const std::int32_t high = loop_high_product(static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << left), multiplier);
  const std::uint32_t sign = high < 0 ? ~0U : 0U;
  const std::uint32_t magnitude = (static_cast<std::uint32_t>(high) ^ sign) - sign;
  const std::uint32_t rounded = (magnitude + ((1U << right) >> 1)) >> right;
  return static_cast<std::int32_t>((rounded ^ sign) - sign);
}

void requantise(const Requantisation &requantisation, std::size_t outputs, std::int32_t *sums) {
  const std::int32_t *__restrict bias = requantisation.bias;
  const std::int32_t *__restrict multiplier = requantisation.multiplier;
  const std::int32_t *__restrict shift = requantisation.shift;
  const std::int32_t *__restrict zero = requantisation.zero;
  const std::int64_t low = requantisation.low, high = requantisation.high;
  for (std::size_t o = 0; o < outputs; ++o) {
    const auto sum = static_cast<std::int32_t>(static_cast<std::uint32_t>(sums[o]) + static_cast<std::uint32_t>(bias[o]));
    const std::int64_t value = static_cast<std::int64_t>(loop_requantised(sum, multiplier[o], shift[o])) + zero[o];
    const std::int64_t above = value > low ? value : low;
    sums[o] = static_cast<std::int32_t>(above < high ? above : high);
  }
}

void add(const ScaledAdd &operation, std::size_t count, std::int8_t *result) {
  const ScaledAdd a = operation;  // which no store can change
  for (std::size_t i = 0; i < count; ++i) {
    const auto scaled = [&](std::int32_t x, std::int32_t multiplier, std::int32_t shift) {
      const auto wide = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << a.left_shift);
      return static_cast<std::uint32_t>(loop_requantised(wide, multiplier, shift));
    };
    const std::uint32_t first = scaled(a.first[i] - a.first_zero, a.first_multiplier, a.first_shift);
    const std::uint32_t second = scaled(a.second[i] - a.second_zero, a.second_multiplier, a.second_shift);
    const auto sum = static_cast<std::int32_t>(a.subtract ? first - second : first + second);
    const std::int64_t value = static_cast<std::int64_t>(loop_requantised(sum, a.multiplier, a.shift)) + a.zero;
    result[i] = static_cast<std::int8_t>(value < a.low ? a.low : value > a.high ? a.high : value);
  }
}

}  // namespace
}  // namespace cox::model::unity
