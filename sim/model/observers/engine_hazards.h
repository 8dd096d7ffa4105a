// SPDX-License-Identifier: MIT
// Hazards in DRAM between tile cores and engines, and between engines: all reach it, and no token orders them (docs/hazards.md, Engines).
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "sim/model/hazard/shadow.h"
#include "sim/model/host.h"
#include "sim/model/observer.h"
#include "sim/model/tile/hazard/touch.h"

namespace cox::model {

/// What firmware can know is what orders: an instruction comes before one of the other kind where it had ended before the other's doorbell
/// was rung, an instruction of a stream where its stream had, and those before it.
class EngineHazards {
 public:
  explicit EngineHazards(const Host &host) : host_(host) {}

  /// A tile instruction with what it touches; those that touch no DRAM are left out.
  void on_start(const InstructionEvent &event, const std::vector<hazard::Touch> &touches);
  void on_end(const InstructionEvent &event);
  void on_core_reset(unsigned core, Cycle now);

  void on_stream_start(const StreamEvent &event);
  void on_stream_end(const StreamEvent &event);
  void on_engine_reset(registers::Engine engine, Cycle now);

 private:
  /// Instructions that firmware sees end one after another: a class of a core, or an engine.
  struct Sequence {
    std::vector<std::string> names;
    std::vector<Cycle> ends;  ///< of the first that have ended
    // Of an engine.
    std::vector<std::uint32_t> streams;  ///< of each instruction, its stream
    std::set<std::uint32_t> ended_streams;

    /// How many had ended at `time`.
    [[nodiscard]] std::uint32_t ended(Cycle time) const;
    /// All that runs ends.
    void end(Cycle now) { ends.resize(names.size(), now); }
    /// A stream ends; what firmware hears of comes after the end of those before it.
    void end_stream(std::uint32_t stream, Cycle now);
  };
  // Numbered as queues are in completions: those of the cores first, then the engines.
  static constexpr std::size_t kSequences = registers::kFirstEngineQueueNumber + registers::engine::kCount;
  using Shadow = hazard::QueueShadow<std::size_t, kSequences>;
  using Clock = Shadow::Clock;

  void touch(std::size_t queue, const Clock &clock, bool write, std::uint64_t first, std::uint64_t bytes);

  const Host &host_;
  std::array<Sequence, kSequences> sequences_;
  Shadow shadow_;
  std::set<std::tuple<std::string, std::string, bool, bool>> reported_;
};

}  // namespace cox::model
