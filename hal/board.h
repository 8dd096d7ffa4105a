// SPDX-License-Identifier: MIT
// The functions that a board must provide to the firmware. No others are necessary. boards/cortex-m55 implements them on the control core,
// boards/native in a host process. Times are microseconds since power-on, sizes are bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/hal/cox_os.h"

namespace cox::board {

/// Writes text to the console. Returns after a bounded time: a console that is not read loses text.
void console_write(std::span<const char> text);
/// Returns the next typed character, or -1. Characters that overflow the board's small buffer are lost.
int console_read_char();

/// Returns false if this board has no accelerator. Nothing then accesses its registers, and identify() fails. hal/device.cpp has a weak
/// version that returns true.
[[nodiscard]] bool accelerator_present();

using InterruptHandler = void (*)();
/// Connects and enables the accelerator's two interrupt lines. A handler is not interrupted by its own line. It clears the cause at the
/// device, because the lines are level-triggered, and returns soon. The new handlers replace earlier ones; neither may be null.
void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault);
/// Sets the priority of both lines: 0 is the highest, and the one after reset. Returns the number of priorities that the board has. If
/// `priority` is not less than that number, nothing is changed.
unsigned set_npu_interrupt_priority(unsigned priority);

/// Address of the mailbox's registers (device/mailbox.h), or 0 if the board has no mailbox. hal/mailbox.h implements this function and the
/// next one for boards without a mailbox.
std::uintptr_t mailbox_address();
/// Connects and enables the interrupt line of the mailbox, under the rules of connect_npu_interrupts().
void connect_mailbox_interrupt(InterruptHandler rung);
/// Address of the registers of the DMA engine (docs/dma.md), or 0 if the board has no DMA engine. hal/dma.cpp implements this function and
/// the next one for boards without a DMA engine.
std::uintptr_t dma_registers();
/// Connects and enables the interrupt line of the DMA engine, under the rules of connect_npu_interrupts().
void connect_dma_interrupt(InterruptHandler handler);

/// Masks interrupts, or only those that call Coxswain, if the program has an operating system (hal/cox_os.h). Returns the state before, not
/// 0 if they were masked already; pass this result to restore_interrupts(). A board defines cox_os_lock() and cox_os_unlock() as weak
/// functions that mask all interrupts.
[[nodiscard]] inline std::uint32_t mask_interrupts() { return cox_os_lock(); }
inline void restore_interrupts(std::uint32_t state) { cox_os_unlock(state); }
/// Sleeps until an interrupt is pending, lets the pending handlers run, and returns with interrupts masked. Mask interrupts before checking
/// for work: an interrupt that arrives after the check then ends the sleep at once instead of being lost. The function returns for every
/// interrupt, at least once each tick (10 ms), so check the condition again.
void wait_for_interrupt();
/// Like wait_for_interrupt(), for a caller that takes completions itself and has acknowledged them. The completion handler does not run,
/// and other handlers may not have run either. If the completion queue is empty on return, another interrupt is pending: unmask interrupts,
/// so that its handler runs.
void wait_for_completion();

/// Time since start-up; it never decreases. The caller must not mask interrupts for longer than one tick (10 ms), or time is lost.
std::uint64_t microseconds();
/// Number of instructions that the control core has executed, or UINT64_MAX if the board does not count them.
std::uint64_t executed_instructions();

/// Time that the control core was awake since start-up, or UINT64_MAX if the board cannot measure it.
std::uint64_t awake_microseconds();

/// Memory for submission and completion queues, aligned to 64 bytes. The core does not cache it. Its content after start-up is undefined:
/// drivers write each entry before they or the device read it.
std::span<std::byte> queue_memory();
/// DRAM that core and accelerator share, by the core's address; cached by the core. hal/bus.h says where the accelerator sees it and the
/// queue memory.
std::uintptr_t dram_base();
std::size_t dram_size();

/// Memory that keeps its content over a reset of the core. After power-on the content is random, so each user stores a check value with its
/// data. The memory has kRetainedBytes bytes and is aligned to 8. It holds first the fault log (hal/fault_log.h), then the boot record
/// (firmware/boot/boot_record.h).
std::span<std::byte> retained_memory();
inline constexpr std::size_t kRetainedBytes = 1024;

/// Cause of the last reset of the core.
enum class ResetCause : std::uint8_t { power_on, watchdog, other };
[[nodiscard]] ResetCause reset_cause();
/// Starts the watchdog, which resets the core when `microseconds` (not 0) pass without feed_watchdog(). The firmware cannot stop it. On a
/// board without a watchdog, the function does nothing.
void start_watchdog(std::uint32_t microseconds);
void feed_watchdog();

/// Ends the program: under QEMU with semihosting, with this exit status; else the board halts after a message.
[[noreturn]] void exit(int status);

}  // namespace cox::board
