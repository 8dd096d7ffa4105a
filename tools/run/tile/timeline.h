// SPDX-License-Identifier: MIT
// One run of a task on the device, the source of the CSV, the trace and the picture (docs/tracing.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "coxswain/isa/tile/header.h"

namespace cox::tools::run {

/// An instruction with its times, in device cycles (1 ns) since the run's start, which is the first doorbell.
struct TimedInstruction {
  std::uint32_t index = 0;  ///< number in the task's program order, from 0
  std::uint32_t core = 0;
  isa::tile::Class queue = isa::tile::Class::CT;
  std::string name;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t doorbell = 0;  ///< cycle at which the control core rang the doorbell for the instruction
  std::uint64_t stalled = 0;   ///< cycles that the instruction lost because others used DRAM at the same time
  /// Givers of the tokens that the instruction takes: one bit for each class, and from bit kClasses on one for each core (isa/tile/lane.h).
  std::uint32_t previous = 0;
  std::uint32_t next = 0;      ///< takers of the tokens that the instruction gives, with the same bits as `previous`
  std::uint64_t bytes = 0;     ///< moved to or from DRAM
  std::int32_t layer = -1;     ///< key `slyr` in the instruction's text; -1 if not given
  std::int32_t workload = -1;  ///< key `wkl` in the instruction's text; -1 if not given
  std::int32_t tile = -1;

  [[nodiscard]] std::uint64_t cycles() const { return end - start; }
  [[nodiscard]] std::size_t lane() const { return std::size_t{core} * isa::tile::kClasses + static_cast<std::size_t>(queue); }
  /// Returns true for a configuration. Configurations have no dependencies and are drawn small.
  [[nodiscard]] bool is_configuration() const { return name.find("_cfg") != std::string::npos; }
};

/// Cycles since the run's start.
struct Span {
  std::uint64_t from = 0, to = 0;
};

/// A time in which an interrupt line was high.
struct Interrupt {
  unsigned line = 0;  ///< number of the line. 0: completions; 1: faults
  Span high;
};

/// An event in the control core's trace (firmware/trace/trace.h).
struct ControlEvent {
  std::uint64_t time = 0;
  std::string text;  ///< for example "dispatch: PE, 12"
};

/// Says where the data about the control core's activity come from.
enum class ControlSource : std::uint8_t {
  nothing,  ///< there are no data about the control core
  device,   ///< the model's event log, which shows when the core served the device: from an interrupt to the last doorbell after it
  trace,    ///< the core's own trace, which shows when it was awake for any reason; Timeline::control_events has its events
};

struct Timeline {
  std::string title;
  std::vector<TimedInstruction> instructions;  ///< in program order
  std::vector<Interrupt> interrupts;
  ControlSource control_source = ControlSource::nothing;
  std::vector<Span> active;  ///< times in which the control core was active; `control_source` says what that means
  std::vector<ControlEvent> control_events;

  /// Returns the cycle at which the last instruction ends.
  [[nodiscard]] std::uint64_t end_cycle() const;
  /// Returns, for each class, the number of cycles in which the class executed an instruction.
  [[nodiscard]] std::array<std::uint64_t, isa::tile::kClasses> busy_cycles() const;
};

/// A token that went from one instruction to another. `from` and `to` are indices into Timeline::instructions.
struct Token {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Returns the giver and the taker of each token: for each ordered pair of lanes, the k-th token given is the k-th token taken
/// (docs/scheduler.md). Leaves out tokens that no instruction takes.
std::vector<Token> tokens_of(const Timeline &timeline);

/// Returns "PE", or "PE 2" for core 2 if there are several cores.
std::string lane_name(std::size_t lane, bool several_cores);
[[nodiscard]] bool has_several_cores(const Timeline &timeline);

/// Describes a class for a new reader, for example as "matrix engine".
const char *class_description(isa::tile::Class queue);

}  // namespace cox::tools::run
