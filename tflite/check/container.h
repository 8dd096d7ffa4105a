// SPDX-License-Identifier: MIT
// The first part of open(): the FlatBuffer and its lists.
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/base/result.h"

namespace cox::tflite {

namespace schema {
struct Model;
}

namespace check {

/// Verifies the FlatBuffer, its version, the number of its subgraphs, and the sizes of its lists. The result has one subgraph, and a list
/// of tensors, of buffers and of operator codes. Errors: those of open() (tflite/model.h).
[[nodiscard]] Result<const schema::Model *> container(std::span<const std::byte> file);

}  // namespace check
}  // namespace cox::tflite
