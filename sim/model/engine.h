// SPDX-License-Identifier: MIT
// The interface of an engine in the model (docs/design.md, Engines in the model).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "device/npu_registers.h"
#include "sim/model/device/completion_queue.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/faults/memory_errors.h"
#include "sim/model/geometry.h"

namespace cox::model {

/// An engine has one or several units. A unit has a clock, a completion queue and a bit in ENGINE_RESET. The device owns the clocks,
/// calls a unit's functions of time only while its clock runs, and calls the units of all engines in the order of their completion queues.
class Engine {
 public:
  using Index = std::array<std::uint32_t, 2>;  ///< of a register, outer first

  Engine() = default;
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual unsigned units() const { return 1; }
  /// Submission queue `queue` of a unit: CORE[unit].SQ[queue], or ENGINE[].
  [[nodiscard]] virtual SubmissionRing &ring(unsigned unit, unsigned queue) = 0;
  [[nodiscard]] virtual CompletionQueue &completions(unsigned unit) = 0;
  /// Completes what waits for room in the unit's completion queue, as far as there is room.
  virtual void complete_waiting(unsigned unit, Cycle now) = 0;

  // Time. At one cycle the device calls step_ends() of all units before step_starts() of any.
  /// The next cycle at which step_ends() or step_starts() has work; kNever if there is none. `enabled_at`: the earliest start of anything,
  /// kNever while CONTROL.ENABLE is 0.
  [[nodiscard]] virtual Cycle next_event(unsigned unit, Cycle enabled_at) const = 0;
  virtual void step_ends(unsigned unit, Cycle now) = 0;
  virtual void step_starts(unsigned unit, Cycle now, Cycle enabled_at) = 0;
  /// The unit's clock stops. Until resume() the device calls only reset() and complete_waiting() for this unit.
  virtual void pause(unsigned unit, Cycle now) = 0;
  /// The unit's clock runs again after `stood` cycles.
  virtual void resume(unsigned unit, Cycle now, Cycle stood) = 0;
  /// DRAM behind the engine's own port gives a `factor`-th of its bandwidth; the device slows the shared channel itself.
  virtual void slow_down(Cycle /*now*/, std::uint64_t /*factor*/) {}

  // Resets.
  /// ENGINE_RESET: running instructions stop without effect, waiting ones are dropped. Memories keep their bytes.
  virtual void reset(unsigned unit, Cycle now) = 0;
  /// Power-on, after reset() of each unit: memories and what the engine keeps of contexts are as new.
  virtual void power_on() = 0;

  // Contexts. Nothing of the context is in flight.
  /// CONTEXT[].CONTROL.RESET: what instructions have configured in the context is gone.
  virtual void on_context_reset(unsigned /*context*/) {}
  /// The context becomes valid for another owner than the one that it still belongs to: the engine forgets that owner's configuration.
  virtual void on_owner_change(unsigned /*context*/) {}
  /// The context becomes valid: it takes the memories that its registers name.
  virtual void on_context_taken(unsigned /*context*/, Cycle /*now*/) {}

  // Registers that only this engine has.
  /// The engine's bits of a read-only register that several parts of the device fill (GEOMETRY0 and up); 0 if it has none in it.
  [[nodiscard]] virtual std::uint32_t report(registers::Name /*name*/) const { return 0; }
  /// Reads a register of the engine's own bank. False if `name` is not one.
  [[nodiscard]] virtual bool read(registers::Name /*name*/, Index /*index*/, std::uint32_t & /*value*/) const { return false; }
  /// Writes a register of the engine's own bank. False if `name` is not one. A refused write changes nothing and sets `reason`.
  [[nodiscard]] virtual bool write(registers::Name /*name*/, Index /*index*/, std::uint32_t /*value*/, const char *& /*reason*/) {
    return false;
  }

  /// A memory of a unit, for the debugging window and for flipped bits; empty if the engine does not have it.
  [[nodiscard]] virtual std::span<std::byte> memory(faults::Place /*place*/) { return {}; }
};

}  // namespace cox::model
