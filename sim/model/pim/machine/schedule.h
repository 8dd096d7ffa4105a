// SPDX-License-Identifier: MIT
// Runs the cores of a program in the order of time: loads, instructions, deliveries, the end, stores.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <vector>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/machine/execution.h"

namespace cox::model::pim {

/// Its own times count the cycles since the program's start in which the clock has run. Public functions take and return the caller's.
class Schedule {
 public:
  Schedule(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, unsigned cores, Path path);

  [[nodiscard]] unsigned cores() const { return static_cast<unsigned>(cores_.size()); }
  [[nodiscard]] const isa::pim::Configuration &configuration() const { return configuration_; }
  [[nodiscard]] Core &core(unsigned number) { return *cores_[number]; }
  [[nodiscard]] const Core &core(unsigned number) const { return *cores_[number]; }

  // As in Machine.
  void clear();
  void set_listener(Listener *listener) { execution_.reporter().set_listener(listener); }
  void start(const isa::pim::Program &program, Dram &dram, Cycle now);
  [[nodiscard]] Cycle next_event() const;
  void step(Cycle now);
  [[nodiscard]] bool done() const { return stage_ == Stage::idle; }
  [[nodiscard]] const Outcome &outcome() const { return outcome_; }
  void delay(Cycle stood);
  void slow_down(std::uint64_t factor) { execution_.bus().slow_down(factor); }
  void stop();
  [[nodiscard]] CoreState state(unsigned number) const;
  [[nodiscard]] Counters counters(unsigned number) const { return cores_[number]->report(std::min(now_, concluded_)); }
  void hold(unsigned number, bool held);
  void step_instruction(unsigned number);
  void set_breakpoint(unsigned number, std::uint32_t instruction, bool set);
  void clear_breakpoints();

 private:
  enum class Stage : std::uint8_t {
    idle,
    running,   ///< cores have something to do
    settling,  ///< all cores have ended, faulted, or wait forever; until `settled_`
    storing,   ///< until `settled_`
  };
  using Bits = std::uint64_t;  ///< bit i: core i
  [[nodiscard]] static constexpr Bits bit(unsigned number) { return Bits{1} << number; }

  // The beginning.
  [[nodiscard]] Status check(Dram &dram, isa::pim::Position &position) const;
  [[nodiscard]] Status check_copy(std::uint32_t number, Dram &dram) const;
  [[nodiscard]] Status make_copy(const isa::pim::Copy &copy, Cycle now, Cycle &end);
  void refuse(const Status &status, isa::pim::Position position);

  // Time.
  [[nodiscard]] Cycle next_time() const;
  [[nodiscard]] Cycle next_of(const Core &core) const { return (held_ & bit(core.number)) == 0 ? core.next : kNever; }
  void advance(Cycle now, Cycle until);
  void run(Core &core, Cycle now, Cycle until);
  [[nodiscard]] bool is_exact() const { return execution_.reporter().active() || held_ != 0 || stepping_ != 0 || breakpoints_ != 0; }
  [[nodiscard]] bool stops_at_breakpoint(const Core &core) const;
  void set_held(unsigned number, bool held, Cycle now);
  [[nodiscard]] bool any_halted() const;

  // The end.
  void time_out();
  void conclude();
  void find_outcome(Bits waiting);
  void store();

  const isa::pim::Configuration configuration_;
  const Timing timing_;
  const Energy energy_;
  Execution execution_;
  std::vector<std::unique_ptr<Core>> cores_;

  std::unique_ptr<isa::pim::Program> program_;
  std::span<const std::unique_ptr<Core>> running_;  ///< the cores of the program
  Stage stage_ = Stage::idle;
  Cycle origin_ = 0;  ///< the caller's time is this much more
  Cycle now_ = 0;
  Cycle limit_ = 0;
  Cycle last_landing_ = 0;
  Cycle settled_ = 0;
  Cycle concluded_ = kNever;  ///< when all cores had ended, faulted or waited forever
  Outcome outcome_;

  Bits held_ = 0, stepping_ = 0, passing_ = 0;  ///< `passing_`: the core's next instruction runs in spite of a breakpoint
  std::array<std::set<std::uint32_t>, isa::pim::kMostCores> breakpoints_of_;
  Bits breakpoints_ = 0;  ///< cores that have some
  Cycle halted_since_ = 0;
};

}  // namespace cox::model::pim
