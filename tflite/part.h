// SPDX-License-Identifier: MIT
// Parts of an operator: runs of rows of its output, which several units compute side by side.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/tflite/model.h"
#include "coxswain/tflite/operation.h"

namespace cox::tflite {

/// A part of an operator. Part i has the rows from rows * i / count on.
struct Part {
  std::uint8_t index = 0, count = 1;

  [[nodiscard]] constexpr bool is_whole() const { return count == 1; }
};

/// Rows of a map.
struct Rows {
  std::uint32_t first = 0, count = 0;
};
constexpr Rows rows_of(const Part &part, std::uint32_t rows) {
  const std::uint32_t first = rows * part.index / part.count;
  return {first, rows * (part.index + 1U) / part.count - first};
}

/// The rows of the input that rows of the output need, and the rows of padding around them.
struct Window {
  Rows input;
  std::uint32_t pad_before = 0, pad_after = 0;
};
/// `output` is not empty. `kernel` is the size of the kernel with its gaps, and larger than the pads.
constexpr Window window_of(const Rows &output, std::uint32_t input_rows, std::uint32_t kernel, std::uint32_t stride, std::uint32_t pad) {
  const std::uint32_t begin = output.first * stride, end = (output.first + output.count - 1) * stride + kernel;  // in the padded input
  const std::uint32_t first = std::max(begin, pad) - pad, last = std::min(end, input_rows + pad) - pad;
  return {{first, last - first}, begin < pad ? pad - begin : 0, end > input_rows + pad ? end - input_rows - pad : 0};
}

/// Bytes of tensors, from their start.
struct PartBytes {
  std::uint32_t input = 0, input_bytes = 0;    ///< of each tensor of `inputs`; the part may read all of other ones
  std::uint32_t output = 0, output_bytes = 0;  ///< of output 0
  std::uint32_t inputs = 0;                    ///< bit i: input i of the operator
};

/// Returns the number of rows of an operator that can be cut into parts, else 1: CONV_2D, DEPTHWISE_CONV_2D and pools of one image, and
/// operators that combine elements at the same place of maps of one image.
[[nodiscard]] std::uint32_t rows_of(const Model &model, const Operation &operation);
/// Returns the bytes that a part accesses. `part.count` is at most rows_of().
[[nodiscard]] PartBytes bytes_of(const Model &model, const Operation &operation, const Part &part);

}  // namespace cox::tflite
