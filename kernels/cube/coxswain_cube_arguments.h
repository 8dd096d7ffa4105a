// SPDX-License-Identifier: MIT
// Converts the C interface's arguments to those of the C++ kernels.
#pragma once

#include "coxswain/kernels/cube/attention.h"
#include "coxswain/kernels/cube/conv2d.h"
#include "coxswain/kernels/cube/coxswain_cube.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/gemv.h"

namespace cox::kernels::cube {

/// If a number in the C arguments belongs to no enumerator, the kernel refuses it later.
[[nodiscard]] GemmArguments of_c(const cox_cube_gemm_arguments &arguments);
[[nodiscard]] GemvArguments of_c(const cox_cube_gemv_arguments &arguments);
[[nodiscard]] Conv2dArguments of_c(const cox_cube_conv2d_arguments &arguments);
[[nodiscard]] AttentionArguments of_c(const cox_cube_attention_arguments &arguments);

}  // namespace cox::kernels::cube
