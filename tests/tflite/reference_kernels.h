// SPDX-License-Identifier: MIT
// A table of kernels that needs no engine: a kernel appends a function, which computes the operator with the reference.
#pragma once

#include <functional>
#include <vector>

#include "coxswain/tflite/operator_table.h"

namespace cox::tests::tflite_reference {

/// What the kernels append.
struct Recording {
  std::vector<std::function<void()>> steps;
  std::size_t most_steps = SIZE_MAX;  ///< append() fails beyond it

  [[nodiscard]] Status append(std::function<void()> step);
  void run() const {
    for (const std::function<void()> &step : steps) step();
  }
};

/// All operators that resolve() knows. Kernels of element-wise operators overwrite inputs. Each kernel has constants and scratch memory;
/// it writes its constants when it is encoded, and checks them and spoils its scratch memory when it runs.
[[nodiscard]] const cox::tflite::OperatorTable<Recording> &reference_kernels();

}  // namespace cox::tests::tflite_reference
