// SPDX-License-Identifier: MIT
// The reads and writes of an instruction as the hazard detector needs them: bytes of memories, and the definitions of L2 regions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "coxswain/base/result.h"
#include "coxswain/isa/tile/lane.h"
#include "coxswain/isa/tile/operation.h"

namespace cox::model::hazard {

using isa::tile::class_of_lane;
using isa::tile::core_of_lane;
using isa::tile::Lane;
using isa::tile::lane_of;
using isa::tile::next_lanes;
using isa::tile::previous_lanes;

enum class Place : std::uint8_t {
  l2,
  wl0,
  dram,
  region,  ///< not a memory but the definitions that `ct_bc` writes: byte r stands for the definition of region r
};

/// Bytes that an instruction touches: `run` bytes from `first`, repeated in three dimensions. Dimension i has count[i] repetitions,
/// stride[i] bytes apart.
struct Touch {
  Place place = Place::l2;
  std::uint8_t core = 0;    ///< the core that has the buffer or region, counted from the task's first; 0 for DRAM
  std::uint8_t window = 0;  ///< only for DRAM: the value of the field BAS. Windows do not overlap (the loader checks this)
  bool write = false;
  std::int64_t first = 0;
  std::int64_t run = 0;
  std::array<std::int64_t, 3> count{1, 1, 1};
  std::array<std::int64_t, 3> stride{0, 0, 0};
  /// Only for L2: the end and the size of the region. A byte at or after the end wraps to an address that is lower by the size
  /// (docs/isa/tile.md, L2). If `wrap_bytes` is 0, addresses do not wrap.
  std::int64_t wrap_end = 0;
  std::int64_t wrap_bytes = 0;
};

/// An instruction with all properties that do not depend on its dependency bits.
struct Step {
  isa::tile::MachineCode code{};
  std::vector<Touch> touches;
  isa::tile::Operation operation;
};

/// The step's lane. Its opcode is known, because steps are made only of checked instructions.
[[nodiscard]] inline Lane lane_of(const Step &step) { return lane_of(step.code); }

/// Calls `visit(first, bytes)` for each run of bytes of `touch`. A run that wraps is visited in two parts.
template <typename Visit>
void for_each_run(const Touch &touch, Visit visit) {
  for (std::int64_t i = 0; i < touch.count[2]; ++i) {
    for (std::int64_t j = 0; j < touch.count[1]; ++j) {
      for (std::int64_t k = 0; k < touch.count[0]; ++k) {
        std::int64_t first = touch.first + i * touch.stride[2] + j * touch.stride[1] + k * touch.stride[0];
        std::int64_t bytes = touch.run;
        if (touch.wrap_bytes > 0) {
          if (first >= touch.wrap_end) first -= touch.wrap_bytes;
          if (const std::int64_t before_end = touch.wrap_end - first; bytes > before_end) {
            visit(first, before_end);
            first = touch.wrap_end - touch.wrap_bytes;
            bytes -= before_end;
          }
        }
        visit(first, bytes);
      }
    }
  }
}

/// `configuration` is the configuration of the instruction's core, including what this instruction itself configures. The fields of `code`
/// must be in range (isa/instruction_set.h). Errors: as resolve() in isa/tile/operation.h, and address_outside_cut if the region does not
/// exist.
[[nodiscard]] Result<Step> make_step(const isa::tile::MachineCode &code, const isa::tile::Configuration &configuration);

}  // namespace cox::model::hazard
