// SPDX-License-Identifier: MIT
// Keeps what the configuration instructions of a task have written, as machine code for each opcode and register set.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/tile/header.h"

namespace cox::isa::tile {

inline constexpr unsigned kRegions = 16;
inline constexpr unsigned kRegionsACut = 4;            ///< regions that one ct_bc writes, from number kRegionsACut * BCS on
inline constexpr unsigned kRegisterSets = 4;           ///< number of values of the field RS of lda_cfg, ldw_cfg and sta_cfg
inline constexpr unsigned kWindows = 4;                ///< DRAM windows of a context: base address registers BAS 0 to 3
inline constexpr std::uint32_t kBlockBytes = 1024;     ///< an L2 block, the unit of buffer cuts
inline constexpr std::uint32_t kWeightUnitBytes = 64;  ///< the unit of WL0 addresses
inline constexpr std::int64_t kL2AddressUnit = 8;      ///< in bytes: L2 addresses are multiples of it

// Limits of the fields. A device may have less; its registers report its sizes (hal::Geometry).
inline constexpr std::uint32_t kMaxL2Blocks = 8192;        ///< of one core: BufCut has 13 bits
inline constexpr std::uint32_t kMaxWeightUnits = 1 << 16;  ///< of WL0: DTaddr and SWaddr have 16 bits
inline constexpr std::int64_t kMaxWeightBytes = std::int64_t{kMaxWeightUnits} * kWeightUnitBytes;

/// A range of L2 blocks or WL0 units, both ends included. An empty range is 1 to 0.
struct BufferRange {
  std::uint32_t first = 1;
  std::uint32_t last = 0;

  [[nodiscard]] constexpr bool empty() const { return first > last; }
  [[nodiscard]] constexpr bool overlaps(const BufferRange &other) const {
    return !empty() && !other.empty() && first <= other.last && other.first <= last;
  }
  constexpr void include(const BufferRange &other) {
    if (other.empty()) return;
    if (empty() || other.first < first) first = other.first;
    if (other.last > last) last = other.last;
  }
};

/// A region of the L2 buffer. A map that passes the region's last byte continues at the region's first byte (docs/isa/tile.md, L2). Zero
/// blocks: no region.
struct Region {
  std::uint16_t first_block = 0;
  std::uint16_t blocks = 0;

  [[nodiscard]] constexpr std::int64_t first_byte() const { return std::int64_t{first_block} * kBlockBytes; }
  [[nodiscard]] constexpr std::int64_t bytes() const { return std::int64_t{blocks} * kBlockBytes; }
  [[nodiscard]] constexpr bool contains(std::int64_t address) const { return address >= first_byte() && address < first_byte() + bytes(); }
  [[nodiscard]] constexpr bool operator==(const Region &) const = default;
};

/// Computes the region of a BufCut pair (length, last block). Error: bad_buffer_cut if the region would begin before block 0.
[[nodiscard]] Status region_from_cut(std::int64_t length, std::int64_t last_block, Region &region);

/// The banked configuration of one context.
class Configuration {
 public:
  void clear() { *this = Configuration{}; }

  /// Applies a `*_cfg` or `ct_bc` whose fields are in range (isa/instruction_set.h). Any other instruction changes nothing. Error:
  /// bad_buffer_cut; the configuration is then unchanged.
  [[nodiscard]] Status apply(const MachineCode &code);

  /// Returns the last instruction with this opcode, or nullptr if there was none. If the opcode has register sets, only instructions for
  /// `set` count.
  [[nodiscard]] const MachineCode *find(Opcode opcode, unsigned set = 0) const;

  [[nodiscard]] const Region &region(unsigned selector) const { return regions_[selector]; }

 private:
  static constexpr unsigned kBanks = 31;
  static int bank_of(Opcode opcode, unsigned set);

  MachineCode banks_[kBanks]{};  // opcode 0: never written
  Region regions_[kRegions]{};
};

}  // namespace cox::isa::tile
