// SPDX-License-Identifier: MIT
// What lies in L2 from the task's beginning to its end: tables, and the gammas and betas of layer norms.
#pragma once

#include <cstdint>

#include "tools/lower/weights/tables.h"

namespace cox::lower {

/// What is loaded at once begins at a multiple of so many bytes, and is one.
inline constexpr std::int64_t kConstantAlignment = 64;

/// Bytes of all, in the weight image and in L2.
[[nodiscard]] std::int64_t constant_bytes(const Network &network);

/// Offsets among them. Of a layer norm gamma and beta are two rows of FP32, each padded as a pixel.
[[nodiscard]] std::int64_t table_offset(const Network &network, TableFunction function);
[[nodiscard]] std::int64_t norm_offset(const Network &network, const Layer &layer);
[[nodiscard]] std::int64_t norm_row_bytes(const Network &network, const Layer &layer);

}  // namespace cox::lower
