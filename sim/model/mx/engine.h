// SPDX-License-Identifier: MIT
// The MX engine: streams from its submission queue, one instruction after another, completions to its completion queue (docs/design.md,
// Engines; docs/model.md, Time of the MX engine).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hal/device/engine_descriptor.h"
#include "isa/mx/encode.h"
#include "sim/model/completion_queue.h"
#include "sim/model/context.h"
#include "sim/model/dram_channel.h"
#include "sim/model/fault_latch.h"
#include "sim/model/host.h"
#include "sim/model/mx/arithmetic/execute.h"
#include "sim/model/observer.h"
#include "sim/model/submission_ring.h"

namespace cox::model::mx {

/// What the engine shares with the rest of the device, and does not outlive.
struct Surroundings {
  const Host &host;
  const Geometry &geometry;
  std::span<Context> contexts;
  DramChannel &channel;
  FaultLatch &fault;
  const std::vector<Observer *> &observers;
};

class Engine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::mx;
  static constexpr std::uint32_t kQueueNumber = registers::kFirstEngineQueueNumber + static_cast<std::uint32_t>(kEngine);

  Engine(const Surroundings &surroundings, Path path);

  [[nodiscard]] SubmissionRing &queue() { return queue_; }
  [[nodiscard]] CompletionQueue &completions() { return completions_; }
  [[nodiscard]] const CompletionQueue &completions() const { return completions_; }

  /// ENGINE_RESET: what runs stops without effect, what waits is thrown away.
  void reset(Cycle now);
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

  [[nodiscard]] Cycle phase_end() const;
  void begin_stream(Cycle now);
  [[nodiscard]] Fault fetch_descriptor();
  void begin_instruction(Cycle now);
  [[nodiscard]] Fault fetch_instruction(isa::mx::Fetched &fetched) const;
  [[nodiscard]] Fault admit(const isa::mx::Fetched &fetched);
  void end_instruction(Cycle now);
  [[nodiscard]] Fault take_effect();
  void end_stream(Cycle now);
  void complete(Cycle now);
  /// Cycles that `bytes` take without competition.
  [[nodiscard]] Cycle alone(std::uint64_t bytes) const;
  [[nodiscard]] Context &context() const { return surroundings_.contexts[event_.context]; }

  Surroundings surroundings_;
  Path path_;
  SubmissionRing queue_;
  CompletionQueue completions_;

  // The stream at the head.
  registers::EngineDescriptor descriptor_{};
  isa::mx::Selection selection_;
  std::uint32_t offset_ = 0;  ///< of the instruction that runs or is to be fetched
  // The instruction that runs.
  StreamEvent event_;
  Phase phase_ = Phase::fetch;
  Cycle transfer_begin_ = 0;
  Cycle end_ = 0;        ///< with all that does not depend on others
  Cycle alone_end_ = 0;  ///< as it would be without competition for DRAM
};

}  // namespace cox::model::mx
