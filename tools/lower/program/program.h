// SPDX-License-Identifier: MIT
// Tile instructions with the resources that they use and their durations, before their dependency bits are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coxswain/isa/tile/header.h"
#include "sim/model/tile/duration.h"
#include "tools/tile/task.h"

namespace cox::lower {

/// What instructions use. Two instructions of different classes that conflict over a resource must not run at the same time. `cuts` is the
/// division of L2 into regions, `task` the task as a whole, and `link` the messages between a core's SO and the other cores' SI. All cores
/// share `dram` and `task`; each core has the other resources for itself.
enum class Resource : std::uint8_t { l2, wl0, cuts, dram, task, link };

/// The use of a resource by an instruction. [begin, end) are bytes in `l2`, `wl0` and `dram`, and identifiers of messages in `link`.
/// `cuts` and `task` have no parts: their range is always [0, 1).
struct Touch {
  Resource resource = Resource::l2;
  bool write = false;
  std::int64_t begin = 0, end = 0;
  std::uint8_t core = 0;  ///< core that has the resource

  [[nodiscard]] bool conflicts(const Touch &other) const {
    return resource == other.resource && core == other.core && (write || other.write) && begin < other.end && other.begin < end;
  }
};

/// The origin of an instruction (docs/cox.md, Streams).
struct Origin {
  std::int32_t layer = 0;                  ///< `slyr` and `wkl` in a stream
  std::vector<std::int32_t> data_of = {};  ///< layers whose data a transfer moves: `clyr` in a stream
  std::int32_t tile = -1;
  std::uint32_t images = 1;  ///< number of images in the batch of a vp_* instruction; the vector processor computes them side by side
};

struct Instruction {
  std::string_view name;
  isa::tile::Class queue = isa::tile::Class::CT;
  bool configuration = false;
  bool deferred = false;  ///< true for a so_sync that Links::place_releases() moves or removes
  std::uint8_t core = 0;
  Origin origin;
  isa::tile::MachineCode code{};  ///< without tokens
  model::Duration duration;
  std::vector<Touch> touches;
  std::uint32_t previous = 0, next = 0;              ///< bit c is class c
  std::uint32_t previous_cores = 0, next_cores = 0;  ///< SI and SO: bit i is core i
  std::vector<std::int32_t> waits_for;               ///< indices of the instructions whose tokens this instruction takes

  /// Number of the queue among the queues of all cores.
  [[nodiscard]] unsigned lane() const { return core * isa::tile::kClasses + static_cast<unsigned>(queue); }
};

using Program = std::vector<Instruction>;

/// Returns the program's instructions, with the tokens in their machine code.
[[nodiscard]] std::vector<task::Instruction> assembled(const Program &program);

}  // namespace cox::lower
