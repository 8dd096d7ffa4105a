// SPDX-License-Identifier: MIT
// An engine that runs streams (docs/design.md, Engines): submission of streams, completions. No policy: kernels/engine/stream_runner.h
// waits and recovers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/result.h"
#include "device/engine_descriptor.h"
#include "device/npu.h"
#include "hal/barrier.h"
#include "hal/completion_queue.h"
#include "hal/device.h"
#include "hal/mmio.h"

namespace cox::hal {

/// How a stream ended.
struct StreamCompletion {
  bool intact = true;     ///< false: the entry is corrupted, or names another stream than the oldest in flight. The engine must be reset
  std::uint32_t tag = 0;  ///< what submit() returned
  FaultCode status = FaultCode::none;
  unsigned context = 0;
  std::uint64_t time = 0;              ///< on success: device cycles at the end
  registers::EngineFaultDetail fault;  ///< on a fault: where in the stream, and which field
  unsigned warnings = 0;               ///< registers::EngineWarning
};

class StreamEngine {
 public:
  /// Bytes of queue memory that 2^size_log2 streams in flight need; the span given to init() is aligned to 64 bytes.
  [[nodiscard]] static constexpr std::size_t queue_bytes(unsigned size_log2) {
    return (sizeof(registers::EngineDescriptor) + sizeof(Completion)) << size_log2;
  }

  /// Connects to the engine and enables its queues with rings in `memory`, which the device reads and writes at the same address. Checked
  /// before any register is written: that of check_engine(), invalid_argument for a size or memory that does not
  /// do, not_ready where the device holds streams of an earlier use (reset_engine() first).
  Status init(const Geometry &geometry, registers::Engine engine, std::span<std::byte> memory, unsigned size_log2);

  /// Streams that can be submitted before a completion is taken.
  [[nodiscard]] std::uint32_t room() const { return mask_ + 1 - (tail_ - head_); }
  [[nodiscard]] std::uint32_t in_flight() const { return tail_ - head_; }

  /// Whether submit() gave this tag and its completion was not taken yet.
  [[nodiscard]] bool is_in_flight(std::uint32_t tag) const { return tag - head_ < tail_ - head_; }
  /// The tag that submit() gives next; those in flight are the in_flight() ones before it.
  [[nodiscard]] std::uint32_t tail() const { return tail_; }
  /// The stream that was submitted with this tag: true until the ring comes round again, so also just after its completion was taken.
  [[nodiscard]] const registers::EngineDescriptor &descriptor(std::uint32_t tag) const { return slots_[tag & mask_]; }

  /// Puts a stream into the queue, rings the doorbell, and gives its tag; it asks for a completion. invalid_argument: an address that is
  /// not aligned to 8 bytes, a length that is 0, not a multiple of 8 or over registers::kMostStreamBytes; no_room: room() is 0. What the
  /// device reads of the stream must be in memory by then (hal/cache.h).
  /// `joined`: registers::EngineDescriptor::joined().
  Result<std::uint32_t> submit(unsigned context, std::uint64_t address, std::uint32_t bytes, bool joined = false);

  /// Whether take() would give nothing. Touches no register. After init().
  [[nodiscard]] bool is_empty() const { return completions_.is_empty(); }
  /// The oldest completion that was not taken; nothing where there is none. Touches no register unless there is one, which is given back.
  [[nodiscard]] std::optional<StreamCompletion> take();
  /// The same in two steps, as the device wrote it: only where is_empty() is false; valid until release(), which takes it.
  [[nodiscard]] const Completion &oldest() const { return completions_.front(); }
  /// Where something is in flight: whether `oldest()` is what the device must have written next, for its streams end in order: intact, and
  /// of the oldest of them.
  [[nodiscard]] bool is_expected(const Completion &oldest) const {
    return oldest.is_intact() && oldest.tag() == static_cast<std::uint16_t>(head_);
  }
  void release();
  /// Whether the device wrote a completion that cannot be seen (CompletionQueue::is_blocked()). After init(); a register access.
  [[nodiscard]] bool is_blocked() const { return completions_.is_blocked(); }

  // Where a wake-up brought nothing: what the device does not tell by itself. After init(); register accesses.
  /// False: somebody has reset the engine, and it must be initialised again.
  [[nodiscard]] bool is_enabled() const;
  /// Rings the doorbell again where the device has not seen the last one; whether it has not.
  bool ring_again() const;
  /// Whether the engine has ended all it was given, and wrote no completion that was not taken.
  [[nodiscard]] bool is_quiet() const;

  /// Enables or disables the interrupt of the engine's completion queue (line 0); what is enabled besides stays. After init(), and with
  /// interrupts masked, or nobody else writing the register.
  void enable_interrupt(bool enabled) const {
    const std::uint32_t others = mmio::read(NPU->INT_ENABLE) & ~interrupt_;
    mmio::write(NPU->INT_ENABLE, enabled ? others | interrupt_ : others);
  }

 private:
  [[nodiscard]] Status refusal(unsigned context, std::uint64_t address, std::uint32_t bytes) const;

  registers::EngineDescriptor *slots_ = nullptr;
  std::uint32_t tail_ = 0, head_ = 0;
  std::uint32_t interrupt_ = 0;             ///< its bit of INT_ENABLE
  std::uint32_t mask_ = ~std::uint32_t{0};  ///< descriptors - 1; room() is 0 before init()
  NPU_ENGINE_Type *registers_ = nullptr;
  CompletionQueue completions_;
};

// Here, so that a caller who runs one stream makes no copies of what these give.
inline Result<std::uint32_t> StreamEngine::submit(unsigned context, std::uint64_t address, std::uint32_t bytes, bool joined) {
  // All of refusal()'s conditions.
  constexpr std::uint32_t kUnaligned = registers::kStreamAlignment - 1;
  if (registers_ == nullptr || context >= registers::context::kCount || ((static_cast<std::uint32_t>(address) | bytes) & kUnaligned) != 0 ||
      bytes - 1 >= registers::kMostStreamBytes || room() == 0) [[unlikely]]
    return refusal(context, address, bytes);

  const std::uint32_t tag = tail_++;
  // The rest of the slot was zeroed by init() and stays so.
  registers::EngineDescriptor &slot = slots_[tag & mask_];
  slot.address = address;
  slot.bytes = bytes;
  slot.control = registers::EngineDescriptor::control_of(context, true, joined);
  // The device may fetch as soon as it sees the doorbell: the slot must be in memory by then.
  memory_barrier();
  mmio::write(registers_->TAIL, tail_);
  return tag;
}

inline void StreamEngine::release() {
  ++head_;  // the queue runs in order
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

/// Stops the engine, throws away what its queues hold, and waits for at most kResetPolls reads until it is idle. The engine must be
/// initialised again. Errors: that of check_engine(), with nothing written; timeout if it is still busy.
Status reset_engine(const Geometry &geometry, registers::Engine engine);

}  // namespace cox::hal
