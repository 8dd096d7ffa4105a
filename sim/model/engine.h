// SPDX-License-Identifier: MIT
// The interface of an engine in the model (docs/design.md, Engines in the model).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/device/npu_registers.h"
#include "sim/model/device/completion_queue.h"
#include "sim/model/device/peer.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/faults/memory_errors.h"
#include "sim/model/geometry.h"

namespace cox::model {

/// An engine has one or several units. A unit has a clock, a completion queue and a bit in ENGINE_RESET. The device owns the clocks. It
/// calls step_ends() and step_starts() of a unit only while the unit's clock runs. It calls the units of all engines in the order of their
/// completion queues.
class Engine {
 public:
  /// Energy that an engine has used for one purpose.
  struct EnergyPart {
    const char *name;
    std::uint64_t femtojoules;
  };

  using Index = std::array<std::uint32_t, 2>;  ///< the indices of a register in its arrays, the outer one first

  Engine() = default;
  Engine(const Engine &) = delete;
  Engine &operator=(const Engine &) = delete;
  virtual ~Engine() = default;

  [[nodiscard]] virtual unsigned units() const { return 1; }
  /// Returns a submission queue of a unit. If the units are cores, it is CORE[unit].SQ[queue]. Otherwise it is the engine's only ring,
  /// ENGINE[n], where n is the engine's number in device/engines.h.
  [[nodiscard]] virtual SubmissionRing &ring(unsigned unit, unsigned queue) = 0;
  [[nodiscard]] virtual CompletionQueue &completions(unsigned unit) = 0;
  /// Completes instructions or streams that wait for room in the unit's completion queue, as far as there is room.
  virtual void complete_waiting(unsigned unit, Cycle now) = 0;

  // Time. In each cycle, the device calls step_ends() of all units before step_starts() of any unit.
  /// The next cycle at which step_ends() or step_starts() has work; kNever if neither has any. Nothing starts before `enabled_at`, which is
  /// kNever while CONTROL.ENABLE is 0.
  [[nodiscard]] virtual Cycle next_event(unsigned unit, Cycle enabled_at) const = 0;
  virtual void step_ends(unsigned unit, Cycle now) = 0;
  virtual void step_starts(unsigned unit, Cycle now, Cycle enabled_at) = 0;
  /// The unit's clock stops. Until resume() the device calls only reset() and complete_waiting() for this unit.
  virtual void pause(unsigned unit, Cycle now) = 0;
  /// The unit's clock runs again. It was stopped for `stood` cycles.
  virtual void resume(unsigned unit, Cycle now, Cycle stood) = 0;
  /// From now on, the engine's own port to DRAM has only 1 / `factor` of its bandwidth. Engines without such a port ignore this.
  virtual void slow_down(Cycle /*now*/, std::uint64_t /*factor*/) {}

  // Resets.
  /// Called at ENGINE_RESET: running instructions stop without effect, waiting ones are dropped. Memories keep their bytes.
  virtual void reset(unsigned unit, Cycle now) = 0;
  /// Called at power-on, after reset() of each unit. The engine clears its memories and all that it keeps for contexts.
  virtual void power_on() = 0;

  // Peers.
  /// Takes a slot that another engine submits for a context of its own (docs/design.md, Peers). Returns false if the engine has no such
  /// queue; nothing has changed then.
  [[nodiscard]] virtual bool accept(const PeerSubmission & /*submission*/) { return false; }
  /// Drops what the client has submitted and what has not started. The client hears of each slot, with FaultCode::aborted.
  virtual void withdraw(PeerClient & /*client*/, Cycle /*now*/) {}

  // Contexts. During these calls, no instruction of the context is in flight.
  /// Called at CONTEXT[].CONTROL.RESET: the engine forgets what instructions have configured in the context.
  virtual void on_context_reset(unsigned /*context*/) {}
  /// Called when the context becomes valid for another owner than before: the engine forgets the configuration of the earlier owner.
  virtual void on_owner_change(unsigned /*context*/) {}
  /// Called when the context becomes valid and takes the memories that its registers name.
  virtual void on_context_taken(unsigned /*context*/, Cycle /*now*/) {}

  // Registers.
  /// The engine's bits of a read-only register that several parts of the device fill (GEOMETRY0 and up); 0 if the engine has no bits there.
  [[nodiscard]] virtual std::uint32_t report(registers::Name /*name*/) const { return 0; }
  /// Reads a register of the engine's own bank. Returns false if `name` is not in this bank.
  [[nodiscard]] virtual bool read(registers::Name /*name*/, Index /*index*/, std::uint32_t & /*value*/) const { return false; }
  /// Writes a register of the engine's own bank. Returns false if `name` is not in this bank. A refused write changes nothing and sets
  /// `reason`.
  [[nodiscard]] virtual bool write(registers::Name /*name*/, Index /*index*/, std::uint32_t /*value*/, Cycle /*now*/,
                                   const char *& /*reason*/) {
    return false;
  }

  /// Returns the energy of all programs that have ended since the model was created. Empty if no program has, or if the engine counts none.
  [[nodiscard]] virtual std::vector<EnergyPart> energy() const { return {}; }

  /// The bytes of a memory of a unit, for the debugging window of the memory map and for flipped bits of a fault plan; empty if the engine
  /// does not have this memory.
  [[nodiscard]] virtual std::span<std::byte> memory(faults::Place /*place*/) { return {}; }
};

}  // namespace cox::model
