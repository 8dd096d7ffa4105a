// SPDX-License-Identifier: MIT
#include "coxswain/isa/cube/operation.h"

namespace cox::isa::cube {
namespace {

constexpr std::uint64_t size_of(Memory memory) {
  switch (memory) {
    case Memory::dram: return std::uint64_t{1} << kAddressBits;
    case Memory::l1: return kL1Bytes;
    case Memory::l0a: return kL0ABytes;
    case Memory::l0b: return kL0BBytes;
    case Memory::l0c: return kL0CBytes;
    case Memory::bias_table: return kBiasTableBytes;
  }
  return 0;
}

/// Returns true if a run of `access` has a byte in [first, last). Only count[0] of the access may be above 1, and its runs must not
/// overlap.
bool has_byte_of(const Access &access, std::uint64_t first, std::uint64_t last) {
  if (last <= access.start || first >= access.end()) return false;
  if (access.count[0] == 1 || first < access.start) return true;
  // The last run that begins at or before `first` begins at `first` - `within`. The result is true if this run contains the byte `first`,
  // or if the next run begins before `last`.
  const std::uint64_t within = (first - access.start) % access.stride[0];
  return within < access.run || last - first > access.stride[0] - within;
}

/// Returns true if a run of `access` and a run of `other` share bytes. In both accesses, only count[0] may be above 1. The runs of `other`
/// may overlap each other.
bool shares_bytes(const Access &access, const Access &other) {
  if (other.end() <= access.start || access.end() <= other.start) return false;
  for (std::uint32_t i = 0; i < other.count[0]; ++i) {
    const std::uint64_t first = other.start + i * other.stride[0];
    if (has_byte_of(access, first, first + other.run)) return true;
  }
  return false;
}

}  // namespace

Status check_bounds(const Footprint &footprint) {
  for (unsigned i = 0; i < footprint.count; ++i) {
    const Access &access = footprint.accesses[i];
    const std::uint64_t end = access.end(), size = size_of(access.memory);
    if (end <= size) continue;
    const auto limit = static_cast<std::int64_t>(size);
    if (access.memory == Memory::dram) {
      return Status(ErrorCode::address_outside_window, access.field, -1, static_cast<std::int64_t>(access.start), limit);
    }
    return Status(ErrorCode::address_outside_buffer, access.field, -1, static_cast<std::int64_t>(end), limit);
  }
  return {};
}

Status check_apart(const Footprint &footprint) {
  if (footprint.count == 0) return {};
  const Access &output = footprint.accesses[footprint.count - 1];
  if (output.memory != Memory::l1) return {};
  for (unsigned i = 0; i + 1 < footprint.count; ++i) {
    const Access &input = footprint.accesses[i];
    if (input.memory != Memory::l1 || !shares_bytes(output, input)) continue;
    return Status(ErrorCode::tensor_overlap, output.field, -1, static_cast<std::int64_t>(output.start),
                  static_cast<std::int64_t>(input.start));
  }
  return {};
}

}  // namespace cox::isa::cube
