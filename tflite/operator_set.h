// SPDX-License-Identifier: MIT
// What the planner and the tools ask of a set of kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/tflite/model.h"

namespace cox::tflite {

/// What a set of kernels says of one operator.
struct Support {
  Status status;  ///< ok, or why there is no kernel: usually `unsupported`, with the operator's index
  /// Bit i: the kernel may write its output to the memory of input i, which has the same size. It reads each element before it writes it.
  std::uint32_t overwritable = 0;
  bool by_parts = false;             ///< the kernel can run parts of the operator (tflite/part.h), if it has no scratch memory
  std::uint32_t scratch_bytes = 0;   ///< memory that the kernel needs while it runs, at a multiple of kArenaAlignment
  std::uint32_t constant_bytes = 0;  ///< memory that the kernel fills once, for example with folded biases, at the same alignment
};

inline constexpr std::size_t kArenaAlignment = 16;  ///< alignment of tensors and scratch memory, in bytes

/// The kernels of an engine, or of a test. OperatorTable (tflite/operator_table.h) makes one of a list of functions.
class OperatorSet {
 public:
  /// `index` < model.operators(). The result is the same for each call.
  [[nodiscard]] virtual Support check(const Model &model, std::size_t index) const = 0;

 protected:
  ~OperatorSet() = default;
};

}  // namespace cox::tflite
