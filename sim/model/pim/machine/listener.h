// SPDX-License-Identifier: MIT
// A listener hears of each instruction of a PIM program: the event log, timelines, traces.
#pragma once

#include <cstdint>

#include "coxswain/isa/pim/operation.h"
#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/machine/counters.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

/// One instruction. A pim-batch and its pim-compute are one, at the position of the pim-compute.
struct CoreEvent {
  isa::pim::Position position;  ///< core, and number of the instruction
  isa::pim::MachineCode code{};
  bool batched = false;
  isa::pim::MachineCode batch{};  ///< the pim-batch, if `batched`
  /// What the instruction does. nullptr in on_end(), and if the instruction faults.
  const isa::pim::Operation *operation = nullptr;
  /// The core's memories before the instruction changes them, for isa::pim::for_each_access(). Set when `operation` is.
  const isa::pim::LocalMemory *memory = nullptr;
  Unit unit = Unit::scalar;
  Status fault;
  Cycle ready = 0;          ///< the first cycle in which it could have issued
  Cycle start = 0;          ///< the cycle in which it issues
  Cycle end = 0;            ///< first cycle after it. kNever in on_start() if it waits for another core
  std::uint64_t bytes = 0;  ///< moved to or from DRAM
};

/// A message whose data has landed.
struct CoreMessageEvent {
  unsigned sender = 0, receiver = 0;
  std::uint32_t id = 0, bytes = 0;
  isa::pim::Position send, receive;  ///< the two instructions
  Cycle sent = 0, received = 0;      ///< when the two instructions issued
  Cycle landed = 0;
};

/// A barrier that is complete.
struct CoreBarrierEvent {
  std::uint32_t id = 0;
  std::uint64_t cores = 0;  ///< bit i: core i
  Cycle complete = 0;       ///< when the last core arrived
  Cycle released = 0;       ///< when the cores go on
};

/// The machine calls these functions in the order of `start` of on_start(), `end` of on_end(), `landed` and `complete`; ends come before
/// starts of the same cycle. An instruction that faults has only an on_end(). One that waits for another core ends with its core's fault,
/// or with deadlock.
class Listener {
 public:
  virtual void on_start(const CoreEvent &event) = 0;
  virtual void on_end(const CoreEvent &event) = 0;
  virtual void on_message(const CoreMessageEvent & /*event*/) {}
  virtual void on_barrier(const CoreBarrierEvent & /*event*/) {}

 protected:
  ~Listener() = default;
};

}  // namespace cox::model::pim
