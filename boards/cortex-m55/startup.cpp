// SPDX-License-Identifier: MIT
// From Reset_Handler (reset.S) to main: the set-up that C++ code needs (docs/startup.md).
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/heap.h"
#include "boards/cortex-m55/hooks.h"
#include "boards/cortex-m55/layout.h"
#include "boards/cortex-m55/memory_protection.h"
#include "boards/cortex-m55/semihosting.h"
#include "boards/cortex-m55/tick.h"
#include "boards/cortex-m55/uart.h"
#include "boards/cortex-m55/watchdog.h"
#include "coxswain/base/image_version.h"
#include "coxswain/hal/board.h"

int main();

#if BOARD_CACHES
// Tells the version record of the image (toolchain/cmake/image_record.h): a symbol whose address is a bit of the features.
static_assert(COX_IMAGE_FEATURE_CACHES == 0x10);
asm(".global cox_image_caches\n.set cox_image_caches, 0x10");
#endif

namespace {

std::size_t length(const std::byte *first, const std::byte *last) { return static_cast<std::size_t>(last - first); }

void report_faults_as_themselves() {
  SCB->SHCSR |= SCB_SHCSR_USGFAULTENA_Msk | SCB_SHCSR_BUSFAULTENA_Msk | SCB_SHCSR_MEMFAULTENA_Msk;
#if defined(SCB_SHCSR_SECUREFAULTENA_Msk)
  SCB->SHCSR |= SCB_SHCSR_SECUREFAULTENA_Msk;
#endif
  SCB->CCR |= SCB_CCR_DIV_0_TRP_Msk;
}

[[noreturn]] void refuse(std::string_view message) {
  cox::board::console_write(message);
  cox::board::exit(1);
}

}  // namespace

extern "C" {

[[noreturn]] __attribute__((used)) void start() {
  std::memcpy(linker_data_start, linker_data_image, length(linker_data_start, linker_data_end));
  std::memset(linker_bss_start, 0, length(linker_bss_start, linker_bss_end));

  report_faults_as_themselves();
  board_init_clocks();
  cox::board::uart::start();
  if (!cox::board::memory_protection::start()) refuse("start-up: this core's MPU has too few regions\n");
#if BOARD_CACHES
  // After the MPU, so that no line of memory that is not cached gets into the data cache.
  SCB_EnableICache();
  SCB_EnableDCache();
#endif
  cox::board::semihosting::detect();
  cox::board::watchdog::note_reset();
  if (!cox::board::tick::start())
    refuse("start-up: SystemCoreClock does not fit SysTick: less than 1 MHz, or a tick of 2^24 clocks or more\n");

  for (const Constructor *constructor = linker_init_array_start; constructor != linker_init_array_end; ++constructor) (*constructor)();
  cox::board::heap::close();
  cox::board::exit(main());
}

}  // extern "C"
