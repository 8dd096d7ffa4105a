// SPDX-License-Identifier: MIT
// Checks of the memory that a kernel's arguments name, made before anything is written (docs/kernels/cube.md, Errors). Internal to the
// kernels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/base/memory_range.h"
#include "coxswain/base/status.h"
#include "coxswain/kernels/cube/matrix.h"
#include "coxswain/kernels/cube/stream.h"

namespace cox::kernels::cube {

/// Numbers of rows and columns must be less than this. The product of two such numbers fits into 64 bits.
inline constexpr std::uint32_t kMostSize = 1U << 28;

constexpr Status invalid(const char *what, std::int64_t value, std::int64_t limit) {
  return Status(ErrorCode::invalid_argument, what, -1, value, limit);
}

/// Error: shape_mismatch if `size` is not `expected`. The error's what() is `name`.
constexpr Status check_size(std::uint32_t size, std::uint32_t expected, const char *name) {
  return size == expected ? Status() : Status(ErrorCode::shape_mismatch, name, -1, size, expected);
}

/// Error: invalid_argument if the matrix's order is no value of Order. The error's what() is `name`.
constexpr Status check_order(const Matrix &matrix, const char *name) {
  const auto order = static_cast<std::int64_t>(matrix.order), last = static_cast<std::int64_t>(Order::column_major);
  return order > last ? invalid(name, order, last) : Status();
}

/// Error: misaligned_address if `address` is not aligned to `alignment`. The error's what() is `name`.
constexpr Status check_alignment(std::uint64_t address, std::uint32_t alignment, const char *name) {
  if (address % alignment == 0) return {};
  return Status(ErrorCode::misaligned_address, name, -1, static_cast<std::int64_t>(address), alignment);
}

/// Computes the extent of a matrix in all batches. A matrix has `rows` lines of `bytes`; both are at least 1. Returns false if the extent
/// passes the last bus address.
constexpr bool extent_of(std::uint64_t address, std::uint64_t rows, std::uint64_t bytes, std::uint64_t pitch, std::uint32_t batches,
                         std::uint64_t stride, MemoryRange &extent) {
  constexpr std::uint64_t kEnd = std::uint64_t{1} << isa::cube::kAddressBits;
  if (address >= kEnd || (batches > 1 && stride > kEnd / (batches - 1))) return false;
  extent = {address, (batches - 1) * stride + (rows - 1) * pitch + bytes};
  return extent.end() <= kEnd;
}

constexpr Status outside_window(std::uint64_t address, const char *name) {
  return Status(ErrorCode::address_outside_window, name, -1, static_cast<std::int64_t>(address));
}

/// Error: address_outside_window if no window of the stream contains all of the extent. The error's what() is `name`.
inline Status check_extent(const Stream &stream, const MemoryRange &extent, bool write, const char *name) {
  return isa::check_windows(isa::cube::Access{.write = write, .start = extent.address, .run = extent.size, .field = name},
                            stream.windows());
}

/// Error: tensor_overlap if an output shares bytes with an input. The error's what() is `name`, the input's name.
constexpr Status check_apart(const MemoryRange &output, const MemoryRange &input, const char *name) {
  if (!output.overlaps(input)) return {};
  return Status(ErrorCode::tensor_overlap, name, -1, static_cast<std::int64_t>(std::max(output.address, input.address)));
}

}  // namespace cox::kernels::cube
