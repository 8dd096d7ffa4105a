// SPDX-License-Identifier: MIT
// An engine for application firmware ("Your first kernel call" in docs/kernels). It owns a context, submits
// streams and waits for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

#include "coxswain/base/result.h"
#include "coxswain/device/engines.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/kernels/engine/segment_feeder.h"
#include "coxswain/kernels/engine/stream_buffer.h"
#include "coxswain/kernels/engine/stream_runner.h"

namespace cox::kernels {

/// The ContextState of engines that keep nothing for a context except its windows.
struct NoContextState {
  /// Called before `stream` is submitted: writes the state that the stream needs into the device. On an error, the stream is not submitted.
  Status prepare(const StreamRunner &, const StreamBuffer &) { return {}; }
  /// Called after the context was reset, before its streams run again. Writes what prepare() wrote before the reset.
  void restore(const StreamRunner &) const {}
  /// Called when the context was reset. The device has lost what prepare() wrote.
  void forget() {}
};

/// Runs the streams of one engine. `Set` describes the engine:
///
///   static constexpr registers::Engine kEngine;        the engine's row in device/engines.h, where `submission` must be
///                                                      `streams` or `joined_streams`
///   static constexpr unsigned kQueueSizeLog2;          default of Configuration::queue_size_log2
///   using Stream;                                      StreamBuffer, or a class derived from it
///   using ContextState;                                NoContextState, or a class with its members
///   static void explain(stream, detail, fault);        StreamRunner::Explain
///   static void read_waiting(stream, fault);           optional: StreamRunner::Configuration::read_waiting
///   static constexpr bool kResetAfterFault;            optional: StreamRunner::Configuration::reset_after_fault
///   static Status check_calls();                       optional: an error that submit(), run() and close() return before they do anything
///   static constexpr MachineCode kEnd;                 joined streams only: the instruction that submit() appends to a stream if all
///                                                      others have been submitted before
template <typename Set>
class Engine {
 public:
  using Stream = typename Set::Stream;
  static constexpr registers::Engine kEngine = Set::kEngine;
  static constexpr bool kJoins = registers::row_of(Set::kEngine).submission == registers::Submission::joined_streams;
  static_assert(registers::row_of(Set::kEngine).has_ring() && std::is_base_of_v<StreamBuffer, Stream>);
  /// submit() may append kEnd to a stream whose segments can be joined, so it takes such a stream as mutable.
  using Submitted = std::conditional_t<kJoins, Stream, const Stream>;

  struct Configuration {
    std::optional<unsigned> context{};               ///< the context to take; without it, the accelerator chooses
    std::span<const isa::Window> windows{};          ///< DRAM that streams may touch, at most kWindows windows of less than 4 GiB each
    unsigned queue_size_log2 = Set::kQueueSizeLog2;  ///< log2 of the largest number of streams, and segments of streams, in flight
  };

  /// Attaches the engine to an open accelerator, and takes a context and a share of its queue memory. Engine and accelerator must not move
  /// until close(). Errors: those of StreamRunner::attach().
  Status init(hal::Accelerator &accelerator, const Configuration &configuration);
  /// Gives everything back. Streams in flight are lost. Errors: those of StreamRunner::close().
  Status close() {
    if (const Status status = check_calls(); !status) return status;
    return runner_.close();
  }

  /// As SegmentFeeder::attach(): the engine runs full segments while kernels write the next one. Only one stream can be attached.
  Status attach(Stream &stream, std::uint64_t limit_us = kDefaultLimit) requires kJoins {
    return feeder_.attach(runner_, stream, limit_us);
  }

  /// Submits the stream's contents. If the stream is attached, its full segments may have been submitted already. Then submit() submits
  /// only the instructions behind them. If there are none, it submits the instruction Set::kEnd instead. The stream must stay unchanged
  /// until it has ended. submit() makes the core's writes to the stream's own memory visible to the device; the caller cleans operands
  /// (hal/cache.h). Errors:
  /// - not_ready before init().
  /// - not_ready ("stream") if segments of another stream were submitted, but not yet the rest of that stream.
  /// - not_ready ("stream") if segments of this stream were submitted, and then its rest was submitted or the context was reset. Call
  ///   clear() first.
  /// - any error of ContextState::prepare(); no_room if too many streams are in flight; invalid_argument if the stream is empty.
  Result<std::uint32_t> submit(Submitted &stream);
  /// As StreamRunner::wait(), but returns the outcome.
  Status wait(std::uint32_t tag, std::uint64_t limit_us);
  /// Does the same as submit() and wait(), whose code is inlined here because applications call run() for each kernel.
  Status run(Submitted &stream, std::uint64_t limit_us = kDefaultLimit);
  static constexpr std::uint64_t kDefaultLimit = StreamRunner::kDefaultLimit;

  /// Does the same as StreamRunner::set_retries(). A stream that was submitted in several segments is not retried.
  void set_retries(unsigned retries) { runner_.set_retries(retries); }

  /// Returns the fault of the last stream that failed.
  [[nodiscard]] const StreamFault &fault() const { return runner_.fault(); }
  /// Device cycles at the end of the last stream that ended well.
  [[nodiscard]] std::uint64_t end_cycle() const { return runner_.end_cycle(); }
  /// Warning bits, which the engine's row in device/engines.h names. They cover all streams whose end wait() has seen since the
  /// last submit() or run(), and all segments of the stream that was submitted last.
  [[nodiscard]] unsigned warnings() const { return runner_.warnings(); }
  [[nodiscard]] std::span<const isa::Window> windows() const { return runner_.windows(); }

  // For StreamSubmissions.
  [[nodiscard]] StreamRunner &runner() { return runner_; }
  /// Returns the error of a wait. If the engine was reset, drops the context's state and the fed segments.
  [[gnu::cold, gnu::noinline]] Status failed();
  /// True if a stream is attached, and true if the rest of a stream must be submitted next.
  [[nodiscard]] bool has_attached() const requires kJoins { return feeder_.has_attached(); }
  [[nodiscard]] bool is_joined() const requires kJoins { return feeder_.is_joined(); }

 private:
  using ContextState = typename Set::ContextState;
  static constexpr bool kHasState = !std::is_same_v<ContextState, NoContextState>;
  static constexpr bool kWarns = registers::row_of(Set::kEngine).warnings[0] != nullptr;
  struct Nothing {};
  [[gnu::always_inline]] static Status check_calls() {
    if constexpr (requires { Set::check_calls(); }) return Set::check_calls();
    return {};
  }

  Result<std::uint32_t> submit_stream(Submitted &stream);
  Result<std::uint32_t> submit_rest(Submitted &stream) requires kJoins;
  Status wait_for(std::uint32_t tag, std::uint64_t limit_us);
  static void restore(void *owner);
  static consteval auto read_waiting() -> void (*)(std::span<const std::byte>, StreamFault &) {
    if constexpr (requires { &Set::read_waiting; }) return Set::read_waiting;
    return nullptr;
  }

  /// The status of success. Returning a copy of it costs half as much as constructing a new one.
  static inline const Status kGood;

  StreamRunner runner_;
  std::uint32_t resets_ = 0;
  [[no_unique_address]] ContextState state_;
  [[no_unique_address]] std::conditional_t<kJoins, SegmentFeeder, Nothing> feeder_;
};

// These are not inline, so that applications use the copies in the engine's library.

template <typename Set>
Status Engine<Set>::init(hal::Accelerator &accelerator, const Configuration &configuration) {
  const Status status = runner_.attach(accelerator, configuration.context,
                                       {.engine = Set::kEngine,
                                        .windows = configuration.windows,
                                        .queue_size_log2 = configuration.queue_size_log2,
                                        .explain = Set::explain,
                                        .read_waiting = read_waiting(),
                                        .reset_after_fault = requires { requires Set::kResetAfterFault;
}
, .restore = kHasState ? restore : nullptr, .owner = this
}  // namespace cox::kernels
);
if (!status) return status;
state_.forget();
if constexpr (kJoins) feeder_.detach();
resets_ = runner_.resets();
return {};
}

template <typename Set>
[[gnu::always_inline]] inline Result<std::uint32_t> Engine<Set>::submit_stream(Submitted &stream) {
  if constexpr (requires { Set::check_calls(); }) {
    if (const Status status = Set::check_calls(); !status) [[unlikely]]
      return status;
  }
  if constexpr (kJoins) {
    if (feeder_.is_joined()) [[unlikely]]
      return submit_rest(stream);
  }
  if (!runner_.has_room()) return runner_.refusal();
  if constexpr (kJoins) {
    if (stream.handed_over() != 0) return Status(ErrorCode::not_ready, "stream");
  }
  if constexpr (kHasState) {
    if (const Status status = state_.prepare(runner_, stream); !status) return status;
  }
  if constexpr (kWarns) runner_.forget_warnings();
  if constexpr (requires { stream.for_each_part([](std::span<const std::byte>) {}); }) {
    stream.for_each_part([this](std::span<const std::byte> part) { runner_.clean(part); });
    return runner_.submit_clean(stream.code());
  } else {
    return runner_.submit(stream.code());
  }
}

template <typename Set>
[[gnu::noinline]] Result<std::uint32_t> Engine<Set>::submit_rest(Submitted &stream) requires kJoins {
  if (!feeder_.is_attached(stream)) return Status(ErrorCode::not_ready, "stream");
  if (!feeder_.make_room()) return runner_.status();
  if (stream.is_empty()) {
    std::byte *const end = static_cast<StreamBuffer &>(stream).reserve(sizeof(Set::kEnd));
    if (end == nullptr) return stream.status();
    std::memcpy(end, &Set::kEnd, sizeof(Set::kEnd));
  }
  const Result<std::uint32_t> tag = runner_.submit(stream.code());
  if (tag) feeder_.end();
  return tag;
}

template <typename Set>
[[gnu::always_inline]] inline Status Engine<Set>::wait_for(std::uint32_t tag, std::uint64_t limit_us) {
  if (runner_.wait(tag, limit_us)) [[likely]]
    return kGood;
  return failed();
}

template <typename Set>
Result<std::uint32_t> Engine<Set>::submit(Submitted &stream) {
  return submit_stream(stream);
}

template <typename Set>
Status Engine<Set>::wait(std::uint32_t tag, std::uint64_t limit_us) {
  return wait_for(tag, limit_us);
}

template <typename Set>
Status Engine<Set>::run(Submitted &stream, std::uint64_t limit_us) {
  const Result<std::uint32_t> tag = submit_stream(stream);
  if (!tag) return tag.status();
  return wait_for(tag.value(), limit_us);
}

template <typename Set>
void Engine<Set>::restore(void *owner) {
  const Engine &engine = *static_cast<const Engine *>(owner);
  engine.state_.restore(engine.runner_);
}

template <typename Set>
Status Engine<Set>::failed() {
  if (resets_ != runner_.resets()) {
    state_.forget();
    if constexpr (kJoins) feeder_.end();
  }
  resets_ = runner_.resets();
  return runner_.status();
}

}  // namespace cox::kernels
