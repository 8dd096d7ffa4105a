// SPDX-License-Identifier: MIT
// The functions of hal/board.h and hal/cox_os.h on Zephyr. The numbers of the SoC come from Kconfig.
#include "coxswain/hal/board.h"

#include <zephyr/irq.h>
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "coxswain/hal/cox_os.h"

namespace {

constexpr std::uint32_t kWaitMilliseconds = 10;  // the longest time that cox_os_wait() may block
constexpr std::size_t kAlignment = 64;

cox::board::InterruptHandler completion_handler = nullptr;
cox::board::InterruptHandler fault_handler = nullptr;

void on_completion(const void *) { completion_handler(); }
void on_fault(const void *) { fault_handler(); }

#if defined(CONFIG_NOCACHE_MEMORY)
__nocache
#endif
    alignas(kAlignment) std::byte queues[CONFIG_COXSWAIN_QUEUE_BYTES];
__noinit alignas(8) std::byte retained[cox::board::kRetainedBytes];

/// The threads that wait for an engine.
struct Waiting {
  k_sem notified;
  unsigned threads = 0;
  Waiting() { k_sem_init(&notified, 0, K_SEM_MAX_LIMIT); }
};
Waiting waiting[COX_OS_ENGINES];

}  // namespace

extern "C" std::uint32_t cox_os_lock() { return irq_lock(); }
extern "C" void cox_os_unlock(std::uint32_t state) { irq_unlock(state); }

// The thread counts itself before the critical section ends, so a notification between that end and k_sem_take() is not lost.
extern "C" void cox_os_wait(std::uint32_t engine) {
  Waiting &own = waiting[engine];
  ++own.threads;
  irq_unlock(0);
  const int timed_out = k_sem_take(&own.notified, K_MSEC(kWaitMilliseconds));
  static_cast<void>(irq_lock());
  if (timed_out != 0 && own.threads != 0) --own.threads;
}

extern "C" void cox_os_notify(std::uint32_t engine) {
  const unsigned state = irq_lock();
  for (; waiting[engine].threads != 0; --waiting[engine].threads) k_sem_give(&waiting[engine].notified);
  irq_unlock(state);
}

namespace cox::board {

void console_write(std::span<const char> text) {
  for (const char each : text) printk("%c", each);
}

int console_read_char() { return -1; }

void connect_npu_interrupts(InterruptHandler completion, InterruptHandler fault) {
  completion_handler = completion;
  fault_handler = fault;
  irq_connect_dynamic(CONFIG_COXSWAIN_NPU_COMPLETION_IRQ, CONFIG_COXSWAIN_NPU_IRQ_PRIORITY, on_completion, nullptr, 0);
  irq_connect_dynamic(CONFIG_COXSWAIN_NPU_FAULT_IRQ, CONFIG_COXSWAIN_NPU_IRQ_PRIORITY, on_fault, nullptr, 0);
  irq_enable(CONFIG_COXSWAIN_NPU_COMPLETION_IRQ);
  irq_enable(CONFIG_COXSWAIN_NPU_FAULT_IRQ);
}

// Kconfig has the priority, because Zephyr reserves some.
unsigned set_npu_interrupt_priority(unsigned priority) { return priority + 1; }

// Interrupts are masked here. k_cpu_atomic_idle() sleeps and unmasks them in one step, so none is lost.
void wait_for_interrupt() {
  k_cpu_atomic_idle(0);
  static_cast<void>(irq_lock());
}
void wait_for_completion() { wait_for_interrupt(); }

std::uint64_t microseconds() { return k_ticks_to_us_floor64(static_cast<std::uint64_t>(k_uptime_ticks())); }
std::uint64_t executed_instructions() { return UINT64_MAX; }
std::uint64_t awake_microseconds() { return UINT64_MAX; }

std::span<std::byte> queue_memory() { return queues; }
std::uintptr_t dram_base() { return CONFIG_COXSWAIN_DRAM_ADDRESS; }
std::size_t dram_size() { return CONFIG_COXSWAIN_DRAM_SIZE; }
std::span<std::byte> retained_memory() { return retained; }

ResetCause reset_cause() { return ResetCause::power_on; }
void start_watchdog(std::uint32_t) {}  // Zephyr's own watches the system
void feed_watchdog() {}

void exit(int status) {
  printk("coxswain: exit status %d\n", status);
  k_thread_abort(k_current_get());
  for (;;) k_sleep(K_FOREVER);
}

}  // namespace cox::board
