// SPDX-License-Identifier: MIT
// Common part of every engine that runs streams (docs/kernels): a context, submission, waiting with a time
// limit, and recovery from faults (docs/faults.md). The kernel libraries' engines build on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/device/waiting_unit.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/cache.h"
#include "coxswain/hal/context.h"
#include "coxswain/hal/fault_log.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/stream_engine.h"
#include "coxswain/hal/threads.h"
#include "coxswain/isa/window.h"
#include "coxswain/kernels/engine/stream_buffer.h"

namespace cox::kernels {

/// The position and cause of a stream's fault.
struct StreamFault {
  hal::FaultCode code = hal::FaultCode::none;
  std::uint64_t address = 0;          ///< bus address of the instruction
  std::int32_t instruction = -1;      ///< number of the instruction in the stream
  const char *name = "instruction";   ///< mnemonic, for example "CONVACT"
  const char *field = "instruction";  ///< field at fault, for example "InOffset"; "instruction" if the engine reports no field
  unsigned waiting_units = 0;         ///< units of the engine that waited for keys then
  std::array<registers::WaitingUnit, registers::kMostWaitingUnits> waiting;  ///< the first `waiting_units` are there, by number
};

class StreamRunner {
 public:
  /// Microseconds that a stream may take if the caller gives no limit.
  static constexpr std::uint64_t kDefaultLimit = 10'000'000;

  /// Fills in `instruction`, `name` and `field` of the fault that the engine reports for this stream, as far as the engine reports them.
  using Explain = void (*)(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault);
  struct Configuration {
    registers::Engine engine{};
    unsigned context = 0;
    std::span<const isa::Window> windows;   ///< DRAM that streams may touch: at most kWindows windows, each less than 4 GiB
    unsigned queue_size_log2 = 3;           ///< log2 of the largest number of streams in flight
    std::span<const std::byte> uncached{};  ///< memory that the core does not cache: streams there need no cache maintenance
    Explain explain = nullptr;
    /// Fills in `waiting_units` and `waiting` of a stream that has failed or reached its time limit; nullptr if no unit of the engine
    /// waits.
    void (*read_waiting)(std::span<const std::byte> stream, StreamFault &fault) = nullptr;
    /// True if the engine keeps things of a stream that has failed, which only a reset of the engine removes.
    bool reset_after_fault = false;
    /// Called with `owner` before streams run again: writes the state that a reset of the context has cleared, except the windows.
    void (*restore)(void *owner) = nullptr;
    void *owner = nullptr;
  };

  /// Attaches the engine to the accelerator, which gives it queue memory and a context, and calls init(). The context is `context`, or
  /// without it one that the accelerator chooses. Sets `uncached` to the queue memory. Errors, with the engine not attached: those of
  /// hal/accelerator.h and of init().
  Status attach(hal::Accelerator &accelerator, std::optional<unsigned> context, Configuration configuration);
  /// Resets the engine, so that streams in flight are lost, and detaches it. Errors: not_ready ("engine") before attach(); those of
  /// hal::reset_engine(), and then the engine stays attached.
  Status close();

  /// Resets the engine and takes the engine and the context into use. `queue_memory` is aligned to 64 bytes and holds
  /// hal::StreamEngine::queue_bytes(). The accelerator must be open (hal/accelerator.h): it enables the queues and connects the interrupts.
  /// The engine needs no completion handler: the interrupt only wakes the core, and wait() takes the completions. Errors: those of
  /// hal/stream_engine.h and hal/context.h; invalid_argument if there are more than kWindows windows.
  Status init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration);

  /// has_room() returns true if a stream can be submitted. If it cannot, refusal() returns the error: not_ready ("engine") before init(),
  /// no_room if too many streams are in flight.
  [[nodiscard]] bool has_room() const { return hardware_.room() != 0; }
  [[nodiscard]] Status refusal() const;
  /// Submits a stream and makes the core's writes to it visible to the device. The stream must stay unchanged until it has ended. Errors:
  /// those of hal::StreamEngine::submit().
  [[gnu::always_inline]] Result<std::uint32_t> submit(std::span<const std::byte> code, bool joined = false) {
    clean(code);
    return submit_clean(code, joined);
  }
  /// Makes the core's writes to a part of a stream visible to the device.
  [[gnu::always_inline]] void clean(std::span<const std::byte> part) const {
    if (!is_uncached(part.data())) hal::clean_cache(part.data(), part.size());
  }
  /// As submit(), for a stream whose parts the caller has cleaned.
  [[gnu::always_inline]] Result<std::uint32_t> submit_clean(std::span<const std::byte> code, bool joined = false) {
    if (joined) has_joined_ = true;
    Result<std::uint32_t> tag = hardware_.submit(context_, hal::bus_address(code), static_cast<std::uint32_t>(code.size()), joined);
    tag.value() += tag_offset_;
    return tag;
  }

  /// Sleeps until the stream with that tag has ended, for at most `limit_us` microseconds. Earlier streams have then ended, too. Returns
  /// true if the stream ended well; otherwise status() holds one of these errors, and hal/fault_log.h records it:
  /// - device_fault of an instruction: `what` is the field, `index` the instruction's number, `value` the FaultCode and `limit` the
  ///   instruction's offset in the stream. For an uncorrectable ECC error `what` is "memory" and `limit` its address. fault() has more.
  /// - timeout; or device_fault with `what` "completion" (the device lost one or wrote an impossible one), "engine reset" (other code reset
  ///   the engine) or "descriptor" (the device could not read it). In these cases wait() has reset the engine.
  /// - not_ready: the stream's outcome is forgotten. At each failure, wait() forgets the streams up to the previous failure.
  /// - invalid_argument: no such stream was submitted.
  /// After a failure the stream is lost, and so are later streams that were in flight. Waiting for them returns the same error until
  /// another stream fails. The context is ready for new streams.
  /// A lost doorbell or interrupt delays wait() until the board's next tick (hal/board.h). Do not call this with interrupts masked.
  [[nodiscard]] bool wait(std::uint32_t tag, std::uint64_t limit_us);
  [[nodiscard]] const Status &status() const { return status_; }

  // The parts of wait() for callers that do not sleep in it (kernels/engine/stream_submissions.h). They touch what interrupts may touch, so
  // each runs in a critical section, except recover().

  /// Takes the completions of streams that have ended well. Returns true if the next completion reports a failure: call recover().
  [[nodiscard]] bool take_good();
  /// Looks for trouble that the device does not report, as wait() does after a wake-up. Returns true if it found some: call recover().
  [[nodiscard]] bool looks_bad() { return hardware_.is_empty() && is_in_trouble(); }
  /// Handles a failure that take_good() or looks_bad() has reported. Without such a failure, the oldest stream has reached its time limit.
  /// Returns false if streams have failed; outcome_of() then has their error. Otherwise they run again.
  [[nodiscard]] bool recover(std::uint64_t limit_us) { return goes_on(limit_us); }
  [[nodiscard]] bool is_in_flight(std::uint32_t tag) const { return hardware_.is_in_flight(tag - tag_offset_); }
  /// Returns the outcome of a stream that is not in flight.
  [[nodiscard]] Status outcome_of(std::uint32_t tag) const;
  /// As hal::StreamEngine::enable_interrupt().
  void enable_interrupt(bool enabled) const { hardware_.enable_interrupt(enabled); }
  [[nodiscard]] registers::Engine engine() const { return engine_; }
  [[nodiscard]] hal::Accelerator *accelerator() const { return accelerator_; }

  /// Lets streams run again, up to `retries` times each, if they fail for a reason that may not recur: bus_error, ecc, timeout, a lost or
  /// bad completion, or a reset. The streams behind the failed one run again, too, and all keep their tags. wait() returns after the
  /// last attempt; each attempt gets the full time limit. The caller guarantees that a stream gives the same results when it runs again
  /// from its beginning: no stream reads memory that it, or a later stream in flight, has overwritten. No stream runs again if more than
  /// kMostRestarted streams are in flight, or if one of them is joined to another.
  void set_retries(unsigned retries) { retries_ = retries; }
  static constexpr unsigned kMostRestarted = 16;

  [[nodiscard]] std::uint32_t in_flight() const { return hardware_.in_flight(); }
  /// Returns the tag of the oldest stream in flight. Call only if there is one.
  [[nodiscard]] std::uint32_t oldest() const { return next_tag() - hardware_.in_flight(); }
  /// Returns how often the context was made ready. When this number has changed, the device has lost the state that it kept for the
  /// context.
  [[nodiscard]] std::uint32_t resets() const { return resets_; }

  [[nodiscard]] const hal::Geometry &geometry() const { return geometry_; }
  [[nodiscard]] unsigned context() const { return context_; }
  [[nodiscard]] std::span<const isa::Window> windows() const { return {windows_.data(), window_count_}; }
  /// Returns the fault of the last stream that failed. If it reached its time limit, only `address` and the units that wait are there.
  [[nodiscard]] const StreamFault &fault() const { return fault_; }
  /// Device cycles at the end of the last stream that ended well.
  [[nodiscard]] std::uint64_t end_cycle() const { return end_cycle_; }
  /// Returns the warnings, as in hal::StreamCompletion, of all streams whose end wait() has seen since forget_warnings().
  [[nodiscard]] unsigned warnings() const { return warnings_; }
  void forget_warnings() { warnings_ = 0; }

 private:
  /// The deadline of a whole wait(). The time starts when wait() must sleep, so that a wait() without sleep does not read the clock.
  struct Deadline {
    std::uint64_t limit_us = 0;
    bool has_begun = false;
    std::uint64_t at = 0;

    bool is_over(std::uint64_t now) {
      constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();
      if (!has_begun) at = limit_us > kForever - now ? kForever : now + limit_us;
      has_begun = true;
      return now >= at;
    }
  };
  [[nodiscard]] bool is_uncached(const std::byte *code) const {
    return reinterpret_cast<std::uintptr_t>(code) - reinterpret_cast<std::uintptr_t>(uncached_.data()) < uncached_.size();
  }
  /// Streams that a fault has removed: the one with tag `first` and those behind it.
  struct Lost {
    struct Place {
      std::uint64_t address;
      std::uint32_t bytes;
    };
    std::uint32_t first = 0, count = 0;
    bool can_run_again = false;
    std::array<Place, kMostRestarted> places;  ///< valid if can_run_again
  };

  [[nodiscard]] std::uint32_t next_tag() const { return hardware_.tail() + tag_offset_; }
  /// Sleeps until there is a completion. Returns false if the deadline passes without one, or if trouble_ is set.
  bool sleep(Deadline &deadline);
  Status take_into_use();
  Status configure_context();
  /// Blocks the thread until the engine's next completion interrupt. The critical section is not nested.
  [[gnu::cold, gnu::noinline]] void block_thread() const;
  /// Examines the device when a wake-up has brought no completion, and rings a lost doorbell again. Returns true if it has set trouble_.
  [[gnu::cold, gnu::noinline]] bool is_in_trouble();
  void collect_lost(Lost &lost, std::uint32_t from) const;
  [[nodiscard]] bool drain(std::uint64_t limit_us);
  bool begin_anew(const Lost &lost, const Status &status, hal::FaultRecord fault = {});
  bool run_again_or_fail(const Lost &lost, const Status &status, hal::FaultRecord fault);
  void record(hal::FaultRecord fault) const;
  void explain(const hal::StreamCompletion &completion);
  /// Returns the stream with a running index of the ring.
  [[nodiscard]] std::span<const std::byte> stream(std::uint32_t index) const;

  [[gnu::cold, gnu::noinline]] bool ended_before(std::uint32_t tag) {
    status_ = outcome_of(tag);
    return status_.ok();
  }
  /// Called if there is no completion or the completion reports an error. Returns true if wait() must continue with a new deadline.
  [[gnu::cold, gnu::noinline]] bool goes_on(std::uint64_t limit_us);
  bool ended_late();
  bool ended_badly(std::uint64_t limit_us);

  hal::Geometry geometry_;
  hal::StreamEngine hardware_;
  unsigned context_ = 0;
  unsigned warnings_ = 0;
  std::uint64_t end_cycle_ = 0;
  registers::Engine engine_{};
  unsigned queue_size_log2_ = 0;
  std::span<std::byte> queue_memory_;
  std::span<const std::byte> uncached_;
  hal::Accelerator *accelerator_ = nullptr;  ///< set while the engine is attached
  Explain explain_ = nullptr;
  void (*read_waiting_)(std::span<const std::byte> stream, StreamFault &fault) = nullptr;
  bool reset_after_fault_ = false;
  void (*restore_)(void *owner) = nullptr;
  void *owner_ = nullptr;
  std::array<isa::Window, kWindows> windows_{};
  unsigned window_count_ = 0;
  std::uint32_t resets_ = 0;
  StreamFault fault_;
  Status status_;
  // A tag is the device's running index plus this offset. A reset of the engine restarts the index, but tags continue.
  std::uint32_t tag_offset_ = 0;
  Status failure_;  ///< outcome of the `failed_count_` streams from `failed_first_` on
  std::uint32_t failed_first_ = 0, failed_count_ = 0;
  std::uint32_t known_from_ = 0;  ///< tag of the first stream whose outcome is still known
  unsigned retries_ = 0;
  std::uint32_t restarted_ = 0;  ///< tag of the stream that was last run again
  unsigned restarts_ = 0;        ///< how often the stream with tag restarted_ was run again
  bool has_joined_ = false;
  std::uint32_t repeated_ = ~std::uint32_t{0};  ///< tag of a stream whose completion came twice
  Status trouble_;                              ///< what the last is_in_trouble() has found
  bool was_quiet_ = false;                      ///< when is_in_trouble() last ran, all submitted streams had ended
  std::uint32_t quiet_tail_ = 0;                ///< if was_quiet_ is true: hardware_.tail() at that time
  std::uint64_t quiet_since_ = 0;
};

// sleep() and wait() are inlined to save the time of two calls, because an application waits for each kernel.
[[gnu::always_inline]] inline bool StreamRunner::sleep(Deadline &deadline) {
  while (hardware_.is_empty()) {
    const hal::InterruptMask mask;  // interrupts are unmasked between two turns of the loop, so that other handlers run
    if (!hardware_.is_empty()) return true;
    // A wake-up without a completion can mean trouble. Before the first sleep, has_begun is false.
    if (deadline.has_begun && is_in_trouble()) return false;
    if (deadline.is_over(board::microseconds())) return false;
    // The interrupt only ends this sleep. It is disabled at other times: the handler takes no completion, so a waiting completion would
    // call it again and again.
    if (hal::has_threads()) [[unlikely]] {
      block_thread();
    } else {
      hardware_.sleep();
    }
  }
  return true;
}

[[gnu::always_inline]] inline bool StreamRunner::wait(std::uint32_t tag, std::uint64_t limit_us) {
  if (!hardware_.is_in_flight(tag - tag_offset_)) return ended_before(tag);
  Deadline deadline{limit_us};
  do {
    if (sleep(deadline)) [[likely]] {
      const hal::Completion &completion = hardware_.oldest();
      if (hardware_.is_expected(completion) && completion.status() == hal::FaultCode::none) [[likely]] {
        end_cycle_ = completion.time();
        warnings_ |= completion.warnings();
        hardware_.release();
        continue;
      }
    }
    if (!goes_on(limit_us)) return false;
    deadline.has_begun = false;
  } while (hardware_.is_in_flight(tag - tag_offset_));
  return true;
}

}  // namespace cox::kernels
