// SPDX-License-Identifier: MIT
// Observers of instructions as they run: the event log, and the hazard detectors. Events do not depend on an instruction set.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "coxswain/device/engine_descriptor.h"
#include "sim/model/device/fault.h"
#include "sim/model/geometry.h"

namespace cox::model {

/// Bytes that an instruction reads or writes: runs of `run` bytes, repeated in three dimensions. Dimension i has count[i] repetitions,
/// stride[i] bytes apart.
struct Touch {
  static constexpr std::uint8_t kDram = 0;

  std::uint8_t space = kDram;  ///< kDram: addresses are bus addresses; else the number that the engine gives to one of its memories
  bool write = false;
  std::uint64_t first = 0, run = 0;
  std::array<std::uint64_t, 3> count{1, 1, 1};
  std::array<std::int64_t, 3> stride{0, 0, 0};
};

/// Calls `visit(first, bytes)` for each run.
template <typename Visit>
void for_each_run(const Touch &touch, const Visit &visit) {
  std::array<std::uint64_t, 3> at{};
  for (at[2] = 0; at[2] < touch.count[2]; ++at[2]) {
    for (at[1] = 0; at[1] < touch.count[1]; ++at[1]) {
      for (at[0] = 0; at[0] < touch.count[0]; ++at[0]) {
        std::uint64_t first = touch.first;
        for (unsigned i = 0; i < 3; ++i) first += at[i] * static_cast<std::uint64_t>(touch.stride[i]);
        visit(first, touch.run);
      }
    }
  }
}

inline constexpr unsigned kNoOpcode = 0xFF;

/// One instruction at the moment of its start or end. A time that is not known yet is 0.
struct InstructionEvent {
  registers::Engine engine{};
  unsigned core = 0;        ///< number of the core in its engine; 0 for an engine without cores
  unsigned queue = 0;       ///< the number by which completions name the submission queue
  unsigned lane = 0;        ///< number of the lane in the engine or core; instructions of a lane run in order
  unsigned context = 0;     ///< number in the instruction or descriptor, even if no such context exists; kNoContext: it was not fetched
  std::uint32_t index = 0;  ///< running index in the submission queue: of the instruction's slot, or of its stream's descriptor
  /// Position in the program. In a stream, it is the position that a fault reports, mostly the byte offset. In a queue of instructions, it
  /// is the instruction's number among those of its lane and context since the context's reset.
  std::uint32_t position = 0;
  unsigned opcode = kNoOpcode;        ///< as in the machine code; kNoOpcode: no instruction was fetched
  const char *name = nullptr;         ///< nullptr: no known instruction was fetched
  std::span<const std::byte> code{};  ///< the machine code, as far as it was fetched
  /// Accesses to DRAM; some engines also report accesses to their own memories. Set only in on_start, and only if an observer wants
  /// touches.
  std::span<const Touch> touches{};
  Fault fault;
  bool joined = false;  ///< true if the next stream continues this one
  bool last = false;    ///< in on_end: true if this was the last instruction of its stream or task
  Cycle doorbell = 0;   ///< when firmware rang the doorbell of the instruction or of its stream
  Cycle start = 0;
  Cycle end = 0;            ///< last cycle of the execution; a wait for room in the completion queue comes after it
  Cycle stalled = 0;        ///< cycles lost to competition for DRAM or spent standing still; an engine may add other waits
  Cycle compute = 0;        ///< in a stream: cycles of the engine's arithmetic
  std::uint64_t bytes = 0;  ///< moved to or from DRAM
};

/// A message between two cores of an engine. Its data has arrived.
struct MessageEvent {
  registers::Engine engine{};
  unsigned context = 0;
  std::uint32_t index = 0;  ///< running index of the stream in the submission queue
  unsigned sender = 0, receiver = 0;
  std::uint32_t id = 0, bytes = 0;
  std::uint32_t send = 0, receive = 0;  ///< positions of the two instructions, as in InstructionEvent
  Cycle sent = 0, received = 0;         ///< when the two instructions started
  Cycle landed = 0;
};

/// A barrier between cores of an engine. All of its cores have arrived.
struct BarrierEvent {
  registers::Engine engine{};
  unsigned context = 0;
  std::uint32_t index = 0;  ///< running index of the stream in the submission queue
  std::uint32_t id = 0;
  std::uint64_t cores = 0;  ///< bit i: core i
  Cycle complete = 0;       ///< when the last core arrived
  Cycle released = 0;       ///< when the cores go on
};

/// Keys that an instruction of a core has given to an entry of a key table, or has taken from it.
struct KeysEvent {
  registers::Engine engine{};
  unsigned context = 0;
  std::uint32_t index = 0;  ///< running index of the stream in the submission queue
  unsigned core = 0, lane = 0;
  std::uint32_t position = 0;  ///< of the instruction, as in InstructionEvent
  unsigned table = 0, entry = 0;
  bool given = false;
  unsigned count = 0;
  Cycle time = 0;
};

/// The model calls these functions in time order, inside of the host's calls. If the times from on_start to on_end of two instructions
/// overlap, the device runs them concurrently. The device does not order instructions of different submission queues. Firmware does, by
/// submitting an instruction only after the completion of those that must come before it.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer &) = delete;
  Observer &operator=(const Observer &) = delete;
  virtual ~Observer() = default;

  [[nodiscard]] virtual bool wants_touches() const { return false; }

  /// Instructions that fault or are aborted before they start have no on_start. An engine that dispatches instructions to queues of its own
  /// calls on_start at the dispatch, in program order. `start` is then the time of the dispatch, although the instruction starts later.
  virtual void on_start(const InstructionEvent &event) = 0;
  /// A stream whose descriptor is refused, or that is aborted, has an on_end too.
  virtual void on_end(const InstructionEvent &event) = 0;
  virtual void on_message(const MessageEvent & /*event*/) {}
  /// Called when the barrier is complete. Its cores go on later.
  virtual void on_barrier(const BarrierEvent & /*event*/) {}
  virtual void on_keys(const KeysEvent & /*event*/) {}
  /// The configuration of the context is cleared: a new run begins.
  virtual void on_context_reset(unsigned context, Cycle now) = 0;
  /// An engine, or a core of one, was reset: what was in flight there will not end. At a power-on reset, the model calls this for
  /// every engine and core.
  virtual void on_engine_reset(registers::Engine engine, unsigned core, Cycle now) = 0;
  virtual void on_interrupt(unsigned line, bool level, Cycle now) = 0;
};

/// The observers that are attached to the device.
class Observers {
 public:
  void add(Observer &observer) {
    all_.push_back(&observer);
    wants_touches_ = wants_touches_ || observer.wants_touches();
  }
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] bool want_touches() const { return wants_touches_; }

  void start(const InstructionEvent &event) const {
    for (Observer *observer : all_) observer->on_start(event);
  }
  void end(const InstructionEvent &event) const {
    for (Observer *observer : all_) observer->on_end(event);
  }
  void message(const MessageEvent &event) const {
    for (Observer *observer : all_) observer->on_message(event);
  }
  void barrier(const BarrierEvent &event) const {
    for (Observer *observer : all_) observer->on_barrier(event);
  }
  void keys(const KeysEvent &event) const {
    for (Observer *observer : all_) observer->on_keys(event);
  }
  void context_reset(unsigned context, Cycle now) const {
    for (Observer *observer : all_) observer->on_context_reset(context, now);
  }
  void engine_reset(registers::Engine engine, unsigned core, Cycle now) const {
    for (Observer *observer : all_) observer->on_engine_reset(engine, core, now);
  }
  void interrupt(unsigned line, bool level, Cycle now) const {
    for (Observer *observer : all_) observer->on_interrupt(line, level, now);
  }

 private:
  std::vector<Observer *> all_;
  bool wants_touches_ = false;
};

}  // namespace cox::model
