// SPDX-License-Identifier: MIT
// The second part of open(): each tensor by itself.
#pragma once

#include <cstddef>

#include "coxswain/base/status.h"

namespace cox::tflite {

namespace schema {
struct Model;
}

namespace check {

/// Checks types, shapes, buffers and quantisation of all tensors. container() has checked `model`, whose file has `file_bytes` bytes.
/// Errors: those of open() (tflite/model.h).
[[nodiscard]] Status tensors(const schema::Model &model, std::size_t file_bytes);

}  // namespace check
}  // namespace cox::tflite
