// SPDX-License-Identifier: MIT
// What the operand table of a convolution costs the control core.
#pragma once

#include "coxswain/kernels/unity/program_builder.h"

namespace unity_selftest {

/// Builds convolutions whose operands lie behind `dram`, and prints the instructions of the parts of a kernel call. The builder is cleared
/// before and after. Returns false after an error.
bool measure_tables(cox::kernels::unity::ContainerBuilder &builder, std::uint64_t dram);

}  // namespace unity_selftest
