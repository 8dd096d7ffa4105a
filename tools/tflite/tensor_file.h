// SPDX-License-Identifier: MIT
// The values of a model's tensors as files: NumPy's .npy, or the bytes alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/tflite/model_file.h"

namespace cox::tools::tflite {

/// Reads the values of a tensor for one or several inferences, one behind the other. A file that ends in `.npy` must have the tensor's type
/// and its shape, or for N inferences the shape with N before it, or with N in the place of a first dimension of 1. Any other file is
/// bytes, N times the tensor's. `name` is for messages, for example `input 0`. Throws FileError if the file cannot be read or is no .npy
/// file, and Failure(failed) if type, shape or size are not the tensor's.
[[nodiscard]] std::vector<std::uint8_t> read_tensor(const std::string &path, const std::string &name, const format::TensorView &tensor);

/// Writes the values of `inferences` inferences as read_tensor() reads them; for several inferences, the first dimension of a .npy file is
/// their number. Throws OutputError.
void write_tensor(const std::string &path, const format::TensorView &tensor, const std::vector<std::uint8_t> &bytes,
                  std::size_t inferences);

/// Returns type and shape of a tensor, for example `int8 1x32x32x3`.
[[nodiscard]] std::string tensor_text(const format::TensorView &tensor);

}  // namespace cox::tools::tflite
