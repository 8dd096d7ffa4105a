// SPDX-License-Identifier: MIT
// What Unity operations read and write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "coxswain/isa/unity/operation.h"

namespace cox::model::unity {

/// Device memory. The caller of execute() has checked all accesses that isa::unity::visit_accesses() lists, so both functions must succeed
/// for each of them, and for the range from the first to the last byte of a map with gaps. Pointers stay valid until execute() returns.
class Memory {
 public:
  /// `bytes` bytes from `address` on.
  [[nodiscard]] virtual const std::byte *read(std::uint64_t address, std::uint64_t bytes) = 0;
  /// The same bytes, to be changed. They have their old values until then; bytes that an operation does not write keep them. An operation
  /// asks once for a byte that it writes, so that each answer may be a copy which replaces the bytes when execute() has returned.
  [[nodiscard]] virtual std::byte *write(std::uint64_t address, std::uint64_t bytes) = 0;

 protected:
  constexpr Memory() = default;
  constexpr Memory(const Memory &) = default;
  constexpr Memory &operator=(const Memory &) = default;
  ~Memory() = default;
};

/// The bytes of a run that has elements.
[[nodiscard]] inline const std::byte *read(Memory &memory, const isa::unity::Run &run) { return memory.read(run.address, run.bytes()); }
[[nodiscard]] inline std::byte *write(Memory &memory, const isa::unity::Run &run) { return memory.write(run.address, run.bytes()); }
/// The bytes of a run; nullptr if it has no elements.
[[nodiscard]] inline const std::byte *read_optional(Memory &memory, const isa::unity::Run &run) {
  return run.elements == 0 ? nullptr : read(memory, run);
}
[[nodiscard]] inline std::byte *write_optional(Memory &memory, const isa::unity::Run &run) {
  return run.elements == 0 ? nullptr : write(memory, run);
}

/// Bytes from the first to the last element of a map.
[[nodiscard]] constexpr std::uint64_t extent_bytes(const isa::unity::FeatureMap &map) {
  return (map.nibble(map.height - 1, map.width - 1, map.channels - 1) + nibbles_of(map.unit) + 1) / 2;
}
[[nodiscard]] inline const std::byte *read(Memory &memory, const isa::unity::FeatureMap &map) {
  return memory.read(map.address, extent_bytes(map));
}
/// The bytes of the planes of a volume's source. Planes begin at bytes.
[[nodiscard]] inline const std::byte *read(Memory &memory, const isa::unity::FeatureMap &plane, const isa::unity::Depth &depth) {
  return memory.read(plane.address, (depth.source - 1) * depth.source_step / 2 + extent_bytes(plane));
}
/// The bytes of a dense map that an operation writes whole. The spare nibbles of 4-bit elements are 0.
[[nodiscard]] inline std::byte *write(Memory &memory, const isa::unity::FeatureMap &map) {
  std::byte *bytes = memory.write(map.address, extent_bytes(map));
  if (bits_of(map.unit) == 4) std::memset(bytes, 0, extent_bytes(map));
  return bytes;
}

}  // namespace cox::model::unity
