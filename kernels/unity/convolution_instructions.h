// SPDX-License-Identifier: MIT
// The instructions of convolutions, for kernels that have checked their arguments.
#pragma once

#include "coxswain/kernels/unity/conv2d.h"

namespace cox::kernels::unity {

/// True for a transposed convolution.
[[nodiscard]] constexpr bool is_transposed(const Conv2dArguments &arguments) { return arguments.enlarge_y > 1 || arguments.enlarge_x > 1; }

/// Appends the instruction of one image, whose input and output are at the given addresses. Op is DEP_CONV, TRANSPOSE_CONV, UDEF_CONV or
/// CONV2D.
template <Opcode Op>
void add_image(ContainerBuilder &builder, const Conv2dArguments &arguments, std::uintptr_t input, std::uintptr_t output);

/// Appends one instruction for each image. check_conv2d() has accepted the arguments, the addresses are checked, and a kernel has begun.
void append_convolution(ContainerBuilder &builder, const Conv2dArguments &arguments);

}  // namespace cox::kernels::unity
