// SPDX-License-Identifier: MIT
// Checks of conv2d()'s arguments (docs/kernels/cube.md, Errors). Internal to the kernels.
#pragma once

#include <span>

#include "coxswain/isa/window.h"
#include "coxswain/kernels/cube/conv2d.h"
#include "coxswain/kernels/cube/conv2d_shape.h"

namespace cox::kernels::cube {

/// Checks everything except memory. Errors: those of conv2d().
[[nodiscard]] Result<Conv2dShape> shape_of(const Conv2dArguments &arguments);
/// Checks that windows contain all tensors and that the output shares no byte with another tensor.
[[nodiscard]] Status check_memory(const Conv2dArguments &arguments, std::span<const isa::Window> windows);

}  // namespace cox::kernels::cube
