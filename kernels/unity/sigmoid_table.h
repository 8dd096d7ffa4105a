// SPDX-License-Identifier: MIT
// The logistic function and the hyperbolic tangent of INT8 numbers as tables for look_up(), with the bits that TensorFlow Lite computes.
#pragma once

#include <cstdint>
#include <span>

#include "coxswain/kernels/unity/elementwise.h"

namespace cox::kernels::unity {

struct SigmoidNumbers {
  bool tanh = false;
  std::int32_t input_zero = 0;
  Multiplier multiplier;    ///< of x - input_zero; the product has 4 integer bits
  std::int32_t radius = 0;  ///< from this |x - input_zero| on, the result is the function's limit
};
/// Writes the table of look_up().
void write_sigmoid_table(const SigmoidNumbers &numbers, std::span<std::int8_t, kLookUpBytes> table);

}  // namespace cox::kernels::unity
