// SPDX-License-Identifier: MIT
// Argument checks that several kernels share (docs/kernels/mx.md, Errors). Internal to the kernels.
//
// A kernel that appends one instruction leaves addresses to Stream::append(), which checks them as the device will. A kernel that appends
// several instructions checks whole tensors first, so that a call that fails appends and flushes nothing.
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/isa/mx/operation.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"

namespace cox::kernels::mx {

constexpr Status invalid(const char *what, std::int64_t value, std::int64_t limit) {
  return Status(ErrorCode::invalid_argument, what, -1, value, limit);
}

/// Returns the shape and address of `tensor` as the field values of an instruction need them.
inline isa::mx::Map map_of(const Tensor &tensor) { return {tensor.address, tensor.blocks(), tensor.height, tensor.width}; }

/// Errors, with `what` = `name`: invalid_argument if a size is 0; address_outside_window if the tensor has more blocks than any window
/// holds. After this check, counts of bytes fit 64 bits.
[[nodiscard]] constexpr Status check_sizes(const Tensor &tensor, const char *name) {
  constexpr unsigned kCountBits = 28;  // a window of less than 2^32 bytes holds fewer than 2^28 blocks of 18 bytes
  if (tensor.channels == 0 || tensor.height == 0 || tensor.width == 0) return invalid(name, 0, 1);
  if (tensor.plane() >> kCountBits != 0 || tensor.count() >> kCountBits != 0)
    return Status(ErrorCode::address_outside_window, name, -1, static_cast<std::int64_t>(tensor.address));
  return {};
}

/// Error: shape_mismatch if `size` is not `expected`, with `what` = `name`, `value` = `size` and `limit` = `expected`.
[[nodiscard]] constexpr Status check_size(std::uint64_t size, std::uint64_t expected, const char *name) {
  return size == expected
             ? Status()
             : Status(ErrorCode::shape_mismatch, name, -1, static_cast<std::int64_t>(size), static_cast<std::int64_t>(expected));
}
[[nodiscard]] constexpr Status check_shape(const Tensor &tensor, const Tensor &expected, const char *name) {
  if (const Status status = check_size(tensor.channels, expected.channels, name); !status) return status;
  if (const Status status = check_size(tensor.height, expected.height, name); !status) return status;
  return check_size(tensor.width, expected.width, name);
}

/// Checks all memory that a kernel of several instructions touches: every address is aligned to 2 bytes, no output overlaps another access,
/// and windows contain everything. With `in_place`, an output may begin at the same address as another access. Errors are those of
/// Stream::append(); `what` is the name given with the access.
[[nodiscard]] Status check_memory(const Stream &stream, const isa::mx::Footprint &footprint, bool in_place = false);

/// Adds an access to a footprint that has room for it.
void add_access(isa::mx::Footprint &footprint, bool write, std::uint64_t address, std::uint64_t bytes, const char *name);
/// Adds scratch. Errors, with `what` = "scratch": no_room if `given` has less than `wanted` bytes; misaligned_address if it is not aligned
/// to 4 bytes; address_outside_window if no window lets the engine read it.
[[nodiscard]] Status add_scratch(isa::mx::Footprint &footprint, const Stream &stream, const Scratch &given, std::uint64_t wanted);

}  // namespace cox::kernels::mx
