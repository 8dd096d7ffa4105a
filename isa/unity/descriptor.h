// SPDX-License-Identifier: MIT
// Tensor descriptors: 64 bytes in memory that say where a tensor lies and what it holds. CREATE_TENSOR to DUPLICATE write them, queries
// read them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/units.h"

namespace cox::isa::unity {

inline constexpr std::size_t kDescriptorBytes = 64;
inline constexpr unsigned kMostRank = 6;
/// Tensors have fewer elements than this, and no two of their elements are further apart.
inline constexpr std::uint64_t kMostTensorElements = std::uint64_t{1} << 58;

/// Bits of `flags`.
inline constexpr std::uint8_t kDescriptorValid = 1;      ///< 0: a descriptor that DESTROY_TENSOR has cleared
inline constexpr std::uint8_t kDescriptorQuantised = 2;  ///< an element stands for (element - zero_point) * scale
inline constexpr std::uint8_t kDescriptorSparse = 4;

/// The 64 bytes, little-endian.
struct TensorDescriptor {
  std::uint64_t address = 0;  ///< device address of element (0, ..., 0); sparse: of the first value
  std::uint8_t unit = 0;      ///< isa/unity/units.h
  std::uint8_t rank = 0;      ///< 1 to 6
  std::uint8_t flags = 0;
  std::int8_t zero_point = 0;                         ///< 0 unless quantised
  float scale = 0;                                    ///< above 0 and finite; 0 unless quantised
  std::array<std::uint32_t, kMostRank> dimensions{};  ///< outermost first; 0 behind the rank. A dimension of 0 makes the tensor empty
  /// Distances of neighbours in elements; 0 behind the rank. Sparse: see index_address() and count().
  std::array<std::int32_t, kMostRank> strides{};

  bool operator==(const TensorDescriptor &) const = default;

  [[nodiscard]] constexpr Unit element_unit() const { return static_cast<Unit>(unit); }
  [[nodiscard]] constexpr bool is_sparse() const { return (flags & kDescriptorSparse) != 0; }
  [[nodiscard]] constexpr bool is_quantised() const { return (flags & kDescriptorQuantised) != 0; }

  /// A sparse tensor holds count() values at `address`, and s32 indices at index_address(). An index counts elements of the dense tensor
  /// from (0, ..., 0) on, the last dimension first.
  [[nodiscard]] constexpr std::uint64_t index_address() const { return word(0) | std::uint64_t{word(1)} << 32; }
  [[nodiscard]] constexpr std::uint32_t count() const { return word(2); }
  constexpr void set_sparse(std::uint64_t index_address, std::uint32_t count) {
    strides = {static_cast<std::int32_t>(index_address), static_cast<std::int32_t>(index_address >> 32), static_cast<std::int32_t>(count)};
    flags |= kDescriptorSparse;
  }

  /// Product of the dimensions. Less than kMostTensorElements if check_shape() accepts the descriptor.
  [[nodiscard]] constexpr std::uint64_t elements() const {
    std::uint64_t product = 1;
    for (unsigned i = 0; i < rank && i < kMostRank; ++i) product *= dimensions[i];
    return product;
  }
  /// Elements that lie in memory: the values of a sparse tensor, all elements of another.
  [[nodiscard]] constexpr std::uint64_t stored_elements() const { return is_sparse() ? count() : elements(); }
  /// True if the elements lie one after another, the last dimension first. Strides of dimensions of 1 make no difference, and tensors
  /// without elements are dense. Sparse tensors are not.
  [[nodiscard]] constexpr bool is_dense() const {
    if (is_sparse()) return false;
    if (elements() == 0) return true;
    std::uint64_t step = 1;
    for (unsigned i = rank; i-- > 0; step *= dimensions[i]) {
      if (dimensions[i] != 1 && (strides[i] < 0 || static_cast<std::uint64_t>(strides[i]) != step)) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] constexpr std::uint32_t word(unsigned i) const { return static_cast<std::uint32_t>(strides[i]); }
};
static_assert(sizeof(TensorDescriptor) == kDescriptorBytes);
static_assert(offsetof(TensorDescriptor, unit) == 8 && offsetof(TensorDescriptor, rank) == 9 && offsetof(TensorDescriptor, flags) == 10);
static_assert(offsetof(TensorDescriptor, zero_point) == 11 && offsetof(TensorDescriptor, scale) == 12);
static_assert(offsetof(TensorDescriptor, dimensions) == 16 && offsetof(TensorDescriptor, strides) == 40);

static_assert(std::endian::native == std::endian::little);

/// Bytes in memory to descriptor and back, without a check.
[[nodiscard]] inline TensorDescriptor read_descriptor(std::span<const std::byte, kDescriptorBytes> bytes) {
  TensorDescriptor descriptor;
  std::memcpy(&descriptor, bytes.data(), kDescriptorBytes);
  return descriptor;
}
inline void write_descriptor(const TensorDescriptor &descriptor, std::span<std::byte, kDescriptorBytes> bytes) {
  std::memcpy(bytes.data(), &descriptor, kDescriptorBytes);
}

/// Gives a descriptor with `rank` and `dimensions` the strides of a dense tensor. Strides of empty tensors are 0, and so are those of
/// dimensions of 1 that do not fit. Errors: shape_mismatch of check_shape(), or with `index` the dimension, `value` its stride and `limit`
/// INT32_MAX if a stride does not fit.
[[nodiscard]] Status set_dense_strides(TensorDescriptor &descriptor, const char *what);

/// Bytes in which the stored elements of a tensor lie. Element (0, ..., 0) begins `origin` nibbles behind `first`.
struct TensorRange {
  std::uint64_t first = 0, bytes = 0;  ///< no bytes: the tensor has no elements
  std::uint64_t origin = 0;
};
/// Checks dimensions and strides: number of elements, distances, address space. `what` names the field that the error is about:
/// - shape_mismatch: kMostTensorElements elements or more, or elements that far apart; `index` is the dimension at which the limit is
///   passed, `value` its size and `limit` kMostTensorElements. Also more values of a sparse tensor (`value`) than elements (`limit`).
/// - address_outside_window: elements that leave the 64-bit address space; `value` is the descriptor's address.
[[nodiscard]] Status check_shape(const TensorDescriptor &descriptor, const char *what, TensorRange &range);

/// Checks a descriptor that was read from memory: check_shape(), and
/// - field_out_of_range: flags (not valid, or unknown bits), unit, rank, scale, or a part that has to be 0. `index` is the part's byte in
/// the
///   descriptor, `value` what it holds.
/// - misaligned_address: `value` is the address of the elements or of the indices, `limit` the size of one.
[[nodiscard]] Status check_descriptor(const TensorDescriptor &descriptor, const char *what, TensorRange &range);

}  // namespace cox::isa::unity
