// SPDX-License-Identifier: MIT
// The kernels that run models, for `cox info` and `cox run`.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "coxswain/tflite/operator_set.h"
#include "tools/tflite/session.h"

namespace cox::tools::tflite {

struct KernelSet {
  std::string_view engine;  ///< key of the engine
  const cox::tflite::OperatorSet *kernels = nullptr;
  /// Opens a session for a model whose operators all have kernels. Throws Failure(failed). nullptr: `cox run` does not take models for this
  /// engine.
  std::unique_ptr<Session> (*open)(const ModelFile &file, const SessionSettings &settings) = nullptr;
};

/// Returns the sets of all engines that have kernels for models.
[[nodiscard]] std::span<const KernelSet> kernel_sets();

}  // namespace cox::tools::tflite
