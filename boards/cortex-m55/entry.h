// SPDX-License-Identifier: MIT
// Numbers that reset.S and fault_entry.S use. The assembler reads this file, so it has macros only. startup.cpp checks the address against
// CMSIS.
#pragma once

#define ENTRY_CPACR 0xe000ed88              // address of SCB->CPACR
#define ENTRY_CPACR_FPU_AND_MVE 0x00f00000  // full access to coprocessors 10 and 11, the FPU and MVE
#define ENTRY_EXC_RETURN_PROCESS_STACK 4    // bit of EXC_RETURN: the frame is on the process stack
#define ENTRY_PROBE_STACK 64                // bytes of main stack that HardFault_Handler wants for recover_hard_fault()
