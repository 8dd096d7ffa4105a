// SPDX-License-Identifier: MIT
// The MX engine's registers and completions without an engine: the test chooses what the device writes. The class also implements the
// board's clock and sleep.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "coxswain/hal/board.h"
#include "coxswain/hal/completion_queue.h"
#include "coxswain/hal/native_bus.h"

namespace cox::tests {

/// Only one may exist at a time: it is the board of the process while it exists.
class FakeEngine final : public hal::native::Bus {
 public:
  static constexpr std::uint64_t kTickUs = 1000;
  static constexpr unsigned kQueueNumber = 36;  ///< queue of the MX engine as completions name it
  static constexpr unsigned kContext = 2;

  /// `index`: value of the queues' running indices after each reset.
  explicit FakeEngine(std::uint32_t index = 0);
  ~FakeEngine();
  FakeEngine(const FakeEngine &) = delete;
  FakeEngine &operator=(const FakeEngine &) = delete;

  /// Called when the core sleeps. If it writes no completion, the core sleeps until the next tick.
  std::function<void()> on_sleep = [] {};

  /// The entry that the device writes when stream `tag` has ended at `now`. Its phase is that of the ring's next slot.
  [[nodiscard]] hal::Completion entry(std::uint32_t tag) const;
  /// The entry that the device writes if the stream ended with a fault.
  [[nodiscard]] hal::Completion fault(std::uint32_t tag, hal::FaultCode code, const registers::EngineFaultDetail &detail) const;
  /// Writes `entry`, whatever it contains, to the next slot of the completion ring.
  void write(const hal::Completion &entry);
  /// Ends all streams up to `tag`, with an entry for each that has none yet.
  void complete(std::uint32_t tag);
  /// Ends all streams up to `tag` without writing entries.
  void end_silently(std::uint32_t tag) { engine_.head = tag + 1; }

  // For hal::native::Bus.
  std::uint32_t read(std::uintptr_t address) override;
  void write(std::uintptr_t address, std::uint32_t value) override;

  // For the functions of hal/board.h.
  void sleep();
  std::uint64_t now = 0;  ///< cycles of 1 ns
  unsigned resets = 0;    ///< resets of the engine
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
