// SPDX-License-Identifier: MIT
#include "coxswain/isa/unity/descriptor.h"

#include <bit>
#include <cmath>

namespace cox::isa::unity {
namespace {

constexpr std::int64_t signed_number(std::uint64_t value) { return static_cast<std::int64_t>(value); }

/// Refuses the part of a descriptor at byte `offset`.
Status refused(const char *what, std::size_t offset, std::int64_t value, std::int64_t limit) {
  return {ErrorCode::field_out_of_range, what, static_cast<std::int32_t>(offset), value, limit};
}

Status too_large(const TensorDescriptor &descriptor, const char *what, unsigned dimension) {
  return {ErrorCode::shape_mismatch, what, static_cast<std::int32_t>(dimension), descriptor.dimensions[dimension],
          signed_number(kMostTensorElements)};
}

Status count_elements(const TensorDescriptor &descriptor, const char *what, std::uint64_t &elements) {
  elements = 1;
  for (unsigned i = 0; i < descriptor.rank; ++i) {
    if (descriptor.dimensions[i] == 0) {
      elements = 0;
      return {};
    }
  }
  for (unsigned i = 0; i < descriptor.rank; ++i) {
    if (descriptor.dimensions[i] > (kMostTensorElements - 1) / elements) return too_large(descriptor, what, i);
    elements *= descriptor.dimensions[i];
  }
  return {};
}

/// Distances in elements from element (0, ..., 0) to the outermost ones.
struct Reach {
  std::uint64_t before = 0, behind = 0;
};

Status find_reach(const TensorDescriptor &descriptor, const char *what, Reach &reach) {
  for (unsigned i = 0; i < descriptor.rank; ++i) {
    const std::int64_t stride = descriptor.strides[i];
    const std::uint64_t step = static_cast<std::uint64_t>(stride < 0 ? -stride : stride), steps = descriptor.dimensions[i] - 1;
    std::uint64_t &side = stride < 0 ? reach.before : reach.behind;
    side += step * steps;  // at most 2^63, and `side` is below 2^58
    if (reach.before + reach.behind >= kMostTensorElements) return too_large(descriptor, what, i);
  }
  return {};
}

Status check_parts(const TensorDescriptor &descriptor, const char *what) {
  constexpr unsigned kFlags = kDescriptorValid | kDescriptorQuantised | kDescriptorSparse;
  if ((descriptor.flags & kDescriptorValid) == 0 || descriptor.flags > kFlags) {
    return refused(what, offsetof(TensorDescriptor, flags), descriptor.flags, kFlags);
  }
  if (!is_unit(descriptor.unit)) return refused(what, offsetof(TensorDescriptor, unit), descriptor.unit, kUnits - 1);
  if (descriptor.rank == 0 || descriptor.rank > kMostRank) {
    return refused(what, offsetof(TensorDescriptor, rank), descriptor.rank, descriptor.rank == 0 ? 1 : kMostRank);
  }
  const bool has_scale = std::isfinite(descriptor.scale) && descriptor.scale > 0;
  const auto scale_bits = std::bit_cast<std::uint32_t>(descriptor.scale);
  if (descriptor.is_quantised() ? !has_scale : scale_bits != 0) {
    return refused(what, offsetof(TensorDescriptor, scale), scale_bits, 0);
  }
  if (!descriptor.is_quantised() && descriptor.zero_point != 0) {
    return refused(what, offsetof(TensorDescriptor, zero_point), descriptor.zero_point, 0);
  }
  const unsigned used_strides = descriptor.is_sparse() ? 3 : descriptor.rank;
  for (unsigned i = 0; i < kMostRank; ++i) {
    if (i >= descriptor.rank && descriptor.dimensions[i] != 0) {
      return refused(what, offsetof(TensorDescriptor, dimensions) + 4 * std::size_t{i}, descriptor.dimensions[i], 0);
    }
    if (i >= used_strides && descriptor.strides[i] != 0) {
      return refused(what, offsetof(TensorDescriptor, strides) + 4 * std::size_t{i}, descriptor.strides[i], 0);
    }
  }
  return {};
}

Status check_alignment(const char *what, std::uint64_t address, Unit unit) {
  if (address % alignment_of(unit) == 0) return {};
  return {ErrorCode::misaligned_address, what, -1, signed_number(address), alignment_of(unit)};
}

}  // namespace

Status set_dense_strides(TensorDescriptor &descriptor, const char *what) {
  descriptor.strides = {};
  std::uint64_t elements = 0, step = 1;
  if (const Status status = count_elements(descriptor, what, elements); !status.ok()) return status;
  for (unsigned i = descriptor.rank; elements != 0 && i-- > 0; step *= descriptor.dimensions[i]) {
    if (step <= INT32_MAX) {
      descriptor.strides[i] = static_cast<std::int32_t>(step);
    } else if (descriptor.dimensions[i] != 1) {
      return {ErrorCode::shape_mismatch, what, static_cast<std::int32_t>(i), signed_number(step), INT32_MAX};
    }
  }
  return {};
}

Status check_shape(const TensorDescriptor &descriptor, const char *what, TensorRange &range) {
  range = {descriptor.address, 0, 0};
  std::uint64_t elements = 0;
  if (const Status status = count_elements(descriptor, what, elements); !status.ok()) return status;
  if (descriptor.is_sparse()) {
    if (descriptor.count() > elements) return {ErrorCode::shape_mismatch, what, -1, descriptor.count(), signed_number(elements)};
    range.bytes = run_bytes(descriptor.element_unit(), descriptor.count());
  } else if (elements != 0) {
    Reach reach;
    if (const Status status = find_reach(descriptor, what, reach); !status.ok()) return status;
    const unsigned size = nibbles_of(descriptor.element_unit());
    const std::uint64_t bytes_before = (reach.before * size + 1) / 2;
    if (bytes_before > descriptor.address) {
      return {ErrorCode::address_outside_window, what, -1, signed_number(descriptor.address), 0};
    }
    range.first = descriptor.address - bytes_before;
    range.origin = 2 * bytes_before;
    range.bytes = bytes_before + ((reach.behind + 1) * size + 1) / 2;
  }
  if (range.bytes != 0 && range.bytes - 1 > UINT64_MAX - range.first) {
    return {ErrorCode::address_outside_window, what, -1, signed_number(descriptor.address), 0};
  }
  return {};
}

Status check_descriptor(const TensorDescriptor &descriptor, const char *what, TensorRange &range) {
  range = {};
  if (const Status status = check_parts(descriptor, what); !status.ok()) return status;
  if (const Status status = check_alignment(what, descriptor.address, descriptor.element_unit()); !status.ok()) return status;
  if (descriptor.is_sparse()) {
    if (const Status status = check_alignment(what, descriptor.index_address(), Unit::s32); !status.ok()) return status;
  }
  return check_shape(descriptor, what, range);
}

}  // namespace cox::isa::unity
