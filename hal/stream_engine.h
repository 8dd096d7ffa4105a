// SPDX-License-Identifier: MIT
// Submission of streams to an engine, and their completions (docs/design.md, Engines). Waiting and recovery are in
// kernels/engine/stream_runner.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/device/engine_descriptor.h"
#include "coxswain/hal/barrier.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/completion_queue.h"
#include "coxswain/hal/device.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"

namespace cox::hal {

/// How a stream ended.
struct StreamCompletion {
  bool intact = true;     ///< false if the entry is corrupted, or names another stream than the oldest in flight: reset the engine
  std::uint32_t tag = 0;  ///< the value that submit() returned
  FaultCode status = FaultCode::none;
  unsigned context = 0;
  std::uint64_t time = 0;              ///< on success: device cycles at the end
  registers::EngineFaultDetail fault;  ///< on a fault: instruction and field
  unsigned warnings = 0;               ///< bit i: the engine's warning i (device/engines.h)
};

class StreamEngine {
 public:
  /// Bytes of queue memory for 2^size_log2 streams in flight. The memory that init() takes must be aligned to 64 bytes.
  [[nodiscard]] static constexpr std::size_t queue_bytes(unsigned size_log2) {
    return (sizeof(registers::EngineDescriptor) + sizeof(Completion)) << size_log2;
  }

  /// Connects to the engine and enables its queues with rings in `memory`.
  /// Errors, with no register written: those of check_engine(); invalid_argument for a wrong size or unfit memory; not_ready if the device
  /// holds streams of an earlier use (call reset_engine() first).
  Status init(const Geometry &geometry, registers::Engine engine, std::span<std::byte> memory, unsigned size_log2);

  /// Number of streams that can be submitted before a completion is taken.
  [[nodiscard]] std::uint32_t room() const { return mask_ + 1 - (tail_ - head_); }
  [[nodiscard]] std::uint32_t in_flight() const { return tail_ - head_; }

  /// True if submit() returned this tag and its completion was not taken yet.
  [[nodiscard]] bool is_in_flight(std::uint32_t tag) const { return tag - head_ < tail_ - head_; }
  /// The tag that the next submit() will return. The streams in flight have the tags before it, from tail() - in_flight() on.
  [[nodiscard]] std::uint32_t tail() const { return tail_; }
  /// The descriptor of the stream that was submitted with this tag. It is valid until submit() uses its slot for a later stream, so the
  /// caller may read it after taking the stream's completion and before the next submit().
  [[nodiscard]] const registers::EngineDescriptor &descriptor(std::uint32_t tag) const { return slots_[tag & mask_]; }

  /// Submits the stream at a bus address, rings the doorbell, and returns the stream's tag. The device will write a completion for the
  /// stream. The stream's bytes must be in memory before this call (hal/cache.h). `joined`: the next stream continues this one
  /// (registers::EngineDescriptor::joined()). Errors, with nothing submitted: not_ready before init(); invalid_argument for an address that
  /// is not aligned to 8 bytes, or for a length that is 0, not a multiple of 8 or over registers::kMostStreamBytes; no_room if room() is 0.
  Result<std::uint32_t> submit(unsigned context, std::uint64_t address, std::uint32_t bytes, bool joined = false);

  /// True if take() would return nothing. Call this only after init(). Touches no register.
  [[nodiscard]] bool is_empty() const { return completions_.is_empty(); }
  /// Takes the oldest completion, if there is one, and gives its entry back to the device. Without a completion it touches no register.
  [[nodiscard]] std::optional<StreamCompletion> take();
  /// oldest() and release() are the two steps of take(). Call them only if is_empty() is false. oldest() returns the entry as the device
  /// wrote it. The entry is valid until release() gives it back to the device.
  [[nodiscard]] const Completion &oldest() const { return completions_.front(); }
  /// True if `oldest` is intact and belongs to the oldest stream in flight. Streams end in order, so the oldest entry must be that of the
  /// oldest stream. Call this only while a stream is in flight.
  [[nodiscard]] bool is_expected(const Completion &oldest) const {
    return oldest.is_intact() && oldest.tag() == static_cast<std::uint16_t>(head_);
  }
  void release();
  /// True if the device wrote a completion that is_empty() does not see (CompletionQueue::is_blocked()). Call this only after init(). It is
  /// a register access.
  [[nodiscard]] bool is_blocked() const { return completions_.is_blocked(); }

  // The next three functions find conditions that the device does not report. Call them after a wake-up without a completion, and only
  // after init(). They access registers.
  /// False if another bus master has reset the engine. Call init() again then.
  [[nodiscard]] bool is_enabled() const;
  /// Rings the doorbell again if the device has missed the last one. Returns true in this case.
  bool ring_again() const;
  /// True if all submitted streams have ended and all completions were taken.
  [[nodiscard]] bool is_quiet() const;

  /// Enables or disables the interrupt of the engine's completion queue (line 0), and no other. Call this only after init(), and with
  /// interrupts masked unless the caller is the only writer of INT_ENABLE.
  void enable_interrupt(bool enabled) const {
    const std::uint32_t others = mmio::read(COX_NPU->INT_ENABLE) & ~interrupt_;
    mmio::write(COX_NPU->INT_ENABLE, enabled ? others | interrupt_ : others);
  }
  /// Puts the core to sleep until the next interrupt, with the interrupt of the engine's completion queue enabled. Interrupts are masked,
  /// so nothing else writes INT_ENABLE meanwhile.
  void sleep() const {
    const std::uint32_t others = mmio::read(COX_NPU->INT_ENABLE) & ~interrupt_;
    mmio::write(COX_NPU->INT_ENABLE, others | interrupt_);
    board::wait_for_completion();
    mmio::write(COX_NPU->INT_ENABLE, others);
  }

 private:
  [[nodiscard]] Status refusal(unsigned context, std::uint64_t address, std::uint32_t bytes) const;

  registers::EngineDescriptor *slots_ = nullptr;
  std::uint32_t tail_ = 0, head_ = 0;
  std::uint32_t interrupt_ = 0;             ///< the engine's bit of INT_ENABLE
  std::uint32_t mask_ = ~std::uint32_t{0};  ///< number of descriptors - 1; with this initial value, room() is 0
  NPU_ENGINE_Type *registers_ = nullptr;
  CompletionQueue completions_;
};

// Inline, so that no Result is copied. This saves time if a caller runs one short stream after another.
inline Result<std::uint32_t> StreamEngine::submit(unsigned context, std::uint64_t address, std::uint32_t bytes, bool joined) {
  // Checks all conditions of refusal() in one expression.
  constexpr std::uint32_t kUnaligned = registers::kStreamAlignment - 1;
  if (registers_ == nullptr || context >= registers::context::kCount || ((static_cast<std::uint32_t>(address) | bytes) & kUnaligned) != 0 ||
      bytes - 1 >= registers::kMostStreamBytes || room() == 0) [[unlikely]]
    return refusal(context, address, bytes);

  const std::uint32_t tag = tail_++;
  // init() has zeroed the rest of the slot.
  registers::EngineDescriptor &slot = slots_[tag & mask_];
  slot.address = address;
  slot.bytes = bytes;
  slot.control = registers::EngineDescriptor::control_of(context, true, joined);
  // The slot must be in memory before the doorbell, because the device may fetch it at once.
  memory_barrier();
  mmio::write(registers_->TAIL, tail_);
  return tag;
}

inline void StreamEngine::release() {
  ++head_;  // streams end in order, so this entry belongs to the oldest one
  completions_.pop();
  completions_.acknowledge();
}

inline std::optional<StreamCompletion> StreamEngine::take() {
  if (registers_ == nullptr || is_empty()) return std::nullopt;
  const Completion &entry = oldest();
  if (in_flight() == 0 || !is_expected(entry)) [[unlikely]] {
    completions_.pop();
    completions_.acknowledge();
    StreamCompletion bad;
    bad.intact = false;
    return bad;
  }
  const bool good = entry.status() == FaultCode::none;
  const StreamCompletion completion{
      .tag = head_,
      .status = entry.status(),
      .context = entry.context(),
      .time = good ? entry.time() : 0,
      .fault = registers::EngineFaultDetail::unpack(good ? registers::EngineFaultDetail().pack() : entry.time_high),
      .warnings = entry.warnings()};
  release();
  return completion;
}

/// Stops the engine, empties its queues, and waits until it is idle, for at most kResetPolls reads of its status. Initialise the engine
/// again afterwards. Errors: those of check_engine(), with nothing written; timeout if the engine is still busy.
Status reset_engine(const Geometry &geometry, registers::Engine engine);

}  // namespace cox::hal
