// SPDX-License-Identifier: MIT
// gemm()'s arguments, checked and put into numbers (docs/kernels/cube.md, gemm). Of the kernels' inside.
#pragma once

#include <cstdint>

#include "base/status.h"
#include "kernels/cube/gemm.h"
#include "kernels/cube/product_pipeline.h"

namespace cox::kernels::cube {

/// Columns of the product that are written at once: as many as have their biases and scales in L1.
[[nodiscard]] std::uint32_t section_columns(const GemmArguments &arguments);
/// Of checked arguments, columns [first_column, first_column + columns).
[[nodiscard]] ProductPipeline::Arguments pipeline_arguments(const GemmArguments &arguments, std::uint32_t first_column,
                                                            std::uint32_t columns);

}  // namespace cox::kernels::cube
