// SPDX-License-Identifier: MIT
// Numbers that fault_entry.S uses. The assembler reads this file, so it has macros only.
#pragma once

#define ENTRY_EXC_RETURN_PROCESS_STACK 4    // this bit of EXC_RETURN is 1 if the frame is on the process stack
#define ENTRY_EXC_RETURN_SECURE_STACK 0x40  // this bit is 1 if the frame is on a stack of the secure state
#define ENTRY_EXC_RETURN_THREAD 8           // this bit is 1 if the exception came from thread mode
#define ENTRY_CONTROL_PROCESS_STACK 2       // this bit of CONTROL is 1 if thread mode uses the process stack
#define ENTRY_PROBE_STACK 64                // bytes of main stack that must be free before HardFault_Handler calls recover_hard_fault()
