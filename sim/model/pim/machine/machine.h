// SPDX-License-Identifier: MIT
// The cores of the PIM engine without the device around them (docs/pim.md). The device's engine, the debugger, `cox check` and tests run
// programs on it. Values are exact and follow program order; a scoreboard beside them computes the time of each instruction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/configuration.h"
#include "coxswain/isa/pim/program.h"
#include "coxswain/isa/pim/registers.h"
#include "sim/model/pim/arithmetic/execute.h"
#include "sim/model/pim/machine/counters.h"
#include "sim/model/pim/machine/dram.h"
#include "sim/model/pim/machine/energy.h"
#include "sim/model/pim/machine/listener.h"
#include "sim/model/pim/machine/state.h"
#include "sim/model/pim/machine/timing.h"

namespace cox::model::pim {

class Schedule;

class Machine {
 public:
  /// `cores`: 1 to isa::pim::kMostCores. `configuration` must pass isa::pim::check() and outlive the machine.
  Machine(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, unsigned cores, Path path);
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;
  ~Machine();

  [[nodiscard]] unsigned cores() const;
  [[nodiscard]] const isa::pim::Configuration &configuration() const;

  /// Stops the program and sets memories, arrays and registers of all cores to 0: at power-on, and before a program of another owner than
  /// the last.
  void clear();
  /// From now on the machine calls `listener`; nullptr: none. With a listener, instructions run in the order of time.
  void set_listener(Listener *listener);

  // Running a program. Times are those of the caller's clock.
  /// Starts a program: sets registers and makes the program's loads. `program`'s bytes and `dram` must last until done(), stop() or the
  /// next start(). A program that cannot start (more cores than there are, a copy outside of its memory) is done at once, with the outcome.
  void start(const isa::pim::Program &program, Dram &dram, Cycle now);
  /// The next time at which step() has work; kNever if no program runs, or all cores that could run are halted.
  [[nodiscard]] Cycle next_event() const;
  /// Runs every core up to and including `now`. A core may be ahead of `now` with instructions that touch only its own memories.
  void step(Cycle now);
  /// True if no program runs: it has ended, with its stores, or was stopped.
  [[nodiscard]] bool done() const;
  /// The outcome of the last program. It is final when done() is true.
  [[nodiscard]] const Outcome &outcome() const;
  /// The clock has stood still for `stood` cycles.
  void delay(Cycle stood);
  /// DRAM has only 1 / `factor` of its bandwidth from now on; 1 restores it.
  void slow_down(std::uint64_t factor);
  /// Drops the program: what it has not done does not happen. Memories keep their bytes.
  void stop();

  // A look at a core, before, during or after a program.
  [[nodiscard]] CoreState state(unsigned core) const;
  [[nodiscard]] isa::pim::Registers &registers(unsigned core);
  [[nodiscard]] const isa::pim::Registers &registers(unsigned core) const;
  /// The bytes of a memory: number of a local memory, or isa::pim::kArraySpace.
  [[nodiscard]] std::span<std::byte> memory(unsigned core, unsigned space);
  /// Output registers of the macros.
  [[nodiscard]] std::span<const std::uint32_t> output_registers(unsigned core) const;
  [[nodiscard]] Counters counters(unsigned core) const;

  // Debugger. Halts hold across programs until resume().
  /// Holds the core before its next instruction.
  void halt(unsigned core);
  void resume(unsigned core);
  /// Lets a halted core run one instruction. A core that then waits for another core counts as running until it goes on.
  void step_instruction(unsigned core);
  /// The core halts before instruction `number`, each time it comes there.
  void set_breakpoint(unsigned core, std::uint32_t number, bool set);
  void clear_breakpoints();

 private:
  std::unique_ptr<Schedule> schedule_;
};

}  // namespace cox::model::pim
