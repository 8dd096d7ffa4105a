// SPDX-License-Identifier: MIT
// Numbers that reset.S and fault_entry.S use. The assembler reads this file, so it has macros only. startup.cpp checks ENTRY_CPACR
// against CMSIS.
#pragma once

#define ENTRY_CPACR 0xe000ed88              // address of SCB->CPACR
#define ENTRY_CPACR_FPU_AND_MVE 0x00f00000  // full access to coprocessors 10 and 11, the FPU and MVE
#define ENTRY_EXC_RETURN_PROCESS_STACK 4    // this bit of EXC_RETURN is 1 if the frame is on the process stack
#define ENTRY_PROBE_STACK 64                // bytes of main stack that must be free before HardFault_Handler calls recover_hard_fault()
