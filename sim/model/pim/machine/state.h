// SPDX-License-Identifier: MIT
// What a PIM core does, and how a program ended.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

/// What a core does.
enum class Phase : std::uint8_t {
  absent,   ///< the program has no such core, or no program has started
  running,  ///< has an instruction to issue
  message,  ///< its synchronous message has not landed
  wait,     ///< its wait has open messages
  barrier,  ///< its barrier is not complete
  halted,   ///< halt(), step_instruction() or a breakpoint holds it before its next instruction
  ended,    ///< ran to its end; messages that it has sent or expects may still be open
  faulted,
};
[[nodiscard]] constexpr const char *phase_name(Phase phase) {
  constexpr const char *kNames[] = {"absent", "running", "message", "wait", "barrier", "halted", "ended", "faulted"};
  return kNames[static_cast<unsigned>(phase)];
}

struct CoreState {
  Phase phase = Phase::absent;
  /// Number of the next instruction; of the instruction itself while the core waits in it or has faulted.
  std::uint32_t counter = 0;
  std::uint32_t instructions = 0;  ///< length of the core's code
  unsigned open_messages = 0;      ///< not landed
  // What the core waits for in the phases message, wait and barrier. In the phase ended, what it has left open.
  std::uint32_t other = 0;    ///< the other core; in a barrier the number of cores
  std::uint32_t id = 0;       ///< of the message or barrier
  std::uint64_t arrived = 0;  ///< bit i: core i is in the barrier
  bool no_room = false;       ///< phase message: the core has as many messages open as it may have
  /// Phases wait and ended: number of the oldest send or receive for which the core waits, or which it has left open, and which has not met
  /// its other side; otherwise -1. `other` and `id` are those of the message.
  std::int64_t unmatched = -1;
  Status fault;  ///< phase faulted
  Cycle fault_time = 0;
};

/// How a program ended.
struct Outcome {
  /// The first fault by time, of the lowest core; deadlock if no core has faulted and some can never go on. For a copy of the program that
  /// cannot be made, `what` is "load" or "store" and index() its number.
  Status status;
  isa::pim::Position position;
  Cycle time = 0;             ///< of the fault, or of the end
  std::uint64_t waiting = 0;  ///< bit i: core i can never go on, or has a message that never meets its other side
};

}  // namespace cox::model::pim
