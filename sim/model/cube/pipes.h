// SPDX-License-Identifier: MIT
// The four pipes of the matrix unit, its buffers and its port to DRAM. Each pipe takes slots from its queue and runs them to their ends
// (docs/model.md, Time of the matrix unit).
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
  /// A slot that has ended. If there is a fault, the slot had no effect and set no flags.
  struct Ended {
    Slot slot;
    Fault fault;
  };

  /// `stream_port` is the port of the engine to which the pipes belong.
  Pipes(const Host &host, const StreamPort &stream_port, const Geometry &geometry, Path path);

  [[nodiscard]] bool has_room(Name name) const { return !of(name).waiting.full(); }
  /// Puts the slot into the queue of its pipe. Requires room there.
  void give(const Slot &slot) { of(slot.pipe).waiting.push(slot); }
  /// Returns whether these pipes (one bit each, as in BARRIER) have ended all their slots.
  [[nodiscard]] bool idle(std::uint32_t pipes) const;

  [[nodiscard]] Cycle next_event() const;
  /// Ends the slots that are due at `now`, one pipe after another, up to the first fault. The result is valid until the next call.
  [[nodiscard]] const std::vector<Ended> &end_due(Cycle now);
  /// Starts the slots that can start at `now`. Returns false if there is none.
  bool start_due(Cycle now);

  /// Forgets flags that no slot has taken. Called before a stream that does not continue the one before it.
  void forget_flags() { flags_ = {}; }
  // pause() is called when the clock stops, and resume() when it runs again after `stood` cycles. Between them, only drop() may be called.
  void pause(Cycle now);
  void resume(Cycle now, Cycle stood);
  void slow_down(Cycle now, std::uint64_t factor) { port_.slow_down(now, factor); }
  /// Drops all slots without effect.
  void drop(Cycle now);
  void clear_buffers();

 private:
  enum class Phase : std::uint8_t {
    idle,
    issue,     ///< before the slot's first byte moves, until `issued`
    transfer,  ///< bytes move until the DRAM port has finished
    drain,     ///< all bytes have moved, or the slot moves none; until `end`
  };
  struct Pipe {
    explicit Pipe(std::size_t most_waiting) : waiting(most_waiting) {}

    SlotQueue waiting;
    Phase phase = Phase::idle;
    Slot running;
    Cycle issued = 0;
    Cycle end = 0;                      ///< earliest end; competition for the port may delay the actual end
    std::uint64_t paused_transfer = 0;  ///< while the clock is stopped: remaining work of the transfer
  };
  /// A slot of MTE2 that has left its pipe and has not ended. Its bytes are on the way to L1, or it waits until an earlier slot has ended.
  struct Landing {
    Cycle time = 0;  ///< earliest end of the slot
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
  BankSet held_ = 0;  ///< banks that running slots hold
  DramChannel port_;
  bool paused_ = false;
  std::deque<Landing> landings_;
  std::vector<Ended> ended_;
};

}  // namespace cox::model::cube
