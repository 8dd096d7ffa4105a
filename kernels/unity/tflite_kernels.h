// SPDX-License-Identifier: MIT
// The kernels of the Unity units for TensorFlow Lite models (tflite/runner.h).
#pragma once

#include "coxswain/kernels/unity/program_builder.h"
#include "coxswain/tflite/operator_table.h"

namespace cox::kernels::unity {

/// All operators that tflite::resolve() knows. The file, the arena and the constants must lie in windows of the context that runs the
/// container, at the addresses that the control core sees. Unsupported are shapes that the instructions' fields cannot hold, broadcasts of
/// several separate groups of dimensions ("broadcast"), means over several separate groups of dimensions ("axes"), and multipliers that
/// are 0 ("multiplier").
[[nodiscard]] const tflite::OperatorTable<ContainerBuilder> &tflite_kernels();

}  // namespace cox::kernels::unity
