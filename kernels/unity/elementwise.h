// SPDX-License-Identifier: MIT
// Operators on elements of INT8 tensors, as TensorFlow Lite computes them. Results may lie where a source lies that has as many elements,
// unless a function says that they may not.
//
// Errors of all functions: those of their check; address_outside_window, with the argument's name; not_ready; no_room ("stream",
// "instructions").
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/kernels/unity/arguments.h"

namespace cox::kernels::unity {

/// clamp(requantised(a +- b) + output_zero) with a = requantised((input 0 - input_zero[0]) << left_shift), and so on.
struct SumArguments {
  bool subtract = false;
  std::array<std::uint64_t, 2> inputs{};
  std::uint64_t output = 0;
  std::uint64_t elements = 1;
  std::uint32_t left_shift = 20;  ///< 1 to 31
  std::array<std::int32_t, 2> input_zero{};
  std::array<Multiplier, 2> input_multiplier;
  Multiplier multiplier;
  std::int32_t output_zero = 0;
  Bounds bounds;
};
/// Errors: invalid_argument ("elements", "left_shift", "multiplier", "shift", "input_zero", "output_zero"), unsupported ("bounds").
[[nodiscard]] Status check_sum(const SumArguments &arguments);
Status sum(ContainerBuilder &builder, const SumArguments &arguments);

/// clamp(requantised((input 0 - input_zero[0]) * (input 1 - input_zero[1])) + output_zero).
struct ProductArguments {
  std::array<std::uint64_t, 2> inputs{};
  std::uint64_t output = 0;
  std::uint64_t scratch = 0;  ///< product_scratch() bytes, a multiple of 4
  std::uint64_t elements = 1;
  std::array<std::int32_t, 2> input_zero{};
  Multiplier multiplier;
  std::int32_t output_zero = 0;
  Bounds bounds;
};
constexpr std::uint64_t product_scratch(std::uint64_t elements) { return 8 * elements; }
[[nodiscard]] Status check_product(const ProductArguments &arguments);
Status product(ContainerBuilder &builder, const ProductArguments &arguments);

/// The larger or smaller element.
struct ExtremumArguments {
  bool maximum = true;
  std::array<std::uint64_t, 2> inputs{};
  std::uint64_t output = 0;
  std::uint64_t elements = 1;
};
Status extremum(ContainerBuilder &builder, const ExtremumArguments &arguments);

/// clamp(requantised(input - input_zero) + output_zero).
struct RescaleArguments {
  std::uint64_t input = 0, output = 0;
  std::uint64_t elements = 1;
  std::int32_t input_zero = 0, output_zero = 0;
  Multiplier multiplier;
  Bounds bounds;
};
[[nodiscard]] Status check_rescale(const RescaleArguments &arguments);
Status rescale(ContainerBuilder &builder, const RescaleArguments &arguments);

/// result[i] = table[input[i]]. The table has 256 elements: those of 0 to 127, then those of -128 to -1. The result must not overlap the
/// input. Appends one instruction for each 4095 elements.
struct LookUpArguments {
  std::uint64_t input = 0, table = 0, output = 0;
  std::uint64_t elements = 1;
};
inline constexpr std::uint32_t kLookUpBytes = 256;
Status look_up(ContainerBuilder &builder, const LookUpArguments &arguments);

/// FP32 to INT8: the nearest number, halves away from 0, of input / scale + zero, clamped; or INT8 to FP32: (input - zero) * scale.
struct ConversionArguments {
  bool to_float = false;
  std::uint64_t input = 0, output = 0;
  std::uint64_t scratch = 0;  ///< to INT8: conversion_scratch() bytes, a multiple of 4
  std::uint64_t elements = 1;
  float scale = 1;
  std::int32_t zero = 0;
};
constexpr std::uint64_t conversion_scratch(std::uint64_t elements) { return 4 * elements; }
Status convert(ContainerBuilder &builder, const ConversionArguments &arguments);

/// TensorFlow Lite's softmax of rows. The multiplier's shift is from 0 to 31; other operators take at most 30. Differences below
/// `least_difference` count as 0.
struct SoftmaxArguments {
  std::uint64_t input = 0, output = 0;
  std::uint32_t rows = 1, depth = 1;  ///< depth at most 4095
  Multiplier multiplier;
  std::int32_t least_difference = 0;  ///< -32768 to 0
};
/// Errors: invalid_argument ("rows", "depth", "multiplier", "shift", "least_difference").
[[nodiscard]] Status check_softmax(const SoftmaxArguments &arguments);
/// The result must not overlap the input.
Status softmax(ContainerBuilder &builder, const SoftmaxArguments &arguments);

}  // namespace cox::kernels::unity
