// SPDX-License-Identifier: MIT
// A listener hears of the instructions and keys of a Unity container: the event log, timelines, traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/isa/unity/operation.h"
#include "coxswain/isa/unity/storage.h"
#include "coxswain/isa/unity/sync.h"
#include "sim/model/unity/machine/timing.h"

namespace cox::model::unity {

struct UnitEvent {
  std::uint32_t position = 0;  ///< packed isa::unity::Position
  isa::unity::Domain domain = isa::unity::Domain::unity;
  isa::unity::MachineCode code{};
  /// What the instruction does, and what isa::unity::for_each_access() needs. nullptr in on_end(), and if the instruction faults before it
  /// starts.
  const isa::unity::Operation *operation = nullptr;
  const isa::unity::Surroundings *surroundings = nullptr;
  /// Slots for another engine. nullptr for instructions of the unit itself, in on_end(), and if the payload is refused.
  const isa::unity::EngineSubmission *submission = nullptr;
  std::span<const std::byte> slots{};
  std::uint32_t ticket = 0;  ///< of the submission, as the gate gets it
  Status fault;
  Cycle ready = 0;  ///< when the unit came to the instruction
  Cycle start = 0;  ///< when it had its keys
  Cycle end = 0;    ///< first cycle after it; of a branch: after the sub-programs. 0 in on_start()
  std::uint64_t bytes = 0;
};

/// Keys that an instruction has taken, or the key that it gave.
struct KeyEvent {
  std::uint32_t position = 0;
  isa::unity::Key key;
  bool deposit = false;
  unsigned count = 0;
  Cycle time = 0;
};

/// The machine calls these functions in the order of time. Each on_start() has its on_end(); an instruction that faults before it starts
/// has only an on_end().
class Listener {
 public:
  virtual void on_start(const UnitEvent &event) = 0;
  virtual void on_end(const UnitEvent &event) = 0;
  virtual void on_keys(const KeyEvent & /*event*/) {}

 protected:
  ~Listener() = default;
};

}  // namespace cox::model::unity
