// SPDX-License-Identifier: MIT
// The memory that the verifier works in. The caller provides it, because large tasks need more than the control core's RAM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "coxswain/firmware/verify/pattern.h"
#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/lane.h"

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
  std::int32_t last_put = -1, last_taken = -1;  ///< index of the last instruction that put, or took, a token
};

/// One definition of a region: it is valid from the ct_bc that makes it to the next ct_bc that redefines the region.
struct Definition {
  std::uint32_t cut = 0;                        ///< number of CT instructions up to and including the ct_bc that defines the region
  std::array<std::uint32_t, kClasses> users{};  ///< [class]: 1 + index of the last instruction that uses the region; 0: no such instruction
};

/// The verifier's state of a core.
struct CoreScratch {
  isa::tile::Configuration configuration;
  std::array<Pattern, kClasses> patterns;
  std::array<Definition, isa::tile::kRegions> definitions{};
  std::uint32_t used = 0;                                       ///< bit r: an instruction has used the current definition of region r
  std::uint32_t controls = 0;                                   ///< number of CT instructions up to the current one
  std::array<std::array<TokenPair, kPorts>, kClasses> pairs{};  ///< [class that takes the tokens][port of that class]
};

/// The place of a lane in the simulation of its tokens.
struct LaneCursor {
  std::uint32_t position = 0;  ///< position in the lane of the next instruction
  std::uint32_t group = 0;     ///< its group, an index in Plan::groups
  std::uint32_t wake = 0;      ///< index in LanePlan::wakes of the next token that the lane gives
};

inline constexpr std::size_t kScratchAlignment = alignof(std::uint64_t);
static_assert(alignof(CoreScratch) <= kScratchAlignment && alignof(LaneCursor) <= kScratchAlignment);

/// Returns the largest number of groups of a plan.
[[nodiscard]] constexpr std::size_t most_groups(std::size_t instructions, unsigned cores) {
  return instructions + std::size_t{cores} * kClasses + 1;
}

/// Returns the bytes that a Scratch needs.
[[nodiscard]] constexpr std::size_t scratch_bytes(std::size_t instructions, unsigned cores) {
  return cores * (sizeof(CoreScratch) + kClasses * sizeof(LaneCursor)) +
         most_groups(instructions, cores) * (cores + 1) * sizeof(std::uint32_t) +
         instructions * (sizeof(std::uint32_t) + sizeof(std::uint16_t));
}

class Scratch {
 public:
  Scratch() = default;
  /// `memory` must have scratch_bytes() bytes and be aligned to kScratchAlignment.
  Scratch(std::span<std::byte> memory, std::size_t instructions, unsigned cores)
      : number_of_cores_(cores),
        cores_(reinterpret_cast<CoreScratch *>(memory.data())),
        cursors_(reinterpret_cast<LaneCursor *>(cores_ + cores)),
        clocks_(reinterpret_cast<std::uint32_t *>(cursors_ + std::size_t{cores} * kClasses)),
        trace_(clocks_ + most_groups(instructions, cores) * cores),
        order_(trace_ + most_groups(instructions, cores)),
        regions_(reinterpret_cast<std::uint16_t *>(order_ + instructions)) {
    for (unsigned i = 0; i < cores; ++i) new (cores_ + i) CoreScratch;
  }

  [[nodiscard]] CoreScratch &core(unsigned core) const { return cores_[core]; }
  /// Returns the counter of the tokens that `lane` takes at `port`.
  [[nodiscard]] TokenPair &pair(unsigned lane, unsigned port) const { return cores_[core_of_lane(lane)].pairs[class_of_lane(lane)][port]; }
  [[nodiscard]] LaneCursor &cursor(unsigned lane) const { return cursors_[lane]; }
  /// The clock of a group has an element for each core: a number of instructions of the core's CT lane (OrderProof).
  [[nodiscard]] std::uint32_t *clock(std::size_t group) const { return clocks_ + group * number_of_cores_; }
  /// Element i is the group that the simulation executed after i other groups, with its lane (Wake).
  [[nodiscard]] std::uint32_t &trace(std::size_t i) const { return trace_[i]; }
  /// A number of instructions of the CT lane of the instruction's core. At first: these must have ended before the instruction starts,
  /// because one of them defines a region that the instruction uses. After OrderProof has gone back over the trace: all CT instructions
  /// behind these start after the instruction's end.
  [[nodiscard]] std::uint32_t &order(std::size_t instruction) const { return order_[instruction]; }
  /// Bit r: the instruction uses L2 region r, or is a ct_bc that changes the definition of region r.
  [[nodiscard]] std::uint16_t &regions(std::size_t instruction) const { return regions_[instruction]; }

 private:
  std::size_t number_of_cores_ = 0;
  CoreScratch *cores_ = nullptr;
  LaneCursor *cursors_ = nullptr;
  std::uint32_t *clocks_ = nullptr;
  std::uint32_t *trace_ = nullptr;
  std::uint32_t *order_ = nullptr;
  std::uint16_t *regions_ = nullptr;
};

}  // namespace cox::firmware::verify
