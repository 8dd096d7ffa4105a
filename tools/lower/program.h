// SPDX-License-Identifier: MIT
// Tile instructions with what they touch, before their dependency bits are known.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "isa/tile/header.h"

namespace cox::lower {

/// What instructions of different classes must not touch at once.
enum class Resource : std::uint8_t { l2, wl0, cuts, task };

/// Bytes that an instruction reads or writes. `cuts` and `task` have one byte.
struct Touch {
  Resource resource = Resource::l2;
  bool write = false;
  std::int64_t begin = 0, end = 0;

  [[nodiscard]] bool conflicts(const Touch &other) const {
    return resource == other.resource && (write || other.write) && begin < other.end && other.begin < end;
  }
};

/// Where an instruction comes from: the mapping part of its line (docs/cox.md, Streams).
struct Origin {
  std::int32_t layer = 0;                  ///< slyr and wkl
  std::vector<std::int32_t> data_of = {};  ///< clyr: layers whose data a transfer moves
  std::int32_t tile = -1;
};

// NOLINTNEXTLINE(bugprone-exception-escape): moving an ordered_json is not declared noexcept throughout; it does not throw.
struct Instruction {
  std::string name;
  isa::tile::Class queue = isa::tile::Class::CT;
  bool configuration = false;
  Origin origin;
  nlohmann::ordered_json fields;  ///< without Prev_Insts and Next_Insts
  std::vector<Touch> touches;
  std::uint32_t previous = 0, next = 0;  ///< bit c is class c
};

using Program = std::vector<Instruction>;

/// One line of strict JSON (docs/cox.md, Streams), without the line's end.
[[nodiscard]] std::string line_of(const Instruction &instruction);

}  // namespace cox::lower
