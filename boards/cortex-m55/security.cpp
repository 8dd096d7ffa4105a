// SPDX-License-Identifier: MIT
// Compiled with -mcmse, because the compiler then clears the registers before it branches to the non-secure image.
#include "boards/cortex-m55/security.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/layout.h"
#include "coxswain/hal/board.h"
#include "security_map.h"

extern "C" [[gnu::weak]] void board_open_nonsecure() {}

namespace cox::board::security {
namespace {

struct Range {
  std::uint32_t first, last;
};

#define SECURITY_RANGE(first, last) Range{first, last},
constexpr std::array kNonsecure = {SECURITY_SAU_REGIONS(SECURITY_RANGE)};
#undef SECURITY_RANGE

enum class Kind : std::uint32_t { nonsecure = 0, entries = SAU_RLAR_NSC_Msk };

std::uint32_t regions = 0;

void add_region(const Range &range, Kind kind) {
  SAU->RNR = regions;
  SAU->RBAR = range.first & SAU_RBAR_BADDR_Msk;
  SAU->RLAR = (range.last & SAU_RLAR_LADDR_Msk) | static_cast<std::uint32_t>(kind) | SAU_RLAR_ENABLE_Msk;
  ++regions;
}

void set_attribution() {
  regions = 0;
  for (const Range &range : kNonsecure) add_region(range, Kind::nonsecure);
  const Range entries = {address_of(linker_entries_start), address_of(linker_entries_end) - 1};
  if (entries.first < entries.last) add_region(entries, Kind::entries);
  TZ_SAU_Enable();
  __DSB();
  __ISB();
}

void give_interrupts() {
  for (std::uint32_t line = 0; line < BOARD_INTERRUPTS; ++line) NVIC_DisableIRQ(static_cast<IRQn_Type>(line));
#define SECURITY_GIVE(line) NVIC_SetTargetState(static_cast<IRQn_Type>(line));
  SECURITY_NONSECURE_INTERRUPTS(SECURITY_GIVE)
#undef SECURITY_GIVE
}

/// The non-secure image handles its own faults. SecureFault remains the secure image's. The non-secure image may reset the SoC.
void give_faults() {
  constexpr std::uint32_t kWriteKey = 0x05FA;
  const std::uint32_t others = SCB->AIRCR & ~(SCB_AIRCR_VECTKEY_Msk | SCB_AIRCR_SYSRESETREQS_Msk);
  SCB->AIRCR = others | kWriteKey << SCB_AIRCR_VECTKEY_Pos | SCB_AIRCR_BFHFNMINS_Msk;
}

void give_fpu() { SCB->NSACR = SCB->NSACR | SCB_NSACR_CP10_Msk | SCB_NSACR_CP11_Msk; }

}  // namespace

void divide() {
  give_interrupts();
  // The controllers are not in the map of the MPU.
  ARM_MPU_Disable();
  board_open_nonsecure();
  ARM_MPU_Enable(0);
  set_attribution();
  give_fpu();
  give_faults();
}

void start_nonsecure() {
  typedef void __attribute__((cmse_nonsecure_call)) NonsecureReset();  // NOLINT(modernize-use-using): the attribute needs a typedef
  struct VectorTable {
    std::uint32_t stack, reset;
  };
  const auto *table = reinterpret_cast<const volatile VectorTable *>(SECURITY_NONSECURE_CODE_BASE);
  const std::uint32_t stack = table->stack;
  const std::uint32_t reset = table->reset;
  constexpr std::uint32_t kThumb = 1;
  const bool is_there =
      (reset & kThumb) != 0 && reset >= SECURITY_NONSECURE_CODE_BASE && reset - SECURITY_NONSECURE_CODE_BASE < SECURITY_NONSECURE_CODE_SIZE;
  if (!is_there) {
    constexpr std::string_view kAbsent =
        "security: there is no vector table at the beginning of the non-secure code memory; load the non-secure image, too\n";
    console_write(kAbsent);
    exit(1);
  }
  __disable_irq();
  SCB_NS->VTOR = SECURITY_NONSECURE_CODE_BASE;
  __TZ_set_MSP_NS(stack);
  const auto begin = reinterpret_cast<NonsecureReset *>(reset & ~kThumb);
  __enable_irq();
  begin();
  exit(1);  // a reset handler does not return
}

}  // namespace cox::board::security
