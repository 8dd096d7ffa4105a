// SPDX-License-Identifier: MIT
// Numbers that fault_entry.S uses. The assembler reads this file, so it has macros only.
#pragma once

#define ENTRY_EXC_RETURN_PROCESS_STACK 4  // this bit of EXC_RETURN is 1 if the frame is on the process stack
#define ENTRY_PROBE_STACK 64              // bytes of main stack that must be free before HardFault_Handler calls recover_hard_fault()
