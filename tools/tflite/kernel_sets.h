// SPDX-License-Identifier: MIT
// The kernels that run models, for `cox info`.
#pragma once

#include <span>
#include <string_view>

#include "tflite/operator_set.h"

namespace cox::tools::tflite {

struct KernelSet {
  std::string_view engine;  ///< key of the engine
  const cox::tflite::OperatorSet *kernels = nullptr;
};

/// Returns the sets of all engines that have kernels for models.
[[nodiscard]] std::span<const KernelSet> kernel_sets();

}  // namespace cox::tools::tflite
