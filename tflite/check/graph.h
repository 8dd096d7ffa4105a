// SPDX-License-Identifier: MIT
// The third part of open(): operators, and the order in which they write and read tensors.
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/tflite/model.h"

namespace cox::tflite::check {

/// Checks operators and their operands, and fills `uses`, which has one element for each tensor. container() and tensors() have checked
/// `model`, whose file has `file_bytes` bytes. Errors: those of open() (tflite/model.h).
[[nodiscard]] Status graph(const schema::Model &model, std::size_t file_bytes, std::span<TensorUse> uses);

}  // namespace cox::tflite::check
