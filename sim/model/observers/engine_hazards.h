// SPDX-License-Identifier: MIT
// Hazards in DRAM between engines. All engines reach DRAM, and no token orders them (docs/hazards.md, Engines).
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/model/faults/plan.h"
#include "sim/model/hazard/shadow.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"

namespace cox::model {

/// Orders instructions of different engines as firmware can: instruction A comes before instruction B if A had ended before B's doorbell
/// was rung. An instruction of a stream counts as ended when its stream and all earlier streams have ended.
class EngineHazards {
 public:
  explicit EngineHazards(const Host &host) : host_(host) {}

  /// `name()` returns the instruction's name for warnings. The detector ignores an instruction that touches no DRAM.
  template <typename Name>
  void on_start(const InstructionEvent &event, const Name &name) {
    if (touches_dram(event)) add(event, name());
  }
  void on_end(const InstructionEvent &event);
  void on_engine_reset(registers::Engine engine, unsigned core, Cycle now);

 private:
  /// The instructions of a submission queue. Firmware sees them end one after another.
  struct Sequence {
    registers::Engine engine{};
    std::vector<std::string> names;
    std::vector<Cycle> ends;             ///< ends of the instructions that have ended, oldest first
    std::vector<std::uint32_t> streams;  ///< for each instruction: index of its stream, or its own index in a queue of instructions
    std::set<std::uint32_t> ended_streams;

    /// Returns how many instructions had ended at `time`.
    [[nodiscard]] std::uint32_t ended(Cycle time) const;
    /// Records that all running instructions ended at `now`.
    void end_all(Cycle now);
    /// Records that a stream ended at `now`. Firmware learns of the end only when all earlier streams have ended.
    void end_stream(std::uint32_t stream, Cycle now);
  };
  using Shadow = hazard::QueueShadow<std::size_t, faults::kMostQueues>;
  using Clock = Shadow::Clock;

  [[nodiscard]] static bool touches_dram(const InstructionEvent &event);
  void add(const InstructionEvent &event, std::string name);
  void touch(std::size_t queue, const Clock &clock, bool write, std::uint64_t first, std::uint64_t bytes);

  const Host &host_;
  std::array<Sequence, faults::kMostQueues> sequences_;  // [number by which completions name the submission queue]
  Shadow shadow_;
  std::set<std::tuple<std::string, std::string, bool, bool>> reported_;
};

}  // namespace cox::model
