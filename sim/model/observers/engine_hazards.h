// SPDX-License-Identifier: MIT
// Hazards in DRAM between engines: all reach it, and no token orders them (docs/hazards.md, Engines).
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

/// Order is what firmware can know. An instruction comes before one of another engine if it had ended before the other's doorbell was
/// rung. An instruction of a stream has ended when its stream and those before it have.
class EngineHazards {
 public:
  explicit EngineHazards(const Host &host) : host_(host) {}

  /// `name()` is how warnings name the instruction. An instruction that touches no DRAM is left out.
  template <typename Name>
  void on_start(const InstructionEvent &event, const Name &name) {
    if (touches_dram(event)) add(event, name());
  }
  void on_end(const InstructionEvent &event);
  void on_engine_reset(registers::Engine engine, unsigned core, Cycle now);

 private:
  /// Instructions that firmware sees end one after another: those of a submission queue.
  struct Sequence {
    registers::Engine engine{};
    std::vector<std::string> names;
    std::vector<Cycle> ends;             ///< of the first that have ended
    std::vector<std::uint32_t> streams;  ///< of each instruction, its stream, or itself if the queue holds instructions
    std::set<std::uint32_t> ended_streams;

    /// How many had ended at `time`.
    [[nodiscard]] std::uint32_t ended(Cycle time) const;
    /// All that runs ends.
    void end_all(Cycle now);
    /// A stream ends. Firmware hears of it after the end of those before it.
    void end_stream(std::uint32_t stream, Cycle now);
  };
  using Shadow = hazard::QueueShadow<std::size_t, faults::kMostQueues>;
  using Clock = Shadow::Clock;

  [[nodiscard]] static bool touches_dram(const InstructionEvent &event);
  void add(const InstructionEvent &event, std::string name);
  void touch(std::size_t queue, const Clock &clock, bool write, std::uint64_t first, std::uint64_t bytes);

  const Host &host_;
  std::array<Sequence, faults::kMostQueues> sequences_;  // numbered as queues are in completions
  Shadow shadow_;
  std::set<std::tuple<std::string, std::string, bool, bool>> reported_;
};

}  // namespace cox::model
