// SPDX-License-Identifier: MIT
// What a board gives to the firmware: the whole of the contract between them. boards/qemu-npu-soc implements it on the control
// core, boards/native in a host process. Times in microseconds since power-on, sizes in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cox::board {

/// Writes text to the console. Returns when it is written, or dropped after a bounded time in which nobody took it.
void console_write(std::span<const char> text);
/// The next character that was typed, or -1 if there is none. What overflows the board's small buffer is lost.
int console_read_char();

using InterruptHandler = void (*)();
/// Connects and enables the accelerator's two interrupt lines. A handler runs with interrupts masked against itself, clears the cause
/// at the device (lines are levels) and returns soon. Replaces earlier handlers; neither may be null.
void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault);

/// Masks interrupts; returns whether they were masked already, for restore_interrupts().
[[nodiscard]] bool mask_interrupts();
void restore_interrupts(bool masked);
/// Sleeps until an interrupt is pending, lets the pending handlers run, and returns with interrupts masked. To be called with
/// interrupts masked since before the caller found nothing to do: an interrupt that came in between then ends the sleep at once
/// instead of being lost. It returns for every interrupt, the tick included, so within 10 ms: check the condition again.
void wait_for_interrupt();
/// As wait_for_interrupt(), for a caller that looks at the completion queue next by itself and has acknowledged what it took: the
/// completion handler does not run, others need not, and the pending state of the completion line does not outlast its level. Where it
/// returns and the queue is empty, another interrupt has come: unmask, so that its handler runs.
void wait_for_completion();

/// Time since start-up, never going back; at most one tick (10 ms) may pass with interrupts masked.
std::uint64_t microseconds();
/// Instructions that the control core has executed, or UINT64_MAX where the board does not count them.
std::uint64_t executed_instructions();

/// Time that the control core was awake since start-up, or UINT64_MAX where the board cannot tell.
std::uint64_t awake_microseconds();

/// Memory for submission and completion queues, aligned to 64 bytes: the accelerator reads and writes it at this same address,
/// and the core does not cache it.
std::span<std::byte> queue_memory();
/// DRAM that core and accelerator share, at this same address for both; cached by the core.
std::uintptr_t dram_base();
std::size_t dram_size();

/// Memory that keeps its content over a reset of the core, though not over power-off, where it holds anything: whoever uses it says with a
/// check of its own that it was written. kRetainedBytes, aligned to 8: the fault log first (hal/fault_log.h), then the firmware's record of
/// what it is doing (firmware/boot/boot_record.h).
std::span<std::byte> retained_memory();
inline constexpr std::size_t kRetainedBytes = 1024;

/// Why the core began anew.
enum class ResetCause : std::uint8_t { power_on, watchdog, other };
[[nodiscard]] ResetCause reset_cause();
/// From here on the core is reset when `microseconds` (not 0) pass without feed_watchdog(). It cannot be stopped. A board without a
/// watchdog does nothing.
void start_watchdog(std::uint32_t microseconds);
void feed_watchdog();

/// Ends the program: under QEMU with semihosting, with this exit status; else the board halts after a message.
[[noreturn]] void exit(int status);

}  // namespace cox::board
