// SPDX-License-Identifier: MIT
// The matrix unit: passes streams from its submission queue through a dispatcher to four pipes, and writes completions to its completion
// queue (docs/model.md, The matrix unit).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "sim/model/cube/dispatcher.h"
#include "sim/model/cube/geometry.h"
#include "sim/model/cube/pipes.h"
#include "sim/model/device/stream_engine.h"
#include "sim/model/options.h"

namespace cox::model::cube {

class Engine final : public StreamEngine {
 public:
  static constexpr registers::Engine kEngine = registers::Engine::cube;

  Engine(const Surroundings &surroundings, const Options &options);

  void complete_waiting(unsigned unit, Cycle now) override;
  [[nodiscard]] Cycle next_event(unsigned unit, Cycle enabled_at) const override;
  void step_ends(unsigned unit, Cycle now) override;
  void step_starts(unsigned unit, Cycle now, Cycle enabled_at) override;
  void pause(unsigned /*unit*/, Cycle now) override { pipes_.pause(now); }
  void resume(unsigned unit, Cycle now, Cycle stood) override;
  void slow_down(Cycle now, std::uint64_t factor) override { pipes_.slow_down(now, factor); }

  void reset(unsigned unit, Cycle now) override;
  /// Sets the buffers to zero. They then belong to no context.
  void power_on() override;
  /// If the next stream would continue a stream of this context, it starts afresh instead.
  void on_context_reset(unsigned context) override;

  [[nodiscard]] std::uint32_t report(registers::Name name) const override;

 private:
  /// A stream that has begun and has not completed.
  struct Running {
    Stream stream;
    Slot refused;             ///< the slot that caused the stream's fault, if there is one
    std::uint32_t slots = 0;  ///< number of slots that were handed out and have not ended
    bool dispatched = false;  ///< true when the dispatcher hands out no more slots of the stream
    bool ended = false;
  };
  enum class Phase : std::uint8_t {
    idle,     ///< the dispatcher has no slot to hand out
    clear,    ///< the unit clears its buffers until `at_`
    fetch,    ///< the next slot arrives at `at_`
    hold,     ///< `held_` waits for room in the queue of its pipe
    barrier,  ///< `held_`, a BARRIER, waits until its pipes have ended their slots
  };

  // Streams.
  [[nodiscard]] Cycle begin_at(Cycle enabled_at) const;
  void begin_stream(Cycle now);
  void refuse(const Fault &fault, const Slot &slot, Cycle now);
  [[nodiscard]] bool aborted() const { return any_running() && port_.context(chain_context_).quarantined; }
  /// Stops all slots. `culprit`: the slot that met a bus error; nullptr: the context was aborted.
  void stop(const Slot *culprit, const Fault &fault, Cycle now);
  void end_streams(Cycle now);
  void complete_streams(Cycle now);
  [[nodiscard]] bool any_running() const { return !running_.empty() && !running_.back().ended; }
  [[nodiscard]] Running &of(std::uint32_t stream) { return running_[stream - running_.front().stream.index]; }

  // Slots.
  [[nodiscard]] bool dispatch(Cycle now);
  void fetch_slot(Cycle now);
  void go_on(Cycle now);
  void end_slot(const Slot &slot, const Fault &fault, Cycle now);

  [[nodiscard]] static InstructionEvent event_of(const Stream &stream, const Slot &slot);
  void tell_start(const Stream &stream, const Slot &slot) const;
  void update_state(Cycle now);

  Geometry geometry_;
  Dispatcher dispatcher_;
  Pipes pipes_;
  /// The context of a stream, and the owner that the context had when the stream began.
  struct User {
    unsigned context = 0;
    std::uint32_t owner = 0;
    [[nodiscard]] bool operator==(const User &) const = default;
  };
  std::optional<User> buffers_user_;  ///< user whose data the buffers hold

  std::deque<Running> running_;  ///< oldest first
  bool open_ = false;            ///< true if the next stream continues the last one
  unsigned chain_context_ = 0;   ///< context of the stream that began last and of those joined to it
  User user_;                    ///< user of the stream that began last
  Phase phase_ = Phase::idle;
  Cycle at_ = 0;
  bool stood_ = false;  ///< true if the engine has already asked the fault injector whether the next slot stands still
  Slot held_;
  std::optional<Cycle> busy_since_;
};

}  // namespace cox::model::cube
