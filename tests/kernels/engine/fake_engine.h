// SPDX-License-Identifier: MIT
// The MX engine's registers and completions, without an engine: a test says what the device writes. Around it the board's clock and sleep.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "hal/board.h"
#include "hal/completion_queue.h"
#include "hal/native_bus.h"

namespace cox::tests {

/// One at a time; while it lives it is the board of the process.
class FakeEngine final : public hal::native::Bus {
 public:
  static constexpr std::uint64_t kTickUs = 1000;
  static constexpr unsigned kQueueNumber = 36;  ///< of the MX engine, in completions
  static constexpr unsigned kContext = 2;

  /// `index`: where its queues stand after each reset.
  explicit FakeEngine(std::uint32_t index = 0);
  ~FakeEngine();
  FakeEngine(const FakeEngine &) = delete;
  FakeEngine &operator=(const FakeEngine &) = delete;

  /// Called while the core sleeps; then a tick passes.
  std::function<void()> on_sleep = [] {};

  /// What the device writes when stream `tag` has ended at `now`.
  [[nodiscard]] hal::Completion entry(std::uint32_t tag) const;
  /// What the device writes instead if the stream ended with a fault.
  [[nodiscard]] hal::Completion fault(std::uint32_t tag, hal::FaultCode code, const registers::EngineFaultDetail &detail) const;
  /// Writes it, with the phase of its place unless `entry` was changed there.
  void write(const hal::Completion &entry);
  /// The streams up to `tag` have ended, and it says so of each that did not yet.
  void complete(std::uint32_t tag);
  /// The same without a word.
  void end_silently(std::uint32_t tag) { engine_.head = tag + 1; }

  // hal::native::Bus
  std::uint32_t read(std::uintptr_t address) override;
  void write(std::uintptr_t address, std::uint32_t value) override;

  // hal/board.h
  void sleep();
  std::uint64_t now = 0;  ///< cycles of 1 ns
  unsigned resets = 0;    ///< of the engine
  alignas(8) std::array<std::byte, board::kRetainedBytes> retained{};
  std::span<std::byte> memory() { return std::as_writable_bytes(std::span(memory_)); }

 private:
  struct Queue {
    std::uint64_t base = 0;
    std::uint32_t control = 0, tail = 0, head = 0;
    [[nodiscard]] std::uint32_t size() const { return 1U << (control >> 4 & 15); }
    bool write(std::uint32_t offset, std::uint32_t value);
  };
  void reset();

  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> memory_ = std::vector<Line>(16);
  std::uint32_t index_;
  Queue engine_, completions_;
};

}  // namespace cox::tests
