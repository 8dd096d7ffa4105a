// SPDX-License-Identifier: MIT
// Bytes that an operation reads or writes under one address of its operand table: chunks at up to three distances.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/isa/unity/operation.h"

namespace cox::isa::unity {

/// Chunk (i, j, k) is `chunk` nibbles long and begins `i * step[0] + j * step[1] + k * step[2]` nibbles behind the address; i < count[0], j
/// < count[1], k < count[2]. A chunk begins at a byte, and its last byte belongs to it as a whole. Regions without chunks or with empty
/// ones have no bytes.
struct Region {
  static constexpr unsigned kDistances = 3;
  using Numbers = std::array<std::uint64_t, kDistances>;

  const char *field = "";
  bool write = false;
  std::uint8_t element_bits = 8;
  std::uint64_t address = 0;
  Numbers count{1, 1, 1}, step{};
  std::uint64_t chunk = 0;

  /// The number of chunks, empty ones too.
  [[nodiscard]] constexpr std::uint64_t chunks() const { return count[0] * count[1] * count[2]; }
  [[nodiscard]] constexpr bool empty() const { return count[0] == 0 || count[1] == 0 || count[2] == 0 || chunk == 0; }
  /// Bytes from the address to the end of the last chunk.
  [[nodiscard]] constexpr std::uint64_t extent() const {
    return empty() ? 0 : ((count[0] - 1) * step[0] + (count[1] - 1) * step[1] + (count[2] - 1) * step[2] + chunk + 1) / 2;
  }
};

class RegionVisitor {
 public:
  virtual void visit(const Region &region) = 0;

 protected:
  ~RegionVisitor() = default;
};

/// Visits an operation's regions, those that it reads first; empty ones, too. Neither the operand table nor the results of UNSTACK are
/// among them.
void visit_regions(const Operation &operation, RegionVisitor &visitor);

/// True if the regions share a byte. Regions that interleave in more than about a million places count as overlapping.
[[nodiscard]] bool overlap(const Region &a, const Region &b);

}  // namespace cox::isa::unity
