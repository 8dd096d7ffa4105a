// SPDX-License-Identifier: MIT
// One run of a task as it happened on the device: what the CSV, the trace and the picture are written from (docs/tracing.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/tile/header.h"

namespace cox::tools::run {

/// An instruction with its times, in device cycles (1 ns) since the run's start: the first doorbell.
struct TimedInstruction {
  std::uint32_t index = 0;  ///< 0-based, in the task's program order
  std::uint32_t core = 0;
  isa::tile::Class queue = isa::tile::Class::CT;
  std::string name;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t previous = 0;  ///< classes of which it takes a token, a bit a class
  std::uint32_t next = 0;      ///< classes to which it gives one
  std::uint64_t bytes = 0;     ///< moved to or from DRAM
  std::int32_t layer = -1;     ///< `slyr`; -1 where the task does not say
  std::int32_t workload = -1;  ///< `wkl`
  std::int32_t tile = -1;

  [[nodiscard]] std::uint64_t cycles() const { return end - start; }
  /// Configurations take no part in dependencies and are drawn small.
  [[nodiscard]] bool is_configuration() const { return name.find("_cfg") != std::string::npos; }
};

struct Timeline {
  std::string title;
  std::vector<TimedInstruction> instructions;  ///< in program order

  /// The last cycle of any instruction.
  [[nodiscard]] std::uint64_t end_cycle() const;
  /// Cycles in which a class executed something.
  [[nodiscard]] std::array<std::uint64_t, isa::tile::kClasses> busy_cycles() const;
};

/// A token that went from one instruction to another; indices into Timeline::instructions.
struct Token {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Who gave each token to whom: for each ordered pair of classes the k-th push meets the k-th pop (docs/scheduler.md). Tokens that nobody
/// takes are left out.
std::vector<Token> tokens_of(const Timeline &timeline);

/// What a class does, for a reader who meets it for the first time: "matrix engine".
const char *class_description(isa::tile::Class queue);

}  // namespace cox::tools::run
