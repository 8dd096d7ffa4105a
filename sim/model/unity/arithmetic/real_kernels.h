// SPDX-License-Identifier: MIT
// The inner loops of the fast path on FP32. NaN results are 0x7FC00000. A result may be one of the sources, not overlap one in another way.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/isa/unity/run.h"
#include "sim/model/unity/arithmetic/partial_sums.h"

namespace cox::model::unity {

/// FP32 in device memory, whose bytes may have been written as other types.
using Float [[gnu::may_alias]] = float;

enum class RealPair : std::uint8_t { add, subtract, multiply, divide, maximum, minimum };
enum class RealFunction : std::uint8_t { absolute, square_root, reciprocal, relu, relu6, exponential, sigmoid, tanh };

/// Rows and columns of a product that registers hold.
inline constexpr std::size_t kTileRows = 12, kTileColumns = 32;

/// kTileRows rows times kTileColumns columns. Each element is `fma` from 0, by rising k.
struct TileProduct {
  const Float *rows = nullptr;     ///< element (r, k) is rows[r * row_step + k]
  std::size_t row_step = 0;        ///< at least `length`
  const Float *columns = nullptr;  ///< element (k, c) is columns[k * kTileColumns + c]
  std::size_t length = 0;          ///< products of an element
};

struct RealKernels {
  /// result[i] = function(first[i], second[i]); second[0] for all i if `scalar`.
  void (*pairs)(RealPair function, const Float *first, const Float *second, bool scalar, std::size_t count, Float *result);
  void (*each)(RealFunction function, const Float *source, std::size_t count, Float *result);
  /// Whole numbers of 8 or 16 bits: NaN becomes 0, then clamped to `low` to `high`, then rounded by the mode. The result has `bytes` bytes
  /// an element.
  void (*to_wholes)(const Float *source, std::size_t count, isa::unity::Rounding rounding, float low, float high, unsigned bytes,
                    void *result);
  /// Adds the numbers to kPartialSums partial sums, the first one to the first.
  void (*sum)(const Float *source, std::size_t count, double *partial);
  /// Adds (source[i] - mean)^2 to the partial sums.
  void (*sum_squares)(const Float *source, std::size_t count, double mean, double *partial);
  /// sums[i] += source[i].
  void (*add_to)(const Float *source, std::size_t count, double *sums);
  /// Largest or smallest element; NaN if there is one. `count` is at least 1.
  float (*extreme)(const Float *source, std::size_t count, bool largest);
  /// result[i] = e^(source[i] - largest), added to the partial sums.
  void (*exponentials)(const Float *source, std::size_t count, double largest, double *result, double *partial);
  /// result[i] = source[i] * factor, rounded to FP32.
  void (*scale)(const double *source, std::size_t count, double factor, Float *result);
  /// result[i] = (source[i] - mean) * factor * weight[i] + bias[i]; without weights or bias if they are nullptr.
  void (*normalise)(const Float *source, std::size_t count, double mean, double factor, const Float *weight, const Float *bias,
                    Float *result);
  /// Element (r, c) of `result` is result[r * kTileColumns + c].
  void (*multiply)(const TileProduct &product, Float *result);
  /// columns[k * kTileColumns + c] = lines[c * line_step + k].
  void (*interleave)(const Float *lines, std::size_t line_step, std::size_t length, Float *columns);
};

}  // namespace cox::model::unity
