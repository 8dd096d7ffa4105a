// SPDX-License-Identifier: MIT
// Which source elements a resized one comes from, as TensorFlow Lite's reference kernels choose them (docs/unity-arithmetic.md, Resizes).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "coxswain/isa/unity/operation.h"

namespace cox::model::unity {

/// One direction of a resize.
struct Direction {
  std::int64_t in = 1, out = 1;
  bool align_corners = false, half_pixel = false;
};

/// Two neighbours and the weight of the upper one. The lower one has the rest: 1 in real numbers, 1024 in fixed point.
template <typename Number>
struct Neighbours {
  std::uint32_t lower = 0, upper = 0;
  Number weight{};
};

/// Bilinear, in 1/1024. The weight may be negative or above 1024 where both neighbours are the same.
[[nodiscard]] constexpr Neighbours<std::int64_t> fixed_neighbours(const Direction &direction, std::int64_t position) {
  const std::int64_t in = direction.in, out = direction.out;
  const bool corners = direction.align_corners && out > 1;
  const std::int64_t scale = corners ? (1024 * (in - 1) + (out - 1) / 2) / (out - 1) : (1024 * in + out / 2) / out;
  const std::int64_t scaled = position * scale + (direction.half_pixel ? scale / 2 - 512 : 0);
  const std::int64_t lower = std::clamp<std::int64_t>(scaled / 1024, 0, in - 1), upper = std::min((scaled + 1023) / 1024, in - 1);
  return {static_cast<std::uint32_t>(lower), static_cast<std::uint32_t>(upper), scaled - 1024 * lower};
}

/// Bilinear, with the exact position as a fraction of whole numbers.
template <typename Real>
[[nodiscard]] Neighbours<Real> real_neighbours(const Direction &direction, std::int64_t position) {
  const std::int64_t in = direction.in, out = direction.out;
  std::int64_t numerator = 2 * position * in, denominator = 2 * out;
  if (direction.align_corners && out > 1) {
    numerator = 2 * position * (in - 1);
    denominator = 2 * (out - 1);
  } else if (direction.half_pixel) {
    numerator = (2 * position + 1) * in - out;
  }
  if (numerator <= 0) return {};
  const std::int64_t lower = numerator / denominator;
  if (lower >= in - 1) return {static_cast<std::uint32_t>(in - 1), static_cast<std::uint32_t>(in - 1), Real{0}};
  const Real weight = static_cast<Real>(numerator % denominator) / static_cast<Real>(denominator);
  return {static_cast<std::uint32_t>(lower), static_cast<std::uint32_t>(lower + 1), weight};
}

/// Nearest, in FP32 with its roundings.
[[nodiscard]] inline std::uint32_t nearest(const Direction &direction, std::int64_t position) {
  const bool corners = direction.align_corners && direction.out > 1;
  const auto in = static_cast<float>(corners ? direction.in - 1 : direction.in);
  const auto out = static_cast<float>(corners ? direction.out - 1 : direction.out);
  const float at = (static_cast<float>(position) + (direction.half_pixel ? 0.5F : 0.0F)) * (in / out);
  const auto whole = static_cast<std::int64_t>(direction.align_corners ? std::round(at) : std::floor(at));
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(whole, 0, direction.in - 1));
}

}  // namespace cox::model::unity
