/* SPDX-License-Identifier: MIT */
/*
 * The registers of the accelerator in CMSIS style. Generated from npu.svd by generate.py: do not edit.
 * The file describes only the peripheral, so it may stand before or after any device header. The device header of the SoC has the address
 * (NPU_BASE, NPU) and the interrupt numbers: npu_soc.h on the boards of this project.
 */
#ifndef COXSWAIN_DEVICE_NPU_H
#define COXSWAIN_DEVICE_NPU_H

#include <stdint.h>

/* clang-format off */
#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(bugprone-reserved-identifier): CMSIS reserves these names for itself. */
/* CMSIS's macros for the access to registers, in case its core header is not included. */
#ifndef __IM
#define __IM volatile const
#endif
#ifndef __OM
#define __OM volatile
#endif
#ifndef __IOM
#define __IOM volatile
#endif
/* NOLINTEND(bugprone-reserved-identifier) */

/* Time that a tile core had its clock; only cores that exist (GEOMETRY0) can be accessed. */
typedef struct {
  __IM uint32_t CYCLES_LO; /* 0x00 Cycles with the clock running since power-on, low half; reading it latches CYCLES_HI. */
  __IM uint32_t CYCLES_HI; /* 0x04 Cycles with the clock running, high half, at the last read of CYCLES_LO. */
} NPU_CORE_CLOCK_Type;

/* Completion queue: 0 to 3 of the tile cores, 4 + i of engine i. Only those of cores (GEOMETRY0) and engines (CAPABILITIES) that exist can be accessed. */
typedef struct {
  __IOM uint32_t BASE_LO; /* 0x00 Bus address of the ring, low half; a write while the queue is enabled is a bus fault. */
  __IOM uint32_t BASE_HI; /* 0x04 Bus address of the ring, high half; a write while the queue is enabled is a bus fault. */
  __IOM uint32_t CONTROL; /* 0x08 Control of the queue. */
  __IOM uint32_t HEAD; /* 0x0C Consumer index; writing it gives entries back. */
  __IM uint32_t TAIL; /* 0x10 Producer index. */
  __IOM uint32_t COALESCE; /* 0x14 Coalescing of the interrupt. */
  uint32_t RESERVED0[2];
} NPU_CQ_Type;

/* Submission queues, one for each class: CT, LD, LW, PE, VP, DT, ST, SI, SO. */
typedef struct {
  __IOM uint32_t BASE_LO; /* 0x00 Bus address of the ring, low half; a write while the queue is enabled is a bus fault. */
  __IOM uint32_t BASE_HI; /* 0x04 Bus address of the ring, high half; a write while the queue is enabled is a bus fault. */
  __IOM uint32_t CONTROL; /* 0x08 Control of the queue. */
  __IOM uint32_t TAIL; /* 0x0C Producer index: the doorbell. */
  __IM uint32_t HEAD; /* 0x10 Consumer index. */
  __IM uint32_t STATUS; /* 0x14 Present state of the queue. */
  __IM uint32_t INSTRUCTIONS_LO; /* 0x18 Instructions finished since reset, low half; reading it latches INSTRUCTIONS_HI. */
  __IM uint32_t INSTRUCTIONS_HI; /* 0x1C Instructions finished since reset, high half, at the last read of INSTRUCTIONS_LO. */
  __IM uint32_t BUSY_LO; /* 0x20 Busy time since reset, low half; reading it latches BUSY_HI. */
  __IM uint32_t BUSY_HI; /* 0x24 Busy time since reset, high half, at the last read of BUSY_LO. */
  __IM uint32_t STALLED_LO; /* 0x28 Stalled time since reset, low half; reading it latches STALLED_HI. */
  __IM uint32_t STALLED_HI; /* 0x2C Stalled time since reset, high half, at the last read of STALLED_LO. */
  __IM uint32_t BYTES_LO; /* 0x30 DRAM traffic since reset, low half; reading it latches BYTES_HI. */
  __IM uint32_t BYTES_HI; /* 0x34 DRAM traffic since reset, high half, at the last read of BYTES_LO. */
  uint32_t RESERVED0[2];
} NPU_CORE_SQ_Type;

/* Tile core; only cores that exist (GEOMETRY0) can be accessed. */
typedef struct {
  NPU_CORE_SQ_Type SQ[9]; /* 0x00 Submission queues, one for each class: CT, LD, LW, PE, VP, DT, ST, SI, SO. */
  uint32_t RESERVED0[112];
} NPU_CORE_Type;

/* Submission queues of engines; the index is the number of the engine. A slot is a descriptor of a stream of instructions in memory. Only those of engines that exist (CAPABILITIES) can be accessed. */
typedef struct {
  __IOM uint32_t BASE_LO; /* 0x00 Bus address of the ring, low half; a write while the queue is enabled is a bus fault. */
  __IOM uint32_t BASE_HI; /* 0x04 Bus address of the ring, high half; a write while the queue is enabled is a bus fault. */
  __IOM uint32_t CONTROL; /* 0x08 Control of the queue. */
  __IOM uint32_t TAIL; /* 0x0C Producer index: the doorbell. */
  __IM uint32_t HEAD; /* 0x10 Consumer index. */
  __IM uint32_t STATUS; /* 0x14 Present state of the queue. */
  __IM uint32_t INSTRUCTIONS_LO; /* 0x18 Instructions finished since reset, low half; reading it latches INSTRUCTIONS_HI. */
  __IM uint32_t INSTRUCTIONS_HI; /* 0x1C Instructions finished since reset, high half, at the last read of INSTRUCTIONS_LO. */
  __IM uint32_t BUSY_LO; /* 0x20 Busy time since reset, low half; reading it latches BUSY_HI. */
  __IM uint32_t BUSY_HI; /* 0x24 Busy time since reset, high half, at the last read of BUSY_LO. */
  __IM uint32_t STALLED_LO; /* 0x28 Stalled time since reset, low half; reading it latches STALLED_HI. */
  __IM uint32_t STALLED_HI; /* 0x2C Stalled time since reset, high half, at the last read of STALLED_LO. */
  __IM uint32_t BYTES_LO; /* 0x30 DRAM traffic since reset, low half; reading it latches BYTES_HI. */
  __IM uint32_t BYTES_HI; /* 0x34 DRAM traffic since reset, high half, at the last read of BYTES_LO. */
  uint32_t RESERVED0[2];
} NPU_ENGINE_Type;

/* DRAM windows, one for each base address register BAS 0 to 3. */
typedef struct {
  __IOM uint32_t BASE_LO; /* 0x00 Bus address of the window, low half. */
  __IOM uint32_t BASE_HI; /* 0x04 Bus address of the window, high half. */
  __IOM uint32_t SIZE; /* 0x08 Size of the window. */
  __IOM uint32_t ACCESS; /* 0x0C Accesses that instructions may make in the window. */
} NPU_CONTEXT_WINDOW_Type;

/* Context: the cores and memory that the instructions of one task may touch. */
typedef struct {
  __IOM uint32_t CONTROL; /* 0x00 Control of the context. */
  __IOM uint32_t L2_FIRST; /* 0x04 First L2 block of the context. */
  __IOM uint32_t L2_LAST; /* 0x08 Last L2 block of the context. */
  __IOM uint32_t WL0; /* 0x0C WL0 of the context. */
  __IOM uint32_t CORES; /* 0x10 Tile cores of the context. */
  __IOM uint32_t OWNER; /* 0x14 Owner of the context. A write of this register, L2_FIRST, L2_LAST, WL0 or CORES while VALID is 1 is a bus fault. */
  uint32_t RESERVED0[2];
  NPU_CONTEXT_WINDOW_Type WINDOW[4]; /* 0x20 DRAM windows, one for each base address register BAS 0 to 3. */
  uint32_t RESERVED1[8];
} NPU_CONTEXT_Type;

/* Base registers that CONFBADDR can name. A reset of the context marks all of them as not written. */
typedef struct {
  __IOM uint32_t LO; /* 0x00 Bus address, low half; a write of it marks the base register as written. */
  __IOM uint32_t HI; /* 0x04 Bus address, high half. */
} NPU_MX_BASE_Type;

/* State of a context in the MX engine. */
typedef struct {
  NPU_MX_BASE_Type BASE[32]; /* 0x00 Base registers that CONFBADDR can name. A reset of the context marks all of them as not written. */
} NPU_MX_Type;

/* A Unity unit: what it waits for, or waited for when the last container ended with a fault, and what it has done since the container's start. Registers of a unit that does not exist read as 0. */
typedef struct {
  __IM uint32_t POSITION; /* 0x00 Instruction that waits. */
  __IM uint32_t WAITS_FOR; /* 0x04 Keys that the instruction waits for. */
  __IM uint32_t INSTRUCTIONS_LO; /* 0x08 Instructions that have ended. Low half. */
  __IM uint32_t INSTRUCTIONS_HI; /* 0x0C Instructions that have ended. High half. */
  __IM uint32_t BUSY_LO; /* 0x10 Cycles in which the lanes worked. Low half. */
  __IM uint32_t BUSY_HI; /* 0x14 Cycles in which the lanes worked. High half. */
  __IM uint32_t WAITED_LO; /* 0x18 Cycles in which the unit waited for keys. Low half. */
  __IM uint32_t WAITED_HI; /* 0x1C Cycles in which the unit waited for keys. High half. */
  __IM uint32_t MACS_LO; /* 0x20 Multiply-accumulates. Low half. */
  __IM uint32_t MACS_HI; /* 0x24 Multiply-accumulates. High half. */
  __IM uint32_t BYTES_LO; /* 0x28 Bytes to and from DRAM. Low half. */
  __IM uint32_t BYTES_HI; /* 0x2C Bytes to and from DRAM. High half. */
  uint32_t RESERVED0[4];
} NPU_UNITY_UNIT_Type;

/* State of a context in the Unity engine. A reset of the context restores the reset values. */
typedef struct {
  __IOM uint32_t PAGE_LO; /* 0x00 Device address of the page of 16-bit addresses, low half; a multiple of 64 KiB. A container may name its own. */
  __IOM uint32_t PAGE_HI; /* 0x04 Device address of the page, high half. */
  __IOM uint32_t KEYS; /* 0x08 Key tables that the context owns. */
  uint32_t RESERVED0;
} NPU_UNITY_CONTEXT_Type;

/* Breakpoints. Only a power-on reset and software clear them. */
typedef struct {
  __IOM uint32_t POSITION; /* 0x00 A breakpoint. */
} NPU_PIM_CORE_BREAKPOINT_Type;

/* Registers: the 32 general ones, then the special ones by number. Special registers that are bound to general ones are the same. */
typedef struct {
  __IOM uint32_t VALUE; /* 0x00 A register. A bus fault for a write while the core runs or waits, and to a special register that does not exist; this one reads as 0. */
} NPU_PIM_CORE_REG_Type;

/* Counts since the start of the program (isa/pim/description.h, Count). */
typedef struct {
  __IM uint32_t LO; /* 0x00 Low half of the count. Reading it latches HI of the core's counts. */
  __IM uint32_t HI; /* 0x04 High half of the count, at the last read of LO. */
} NPU_PIM_CORE_COUNT_Type;

/* A PIM core, for a debugger. The state is that of the running program, and later that of the last one. Registers of a core that does not exist read as 0. A core that runs may be ahead of the device's time with instructions that touch only its own memories. */
typedef struct {
  __IM uint32_t STATE; /* 0x00 What the core does. */
  __IM uint32_t COUNTER; /* 0x04 Program counter. */
  __IM uint32_t FAULT_DETAIL; /* 0x08 In the phase faulted: detail of the fault, as in the completion of a program. */
  __IM uint32_t OTHER; /* 0x0C What the core waits for. */
  __IM uint32_t MESSAGE_ID; /* 0x10 What the core waits for. */
  __IOM uint32_t ADDRESS; /* 0x14 Address for DATA. */
  __IOM uint32_t DATA; /* 0x18 The four bytes from ADDRESS on. They read as 0 if they do not lie in one local memory or in the array. Writing is then a bus fault, and also while the core runs or waits. */
  uint32_t RESERVED0[9];
  NPU_PIM_CORE_BREAKPOINT_Type BREAKPOINT[8]; /* 0x40 Breakpoints. Only a power-on reset and software clear them. */
  uint32_t RESERVED1[40];
  NPU_PIM_CORE_REG_Type REG[64]; /* 0x100 Registers: the 32 general ones, then the special ones by number. Special registers that are bound to general ones are the same. */
  NPU_PIM_CORE_COUNT_Type COUNT[32]; /* 0x200 Counts since the start of the program (isa/pim/description.h, Count). */
  uint32_t RESERVED2[64];
} NPU_PIM_CORE_Type;

/* Accelerator: common block, completion queues, submission queues and contexts. Access is by aligned 32-bit words; bus faults are an access to anything that is not listed, a write to a read-only register, and a read of a write-only register. */
typedef struct {
  __IM uint32_t ID; /* 0x00 Identity of the device. */
  __IM uint32_t VERSION; /* 0x04 Version of the register interface. */
  __IM uint32_t CAPABILITIES; /* 0x08 Engines that the device has. */
  __IM uint32_t GEOMETRY0; /* 0x0C Geometry: cores, contexts and L2. */
  __IM uint32_t GEOMETRY1; /* 0x10 Geometry: weight buffer and L2 blocks. */
  __IM uint32_t GEOMETRY2; /* 0x14 Geometry: arithmetic and queues. */
  __IM uint32_t CLOCK; /* 0x18 Clock of the accelerator. */
  __IOM uint32_t CONTROL; /* 0x1C Control of the whole device. */
  __OM uint32_t ENGINE_RESET; /* 0x20 Reset of tile cores and engines. */
  __IOM uint32_t INT_STATUS; /* 0x24 Interrupt status, whether enabled or not. */
  __IOM uint32_t INT_ENABLE; /* 0x28 Interrupt enable, same bits as INT_STATUS. */
  __IM uint32_t FAULT_STATUS; /* 0x2C First fault since FAULT was last cleared. */
  __IM uint32_t FAULT_TAG; /* 0x30 Which instruction faulted. */
  __IM uint32_t FAULT_DETAIL; /* 0x34 Detail of the fault. */
  __IM uint32_t FAULT_TIME_LO; /* 0x38 Device time of the fault, low half. */
  __IM uint32_t FAULT_TIME_HI; /* 0x3C Device time of the fault, high half. */
  __IM uint32_t CYCLE_LO; /* 0x40 Device time, low half; reading it latches CYCLE_HI. */
  __IM uint32_t CYCLE_HI; /* 0x44 Device time, high half, at the last read of CYCLE_LO. */
  __IM uint32_t GEOMETRY3; /* 0x48 Geometry: the MX engine. */
  __IM uint32_t GEOMETRY4; /* 0x4C Geometry: the matrix unit's L1 and L0C. 0 if the device has no matrix unit. */
  __IM uint32_t GEOMETRY5; /* 0x50 Geometry: the matrix unit's L0A and L0B. 0 if the device has no matrix unit. */
  __IM uint32_t GEOMETRY6; /* 0x54 Geometry: the matrix unit's array and bias table. 0 if the device has no matrix unit. */
  __IOM uint32_t CLOCK_ENABLE; /* 0x58 Clocks of tile cores and engines. Without its clock, a core or engine fetches nothing and a running instruction stands still; the registers can be accessed. */
  __IM uint32_t ECC_CORRECTED; /* 0x5C Errors of one bit in L2, WL0, DRAM or queues that were corrected since power-on. */
  NPU_CORE_CLOCK_Type CORE_CLOCK[4]; /* 0x60 Time that a tile core had its clock; only cores that exist (GEOMETRY0) can be accessed. */
  uint32_t RESERVED0[32];
  NPU_CQ_Type CQ[12]; /* 0x100 Completion queue: 0 to 3 of the tile cores, 4 + i of engine i. Only those of cores (GEOMETRY0) and engines (CAPABILITIES) that exist can be accessed. */
  uint32_t RESERVED1[864];
  NPU_CORE_Type CORE[4]; /* 0x1000 Tile core; only cores that exist (GEOMETRY0) can be accessed. */
  NPU_ENGINE_Type ENGINE[8]; /* 0x2000 Submission queues of engines; the index is the number of the engine. A slot is a descriptor of a stream of instructions in memory. Only those of engines that exist (CAPABILITIES) can be accessed. */
  uint32_t RESERVED2[1920];
  NPU_CONTEXT_Type CONTEXT[16]; /* 0x4000 Context: the cores and memory that the instructions of one task may touch. */
  uint32_t RESERVED3[3584];
  NPU_MX_Type MX[16]; /* 0x8000 State of a context in the MX engine. */
  uint32_t RESERVED4[1024];
  __IM uint32_t PIM_CORES; /* 0xA000 Number of PIM cores. 0 if the device has no PIM cores. */
  __IOM uint32_t PIM_CONFIGURATION_INDEX; /* 0xA004 Chooses a word of the description of the cores' configuration (isa/pim/description.h). */
  __IM uint32_t PIM_CONFIGURATION_WORD; /* 0xA008 The word that PIM_CONFIGURATION_INDEX chooses; 0 behind the last one. */
  uint32_t RESERVED5;
  __IM uint32_t PIM_WAITING_LO; /* 0xA010 Cores that could not go on when the last program ended with the fault deadlock. */
  __IM uint32_t PIM_WAITING_HI; /* 0xA014 Cores that could not go on when the last program ended with the fault deadlock. */
  __IM uint32_t PIM_HALTED_LO; /* 0xA018 Cores that are halted. */
  __IM uint32_t PIM_HALTED_HI; /* 0xA01C Cores that are halted. */
  __OM uint32_t PIM_HALT_LO; /* 0xA020 Halts cores: they stop before their next instruction, also before the first of a later program, until they are resumed. Only a power-on reset and PIM_RESUME undo it. */
  __OM uint32_t PIM_HALT_HI; /* 0xA024 Halts cores: they stop before their next instruction, also before the first of a later program, until they are resumed. Only a power-on reset and PIM_RESUME undo it. */
  __OM uint32_t PIM_RESUME_LO; /* 0xA028 Lets halted cores go on. */
  __OM uint32_t PIM_RESUME_HI; /* 0xA02C Lets halted cores go on. */
  __OM uint32_t PIM_STEP_LO; /* 0xA030 Lets halted cores run one instruction. No effect on other cores. */
  __OM uint32_t PIM_STEP_HI; /* 0xA034 Lets halted cores run one instruction. No effect on other cores. */
  uint32_t RESERVED6[1010];
  __IM uint32_t UNITY_UNITS; /* 0xB000 Number of Unity units. 0 if the device has no Unity engine. */
  __IOM uint32_t UNITY_KEY; /* 0xB004 Chooses an entry of the key tables for UNITY_KEY_COUNT and UNITY_KEY_ADD. */
  __IOM uint32_t UNITY_KEY_COUNT; /* 0xB008 Keys in the entry that UNITY_KEY chooses. A write sets them; while a container runs, it has no effect. */
  __OM uint32_t UNITY_KEY_ADD; /* 0xB00C A write adds keys to the entry that UNITY_KEY chooses. If the entry would hold more than 65535, the write has no effect. */
  __IM uint32_t UNITY_WAITING; /* 0xB010 Units that wait for keys, or that waited when the last container ended with a fault. */
  uint32_t RESERVED7[59];
  NPU_UNITY_UNIT_Type UNITY_UNIT[8]; /* 0xB100 A Unity unit: what it waits for, or waited for when the last container ended with a fault, and what it has done since the container's start. Registers of a unit that does not exist read as 0. */
  uint32_t RESERVED8[64];
  NPU_UNITY_CONTEXT_Type UNITY_CONTEXT[16]; /* 0xB400 State of a context in the Unity engine. A reset of the context restores the reset values. */
  uint32_t RESERVED9[4800];
  NPU_PIM_CORE_Type PIM_CORE[64]; /* 0x10000 A PIM core, for a debugger. The state is that of the running program, and later that of the last one. Registers of a core that does not exist read as 0. A core that runs may be ahead of the device's time with instructions that touch only its own memories. */
} NPU_Type;

/* ID: Identity of the device. */
#define NPU_ID_ID_Pos 0U
#define NPU_ID_ID_Msk 0xFFFFFFFFUL
/* VERSION: Version of the register interface. */
#define NPU_VERSION_MINOR_Pos 0U
#define NPU_VERSION_MINOR_Msk 0xFFFFUL
#define NPU_VERSION_MAJOR_Pos 16U
#define NPU_VERSION_MAJOR_Msk 0xFFFF0000UL
/* CAPABILITIES: Engines that the device has. */
#define NPU_CAPABILITIES_TILE_Pos 0U
#define NPU_CAPABILITIES_TILE_Msk 0x1UL
#define NPU_CAPABILITIES_ENGINE_Pos 1U
#define NPU_CAPABILITIES_ENGINE_Msk 0x1FEUL
/* GEOMETRY0: Geometry: cores, contexts and L2. */
#define NPU_GEOMETRY0_TILE_CORES_Pos 0U
#define NPU_GEOMETRY0_TILE_CORES_Msk 0xFUL
#define NPU_GEOMETRY0_CONTEXTS_Pos 4U
#define NPU_GEOMETRY0_CONTEXTS_Msk 0xFF0UL
#define NPU_GEOMETRY0_L2_MIB_Pos 12U
#define NPU_GEOMETRY0_L2_MIB_Msk 0xFF000UL
#define NPU_GEOMETRY0_CUT_REGIONS_Pos 20U
#define NPU_GEOMETRY0_CUT_REGIONS_Msk 0xFF00000UL
/* GEOMETRY1: Geometry: weight buffer and L2 blocks. */
#define NPU_GEOMETRY1_WL0_UNITS_Pos 0U
#define NPU_GEOMETRY1_WL0_UNITS_Msk 0xFFFFUL
#define NPU_GEOMETRY1_L2_BLOCK_BYTES_Pos 16U
#define NPU_GEOMETRY1_L2_BLOCK_BYTES_Msk 0xFFFF0000UL
/* GEOMETRY2: Geometry: arithmetic and queues. */
#define NPU_GEOMETRY2_MACS_PER_CYCLE_Pos 0U
#define NPU_GEOMETRY2_MACS_PER_CYCLE_Msk 0xFFFFUL
#define NPU_GEOMETRY2_QUEUE_SIZE_LOG2_MAX_Pos 16U
#define NPU_GEOMETRY2_QUEUE_SIZE_LOG2_MAX_Msk 0xF0000UL
/* CLOCK: Clock of the accelerator. */
#define NPU_CLOCK_MHZ_Pos 0U
#define NPU_CLOCK_MHZ_Msk 0xFFFFUL
/* CONTROL: Control of the whole device. */
#define NPU_CONTROL_ENABLE_Pos 0U
#define NPU_CONTROL_ENABLE_Msk 0x1UL
/* ENGINE_RESET: Reset of tile cores and engines. */
#define NPU_ENGINE_RESET_CORE_Pos 0U
#define NPU_ENGINE_RESET_CORE_Msk 0xFUL
#define NPU_ENGINE_RESET_ENGINE_Pos 4U
#define NPU_ENGINE_RESET_ENGINE_Msk 0xFF0UL
/* INT_STATUS: Interrupt status, whether enabled or not. */
#define NPU_INT_STATUS_COMPLETION_Pos 0U
#define NPU_INT_STATUS_COMPLETION_Msk 0xFUL
#define NPU_INT_STATUS_ENGINE_COMPLETION_Pos 4U
#define NPU_INT_STATUS_ENGINE_COMPLETION_Msk 0xF0UL
#define NPU_INT_STATUS_FAULT_Pos 8U
#define NPU_INT_STATUS_FAULT_Msk 0x100UL
#define NPU_INT_STATUS_ENGINE_COMPLETION_HIGH_Pos 9U
#define NPU_INT_STATUS_ENGINE_COMPLETION_HIGH_Msk 0x1E00UL
/* INT_ENABLE: Interrupt enable, same bits as INT_STATUS. */
#define NPU_INT_ENABLE_COMPLETION_Pos 0U
#define NPU_INT_ENABLE_COMPLETION_Msk 0xFUL
#define NPU_INT_ENABLE_ENGINE_COMPLETION_Pos 4U
#define NPU_INT_ENABLE_ENGINE_COMPLETION_Msk 0xF0UL
#define NPU_INT_ENABLE_FAULT_Pos 8U
#define NPU_INT_ENABLE_FAULT_Msk 0x100UL
#define NPU_INT_ENABLE_ENGINE_COMPLETION_HIGH_Pos 9U
#define NPU_INT_ENABLE_ENGINE_COMPLETION_HIGH_Msk 0x1E00UL
/* FAULT_STATUS: First fault since FAULT was last cleared. */
#define NPU_FAULT_STATUS_VALID_Pos 0U
#define NPU_FAULT_STATUS_VALID_Msk 0x1UL
#define NPU_FAULT_STATUS_CODE_Pos 8U
#define NPU_FAULT_STATUS_CODE_Msk 0xFF00UL
#define NPU_FAULT_STATUS_QUEUE_Pos 16U
#define NPU_FAULT_STATUS_QUEUE_Msk 0xFF0000UL
#define NPU_FAULT_STATUS_CONTEXT_Pos 24U
#define NPU_FAULT_STATUS_CONTEXT_Msk 0xFF000000UL
/* FAULT_TAG: Which instruction faulted. */
#define NPU_FAULT_TAG_TAG_Pos 0U
#define NPU_FAULT_TAG_TAG_Msk 0xFFFFFFFFUL
/* FAULT_DETAIL: Detail of the fault. */
#define NPU_FAULT_DETAIL_DETAIL_Pos 0U
#define NPU_FAULT_DETAIL_DETAIL_Msk 0xFFFFFFFFUL
/* FAULT_TIME_LO: Device time of the fault, low half. */
#define NPU_FAULT_TIME_LO_TIME_Pos 0U
#define NPU_FAULT_TIME_LO_TIME_Msk 0xFFFFFFFFUL
/* FAULT_TIME_HI: Device time of the fault, high half. */
#define NPU_FAULT_TIME_HI_TIME_Pos 0U
#define NPU_FAULT_TIME_HI_TIME_Msk 0xFFFFFFFFUL
/* CYCLE_LO: Device time, low half; reading it latches CYCLE_HI. */
#define NPU_CYCLE_LO_CYCLE_Pos 0U
#define NPU_CYCLE_LO_CYCLE_Msk 0xFFFFFFFFUL
/* CYCLE_HI: Device time, high half, at the last read of CYCLE_LO. */
#define NPU_CYCLE_HI_CYCLE_Pos 0U
#define NPU_CYCLE_HI_CYCLE_Msk 0xFFFFFFFFUL
/* GEOMETRY3: Geometry: the MX engine. */
#define NPU_GEOMETRY3_MX_MACS_PER_CYCLE_Pos 0U
#define NPU_GEOMETRY3_MX_MACS_PER_CYCLE_Msk 0xFFFFUL
#define NPU_GEOMETRY3_MX_BUFFER_KIB_Pos 16U
#define NPU_GEOMETRY3_MX_BUFFER_KIB_Msk 0xFFFF0000UL
/* GEOMETRY4: Geometry: the matrix unit's L1 and L0C. 0 if the device has no matrix unit. */
#define NPU_GEOMETRY4_CUBE_L1_KIB_Pos 0U
#define NPU_GEOMETRY4_CUBE_L1_KIB_Msk 0xFFFFUL
#define NPU_GEOMETRY4_CUBE_L0C_KIB_Pos 16U
#define NPU_GEOMETRY4_CUBE_L0C_KIB_Msk 0xFFFF0000UL
/* GEOMETRY5: Geometry: the matrix unit's L0A and L0B. 0 if the device has no matrix unit. */
#define NPU_GEOMETRY5_CUBE_L0A_KIB_Pos 0U
#define NPU_GEOMETRY5_CUBE_L0A_KIB_Msk 0xFFFFUL
#define NPU_GEOMETRY5_CUBE_L0B_KIB_Pos 16U
#define NPU_GEOMETRY5_CUBE_L0B_KIB_Msk 0xFFFF0000UL
/* GEOMETRY6: Geometry: the matrix unit's array and bias table. 0 if the device has no matrix unit. */
#define NPU_GEOMETRY6_CUBE_MACS_PER_CYCLE_Pos 0U
#define NPU_GEOMETRY6_CUBE_MACS_PER_CYCLE_Msk 0xFFFFUL
#define NPU_GEOMETRY6_CUBE_BIAS_TABLE_BYTES_Pos 16U
#define NPU_GEOMETRY6_CUBE_BIAS_TABLE_BYTES_Msk 0xFFFF0000UL
/* CLOCK_ENABLE: Clocks of tile cores and engines. Without its clock, a core or engine fetches nothing and a running instruction stands still; the registers can be accessed. */
#define NPU_CLOCK_ENABLE_CORE_Pos 0U
#define NPU_CLOCK_ENABLE_CORE_Msk 0xFUL
#define NPU_CLOCK_ENABLE_ENGINE_Pos 4U
#define NPU_CLOCK_ENABLE_ENGINE_Msk 0xFF0UL
/* ECC_CORRECTED: Errors of one bit in L2, WL0, DRAM or queues that were corrected since power-on. */
#define NPU_ECC_CORRECTED_COUNT_Pos 0U
#define NPU_ECC_CORRECTED_COUNT_Msk 0xFFFFFFFFUL
/* CORE_CLOCK[].CYCLES_LO: Cycles with the clock running since power-on, low half; reading it latches CYCLES_HI. */
#define NPU_CORE_CLOCK_CYCLES_LO_COUNT_Pos 0U
#define NPU_CORE_CLOCK_CYCLES_LO_COUNT_Msk 0xFFFFFFFFUL
/* CORE_CLOCK[].CYCLES_HI: Cycles with the clock running, high half, at the last read of CYCLES_LO. */
#define NPU_CORE_CLOCK_CYCLES_HI_COUNT_Pos 0U
#define NPU_CORE_CLOCK_CYCLES_HI_COUNT_Msk 0xFFFFFFFFUL
/* CQ[].BASE_LO: Bus address of the ring, low half; a write while the queue is enabled is a bus fault. */
#define NPU_CQ_BASE_LO_ADDRESS_Pos 0U
#define NPU_CQ_BASE_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* CQ[].BASE_HI: Bus address of the ring, high half; a write while the queue is enabled is a bus fault. */
#define NPU_CQ_BASE_HI_ADDRESS_Pos 0U
#define NPU_CQ_BASE_HI_ADDRESS_Msk 0xFFFFFFFFUL
/* CQ[].CONTROL: Control of the queue. */
#define NPU_CQ_CONTROL_ENABLE_Pos 0U
#define NPU_CQ_CONTROL_ENABLE_Msk 0x1UL
#define NPU_CQ_CONTROL_SIZE_LOG2_Pos 4U
#define NPU_CQ_CONTROL_SIZE_LOG2_Msk 0xF0UL
/* CQ[].HEAD: Consumer index; writing it gives entries back. */
#define NPU_CQ_HEAD_INDEX_Pos 0U
#define NPU_CQ_HEAD_INDEX_Msk 0xFFFFFFFFUL
/* CQ[].TAIL: Producer index. */
#define NPU_CQ_TAIL_INDEX_Pos 0U
#define NPU_CQ_TAIL_INDEX_Msk 0xFFFFFFFFUL
/* CQ[].COALESCE: Coalescing of the interrupt. */
#define NPU_CQ_COALESCE_COUNT_Pos 0U
#define NPU_CQ_COALESCE_COUNT_Msk 0xFFUL
#define NPU_CQ_COALESCE_TIME_Pos 8U
#define NPU_CQ_COALESCE_TIME_Msk 0xFFFFFF00UL
/* CORE[].SQ[].BASE_LO: Bus address of the ring, low half; a write while the queue is enabled is a bus fault. */
#define NPU_CORE_SQ_BASE_LO_ADDRESS_Pos 0U
#define NPU_CORE_SQ_BASE_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].BASE_HI: Bus address of the ring, high half; a write while the queue is enabled is a bus fault. */
#define NPU_CORE_SQ_BASE_HI_ADDRESS_Pos 0U
#define NPU_CORE_SQ_BASE_HI_ADDRESS_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].CONTROL: Control of the queue. */
#define NPU_CORE_SQ_CONTROL_ENABLE_Pos 0U
#define NPU_CORE_SQ_CONTROL_ENABLE_Msk 0x1UL
#define NPU_CORE_SQ_CONTROL_SIZE_LOG2_Pos 4U
#define NPU_CORE_SQ_CONTROL_SIZE_LOG2_Msk 0xF0UL
/* CORE[].SQ[].TAIL: Producer index: the doorbell. */
#define NPU_CORE_SQ_TAIL_INDEX_Pos 0U
#define NPU_CORE_SQ_TAIL_INDEX_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].HEAD: Consumer index. */
#define NPU_CORE_SQ_HEAD_INDEX_Pos 0U
#define NPU_CORE_SQ_HEAD_INDEX_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].STATUS: Present state of the queue. */
#define NPU_CORE_SQ_STATUS_BUSY_Pos 0U
#define NPU_CORE_SQ_STATUS_BUSY_Msk 0x1UL
#define NPU_CORE_SQ_STATUS_WAITING_Pos 1U
#define NPU_CORE_SQ_STATUS_WAITING_Msk 0x2UL
/* CORE[].SQ[].INSTRUCTIONS_LO: Instructions finished since reset, low half; reading it latches INSTRUCTIONS_HI. */
#define NPU_CORE_SQ_INSTRUCTIONS_LO_COUNT_Pos 0U
#define NPU_CORE_SQ_INSTRUCTIONS_LO_COUNT_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].INSTRUCTIONS_HI: Instructions finished since reset, high half, at the last read of INSTRUCTIONS_LO. */
#define NPU_CORE_SQ_INSTRUCTIONS_HI_COUNT_Pos 0U
#define NPU_CORE_SQ_INSTRUCTIONS_HI_COUNT_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].BUSY_LO: Busy time since reset, low half; reading it latches BUSY_HI. */
#define NPU_CORE_SQ_BUSY_LO_COUNT_Pos 0U
#define NPU_CORE_SQ_BUSY_LO_COUNT_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].BUSY_HI: Busy time since reset, high half, at the last read of BUSY_LO. */
#define NPU_CORE_SQ_BUSY_HI_COUNT_Pos 0U
#define NPU_CORE_SQ_BUSY_HI_COUNT_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].STALLED_LO: Stalled time since reset, low half; reading it latches STALLED_HI. */
#define NPU_CORE_SQ_STALLED_LO_COUNT_Pos 0U
#define NPU_CORE_SQ_STALLED_LO_COUNT_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].STALLED_HI: Stalled time since reset, high half, at the last read of STALLED_LO. */
#define NPU_CORE_SQ_STALLED_HI_COUNT_Pos 0U
#define NPU_CORE_SQ_STALLED_HI_COUNT_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].BYTES_LO: DRAM traffic since reset, low half; reading it latches BYTES_HI. */
#define NPU_CORE_SQ_BYTES_LO_COUNT_Pos 0U
#define NPU_CORE_SQ_BYTES_LO_COUNT_Msk 0xFFFFFFFFUL
/* CORE[].SQ[].BYTES_HI: DRAM traffic since reset, high half, at the last read of BYTES_LO. */
#define NPU_CORE_SQ_BYTES_HI_COUNT_Pos 0U
#define NPU_CORE_SQ_BYTES_HI_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].BASE_LO: Bus address of the ring, low half; a write while the queue is enabled is a bus fault. */
#define NPU_ENGINE_BASE_LO_ADDRESS_Pos 0U
#define NPU_ENGINE_BASE_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* ENGINE[].BASE_HI: Bus address of the ring, high half; a write while the queue is enabled is a bus fault. */
#define NPU_ENGINE_BASE_HI_ADDRESS_Pos 0U
#define NPU_ENGINE_BASE_HI_ADDRESS_Msk 0xFFFFFFFFUL
/* ENGINE[].CONTROL: Control of the queue. */
#define NPU_ENGINE_CONTROL_ENABLE_Pos 0U
#define NPU_ENGINE_CONTROL_ENABLE_Msk 0x1UL
#define NPU_ENGINE_CONTROL_SIZE_LOG2_Pos 4U
#define NPU_ENGINE_CONTROL_SIZE_LOG2_Msk 0xF0UL
/* ENGINE[].TAIL: Producer index: the doorbell. */
#define NPU_ENGINE_TAIL_INDEX_Pos 0U
#define NPU_ENGINE_TAIL_INDEX_Msk 0xFFFFFFFFUL
/* ENGINE[].HEAD: Consumer index. */
#define NPU_ENGINE_HEAD_INDEX_Pos 0U
#define NPU_ENGINE_HEAD_INDEX_Msk 0xFFFFFFFFUL
/* ENGINE[].STATUS: Present state of the queue. */
#define NPU_ENGINE_STATUS_BUSY_Pos 0U
#define NPU_ENGINE_STATUS_BUSY_Msk 0x1UL
#define NPU_ENGINE_STATUS_WAITING_Pos 1U
#define NPU_ENGINE_STATUS_WAITING_Msk 0x2UL
/* ENGINE[].INSTRUCTIONS_LO: Instructions finished since reset, low half; reading it latches INSTRUCTIONS_HI. */
#define NPU_ENGINE_INSTRUCTIONS_LO_COUNT_Pos 0U
#define NPU_ENGINE_INSTRUCTIONS_LO_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].INSTRUCTIONS_HI: Instructions finished since reset, high half, at the last read of INSTRUCTIONS_LO. */
#define NPU_ENGINE_INSTRUCTIONS_HI_COUNT_Pos 0U
#define NPU_ENGINE_INSTRUCTIONS_HI_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].BUSY_LO: Busy time since reset, low half; reading it latches BUSY_HI. */
#define NPU_ENGINE_BUSY_LO_COUNT_Pos 0U
#define NPU_ENGINE_BUSY_LO_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].BUSY_HI: Busy time since reset, high half, at the last read of BUSY_LO. */
#define NPU_ENGINE_BUSY_HI_COUNT_Pos 0U
#define NPU_ENGINE_BUSY_HI_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].STALLED_LO: Stalled time since reset, low half; reading it latches STALLED_HI. */
#define NPU_ENGINE_STALLED_LO_COUNT_Pos 0U
#define NPU_ENGINE_STALLED_LO_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].STALLED_HI: Stalled time since reset, high half, at the last read of STALLED_LO. */
#define NPU_ENGINE_STALLED_HI_COUNT_Pos 0U
#define NPU_ENGINE_STALLED_HI_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].BYTES_LO: DRAM traffic since reset, low half; reading it latches BYTES_HI. */
#define NPU_ENGINE_BYTES_LO_COUNT_Pos 0U
#define NPU_ENGINE_BYTES_LO_COUNT_Msk 0xFFFFFFFFUL
/* ENGINE[].BYTES_HI: DRAM traffic since reset, high half, at the last read of BYTES_LO. */
#define NPU_ENGINE_BYTES_HI_COUNT_Pos 0U
#define NPU_ENGINE_BYTES_HI_COUNT_Msk 0xFFFFFFFFUL
/* CONTEXT[].CONTROL: Control of the context. */
#define NPU_CONTEXT_CONTROL_VALID_Pos 0U
#define NPU_CONTEXT_CONTROL_VALID_Msk 0x1UL
#define NPU_CONTEXT_CONTROL_ABORT_Pos 1U
#define NPU_CONTEXT_CONTROL_ABORT_Msk 0x2UL
#define NPU_CONTEXT_CONTROL_RESET_Pos 2U
#define NPU_CONTEXT_CONTROL_RESET_Msk 0x4UL
#define NPU_CONTEXT_CONTROL_QUARANTINED_Pos 8U
#define NPU_CONTEXT_CONTROL_QUARANTINED_Msk 0x100UL
/* CONTEXT[].L2_FIRST: First L2 block of the context. */
#define NPU_CONTEXT_L2_FIRST_BLOCK_Pos 0U
#define NPU_CONTEXT_L2_FIRST_BLOCK_Msk 0xFFFFUL
/* CONTEXT[].L2_LAST: Last L2 block of the context. */
#define NPU_CONTEXT_L2_LAST_BLOCK_Pos 0U
#define NPU_CONTEXT_L2_LAST_BLOCK_Msk 0xFFFFUL
/* CONTEXT[].WL0: WL0 of the context. */
#define NPU_CONTEXT_WL0_FIRST_Pos 0U
#define NPU_CONTEXT_WL0_FIRST_Msk 0xFFFFUL
#define NPU_CONTEXT_WL0_LAST_Pos 16U
#define NPU_CONTEXT_WL0_LAST_Msk 0xFFFF0000UL
/* CONTEXT[].CORES: Tile cores of the context. */
#define NPU_CONTEXT_CORES_FIRST_Pos 0U
#define NPU_CONTEXT_CORES_FIRST_Msk 0xFUL
#define NPU_CONTEXT_CORES_LAST_Pos 8U
#define NPU_CONTEXT_CORES_LAST_Msk 0xF00UL
/* CONTEXT[].OWNER: Owner of the context. A write of this register, L2_FIRST, L2_LAST, WL0 or CORES while VALID is 1 is a bus fault. */
#define NPU_CONTEXT_OWNER_NUMBER_Pos 0U
#define NPU_CONTEXT_OWNER_NUMBER_Msk 0xFFUL
/* CONTEXT[].WINDOW[].BASE_LO: Bus address of the window, low half. */
#define NPU_CONTEXT_WINDOW_BASE_LO_ADDRESS_Pos 0U
#define NPU_CONTEXT_WINDOW_BASE_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* CONTEXT[].WINDOW[].BASE_HI: Bus address of the window, high half. */
#define NPU_CONTEXT_WINDOW_BASE_HI_ADDRESS_Pos 0U
#define NPU_CONTEXT_WINDOW_BASE_HI_ADDRESS_Msk 0xFFFFFFFFUL
/* CONTEXT[].WINDOW[].SIZE: Size of the window. */
#define NPU_CONTEXT_WINDOW_SIZE_BYTES_Pos 0U
#define NPU_CONTEXT_WINDOW_SIZE_BYTES_Msk 0xFFFFFFFFUL
/* CONTEXT[].WINDOW[].ACCESS: Accesses that instructions may make in the window. */
#define NPU_CONTEXT_WINDOW_ACCESS_READ_Pos 0U
#define NPU_CONTEXT_WINDOW_ACCESS_READ_Msk 0x1UL
#define NPU_CONTEXT_WINDOW_ACCESS_WRITE_Pos 1U
#define NPU_CONTEXT_WINDOW_ACCESS_WRITE_Msk 0x2UL
/* MX[].BASE[].LO: Bus address, low half; a write of it marks the base register as written. */
#define NPU_MX_BASE_LO_ADDRESS_Pos 0U
#define NPU_MX_BASE_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* MX[].BASE[].HI: Bus address, high half. */
#define NPU_MX_BASE_HI_ADDRESS_Pos 0U
#define NPU_MX_BASE_HI_ADDRESS_Msk 0xFFFFFFFFUL
/* PIM_CORES: Number of PIM cores. 0 if the device has no PIM cores. */
#define NPU_PIM_CORES_COUNT_Pos 0U
#define NPU_PIM_CORES_COUNT_Msk 0x7FUL
/* PIM_CONFIGURATION_INDEX: Chooses a word of the description of the cores' configuration (isa/pim/description.h). */
#define NPU_PIM_CONFIGURATION_INDEX_WORD_Pos 0U
#define NPU_PIM_CONFIGURATION_INDEX_WORD_Msk 0xFFUL
/* PIM_CONFIGURATION_WORD: The word that PIM_CONFIGURATION_INDEX chooses; 0 behind the last one. */
#define NPU_PIM_CONFIGURATION_WORD_WORD_Pos 0U
#define NPU_PIM_CONFIGURATION_WORD_WORD_Msk 0xFFFFFFFFUL
/* PIM_WAITING_LO: Cores that could not go on when the last program ended with the fault deadlock. */
#define NPU_PIM_WAITING_LO_CORE_Pos 0U
#define NPU_PIM_WAITING_LO_CORE_Msk 0xFFFFFFFFUL
/* PIM_WAITING_HI: Cores that could not go on when the last program ended with the fault deadlock. */
#define NPU_PIM_WAITING_HI_CORE_Pos 0U
#define NPU_PIM_WAITING_HI_CORE_Msk 0xFFFFFFFFUL
/* PIM_HALTED_LO: Cores that are halted. */
#define NPU_PIM_HALTED_LO_CORE_Pos 0U
#define NPU_PIM_HALTED_LO_CORE_Msk 0xFFFFFFFFUL
/* PIM_HALTED_HI: Cores that are halted. */
#define NPU_PIM_HALTED_HI_CORE_Pos 0U
#define NPU_PIM_HALTED_HI_CORE_Msk 0xFFFFFFFFUL
/* PIM_HALT_LO: Halts cores: they stop before their next instruction, also before the first of a later program, until they are resumed. Only a power-on reset and PIM_RESUME undo it. */
#define NPU_PIM_HALT_LO_CORE_Pos 0U
#define NPU_PIM_HALT_LO_CORE_Msk 0xFFFFFFFFUL
/* PIM_HALT_HI: Halts cores: they stop before their next instruction, also before the first of a later program, until they are resumed. Only a power-on reset and PIM_RESUME undo it. */
#define NPU_PIM_HALT_HI_CORE_Pos 0U
#define NPU_PIM_HALT_HI_CORE_Msk 0xFFFFFFFFUL
/* PIM_RESUME_LO: Lets halted cores go on. */
#define NPU_PIM_RESUME_LO_CORE_Pos 0U
#define NPU_PIM_RESUME_LO_CORE_Msk 0xFFFFFFFFUL
/* PIM_RESUME_HI: Lets halted cores go on. */
#define NPU_PIM_RESUME_HI_CORE_Pos 0U
#define NPU_PIM_RESUME_HI_CORE_Msk 0xFFFFFFFFUL
/* PIM_STEP_LO: Lets halted cores run one instruction. No effect on other cores. */
#define NPU_PIM_STEP_LO_CORE_Pos 0U
#define NPU_PIM_STEP_LO_CORE_Msk 0xFFFFFFFFUL
/* PIM_STEP_HI: Lets halted cores run one instruction. No effect on other cores. */
#define NPU_PIM_STEP_HI_CORE_Pos 0U
#define NPU_PIM_STEP_HI_CORE_Msk 0xFFFFFFFFUL
/* UNITY_UNITS: Number of Unity units. 0 if the device has no Unity engine. */
#define NPU_UNITY_UNITS_COUNT_Pos 0U
#define NPU_UNITY_UNITS_COUNT_Msk 0xFUL
/* UNITY_KEY: Chooses an entry of the key tables for UNITY_KEY_COUNT and UNITY_KEY_ADD. */
#define NPU_UNITY_KEY_ENTRY_Pos 0U
#define NPU_UNITY_KEY_ENTRY_Msk 0xFFUL
#define NPU_UNITY_KEY_TABLE_Pos 8U
#define NPU_UNITY_KEY_TABLE_Msk 0x300UL
/* UNITY_KEY_COUNT: Keys in the entry that UNITY_KEY chooses. A write sets them; while a container runs, it has no effect. */
#define NPU_UNITY_KEY_COUNT_COUNT_Pos 0U
#define NPU_UNITY_KEY_COUNT_COUNT_Msk 0xFFFFUL
/* UNITY_KEY_ADD: A write adds keys to the entry that UNITY_KEY chooses. If the entry would hold more than 65535, the write has no effect. */
#define NPU_UNITY_KEY_ADD_COUNT_Pos 0U
#define NPU_UNITY_KEY_ADD_COUNT_Msk 0xFFFFUL
/* UNITY_WAITING: Units that wait for keys, or that waited when the last container ended with a fault. */
#define NPU_UNITY_WAITING_UNIT_Pos 0U
#define NPU_UNITY_WAITING_UNIT_Msk 0xFFUL
/* UNITY_UNIT[].POSITION: Instruction that waits. */
#define NPU_UNITY_UNIT_POSITION_POSITION_Pos 0U
#define NPU_UNITY_UNIT_POSITION_POSITION_Msk 0xFFFFFFUL
/* UNITY_UNIT[].WAITS_FOR: Keys that the instruction waits for. */
#define NPU_UNITY_UNIT_WAITS_FOR_ENTRY_Pos 0U
#define NPU_UNITY_UNIT_WAITS_FOR_ENTRY_Msk 0xFFUL
#define NPU_UNITY_UNIT_WAITS_FOR_TABLE_Pos 8U
#define NPU_UNITY_UNIT_WAITS_FOR_TABLE_Msk 0x300UL
#define NPU_UNITY_UNIT_WAITS_FOR_WANTED_Pos 12U
#define NPU_UNITY_UNIT_WAITS_FOR_WANTED_Msk 0xF000UL
#define NPU_UNITY_UNIT_WAITS_FOR_HELD_Pos 16U
#define NPU_UNITY_UNIT_WAITS_FOR_HELD_Msk 0xFFFF0000UL
/* UNITY_UNIT[].INSTRUCTIONS_LO: Instructions that have ended. Low half. */
#define NPU_UNITY_UNIT_INSTRUCTIONS_LO_COUNT_Pos 0U
#define NPU_UNITY_UNIT_INSTRUCTIONS_LO_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].INSTRUCTIONS_HI: Instructions that have ended. High half. */
#define NPU_UNITY_UNIT_INSTRUCTIONS_HI_COUNT_Pos 0U
#define NPU_UNITY_UNIT_INSTRUCTIONS_HI_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].BUSY_LO: Cycles in which the lanes worked. Low half. */
#define NPU_UNITY_UNIT_BUSY_LO_COUNT_Pos 0U
#define NPU_UNITY_UNIT_BUSY_LO_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].BUSY_HI: Cycles in which the lanes worked. High half. */
#define NPU_UNITY_UNIT_BUSY_HI_COUNT_Pos 0U
#define NPU_UNITY_UNIT_BUSY_HI_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].WAITED_LO: Cycles in which the unit waited for keys. Low half. */
#define NPU_UNITY_UNIT_WAITED_LO_COUNT_Pos 0U
#define NPU_UNITY_UNIT_WAITED_LO_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].WAITED_HI: Cycles in which the unit waited for keys. High half. */
#define NPU_UNITY_UNIT_WAITED_HI_COUNT_Pos 0U
#define NPU_UNITY_UNIT_WAITED_HI_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].MACS_LO: Multiply-accumulates. Low half. */
#define NPU_UNITY_UNIT_MACS_LO_COUNT_Pos 0U
#define NPU_UNITY_UNIT_MACS_LO_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].MACS_HI: Multiply-accumulates. High half. */
#define NPU_UNITY_UNIT_MACS_HI_COUNT_Pos 0U
#define NPU_UNITY_UNIT_MACS_HI_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].BYTES_LO: Bytes to and from DRAM. Low half. */
#define NPU_UNITY_UNIT_BYTES_LO_COUNT_Pos 0U
#define NPU_UNITY_UNIT_BYTES_LO_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_UNIT[].BYTES_HI: Bytes to and from DRAM. High half. */
#define NPU_UNITY_UNIT_BYTES_HI_COUNT_Pos 0U
#define NPU_UNITY_UNIT_BYTES_HI_COUNT_Msk 0xFFFFFFFFUL
/* UNITY_CONTEXT[].PAGE_LO: Device address of the page of 16-bit addresses, low half; a multiple of 64 KiB. A container may name its own. */
#define NPU_UNITY_CONTEXT_PAGE_LO_ADDRESS_Pos 0U
#define NPU_UNITY_CONTEXT_PAGE_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* UNITY_CONTEXT[].PAGE_HI: Device address of the page, high half. */
#define NPU_UNITY_CONTEXT_PAGE_HI_ADDRESS_Pos 0U
#define NPU_UNITY_CONTEXT_PAGE_HI_ADDRESS_Msk 0xFFFFFFFFUL
/* UNITY_CONTEXT[].KEYS: Key tables that the context owns. */
#define NPU_UNITY_CONTEXT_KEYS_TABLES_Pos 0U
#define NPU_UNITY_CONTEXT_KEYS_TABLES_Msk 0xFUL
/* PIM_CORE[].STATE: What the core does. */
#define NPU_PIM_CORE_STATE_PHASE_Pos 0U
#define NPU_PIM_CORE_STATE_PHASE_Msk 0xFUL
#define NPU_PIM_CORE_STATE_FAULT_Pos 8U
#define NPU_PIM_CORE_STATE_FAULT_Msk 0xFF00UL
#define NPU_PIM_CORE_STATE_OPEN_MESSAGES_Pos 16U
#define NPU_PIM_CORE_STATE_OPEN_MESSAGES_Msk 0xFFFF0000UL
/* PIM_CORE[].COUNTER: Program counter. */
#define NPU_PIM_CORE_COUNTER_INSTRUCTION_Pos 0U
#define NPU_PIM_CORE_COUNTER_INSTRUCTION_Msk 0xFFFFFFFFUL
/* PIM_CORE[].FAULT_DETAIL: In the phase faulted: detail of the fault, as in the completion of a program. */
#define NPU_PIM_CORE_FAULT_DETAIL_DETAIL_Pos 0U
#define NPU_PIM_CORE_FAULT_DETAIL_DETAIL_Msk 0xFFFFFFFFUL
/* PIM_CORE[].OTHER: What the core waits for. */
#define NPU_PIM_CORE_OTHER_CORE_Pos 0U
#define NPU_PIM_CORE_OTHER_CORE_Msk 0xFFFFFFFFUL
/* PIM_CORE[].MESSAGE_ID: What the core waits for. */
#define NPU_PIM_CORE_MESSAGE_ID_ID_Pos 0U
#define NPU_PIM_CORE_MESSAGE_ID_ID_Msk 0xFFFFFFFFUL
/* PIM_CORE[].ADDRESS: Address for DATA. */
#define NPU_PIM_CORE_ADDRESS_ADDRESS_Pos 0U
#define NPU_PIM_CORE_ADDRESS_ADDRESS_Msk 0xFFFFFFFFUL
/* PIM_CORE[].DATA: The four bytes from ADDRESS on. They read as 0 if they do not lie in one local memory or in the array. Writing is then a bus fault, and also while the core runs or waits. */
#define NPU_PIM_CORE_DATA_DATA_Pos 0U
#define NPU_PIM_CORE_DATA_DATA_Msk 0xFFFFFFFFUL
/* PIM_CORE[].BREAKPOINT[].POSITION: A breakpoint. */
#define NPU_PIM_CORE_BREAKPOINT_POSITION_INSTRUCTION_Pos 0U
#define NPU_PIM_CORE_BREAKPOINT_POSITION_INSTRUCTION_Msk 0x3FFFFUL
#define NPU_PIM_CORE_BREAKPOINT_POSITION_SET_Pos 31U
#define NPU_PIM_CORE_BREAKPOINT_POSITION_SET_Msk 0x80000000UL
/* PIM_CORE[].REG[].VALUE: A register. A bus fault for a write while the core runs or waits, and to a special register that does not exist; this one reads as 0. */
#define NPU_PIM_CORE_REG_VALUE_VALUE_Pos 0U
#define NPU_PIM_CORE_REG_VALUE_VALUE_Msk 0xFFFFFFFFUL
/* PIM_CORE[].COUNT[].LO: Low half of the count. Reading it latches HI of the core's counts. */
#define NPU_PIM_CORE_COUNT_LO_COUNT_Pos 0U
#define NPU_PIM_CORE_COUNT_LO_COUNT_Msk 0xFFFFFFFFUL
/* PIM_CORE[].COUNT[].HI: High half of the count, at the last read of LO. */
#define NPU_PIM_CORE_COUNT_HI_COUNT_Pos 0U
#define NPU_PIM_CORE_COUNT_HI_COUNT_Msk 0xFFFFFFFFUL

/* FAULT_STATUS.CODE: Kind of the fault; also the status of a completion. */
typedef enum {
  NPU_FAULT_STATUS_CODE_none = 0, /* no fault */
  NPU_FAULT_STATUS_CODE_unknown_instruction = 1, /* the opcode is no instruction */
  NPU_FAULT_STATUS_CODE_field_out_of_range = 2, /* a field has a value out of its range, or an unlisted bit is set */
  NPU_FAULT_STATUS_CODE_unsupported = 3, /* an instruction or a value that belongs to the instruction set but that this device does not have */
  NPU_FAULT_STATUS_CODE_missing_configuration = 4, /* a configuration that the instruction needs was not written in this context */
  NPU_FAULT_STATUS_CODE_window = 5, /* a DRAM address outside the context's window, or an access that the window does not permit; the detail is the address */
  NPU_FAULT_STATUS_CODE_cut = 6, /* an L2 address outside the instruction's region or the context's blocks; the detail is the address. Or a ct_bc with a cut that begins before the buffer; the detail is then the opcode */
  NPU_FAULT_STATUS_CODE_wl0 = 7, /* a WL0 unit outside the weight buffer or the context's units; the detail is the unit */
  NPU_FAULT_STATUS_CODE_bus_error = 8, /* memory refused a transfer; the detail is the bus address */
  NPU_FAULT_STATUS_CODE_shape_mismatch = 9, /* fields that contradict each other */
  NPU_FAULT_STATUS_CODE_aborted = 10, /* the context was quarantined before the instruction ran */
  NPU_FAULT_STATUS_CODE_invalid_context = 11, /* the context does not exist or is not valid. Or it lost its blocks while the instruction ran; the detail is then the context */
  NPU_FAULT_STATUS_CODE_stream_truncated = 12, /* the stream of an engine ends inside an instruction, or its descriptor is malformed */
  NPU_FAULT_STATUS_CODE_base_not_written = 13, /* a base register that was not written since the reset of its context */
  NPU_FAULT_STATUS_CODE_misaligned = 14, /* an address without the alignment of the operand; the detail is the address */
  NPU_FAULT_STATUS_CODE_overlap = 15, /* an output that shares bytes with an input of the same instruction */
  NPU_FAULT_STATUS_CODE_flag_not_set = 16, /* an instruction waits for a flag that no earlier one in its stream sets: it would wait for ever */
  NPU_FAULT_STATUS_CODE_flag_overflow = 17, /* a flag is set more often than it can count before it is waited for */
  NPU_FAULT_STATUS_CODE_buffer = 18, /* an access outside the matrix unit's buffers, or outside the local memories and the array of a PIM core */
  NPU_FAULT_STATUS_CODE_ecc = 19, /* memory has an error that cannot be corrected; the detail is the bus address, or the byte address in L2 or WL0 */
  NPU_FAULT_STATUS_CODE_core = 20, /* an instruction is in the queue of a core outside of its context, or names another core than this one, or reaches a core outside; the detail is the core */
  NPU_FAULT_STATUS_CODE_deadlock = 21, /* no PIM core of a program can go on */
  NPU_FAULT_STATUS_CODE_branch = 22, /* a jump or branch leaves the code of its PIM core */
  NPU_FAULT_STATUS_CODE_batch = 23, /* a pim-batch without a pim-compute right behind it */
  NPU_FAULT_STATUS_CODE_message = 24, /* the sender and the receiver of a message disagree */
  NPU_FAULT_STATUS_CODE_barrier = 25, /* PIM cores arrive at a barrier with different numbers of cores, or with a wrong one */
  NPU_FAULT_STATUS_CODE_time_limit = 26, /* a PIM program did not end within its own time limit */
} NPU_FAULT_STATUS_CODE_Enum;

/* PIM_CORE[].STATE.PHASE: Phase of the core. */
typedef enum {
  NPU_PIM_CORE_STATE_PHASE_absent = 0, /* the program has no such core, or no program has run */
  NPU_PIM_CORE_STATE_PHASE_running = 1, /* has an instruction to issue */
  NPU_PIM_CORE_STATE_PHASE_message = 2, /* waits in a send or a receive */
  NPU_PIM_CORE_STATE_PHASE_wait = 3, /* waits in a wait */
  NPU_PIM_CORE_STATE_PHASE_barrier = 4, /* waits in a barrier */
  NPU_PIM_CORE_STATE_PHASE_halted = 5, /* is halted before its next instruction */
  NPU_PIM_CORE_STATE_PHASE_ended = 6, /* has run to its end */
  NPU_PIM_CORE_STATE_PHASE_faulted = 7, /* has stopped with a fault */
} NPU_PIM_CORE_STATE_PHASE_Enum;
#ifdef __cplusplus
}
#endif
/* clang-format on */

#endif
