// SPDX-License-Identifier: MIT
// Asynchronous submission of streams (docs/hal.md, Asynchronous submission).
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/submissions.h"
#include "coxswain/kernels/engine/stream_runner.h"

namespace cox::kernels {

/// The part of StreamSubmissions that is the same for all engines.
class StreamEnds : public hal::Submissions {
 protected:
  explicit StreamEnds(StreamRunner &runner, registers::Engine engine) : Submissions(engine), runner_(runner) {}
  ~StreamEnds() = default;

  hal::Handle begin_stream(unsigned index, std::uint32_t tag) {
    tags_[index] = tag;
    return begin(index);
  }
  void forget_failures();
  /// The engine was reset, or a context of it was.
  virtual void after_failure() = 0;

 private:
  void look() final;
  bool needs_attention() final;
  void attend() final;
  void rest() final;
  void arm() final;
  void stop(unsigned index) final;
  Status take(unsigned index) final { return outcomes_[index]; }

  StreamRunner &runner_;
  bool has_failed_ = false;   ///< the oldest completion reports a failure
  bool must_stop_ = false;    ///< the oldest stream is to be stopped
  std::uint32_t oldest_ = 0;  ///< tag of the stream whose time limit runs
  std::uint64_t since_ = 0;   ///< time at which that stream was first seen as the oldest, in microseconds
  std::array<std::uint32_t, kMost> tags_{};
  std::array<Status, kMost> outcomes_{};
};

/// Submits streams to `Engine`, a kernels::Engine, and returns handles. A stream that is the oldest in flight for Engine::kDefaultLimit is
/// stopped: it fails with timeout, and so do the streams behind it.
///
/// While submissions are in flight, other functions of the engine that submit or wait may be called only by one thread, and not if
/// has_interrupt_calls(). An engine with an attached stream (Engine::attach()) calls no functions from the interrupt.
template <typename Engine>
class StreamSubmissions final : public StreamEnds {
 public:
  explicit StreamSubmissions(Engine &engine) : StreamEnds(engine.runner(), Engine::kEngine), engine_(engine) {}

  /// Accepts submissions from now on. Call it after Engine::init().
  void open() {
    forget_failures();
    Submissions::open(*engine_.runner().accelerator());
  }
  /// Forgets the submissions. Call it after Engine::close().
  void close() { Submissions::close(); }

  /// Submits a stream as Engine::submit() does. Errors, with nothing changed: those of Engine::submit(); no_room ("submissions") if there
  /// are kMost handles, or if a thread recovers the engine from a fault just now; not_ready ("stream") if an interrupt call submits while a
  /// stream is attached.
  Result<hal::Handle> submit(typename Engine::Submitted &stream);

  /// While an object of this class exists, one thread uses the engine for itself.
  class Exclusive {
   public:
    explicit Exclusive(StreamSubmissions &owner) : owner_(owner) { owner_.set_exclusive(true); }
    ~Exclusive() { owner_.set_exclusive(false); }
    Exclusive(const Exclusive &) = delete;
    Exclusive &operator=(const Exclusive &) = delete;

   private:
    StreamSubmissions &owner_;
  };

 private:
  void after_failure() override { static_cast<void>(engine_.failed()); }
  [[nodiscard]] Status check_interrupt() const override {
    if constexpr (Engine::kJoins) {
      if (engine_.has_attached()) return Status(ErrorCode::not_ready, "stream");
    }
    return {};
  }
  Result<hal::Handle> submit_rest(typename Engine::Submitted &stream) requires Engine::kJoins;

  Engine &engine_;
};

template <typename Engine>
Result<hal::Handle> StreamSubmissions<Engine>::submit(typename Engine::Submitted &stream) {
  if constexpr (Engine::kJoins) {
    if (engine_.has_attached() && this->is_in_interrupt_call()) return Status(ErrorCode::not_ready, "stream");
    if (engine_.is_joined()) return submit_rest(stream);
  }
  const hal::InterruptMask mask;
  const Result<unsigned> index = this->free_index();
  if (!index) return index.status();
  const Result<std::uint32_t> tag = engine_.submit(stream);
  if (!tag) return tag.status();
  return this->begin_stream(index.value(), tag.value());
}

/// Submitting the rest of an attached stream may wait, so it does not run in a critical section.
template <typename Engine>
Result<hal::Handle> StreamSubmissions<Engine>::submit_rest(typename Engine::Submitted &stream) requires Engine::kJoins {
  const Result<unsigned> index = [this] {
    const hal::InterruptMask mask;
    return this->free_index();
  }();
  if (!index) return index.status();
  const Result<std::uint32_t> tag = [&] {
    const Exclusive alone(*this);
    return engine_.submit(stream);
  }();
  if (!tag) return tag.status();
  const hal::InterruptMask mask;
  return this->begin_stream(index.value(), tag.value());
}

}  // namespace cox::kernels
