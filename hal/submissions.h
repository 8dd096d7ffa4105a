// SPDX-License-Identifier: MIT
// Asynchronous work of an engine: what was submitted, by handle (docs/hal.md, Asynchronous submission).
#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <limits>

#include "coxswain/base/result.h"
#include "coxswain/device/engines.h"
#include "coxswain/hal/accelerator.h"

namespace cox::hal {

/// Names a submission from its submit() until a wait has returned its outcome. The bits say which engine it went to, its index there, and
/// its generation, which is another one each time that the index is used. A handle of 0 names nothing.
class Handle {
 public:
  constexpr Handle() = default;
  explicit constexpr Handle(std::uint32_t bits) : bits_(bits) {}
  constexpr Handle(std::uint32_t row, std::uint32_t index, std::uint32_t generation)
      : bits_(row << kRowBit | index << kIndexBit | generation) {}

  [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
  /// The engine's row in device/engines.h. It may be one that the table does not have.
  [[nodiscard]] constexpr std::uint32_t row() const { return bits_ >> kRowBit; }
  [[nodiscard]] constexpr std::uint32_t index() const { return bits_ >> kIndexBit & (kIndices - 1); }
  [[nodiscard]] constexpr std::uint32_t generation() const { return bits_ & kLastGeneration; }
  friend constexpr bool operator==(const Handle &, const Handle &) = default;

  static constexpr std::uint32_t kIndices = 16;
  static constexpr std::uint32_t kLastGeneration = (1U << 24) - 1;

 private:
  static constexpr unsigned kRowBit = 28, kIndexBit = 24;
  std::uint32_t bits_ = 0;
};

/// Who calls a function at the end of a submission.
enum class CallFrom : std::uint8_t {
  poll,       ///< Submissions::poll_all(), in the thread that calls it
  interrupt,  ///< the completion interrupt, or a thread that sees the end first; in a critical section
};

/// What a wait does at its limit.
enum class AtLimit : std::uint8_t {
  leave,  ///< nothing: the submission goes on
  stop,   ///< stops the submission, and returns its outcome when it has stopped
};

/// A function to call at the end of a submission.
struct EndCall {
  void (*function)(std::uint32_t handle, void *argument) = nullptr;
  void *argument = nullptr;
  CallFrom from = CallFrom::poll;
};

/// The submissions of one engine. A class for each kind of engine derives from it and adds submit().
///
/// Any thread may call these functions and submit(). A function that was called from an interrupt (CallFrom::interrupt) may call submit(),
/// has_ended(), call_at_end(), and wait() for a submission that has ended. A function that was called from poll_all() may call everything.
///
/// The end of a submission that fails, reaches its time limit or is lost is seen only in wait(), has_ended() and poll_all(). A program
/// that waits for no submission calls poll_all() every 10 ms or more often.
class Submissions {
 public:
  static constexpr unsigned kMost = Handle::kIndices;

  explicit constexpr Submissions(registers::Engine engine) : engine_(engine) {}
  Submissions(const Submissions &) = delete;
  Submissions &operator=(const Submissions &) = delete;

  /// True if wait() would return at once.
  [[nodiscard]] bool has_ended(Handle handle);
  /// Waits until the submission has ended, at most `limit_us` microseconds, frees its handle and returns its outcome. Errors of the call:
  /// - those of check();
  /// - timeout ("wait"), only with AtLimit::leave: the submission goes on, and its handle stays valid;
  /// - not_ready ("interrupt"): the submission has not ended, and an interrupt must not wait.
  Status wait(Handle handle, std::uint64_t limit_us, AtLimit at_limit = AtLimit::leave);
  /// Calls `call.function` once, when the submission has ended. If it has ended already, CallFrom::interrupt calls the function before
  /// call_at_end() returns. The function must free the handle with wait(), or leave that to others. Errors: those of check();
  /// invalid_argument ("callback") without a function; not_ready ("callback") if the submission has one already; those of
  /// check_interrupt() for CallFrom::interrupt.
  Status call_at_end(Handle handle, const EndCall &call);
  /// Returns invalid_argument ("handle") for a handle that names no engine; invalid_argument ("engine") for a handle of another engine;
  /// not_ready ("handle", `value` its generation, `limit` the current one) if a wait has returned the outcome, or if the engine was closed.
  [[nodiscard]] Status check(Handle handle) const;
  /// True if a submission that has not ended has a function with CallFrom::interrupt.
  [[nodiscard]] bool has_interrupt_calls() const { return (in_flight_ & interrupt_calls_) != 0; }

  /// Looks for ended submissions of all open engines, checks time limits, and calls the functions with CallFrom::poll. A call from such a
  /// function calls no others, and a call from an interrupt does nothing.
  static void poll_all();
  /// Returns the open engine to which a handle belongs. Errors: as check().
  [[nodiscard]] static Result<Submissions *> of(Handle handle);

 protected:
  ~Submissions() = default;

  /// Accepts handles from now on. At most one object for each engine may be open.
  void open(Accelerator &accelerator);
  /// Forgets all submissions. Their handles become invalid, and their functions are not called.
  void close();

  // The following functions run in a critical section if they do not say otherwise.

  /// Returns an index for the next submission. Error: no_room ("submissions") if none is free, or if attend() runs.
  [[nodiscard]] Result<unsigned> free_index() const;
  /// Makes a handle for the submission that was made at this index.
  Handle begin(unsigned index);
  /// Reports that the submission has ended. Calls its function if that is CallFrom::interrupt, so look() may call submit() this way.
  void end(unsigned index);
  /// Bit i: the submission with index i has not ended.
  [[nodiscard]] std::uint32_t in_flight() const { return in_flight_; }
  /// Keeps interrupts and other threads from looking at the engine, and submit() from submitting. Not in a critical section.
  void set_exclusive(bool exclusive);
  [[nodiscard]] static bool is_in_interrupt_call() { return in_interrupt_call_; }

  /// Calls end() for the submissions that have ended.
  virtual void look() = 0;
  /// Checks time limits, and looks for failures. Returns true if attend() must be called.
  virtual bool needs_attention() = 0;
  /// Recovers the engine from failures. Does not run in a critical section, and calls no end(). Meanwhile, nothing is submitted.
  virtual void attend() = 0;
  /// Blocks the thread, or puts the core to sleep, until something may have ended. The critical section is not nested.
  virtual void rest() = 0;
  /// Enables the engine's interrupt for the functions with CallFrom::interrupt.
  virtual void arm() = 0;
  /// Makes the submission end soon, with an error. attend() may do the work.
  virtual void stop(unsigned index) = 0;
  /// Makes what the ended submission has written visible to the core. Does not run in a critical section, unless an interrupt waits.
  virtual void show(unsigned /*index*/) {}
  /// Returns the outcome of an ended submission, whose index is free afterwards.
  virtual Status take(unsigned index) = 0;
  /// Returns the reason why functions cannot be called from the interrupt now.
  [[nodiscard]] virtual Status check_interrupt() const { return {}; }

 private:
  struct Slot {
    std::uint32_t generation = 1;
    EndCall call;
  };
  static void on_interrupt();
  void look_around();
  void attend_alone();
  void make_calls();
  void call(unsigned index);
  void free(unsigned index);

  static constinit std::array<Submissions *, std::size(registers::kEngineRows)> open_;  ///< [row of device/engines.h]
  static constinit bool in_interrupt_call_;
  static constinit bool in_poll_call_;

  registers::Engine engine_;
  Accelerator *accelerator_ = nullptr;
  bool is_exclusive_ = false;
  // Bit i: the submission with index i ...
  std::uint32_t in_flight_ = 0;        ///< ... was submitted, and its end was not seen
  std::uint32_t ended_ = 0;            ///< ... has ended, and no wait() has begun to return its outcome
  std::uint32_t shown_ = 0;            ///< ... has ended, and wait() is about to return its outcome
  std::uint32_t interrupt_calls_ = 0;  ///< ... has a function with CallFrom::interrupt that was not called
  std::uint32_t poll_calls_ = 0;       ///< ... has a function with CallFrom::poll that was not called
  std::array<Slot, kMost> slots_{};
};

}  // namespace cox::hal
