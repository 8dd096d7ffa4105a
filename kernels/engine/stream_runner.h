// SPDX-License-Identifier: MIT
// What is the same for every engine that runs streams (docs/kernels/mx.md, docs/kernels/cube.md): a context, submission, waiting with a
// time limit, recovery from faults (docs/faults.md). Kernel libraries' engines are made of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/result.h"
#include "hal/board.h"
#include "hal/cache.h"
#include "hal/context.h"
#include "hal/fault_log.h"
#include "hal/interrupt_mask.h"
#include "hal/stream_engine.h"
#include "isa/window.h"
#include "kernels/engine/stream_buffer.h"

namespace cox::kernels {

/// Where a stream failed.
struct StreamFault {
  hal::FaultCode code = hal::FaultCode::none;
  std::uint64_t address = 0;          ///< bus address of the instruction
  std::int32_t instruction = -1;      ///< its number in the stream
  const char *name = "instruction";   ///< "CONVACT"
  const char *field = "instruction";  ///< "InOffset", or "instruction"
};

class StreamRunner {
 public:
  /// Fills in `instruction`, `name` and `field` of the fault that the engine reports of this stream, as far as it has them.
  using Explain = void (*)(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault);
  struct Configuration {
    registers::Engine engine = registers::Engine::mx;
    unsigned context = 0;
    std::span<const isa::Window> windows;  ///< DRAM that streams may touch, at most kWindows of less than 4 GiB each
    unsigned queue_size_log2 = 3;          ///< streams in flight
    Explain explain = nullptr;
    /// Called with `owner` before streams run again: writes what a reset of the context has cleared besides the windows.
    void (*restore)(void *owner) = nullptr;
    void *owner = nullptr;
  };

  /// Resets the engine and takes it and the context into use; `queue_memory` is aligned to 64 bytes and holds
  /// hal::StreamEngine::queue_bytes(). The application has connected its handlers (board::connect_npu_interrupts()), else sleeping lasts to
  /// the next tick. They have nothing to do for engines, whose interrupts are enabled only while wait() sleeps. Errors as in
  /// hal/stream_engine.h and hal/context.h; invalid_argument: more than kWindows windows.
  Status init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration);

  /// Whether a stream can be handed over: not_ready ("engine") before init(), no_room: too many in flight.
  [[nodiscard]] bool has_room() const { return hardware_.room() != 0; }
  [[nodiscard]] Status refusal() const;
  /// Hands over a stream that stays as it is until it ended; the core's writes to it are made visible to the device. Errors as
  /// hal::StreamEngine::submit().
  [[gnu::always_inline]] Result<std::uint32_t> submit(std::span<const std::byte> code, bool joined = false) {
    // Queue memory is not cached (hal/board.h): a stream behind the queues costs no instructions for its lines.
    if (!is_in_queue_memory(code.data())) hal::clean_cache(code.data(), code.size());
    if (joined) has_joined_ = true;
    Result<std::uint32_t> tag =
        hardware_.submit(context_, reinterpret_cast<std::uintptr_t>(code.data()), static_cast<std::uint32_t>(code.size()), joined);
    tag.value() += tag_offset_;
    return tag;
  }

  /// Sleeps until the stream with that tag has ended, for at most `limit_us` microseconds; earlier ones have ended then, too. True: it
  /// ended well; false: status() says how. device_fault: `what` the field, `index` the instruction's number, `value` the FaultCode, `limit`
  /// the instruction's offset in the stream, or the address of what ECC could not correct (`what` "memory"); fault() says more. timeout;
  /// device_fault with `what` "completion" (the device lost one, or wrote one that cannot be), "engine reset" (somebody reset it) or
  /// "descriptor" (the device could not read it): the engine was reset. The stream, and those that were submitted after it and were still
  /// in flight, are lost then: waiting for them gives the same error, until another stream fails; not_ready: how a stream from before the
  /// last failure but one ended is forgotten. The context is ready for new ones. A lost doorbell or interrupt costs a tick. All of it is in
  /// hal/fault_log.h.
  /// invalid_argument: no such stream was submitted. Not with interrupts masked.
  [[nodiscard]] bool wait(std::uint32_t tag, std::uint64_t limit_us);
  [[nodiscard]] const Status &status() const { return status_; }

  /// From here on a stream that fails by what may not come again (bus_error, ecc, timeout, a lost or bad completion, a reset) is run again
  /// up to `retries` times, each with the whole time limit, and with it those behind it: under the same tags, while wait() goes on. The
  /// caller declares with it that streams do the same when they run again from their beginning: none reads what itself, or one behind it in
  /// flight, has overwritten. Joined streams are not run again, nor are more than kMostRestarted.
  void set_retries(unsigned retries) { retries_ = retries; }
  static constexpr unsigned kMostRestarted = 16;

  [[nodiscard]] std::uint32_t in_flight() const { return hardware_.in_flight(); }
  /// The oldest one in flight, where there is one.
  [[nodiscard]] std::uint32_t oldest() const { return next_tag() - hardware_.in_flight(); }
  /// How often the context was made ready: what the device keeps for a context is gone when this has changed.
  [[nodiscard]] std::uint32_t resets() const { return resets_; }

  [[nodiscard]] const hal::Geometry &geometry() const { return geometry_; }
  [[nodiscard]] unsigned context() const { return context_; }
  [[nodiscard]] std::span<const isa::Window> windows() const { return {windows_.data(), window_count_}; }
  /// Of the last stream that failed.
  [[nodiscard]] const StreamFault &fault() const { return fault_; }
  /// Device cycles at the end of the last stream that ended well.
  [[nodiscard]] std::uint64_t end_cycle() const { return end_cycle_; }
  /// registers::EngineWarning, of all streams whose end wait() has seen since forget_warnings().
  [[nodiscard]] unsigned warnings() const { return warnings_; }
  void forget_warnings() { warnings_ = 0; }

 private:
  /// Of a whole wait(). The clock is read when there is something to wait for, so time begins then.
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
  [[nodiscard]] bool is_in_queue_memory(const std::byte *code) const {
    return reinterpret_cast<std::uintptr_t>(code) - reinterpret_cast<std::uintptr_t>(queue_memory_.data()) < queue_memory_.size();
  }
  /// Streams that a fault has taken with it: the one of tag `first` and those behind it.
  struct Lost {
    struct Place {
      std::uint64_t address;
      std::uint32_t bytes;
    };
    std::uint32_t first = 0, count = 0;
    bool can_run_again = false;
    std::array<Place, kMostRestarted> places;  ///< where they can
  };

  [[nodiscard]] std::uint32_t next_tag() const { return hardware_.tail() + tag_offset_; }
  /// Sleeps until there is a completion; false: there is none at the deadline, or there is trouble_.
  bool sleep(Deadline &deadline);
  Status take_into_use();
  Status configure_context();
  /// How a stream ended that is not in flight.
  [[nodiscard]] Status outcome_of(std::uint32_t tag) const;
  /// A look at the device where a wake-up has brought nothing: rings a doorbell again that was lost; true: trouble_ says what is wrong.
  [[gnu::cold, gnu::noinline]] bool is_in_trouble();
  void collect_lost(Lost &lost, std::uint32_t from) const;
  [[nodiscard]] bool drain(std::uint64_t limit_us);
  bool begin_anew(const Lost &lost, const Status &status, hal::FaultRecord fault = {});
  bool run_again_or_fail(const Lost &lost, const Status &status, hal::FaultRecord fault);
  void record(hal::FaultRecord fault) const;
  void explain(const hal::StreamCompletion &completion);

  [[gnu::cold, gnu::noinline]] bool ended_before(std::uint32_t tag) {
    status_ = outcome_of(tag);
    return status_.ok();
  }
  /// Where there is no completion, or one that is not good: whether to wait on, with a new deadline.
  [[gnu::cold, gnu::noinline]] bool goes_on(std::uint64_t limit_us);
  bool ended_late();
  bool ended_badly(std::uint64_t limit_us);

  hal::Geometry geometry_;
  hal::StreamEngine hardware_;
  unsigned context_ = 0;
  unsigned warnings_ = 0;
  std::uint64_t end_cycle_ = 0;
  registers::Engine engine_ = registers::Engine::mx;
  unsigned queue_size_log2_ = 0;
  std::span<std::byte> queue_memory_;
  Explain explain_ = nullptr;
  void (*restore_)(void *owner) = nullptr;
  void *owner_ = nullptr;
  std::array<isa::Window, kWindows> windows_{};
  unsigned window_count_ = 0;
  std::uint32_t resets_ = 0;
  StreamFault fault_;
  Status status_;
  // Tags are the device's running indices and this: they go on where a reset of the engine has those begin anew.
  std::uint32_t tag_offset_ = 0;
  Status failure_;  ///< of the `failed_count_` streams from `failed_first_` on
  std::uint32_t failed_first_ = 0, failed_count_ = 0;
  std::uint32_t known_from_ = 0;  ///< streams from here on that did not fail have ended well
  unsigned retries_ = 0;
  std::uint32_t restarted_ = 0;  ///< tag of the stream that was run again last
  unsigned restarts_ = 0;        ///< how often it was
  bool has_joined_ = false;
  std::uint32_t repeated_ = ~std::uint32_t{0};  ///< tag of a stream whose completion came twice
  Status trouble_;                              ///< that the last look has found
  bool was_quiet_ = false;                      ///< it found all streams ended, and nothing said of them,
  std::uint32_t quiet_tail_ = 0;                ///< up to this index,
  std::uint64_t quiet_since_ = 0;
};

// Here, so that the call that applications make for each of their kernels makes no further one.
[[gnu::always_inline]] inline bool StreamRunner::sleep(Deadline &deadline) {
  while (hardware_.is_empty()) {
    const hal::InterruptMask mask;  // anew each time, so that other handlers run in between
    if (!hardware_.is_empty()) return true;
    // A wake-up that brought nothing.
    if (deadline.has_begun && is_in_trouble()) return false;
    if (deadline.is_over(board::microseconds())) return false;
    // Only here: while the core does something else, nobody would answer the interrupt.
    hardware_.enable_interrupt(true);
    board::wait_for_completion();
    hardware_.enable_interrupt(false);
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
