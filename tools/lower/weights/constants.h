// SPDX-License-Identifier: MIT
// Constants that stay in L2 for the whole task: tables, and the gammas and betas of layer norms.
#pragma once

#include <cstdint>

#include "tools/lower/weights/tables.h"

namespace cox::lower {

/// Address and size of each load of constants into L2 are multiples of this number of bytes.
inline constexpr std::int64_t kConstantAlignment = 64;

/// Returns how many bytes all constants have together. The number is the same in the weight image and in L2.
[[nodiscard]] std::int64_t constant_bytes(const Network &network);

/// Return byte offsets within the constants, and the bytes of a row. The gammas of a layer norm are one row of FP32, its betas another. A
/// row is padded like a pixel in L2.
[[nodiscard]] std::int64_t table_offset(const Network &network, TableFunction function);
[[nodiscard]] std::int64_t norm_offset(const Network &network, const Layer &layer);
[[nodiscard]] std::int64_t norm_row_bytes(const Network &network, const Layer &layer);

}  // namespace cox::lower
