// SPDX-License-Identifier: MIT
#include "boards/cortex-m55/bus_probe.h"

#include "boards/cortex-m55/device.h"

namespace cox::board::bus_probe {
namespace {

volatile bool probing = false;
constexpr std::uint32_t kBytesOfLoad = 4;  // ldr.w

/// Waits until the load and the writes before it are complete, so that their errors are not taken for those of others.
void settle() {
  __DSB();
  __ISB();
}

}  // namespace

bool read(std::uintptr_t address, std::uint32_t *value) {
  // While BusFault is disabled, it becomes a HardFault, whose handler can return.
  const std::uint32_t handlers = SCB->SHCSR;
  SCB->SHCSR = handlers & ~SCB_SHCSR_BUSFAULTENA_Msk;
  settle();
  probing = true;
  std::uint32_t read = 0;
  asm volatile("ldr.w %0, [%1]" : "=r"(read) : "r"(address) : "memory");
  settle();
  const bool answered = probing;
  probing = false;
  SCB->SHCSR = handlers;
  settle();
  if (answered) *value = read;
  return answered;
}

bool recover(ExceptionFrame &frame) {
  if (!probing || (SCB->CFSR & SCB_CFSR_PRECISERR_Msk) == 0) return false;
  probing = false;
  frame.pc += kBytesOfLoad;
  SCB->CFSR = SCB_CFSR_PRECISERR_Msk | SCB_CFSR_BFARVALID_Msk;  // writing 1 clears a bit
  SCB->HFSR = SCB_HFSR_FORCED_Msk;
  return true;
}

}  // namespace cox::board::bus_probe
