// SPDX-License-Identifier: MIT
// What conv2d() refuses (docs/kernels/cube.md, Errors). Of the kernels' inside.
#pragma once

#include <span>

#include "isa/window.h"
#include "kernels/cube/conv2d.h"
#include "kernels/cube/conv2d_shape.h"

namespace cox::kernels::cube {

/// Everything but memory. Errors as conv2d()'s.
[[nodiscard]] Result<Conv2dShape> shape_of(const Conv2dArguments &arguments);
/// That windows hold all tensors, and the output shares no byte with another one.
[[nodiscard]] Status check_memory(const Conv2dArguments &arguments, std::span<const isa::Window> windows);

}  // namespace cox::kernels::cube
