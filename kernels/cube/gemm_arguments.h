// SPDX-License-Identifier: MIT
// Checks gemm()'s arguments and prepares them for the pipeline (docs/kernels/cube.md, gemm). Internal to the kernels.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/kernels/cube/gemm.h"
#include "coxswain/kernels/cube/product_pipeline.h"

namespace cox::kernels::cube {

/// Returns how many columns of the product gemm() computes together: with biases or scales, at most OutputStage::kMostChannels.
[[nodiscard]] std::uint32_t section_columns(const GemmArguments &arguments);
/// Returns the pipeline's arguments for columns [first_column, first_column + columns). The caller has checked the arguments.
[[nodiscard]] ProductPipeline::Arguments pipeline_arguments(const GemmArguments &arguments, std::uint32_t first_column,
                                                            std::uint32_t columns);

}  // namespace cox::kernels::cube
