// SPDX-License-Identifier: MIT
// The state of a unit: where its program is, what is in flight, which branches it is in.
#pragma once

#include <cstdint>
#include <vector>

#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/isa/unity/sync.h"
#include "sim/model/unity/machine/program_counter.h"
#include "sim/model/unity/machine/state.h"

namespace cox::model::unity {

inline constexpr unsigned kMostInFlight = 4;  ///< instructions of a unit

/// An instruction that has its keys and has not ended.
struct InFlight {
  std::uint32_t position = 0;
  isa::unity::MachineCode code{};
  isa::unity::Sync sync;
  isa::unity::Operation operation;
  Cycle ready = 0, start = 0;
  Cycle table = 0;          ///< its operand table arrives; kNever: it has arrived
  Cycle end = kNever;       ///< known when the table has arrived
  std::uint64_t bytes = 0;  ///< without the table

  // Instructions of other engines' domains; `operation` is unused then.
  isa::unity::EngineSubmission submission{};
  std::vector<std::byte> slots{};  ///< empty: an instruction of the unit itself
  std::uint32_t ticket = 0;
  Status fault{};  ///< of the engine, known at the end

  [[nodiscard]] bool is_submission() const { return !slots.empty(); }
};

/// A branch whose sub-programs run.
struct Call {
  InFlight instruction;
  bool in_condition = false;  ///< WHILE_LOOP: the condition's program runs
  std::uint32_t bodies = 0;   ///< WHILE_LOOP: bodies that have started

  [[nodiscard]] const isa::unity::Branch &branch() const { return std::get<isa::unity::Branch>(instruction.operation); }
};

struct UnitState {
  ProgramCounter counter;
  std::vector<InFlight> flight;  ///< in the order of their starts
  std::vector<Call> calls;       ///< the innermost last
  Cycle try_at = kNever;         ///< when the unit tries to start its next instruction; kNever: something else has to happen before
  Cycle decide_at = kNever;      ///< when the innermost branch has read its predicate
  Cycle ready_at = 0;            ///< when the unit came to its next instruction
  Cycle lanes_free = 0;          ///< when the lanes have done what is in flight
  bool waits = false;            ///< for keys
  bool has_keys = false;         ///< the next instruction has got the keys that it waited for
  Counters counters;

  [[nodiscard]] bool is_blocked() const { return !flight.empty() && flight.back().sync.blocks; }
  [[nodiscard]] bool has_ended() const { return counter.done() && flight.empty(); }
};

}  // namespace cox::model::unity
