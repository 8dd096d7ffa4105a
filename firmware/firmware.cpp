// SPDX-License-Identifier: MIT
#include "coxswain/firmware/firmware.h"

#include <new>

#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/console/console.h"
#include "coxswain/firmware/console/text.h"
#include "coxswain/firmware/job/job_processor.h"
#include "coxswain/firmware/schedule/scheduler.h"
#include "coxswain/firmware/schedule/wake_flag.h"
#include "coxswain/firmware/stream/stream_runs.h"
#include "coxswain/hal/accelerator.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/bus.h"
#include "coxswain/hal/dma.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mailbox.h"
#include "coxswain/hal/soc.h"
#include "coxswain/isa/tile/configuration.h"

namespace cox::firmware {

namespace {

using console::print;
using console::Text;

/// The objects are in static memory because they are too large for the stack. Each call of firmware_main() constructs them anew.
struct Parts {
  hal::Accelerator accelerator;
  hal::Dma dma;
  schedule::Scheduler scheduler;
  stream::StreamRuns streams;
  job::JobProcessor jobs;
  console::Console console;

  explicit Parts(const schedule::MemoryRange &dram)
      : streams(accelerator, scheduler, stream::program_kinds()),
        jobs(scheduler, dram, &streams),
        console(scheduler, jobs, board::accelerator_present()) {}
};
alignas(Parts) std::byte memory_of_parts[sizeof(Parts)];

/// The watchdog's limit, in microseconds. The firmware feeds the watchdog much more often: in each turn of its main loop, and while it
/// checks or copies much data (docs/faults.md, The watchdog). A sleep in the loop is also shorter than the limit, because a timer tick ends
/// it.
constexpr std::uint32_t kWatchdogLimit = 20'000'000;

void print_banner(const hal::Geometry &geometry) {
  console::print_version("coxswain: ");
  print(Text() << "coxswain: tile cores " << geometry.cores << ", contexts " << geometry.contexts << ", L2 " << (geometry.l2_bytes >> 20)
               << " MiB in blocks of " << geometry.l2_block_bytes << " bytes, WL0 " << geometry.wl0_units << " x "
               << isa::tile::kWeightUnitBytes << " bytes");
  print(Text() << "coxswain: " << geometry.macs_per_cycle << " multiply-accumulates a cycle, " << geometry.clock_mhz << " MHz, DRAM "
               << static_cast<std::uint64_t>(board::dram_size() >> 20) << " MiB");
}

/// Prints what the previous boot was doing when the core was reset.
void print_last_boot() {
  const boot_record::Entry &last = boot_record::last_boot();
  if (last.phase == boot_record::Phase::none) return;
  print(Text() << "coxswain: boot " << boot_record::boots() << ", after a reset"
               << (board::reset_cause() == board::ResetCause::watchdog ? " by the watchdog" : ""));
  console::print_last_boot();
}

/// Lets the DMA engine write constants. Without an engine that works, the core writes them.
void open_dma(Parts &parts) {
  if (!hal::Dma::is_present()) return;
  const Result<std::span<std::byte>> memory = parts.accelerator.reserve(hal::Dma::kQueueBytes);
  const Status status = memory.ok() ? parts.dma.open(memory.value()) : memory.status();
  if (status.ok()) {
    parts.scheduler.move_constants_with(parts.dma);
  } else {
    print(Text() << "coxswain: no DMA: " << status);
  }
}

int serve(Parts &parts) {
  hal::mailbox::connect(schedule::WakeFlag::raise);
  for (;;) {
    board::feed_watchdog();
    parts.console.poll();
    switch (parts.jobs.serve()) {
      case job::JobProcessor::Progress::served: break;
      case job::JobProcessor::Progress::idle:
        boot_record::enter_sleep();
        parts.scheduler.sleep();
        break;
      case job::JobProcessor::Progress::exit: return 0;
      case job::JobProcessor::Progress::stopped: print(Text() << "coxswain: the job ring is not one that this firmware knows"); return 1;
    }
  }
}

/// Serves the console of a board without an accelerator. Such a board takes no jobs, so the firmware never leaves.
[[noreturn]] void serve_console(console::Console &console) {
  console::print_version("coxswain: ");
  print(Text() << "coxswain: no accelerator at " << console::Hexadecimal{reinterpret_cast<std::uintptr_t>(COX_NPU)} << ": console only");
  for (;;) {
    board::feed_watchdog();
    console.poll();
    const hal::InterruptMask mask;
    board::wait_for_interrupt();  // a tick or a typed character ends the sleep
  }
}

}  // namespace

int firmware_main() {
  const Result<hal::Geometry> geometry = hal::identify();
  boot_record::begin(geometry.ok() ? &geometry.value() : nullptr);
  board::start_watchdog(kWatchdogLimit);
  Parts &parts = *new (memory_of_parts) Parts(hal::dram_range());
  if (!board::accelerator_present()) serve_console(parts.console);
  Status status = parts.accelerator.open();
  if (status.ok()) status = parts.scheduler.initialise(parts.accelerator);
  if (status.ok()) open_dma(parts);
  if (!status.ok()) {
    print(Text() << "coxswain: the device is refused: " << status);
    return 1;
  }
  print_banner(parts.scheduler.geometry());
  print_last_boot();
  const int result = serve(parts);
  boot_record::enter(boot_record::Phase::left);
  return result;
}

}  // namespace cox::firmware
