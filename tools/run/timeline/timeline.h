// SPDX-License-Identifier: MIT
// One run of a task as it happened on the device: what the CSV, the trace and the picture are written from (docs/tracing.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "isa/tile/header.h"

namespace cox::tools::run {

/// An instruction with its times, in device cycles (1 ns) since the run's start: the first doorbell.
struct TimedInstruction {
  std::uint32_t index = 0;  ///< 0-based, in the task's program order
  std::uint32_t core = 0;
  isa::tile::Class queue = isa::tile::Class::CT;
  std::string name;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t doorbell = 0;  ///< when the control core told the device
  std::uint64_t stalled = 0;   ///< of its cycles, those that competition for DRAM cost
  std::uint32_t previous = 0;  ///< of whom it takes a token: a bit a class, and from bit kClasses on a core (isa/tile/lane.h)
  std::uint32_t next = 0;      ///< to whom it gives one
  std::uint64_t bytes = 0;     ///< moved to or from DRAM
  std::int32_t layer = -1;     ///< `slyr`; -1 where the task does not say
  std::int32_t workload = -1;  ///< `wkl`
  std::int32_t tile = -1;

  [[nodiscard]] std::uint64_t cycles() const { return end - start; }
  [[nodiscard]] std::size_t lane() const { return std::size_t{core} * isa::tile::kClasses + static_cast<std::size_t>(queue); }
  /// Configurations take no part in dependencies and are drawn small.
  [[nodiscard]] bool is_configuration() const { return name.find("_cfg") != std::string::npos; }
};

/// Cycles since the run's start.
struct Span {
  std::uint64_t from = 0, to = 0;
};

/// An interrupt line that was high.
struct Interrupt {
  unsigned line = 0;  ///< 0 completions, 1 faults
  Span high;
};

/// Something that the control core noted in its trace (firmware/trace/trace.h).
struct ControlEvent {
  std::uint64_t time = 0;
  std::string text;  ///< "dispatch: PE, 12"
};

/// What is known of the control core.
enum class ControlSource : std::uint8_t {
  nothing,
  device,  ///< when it served the device, by the model's event log: from an interrupt to the last doorbell that it led to
  trace,   ///< its own trace: when it was awake, for whatever reason; Timeline::control_events has what it did
};

struct Timeline {
  std::string title;
  std::vector<TimedInstruction> instructions;  ///< in program order
  std::vector<Interrupt> interrupts;
  ControlSource control_source = ControlSource::nothing;
  std::vector<Span> active;  ///< of the control core: ControlSource says what that is
  std::vector<ControlEvent> control_events;

  /// The last cycle of any instruction.
  [[nodiscard]] std::uint64_t end_cycle() const;
  /// Cycles in which a class executed something.
  [[nodiscard]] std::array<std::uint64_t, isa::tile::kClasses> busy_cycles() const;
};

/// A token that went from one instruction to another; indices into Timeline::instructions.
struct Token {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Who gave each token to whom: for each ordered pair of lanes the k-th push meets the k-th pop (docs/scheduler.md). Tokens that nobody
/// takes are left out.
std::vector<Token> tokens_of(const Timeline &timeline);

/// "PE", and "PE 2" of core 2 where there are several.
std::string lane_name(std::size_t lane, bool several_cores);
[[nodiscard]] bool has_several_cores(const Timeline &timeline);

/// What a class does, for a reader who meets it for the first time: "matrix engine".
const char *class_description(isa::tile::Class queue);

}  // namespace cox::tools::run
