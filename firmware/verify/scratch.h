// SPDX-License-Identifier: MIT
// The memory that the verifier works in. The caller provides it, because large tasks need more than the control core's RAM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "isa/tile/configuration.h"
#include "isa/tile/lane.h"

namespace cox::firmware::verify {

using isa::tile::Class;
using isa::tile::class_of_lane;
using isa::tile::core_of_lane;
using isa::tile::kClasses;
using isa::tile::kMostCores;
using isa::tile::kPorts;
using isa::tile::lane_of;
using isa::tile::MachineCode;

/// Counters of the tokens that a lane takes through one of its ports. The lane at the other end of the port gives these tokens.
struct TokenPair {
  std::int32_t put = 0, taken = 0;
  std::int32_t last_taken = -1;  ///< index of the last instruction that took a token
  /// While tokens are counted: 1 + index of the last instruction that put one. In the simulation: 1 + index of the instruction at which
  /// the search for the giver of the next token begins; 0: the first giver of the lane.
  std::uint32_t giver = 0;
};

/// One definition of a region: it is valid from the ct_bc that makes it to the next ct_bc that redefines the region.
struct Definition {
  std::uint32_t cut = 0;                        ///< number of CT instructions up to and including the ct_bc that defines the region
  std::array<std::uint32_t, kClasses> users{};  ///< [class]: number of instructions up to and including the last one that uses the region
};

/// The verifier's state of a core.
struct CoreScratch {
  isa::tile::Configuration configuration;
  std::array<Definition, isa::tile::kRegions> definitions{};
  std::array<std::array<TokenPair, kPorts>, kClasses> pairs{};  ///< [class that takes the tokens][port of that class]
  std::array<std::uint32_t, kClasses> position{};               ///< [class]: position of the next instruction in the lane of this class
  /// [class]: 1 + index of the last instruction of the lane that has a vector clock (Scratch::ended()); 0: no such instruction.
  std::array<std::uint32_t, kClasses> clocked{};
  /// [class]: 1 + index of the first and the last instruction of the lane that gives a token; 0: no such instruction.
  std::array<std::uint32_t, kClasses> first_giver{}, last_giver{};
};

inline constexpr std::size_t kScratchAlignment = alignof(std::uint32_t);
static_assert(alignof(CoreScratch) <= kScratchAlignment);

/// Returns the bytes that a Scratch needs: a CoreScratch for each core, and for each instruction a vector clock (ended()), a link
/// (next_giver()) and a set of regions (regions()).
[[nodiscard]] constexpr std::size_t scratch_bytes(std::size_t instructions, unsigned cores) {
  return cores * sizeof(CoreScratch) + instructions * ((std::size_t{cores} * kClasses + 1) * sizeof(std::uint32_t) + sizeof(std::uint16_t));
}

class Scratch {
 public:
  Scratch() = default;
  /// `memory` must have scratch_bytes() bytes and be aligned to kScratchAlignment.
  Scratch(std::span<std::byte> memory, std::size_t instructions, unsigned cores)
      : lanes_(std::size_t{cores} * kClasses),
        cores_(reinterpret_cast<CoreScratch *>(memory.data())),
        clocks_(reinterpret_cast<std::uint32_t *>(memory.data() + cores * sizeof(CoreScratch))),
        links_(clocks_ + instructions * lanes_),
        regions_(reinterpret_cast<std::uint16_t *>(links_ + instructions)) {
    for (unsigned i = 0; i < cores; ++i) new (cores_ + i) CoreScratch;
  }

  [[nodiscard]] CoreScratch &core(unsigned core) const { return cores_[core]; }
  /// Returns the counter of the tokens that `lane` takes at `port`.
  [[nodiscard]] TokenPair &pair(unsigned lane, unsigned port) const { return cores_[core_of_lane(lane)].pairs[class_of_lane(lane)][port]; }
  [[nodiscard]] std::uint32_t &position(unsigned lane) const { return cores_[core_of_lane(lane)].position[class_of_lane(lane)]; }
  [[nodiscard]] std::uint32_t &first_giver(unsigned lane) const { return cores_[core_of_lane(lane)].first_giver[class_of_lane(lane)]; }
  [[nodiscard]] std::uint32_t &last_giver(unsigned lane) const { return cores_[core_of_lane(lane)].last_giver[class_of_lane(lane)]; }
  [[nodiscard]] std::uint32_t &clocked(unsigned lane) const { return cores_[core_of_lane(lane)].clocked[class_of_lane(lane)]; }
  /// Element l is the number of instructions of lane l that have certainly ended before `instruction` starts. In the instruction's own
  /// lane, these are all instructions before it. An instruction without tokens and regions has no vector clock.
  [[nodiscard]] std::uint32_t *ended(std::size_t instruction) const { return clocks_ + instruction * lanes_; }
  /// For an instruction that gives tokens: 1 + index of the next one of its lane; 0: no such instruction.
  [[nodiscard]] std::uint32_t &next_giver(std::size_t instruction) const { return links_[instruction]; }
  /// Bit r: the instruction uses L2 region r, or is a ct_bc that changes the definition of region r.
  [[nodiscard]] std::uint16_t &regions(std::size_t instruction) const { return regions_[instruction]; }

 private:
  std::size_t lanes_ = 0;
  CoreScratch *cores_ = nullptr;
  std::uint32_t *clocks_ = nullptr;
  std::uint32_t *links_ = nullptr;
  std::uint16_t *regions_ = nullptr;
};

}  // namespace cox::firmware::verify
