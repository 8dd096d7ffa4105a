// SPDX-License-Identifier: MIT
// The units of the Unity engine without the device around them (docs/unity.md). The device's engine, `cox check` and tests run containers
// on it.
//
// - A unit starts its instructions in order, one a cycle, up to kMostInFlight at a time. BLK, a branch, the end of a program and a fetch
//   that waits hold back what is behind them. Apart from that only keys order instructions.
// - An instruction takes its keys, reads its operand table, and has its effect on memory when it ends. Then it gives its key.
// - A container may touch the windows of its context, and read its own bytes.
// - A fault stops the container: instructions in flight have no effect, and no key is given.
#pragma once

#include <cstdint>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/isa/unity/branch.h"
#include "coxswain/isa/unity/program.h"
#include "sim/model/unity/arithmetic/execute.h"
#include "sim/model/unity/machine/access.h"
#include "sim/model/unity/machine/bus.h"
#include "sim/model/unity/machine/engine_gate.h"
#include "sim/model/unity/machine/keys.h"
#include "sim/model/unity/machine/listener.h"
#include "sim/model/unity/machine/state.h"
#include "sim/model/unity/machine/timing.h"
#include "sim/model/unity/machine/unit_state.h"

namespace cox::model::unity {

class Machine {
 public:
  /// `units`: 1 to isa::unity::kMostUnits.
  Machine(const Timing &timing, unsigned units, Path path);

  [[nodiscard]] unsigned units() const { return static_cast<unsigned>(units_.size()); }
  /// Stops the container and sets all keys to 0: at power-on.
  void clear();
  /// From now on the machine calls `listener`; nullptr: none.
  void set_listener(Listener *listener) { listener_ = listener; }

  /// From now on units submit slots of other engines through `gate`; nullptr: there are no other engines.
  void set_gate(EngineGate *gate) { gate_ = gate; }

  /// The address of a container, and the things that its context owns.
  struct Place {
    std::uint64_t address = 0;  ///< device address of the container
    std::uint64_t page = 0;     ///< of the context; the container's own page comes first
    unsigned key_tables = 0;    ///< bit i: the context owns key table i
  };

  // Running a container. Times are those of the caller's clock.
  /// Starts a container: sets its initial keys. `container`'s bytes and `dram` must last until done(), stop() or the next start(). A
  /// container that cannot start is done at once, with the outcome: field_out_of_range for "units" that do not exist, and for a "key"
  /// (`index` its number) of a table that the context does not own.
  void start(const isa::unity::Container &container, const Place &place, Dram &dram, Cycle now);
  /// The next time at which step() has work; kNever if no container runs, or only the control core can help.
  [[nodiscard]] Cycle next_event() const;
  /// Runs every unit up to and including `now`.
  void step(Cycle now);
  [[nodiscard]] bool done() const { return !running_; }
  /// The outcome of the last container. It is final when done() is true.
  [[nodiscard]] const Outcome &outcome() const { return outcome_; }
  /// The units that wait for keys now, by number.
  [[nodiscard]] std::vector<Waiting> waiting() const;
  [[nodiscard]] const Counters &counters(unsigned unit) const { return units_[unit].counters; }
  /// The clock has stood still for `stood` cycles.
  void delay(Cycle stood) { origin_ += stood; }
  /// DRAM has only 1 / `factor` of its bandwidth from now on; 1 restores it.
  void slow_down(std::uint64_t factor) { bus_.slow_down(factor); }
  /// Drops the container: what it has not done does not happen. Keys stay as they are.
  void stop();

  // Other engines, as the gate reports them.
  /// All slots of a submission have ended, with the first fault by time. Ignores tickets that are not in flight.
  void end_submission(std::uint32_t ticket, const Status &fault, Cycle now);

  // Keys, as the control core sees them.
  [[nodiscard]] std::uint16_t key(isa::unity::Key key) const { return keys_.held(key); }
  /// Adds keys while a container runs or not. The caller has called step(now). Error: as KeyTables::add().
  [[nodiscard]] Status add_keys(isa::unity::Key key, std::uint32_t count, Cycle now);
  /// Error: not_ready ("key") while a container runs.
  [[nodiscard]] Status set_key(isa::unity::Key key, std::uint16_t count);

 private:
  // Time inside the machine counts the cycles since the container's start in which the clock has run.
  [[nodiscard]] Cycle next_time() const;
  void advance(Cycle now);
  void serve_waiting(Cycle now);
  [[nodiscard]] bool is_stuck() const;
  void end(Cycle now);

  // One instruction, in the order of its life.
  void try_start(unsigned number, Cycle now);
  void end_of_program(UnitState &unit, Cycle now);
  [[nodiscard]] Status check(const isa::unity::Stored &stored) const;
  [[nodiscard]] Status check_table(const char *field, const isa::unity::Key &key) const;
  [[nodiscard]] bool has_keys(unsigned number, const isa::unity::Sync &sync, Cycle now);
  void begin(UnitState &unit, const isa::unity::MachineCode &code, Cycle now);
  /// As begin(), for an instruction of another engine's domain.
  void begin_submission(UnitState &unit, const isa::unity::Stored &stored, Cycle now);
  [[nodiscard]] Status read_slots(const isa::unity::Stored &stored, InFlight &instruction);
  void put_in_flight(UnitState &unit, InFlight instruction, UnitEvent event, std::uint64_t table, Cycle now);
  void have_table(UnitState &unit, InFlight &instruction, Cycle now);
  /// Ends the instructions that end now. Returns false if one has a fault.
  bool end_instructions(UnitState &unit, Cycle now);
  [[nodiscard]] Status carry_out(const InFlight &instruction);
  [[nodiscard]] Status give_key(const InFlight &instruction, Cycle now);

  // Branches.
  void begin_branch(UnitState &unit, Cycle now);
  void decide(UnitState &unit, Cycle now);
  void loop(UnitState &unit, const isa::unity::Choice &choice, Cycle now);
  void call(UnitState &unit, std::uint64_t program, Cycle now);
  void end_sub_program(UnitState &unit, Cycle now);
  void test(UnitState &unit, Cycle now);
  void end_branch(UnitState &unit, Cycle now);

  void fail(const Status &status, std::uint32_t position, Cycle now);
  void report_end(const InFlight &instruction, const Status &fault, Cycle now);
  [[nodiscard]] Cycle jitter();
  /// What addresses of the container's own bytes count from.
  [[nodiscard]] std::uint64_t own_origin() const { return container_->is_relative() ? place_.address : 0; }
  [[nodiscard]] isa::unity::Surroundings surroundings() const { return {table_memory_, page_, own_origin()}; }

  const Timing timing_;
  const Path path_;
  std::vector<UnitState> units_;
  KeyTables keys_;
  Bus bus_;
  TableMemory table_memory_;
  Listener *listener_ = nullptr;
  EngineGate *gate_ = nullptr;
  std::uint32_t tickets_ = 0;  ///< of all containers

  bool running_ = false;
  const isa::unity::Container *container_ = nullptr;
  Place place_;
  std::uint64_t page_ = 0;
  Dram *dram_ = nullptr;
  Cycle origin_ = 0;  ///< the caller's time is this much more
  Cycle now_ = 0;
  Cycle limit_ = 0;
  std::uint64_t random_ = 0;
  Outcome outcome_;
};

}  // namespace cox::model::unity
