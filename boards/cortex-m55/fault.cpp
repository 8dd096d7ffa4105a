// SPDX-License-Identifier: MIT
// Every fault prints a report on the console and then calls exit(). fault_entry.S calls the report on a stack of its own, since the main
// stack may be broken. The report uses only the polled console.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "boards/cortex-m55/bus_probe.h"
#include "boards/cortex-m55/device.h"
#include "boards/cortex-m55/exception_frame.h"
#include "boards/cortex-m55/layout.h"
#include "boards/cortex-m55/semihosting.h"
#include "coxswain/hal/board.h"

namespace cox::board {

/// Registers that Fault_Handler pushes, lowest address first.
struct Saved {
  std::uint32_t r4, r5, r6, r7, r8, r9, r10, r11;
};
static_assert(sizeof(Saved) == 8 * sizeof(std::uint32_t) && offsetof(Saved, r11) == 7 * sizeof(std::uint32_t));

namespace {

/// Exit status after a fault: EX_SOFTWARE of sysexits.h, which differs from that of a failed test (1).
constexpr int kExitStatus = 70;

struct Cause {
  std::uint32_t bit;
  std::string_view text;
};

constexpr std::array kCauses = {
    Cause{SCB_CFSR_IACCVIOL_Msk, "MPU: instruction fetch from memory that is not executable"},
    Cause{SCB_CFSR_DACCVIOL_Msk, "MPU: data access that the memory map forbids"},
    Cause{SCB_CFSR_MUNSTKERR_Msk, "MPU: while returning from an exception"},
    Cause{SCB_CFSR_MSTKERR_Msk, "MPU: while entering an exception, probably a stack overflow"},
    Cause{SCB_CFSR_MLSPERR_Msk, "MPU: while saving floating-point state"},
    Cause{SCB_CFSR_IBUSERR_Msk, "bus error on an instruction fetch"},
    Cause{SCB_CFSR_PRECISERR_Msk, "bus error on a data access"},
    Cause{SCB_CFSR_IMPRECISERR_Msk, "bus error on an earlier write: pc is past it"},
    Cause{SCB_CFSR_UNSTKERR_Msk, "bus error while returning from an exception"},
    Cause{SCB_CFSR_STKERR_Msk, "bus error while entering an exception"},
    Cause{SCB_CFSR_LSPERR_Msk, "bus error while saving floating-point state"},
    Cause{SCB_CFSR_UNDEFINSTR_Msk, "undefined instruction"},
    Cause{SCB_CFSR_INVSTATE_Msk, "not in Thumb state: a branch to an even address"},
    Cause{SCB_CFSR_INVPC_Msk, "invalid exception return"},
    Cause{SCB_CFSR_NOCP_Msk, "coprocessor or FPU is disabled or absent"},
    Cause{SCB_CFSR_STKOF_Msk, "stack overflow"},
    Cause{SCB_CFSR_UNALIGNED_Msk, "unaligned access"},
    Cause{SCB_CFSR_DIVBYZERO_Msk, "division by zero"},
};

/// Causes after which the stack has no frame, because writing the frame failed.
constexpr std::uint32_t kFrameLost = SCB_CFSR_MSTKERR_Msk | SCB_CFSR_STKERR_Msk | SCB_CFSR_STKOF_Msk;

void print(std::string_view text) { console_write(text); }

void print_hex(std::uint32_t value) {
  std::array<char, 10> text = {'0', 'x'};
  for (std::size_t digit = 0; digit < 8; ++digit) text[9 - digit] = "0123456789abcdef"[value >> 4 * digit & 0xf];
  console_write(text);
}

void print_decimal(std::uint32_t value) {
  std::array<char, 10> text{};
  std::size_t first = text.size();
  do {
    text[--first] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  console_write(std::span(text).subspan(first));
}

void print_register(std::string_view name, std::uint32_t value) {
  print(" ");
  print(name);
  print("=");
  print_hex(value);
}

void print_title(std::uint32_t exception) {
  constexpr std::uint32_t kFirstInterrupt = 16;
  constexpr std::array<std::string_view, 8> kNames = {"", "", "NMI", "HardFault", "MemManage", "BusFault", "UsageFault", "SecureFault"};
  print("\n*** ");
  if (exception < kNames.size()) {
    print(kNames[exception]);
  } else if (exception < kFirstInterrupt) {
    print("unexpected exception ");
    print_decimal(exception);
  } else {
    print("unexpected interrupt ");
    print_decimal(exception - kFirstInterrupt);
  }
}

#if defined(SAU)

/// Causes of a SecureFault, in SFSR. Only an image that is the secure part of a divided board has them (security.h).
constexpr std::array kSecureCauses = {
    Cause{SAU_SFSR_INVEP_Msk, "a call from the non-secure state, but not of an entry"},
    Cause{SAU_SFSR_INVIS_Msk, "invalid integrity signature in an exception's frame"},
    Cause{SAU_SFSR_INVER_Msk, "invalid exception return"},
    Cause{SAU_SFSR_AUVIOL_Msk, "an access from the non-secure state to secure memory"},
    Cause{SAU_SFSR_INVTRAN_Msk, "a branch from secure to non-secure code without BLXNS"},
    Cause{SAU_SFSR_LSPERR_Msk, "while saving floating-point state"},
    Cause{SAU_SFSR_LSERR_Msk, "while saving or clearing floating-point state"},
};

void print_secure_causes() {
  const std::uint32_t status = SAU->SFSR;
  for (const Cause &cause : kSecureCauses) {
    if ((status & cause.bit) == 0) continue;
    print(": ");
    print(cause.text);
  }
  if ((status & SAU_SFSR_SFARVALID_Msk) == 0) return;
  print(", address ");
  print_hex(SAU->SFAR);
}

#else

void print_secure_causes() {}

#endif

void print_causes(std::uint32_t cfsr, std::uint32_t hfsr) {
  for (const Cause &cause : kCauses) {
    if ((cfsr & cause.bit) == 0) continue;
    print(": ");
    print(cause.text);
  }
  print_secure_causes();
  if ((hfsr & SCB_HFSR_VECTTBL_Msk) != 0) print(": bus error on a vector read");
  if ((hfsr & SCB_HFSR_DEBUGEVT_Msk) != 0) print(": breakpoint without a debugger");
  if ((cfsr & SCB_CFSR_MMARVALID_Msk) != 0) {
    print(", address ");
    print_hex(SCB->MMFAR);
  }
  if ((cfsr & SCB_CFSR_BFARVALID_Msk) != 0) {
    print(", address ");
    print_hex(SCB->BFAR);
  }
  print("\n");
}

}  // namespace

extern "C" [[noreturn]] void report_fault(const ExceptionFrame *frame, std::uint32_t exception_return, const Saved *saved);
extern "C" bool recover_hard_fault(ExceptionFrame *frame);

void report_fault(const ExceptionFrame *frame, std::uint32_t exception_return, const Saved *saved) {
  static bool reporting = false;
  if (reporting) {
    // The report itself faulted (for example, the frame pointer is invalid), so it cannot print more.
    print("\n*** another fault during the report\n");
    exit(kExitStatus);
  }
  reporting = true;

  const std::uint32_t cfsr = SCB->CFSR;
  const std::uint32_t hfsr = SCB->HFSR;
  print_title(__get_IPSR());
  print_causes(cfsr, hfsr);
  if ((cfsr & kFrameLost) == 0) {
    print_register("pc", frame->pc);
    print_register("lr", frame->lr);
    print_register("xpsr", frame->xpsr);
    print("\n");
    print_register("r0", frame->r0);
    print_register("r1", frame->r1);
    print_register("r2", frame->r2);
    print_register("r3", frame->r3);
    print_register("r12", frame->r12);
    print("\n");
  } else {
    print(" pc, lr, r0 to r3: lost, the stack could not take them\n");
  }
  print_register("r4", saved->r4);
  print_register("r5", saved->r5);
  print_register("r6", saved->r6);
  print_register("r7", saved->r7);
  print("\n");
  print_register("r8", saved->r8);
  print_register("r9", saved->r9);
  print_register("r10", saved->r10);
  print_register("r11", saved->r11);
  print("\n");
  print_register("sp", static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(frame)));
  print_register("exc_return", exception_return);
  print_register("cfsr", cfsr);
  print_register("hfsr", hfsr);
  print("\n");
  exit(kExitStatus);
}

/// Returns true if the fault came from an unanswered semihosting call or from bus_probe::read(). Execution then continues after the
/// instruction.
bool recover_hard_fault(ExceptionFrame *frame) { return semihosting::recover_from_probe(*frame) || bus_probe::recover(*frame); }

}  // namespace cox::board
