// SPDX-License-Identifier: MIT
// Checks gemm()'s arguments and prepares them for the pipeline (docs/kernels/cube.md, gemm). Internal to the kernels.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "kernels/cube/gemm.h"
#include "kernels/cube/product_pipeline.h"

namespace cox::kernels::cube {

/// Returns how many columns of the product are written at once: as many as have room in L1 for their biases and scales.
[[nodiscard]] std::uint32_t section_columns(const GemmArguments &arguments);
/// Returns columns [first_column, first_column + columns) of checked arguments.
[[nodiscard]] ProductPipeline::Arguments pipeline_arguments(const GemmArguments &arguments, std::uint32_t first_column,
                                                            std::uint32_t columns);

}  // namespace cox::kernels::cube
