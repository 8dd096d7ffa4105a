// SPDX-License-Identifier: MIT
// The MX engine: streams from its submission queue, one instruction after another, completions to its completion queue (docs/design.md,
// Engines; docs/model.md, Time of the MX engine).
#pragma once

#include <cstdint>

#include "isa/mx/encode.h"
#include "sim/model/device/dram_channel.h"
#include "sim/model/device/stream_port.h"
#include "sim/model/mx/arithmetic/execute.h"

namespace cox::model::mx {

class Engine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::mx;

  Engine(const Surroundings &surroundings, DramChannel &channel, Path path);

  [[nodiscard]] StreamPort &port() { return port_; }
  [[nodiscard]] const StreamPort &port() const { return port_; }

  /// ENGINE_RESET: what runs stops without effect, what waits is thrown away.
  void reset(Cycle now);
  /// The clock stands: nothing else is called but reset() and complete_waiting(), until resume() after `stood` cycles.
  void pause(Cycle now);
  void resume(Cycle now, Cycle stood);
  /// When something is due that step_ends() or step_starts() does. `enabled_at`: as SubmissionRing::start_at().
  [[nodiscard]] Cycle next_event(Cycle enabled_at) const;
  void step_ends(Cycle now);
  void step_starts(Cycle now, Cycle enabled_at);
  /// A stream that waits for room in the completion queue completes, if there is some.
  void complete_waiting(Cycle now);

 private:
  /// Of the stream at the head.
  enum class Phase : std::uint8_t {
    fetch,     ///< the next instruction is to be fetched, now
    setup,     ///< until `transfer_begin_`
    transfer,  ///< until the DRAM channel is through
    drain,     ///< nothing moves any more; until `end_`
  };

  [[nodiscard]] bool transferring() const { return port_.ring.state == SubmissionRing::State::executing && phase_ == Phase::transfer; }
  [[nodiscard]] Cycle phase_end() const;
  void begin_stream(Cycle now);
  void begin_instruction(Cycle now);
  [[nodiscard]] Fault fetch_instruction(isa::mx::Fetched &fetched, Cycle now) const;
  [[nodiscard]] Fault admit(const isa::mx::Fetched &fetched);
  void end_instruction(Cycle now);
  [[nodiscard]] Fault take_effect(Cycle now);
  /// Operands and ECC.
  [[nodiscard]] Fault read_sources(const isa::mx::Footprint &footprint) const;
  void write_destinations(const isa::mx::Footprint &footprint) const;
  void end_stream(Cycle now);
  /// Cycles that `bytes` take without competition.
  [[nodiscard]] Cycle alone(std::uint64_t bytes) const;
  [[nodiscard]] StreamEvent new_event(Cycle now) const;
  [[nodiscard]] Context &context() const { return port_.context(stream_.context); }

  Surroundings surroundings_;
  DramChannel &channel_;
  Path path_;
  StreamPort port_;

  // The stream at the head.
  Stream stream_;
  isa::mx::Selection selection_;
  std::uint32_t offset_ = 0;  ///< of the instruction that runs or is to be fetched
  // The instruction that runs.
  StreamEvent event_;
  const isa::mx::Instruction *instruction_ = nullptr;
  isa::mx::Operation operation_;
  Phase phase_ = Phase::fetch;
  Cycle transfer_begin_ = 0;
  Cycle end_ = 0;  ///< with all that does not depend on others
  bool paused_ = false;
  std::uint64_t paused_transfer_ = 0;  ///< what the DRAM channel had left to do when the clock stopped
  Cycle stood_ = 0;                    ///< cycles for which the instruction stood still
  Cycle alone_end_ = 0;                ///< as it would be without competition for DRAM
};

}  // namespace cox::model::mx
