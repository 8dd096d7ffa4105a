// SPDX-License-Identifier: MIT
// Operators that move elements of 1, 2, 4 or 8 bytes, and resizing of INT8 maps.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/kernels/unity/arguments.h"

namespace cox::kernels::unity {

inline constexpr std::size_t kMostDimensions = 8;

/// Copies elements between two tensors of the same shape with strides of their own.
struct StridedCopyArguments {
  std::uint64_t input = 0, output = 0;                       ///< addresses of element (0, 0, ...)
  std::uint32_t element_bytes = 1;                           ///< 1, 2, 4 or 8
  std::uint32_t dimensions = 0;                              ///< at most kMostDimensions
  std::array<std::int32_t, kMostDimensions> count{};         ///< the last dimension is the innermost one
  std::array<std::int64_t, kMostDimensions> input_stride{};  ///< in elements; may be negative
  /// In elements, positive. The elements must not overlap.
  std::array<std::int64_t, kMostDimensions> output_stride{};
};
/// Appends a DATA_MOVE for each block of three dimensions: long runs of elements need few instructions. Errors: invalid_argument
/// ("element_bytes", "dimensions", "count", "output_stride"); address_outside_window ("input", "output"); not_ready; no_room ("stream",
/// "instructions").
Status strided_copy(ContainerBuilder &builder, const StridedCopyArguments &arguments);
/// Checks everything but addresses.
[[nodiscard]] Status check_strided_copy(const StridedCopyArguments &arguments);

/// Sets `elements` bytes to a value. Errors: invalid_argument ("elements": 0); address_outside_window ("output"); not_ready; no_room.
struct FillArguments {
  std::uint64_t output = 0;
  std::uint64_t elements = 1;
  std::int32_t value = 0;
};
Status fill(ContainerBuilder &builder, const FillArguments &arguments);

/// output[o][m][i] = input[o][i]: repeats each run of `inner` bytes `middle` times. Errors: those of fill().
struct RepeatArguments {
  std::uint64_t input = 0, output = 0;
  std::uint32_t outer = 1, middle = 1, inner = 1;
};
Status repeat(ContainerBuilder &builder, const RepeatArguments &arguments);

/// TensorFlow Lite's RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
struct ResizeArguments {
  bool bilinear = false;
  std::uint64_t input = 0, output = 0;
  std::uint32_t batch = 1;
  std::uint32_t height = 1, width = 1, channels = 1;
  std::uint32_t output_height = 1, output_width = 1;
  bool align_corners = false, half_pixel_centres = false;  ///< not both
};
/// Errors: invalid_argument with the argument's name, unsupported ("align_corners" with half-pixel centres).
[[nodiscard]] Status check_resize(const ResizeArguments &arguments);
/// Errors: those of check_resize(); address_outside_window; not_ready; no_room.
Status resize(ContainerBuilder &builder, const ResizeArguments &arguments);

}  // namespace cox::kernels::unity
