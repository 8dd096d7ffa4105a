// SPDX-License-Identifier: MIT
// Pooling of INT8 maps, as TensorFlow Lite computes it.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/kernels/unity/arguments.h"

namespace cox::kernels::unity {

enum class PoolMode : std::uint8_t {
  maximum,
  average  ///< of the elements of the window that are in the map; halves round away from 0
};

struct PoolArguments {
  PoolMode mode = PoolMode::maximum;
  std::uint64_t input = 0, output = 0;
  std::uint32_t batch = 1;
  std::uint32_t height = 1, width = 1, channels = 1;
  std::uint32_t output_height = 1, output_width = 1;
  std::uint32_t kernel_height = 1, kernel_width = 1;
  std::uint32_t stride_y = 1, stride_x = 1;                                ///< 1 to 15; any where the output has one line, one column
  std::uint32_t pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;  ///< at most 255, and less than the kernel
  Bounds bounds;
};

/// Checks everything but addresses. Errors: invalid_argument, with the argument as `what`; shape_mismatch ("output_height",
/// "output_width"); unsupported ("bounds").
[[nodiscard]] Status check_pool(const PoolArguments &arguments);

/// Appends one instruction for each image, and one if there are bounds. Errors: those of check_pool(); address_outside_window ("input",
/// "output"); not_ready; no_room ("stream", "instructions").
Status pool(ContainerBuilder &builder, const PoolArguments &arguments);

}  // namespace cox::kernels::unity
