// SPDX-License-Identifier: MIT
#include "boards/cortex-m55/semihosting.h"

#if BOARD_SEMIHOSTING

#include <array>

namespace cox::board::semihosting {
namespace {

bool answered = false;
volatile bool probing = false;

constexpr std::uint16_t kBreakpoint = 0xbeab;  // bkpt 0xab
constexpr std::uint32_t kApplicationExit = 0x20026;

std::int32_t breakpoint_call(Operation operation, const void *parameters) {
  register std::uint32_t r0 asm("r0") = static_cast<std::uint32_t>(operation);
  register const void *r1 asm("r1") = parameters;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return static_cast<std::int32_t>(r0);
}

}  // namespace

bool available() { return answered; }

void detect() {
  probing = true;
  breakpoint_call(Operation::error_number, nullptr);
  answered = probing;
  probing = false;
}

bool recover_from_probe(ExceptionFrame &frame) {
  if (!probing) return false;
  const auto *instruction = reinterpret_cast<const std::uint16_t *>(frame.pc);
  if (*instruction != kBreakpoint) return false;
  probing = false;
  frame.pc += sizeof kBreakpoint;
  // Writing 1 clears a bit. The breakpoint sets the first of these bits on silicon, and the second in QEMU.
  SCB->HFSR = SCB_HFSR_DEBUGEVT_Msk | SCB_HFSR_FORCED_Msk;
  return true;
}

std::int32_t call(Operation operation, const void *parameters) { return breakpoint_call(operation, parameters); }

void exit(int status) {
  if (!answered) return;
  const std::array<std::uint32_t, 2> block = {kApplicationExit, static_cast<std::uint32_t>(status)};
  call(Operation::exit_extended, block.data());
}

}  // namespace cox::board::semihosting

#endif
