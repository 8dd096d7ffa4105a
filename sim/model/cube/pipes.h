// SPDX-License-Identifier: MIT
// The four pipes of the matrix unit, its buffers and its port to DRAM: slots from their queues to their ends (docs/model.md, Time of the
// matrix unit).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/model/cube/arithmetic/execute.h"
#include "sim/model/cube/flags.h"
#include "sim/model/cube/geometry.h"
#include "sim/model/cube/slot_queue.h"
#include "sim/model/device/dram_channel.h"
#include "sim/model/device/fault.h"
#include "sim/model/device/stream_port.h"
#include "sim/model/host.h"

namespace cox::model::cube {

class Pipes {
 public:
  using Name = isa::cube::Pipe;
  /// A slot that ended; with a fault it had no effect and gave no flags.
  struct Ended {
    Slot slot;
    Fault fault;
  };

  /// `stream_port`: of the engine that they are a part of.
  Pipes(const Host &host, const StreamPort &stream_port, const Geometry &geometry, Path path);

  [[nodiscard]] bool has_room(Name name) const { return !of(name).waiting.full(); }
  /// There is room.
  void give(const Slot &slot) { of(slot.pipe).waiting.push(slot); }
  /// Whether these pipes, a bit each as in BARRIER, have ended all that they were given.
  [[nodiscard]] bool idle(std::uint32_t pipes) const;

  [[nodiscard]] Cycle next_event() const;
  /// Ends what is due at `now`, in the order of the pipes, up to the first fault. Good until the next call.
  [[nodiscard]] const std::vector<Ended> &end_due(Cycle now);
  /// Starts what can start at `now`. False where that is nothing.
  bool start_due(Cycle now);

  /// Flags that nobody has taken are forgotten: what comes next is joined to nothing.
  void forget_flags() { flags_ = {}; }
  /// The clock stands: nothing else is called but drop(), until resume() after `stood` cycles.
  void pause(Cycle now);
  void resume(Cycle now, Cycle stood);
  void slow_down(Cycle now, std::uint64_t factor) { port_.slow_down(now, factor); }
  /// Everything stops without effect.
  void drop(Cycle now);
  void clear_buffers();

 private:
  enum class Phase : std::uint8_t {
    idle,
    issue,     ///< until `issued`
    transfer,  ///< until the DRAM port is through
    drain,     ///< until `end`
  };
  struct Pipe {
    explicit Pipe(std::size_t most_waiting) : waiting(most_waiting) {}

    SlotQueue waiting;
    Phase phase = Phase::idle;
    Slot running;
    Cycle issued = 0;
    Cycle end = 0;                      ///< with all that does not depend on others
    std::uint64_t paused_transfer = 0;  ///< while the clock stands: what the port has left to do
  };
  /// A slot of MTE2 that has left its pipe: its bytes are under way to L1, or it ends behind those.
  struct Landing {
    Cycle time = 0;  ///< at the earliest
    Slot slot;
  };

  [[nodiscard]] Pipe &of(Name name) { return pipes_[static_cast<unsigned>(name)]; }
  [[nodiscard]] const Pipe &of(Name name) const { return pipes_[static_cast<unsigned>(name)]; }
  [[nodiscard]] Cycle phase_end(Name name) const;
  [[nodiscard]] bool may_start(Name name);
  void start(Name name, Cycle now);
  void leave_phase(Name name, Cycle now);
  void leave_pipe(Name name, Cycle now);
  void end_slot(const Slot &slot, Cycle now);
  [[nodiscard]] Fault take_effect(const Slot &slot, Cycle now);
  [[nodiscard]] bool failed() const { return !ended_.empty() && ended_.back().fault; }

  const Host &host_;
  const StreamPort &stream_port_;
  const Geometry &geometry_;
  Path path_;
  Buffers buffers_;
  std::array<Pipe, isa::cube::kPipes> pipes_;
  FlagCounters flags_;
  BankSet held_ = 0;  ///< by slots that run
  DramChannel port_;
  bool paused_ = false;
  std::deque<Landing> landings_;
  std::vector<Ended> ended_;
};

}  // namespace cox::model::cube
