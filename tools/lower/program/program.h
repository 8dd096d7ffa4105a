// SPDX-License-Identifier: MIT
// Tile instructions with their touches and durations, before their dependency bits are known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/tile/header.h"
#include "sim/model/tile/duration.h"
#include "tools/tile/task.h"

namespace cox::lower {

/// Resources that instructions of different classes must not use at the same time. Each core has its own resources, except `dram` and
/// `task`. `link` has no bytes, only numbers for the messages between SI and SO of two cores.
enum class Resource : std::uint8_t { l2, wl0, cuts, dram, task, link };

/// Bytes that an instruction reads or writes. The resources `cuts` and `task` have one byte each.
struct Touch {
  Resource resource = Resource::l2;
  bool write = false;
  std::int64_t begin = 0, end = 0;
  std::uint8_t core = 0;  ///< core that has the resource

  [[nodiscard]] bool conflicts(const Touch &other) const {
    return resource == other.resource && core == other.core && (write || other.write) && begin < other.end && other.begin < end;
  }
};

/// The origin of an instruction: the mapping part of its line (docs/cox.md, Streams).
struct Origin {
  std::int32_t layer = 0;                  ///< written as `slyr` and `wkl`
  std::vector<std::int32_t> data_of = {};  ///< written as `clyr`: layers whose data a transfer moves
  std::int32_t tile = -1;
  std::uint32_t images = 1;  ///< number of images in the batch of a vp_* instruction; they share the vector processor's lanes
};

struct Instruction {
  std::string_view name;
  isa::tile::Class queue = isa::tile::Class::CT;
  bool configuration = false;
  bool deferred = false;  ///< true: Links::place_releases() moves the instruction just before the next write of its bytes, or removes it
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
