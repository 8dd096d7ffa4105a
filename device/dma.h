/* SPDX-License-Identifier: MIT */
/* The registers of the peripheral COX_DMA in CMSIS style. Generated from npu.svd by generate.py: do not edit. */
#ifndef COXSWAIN_DEVICE_DMA_H
#define COXSWAIN_DEVICE_DMA_H

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

/* A channel, which executes one list of descriptors at a time. The channels work at the same time and share the bandwidth to DRAM. */
typedef struct {
  __OM uint32_t CONTROL; /* 0x00 Begins and ends a list. */
  __IM uint32_t STATUS; /* 0x04 State of the channel. */
  __IOM uint32_t LIST_LO; /* 0x08 Bus address of the first descriptor, low half; a multiple of 64. Writing while the channel is busy is a bus fault. */
  __IOM uint32_t LIST_HI; /* 0x0C Bus address of the first descriptor, high half. Writing while the channel is busy is a bus fault. */
  __IM uint32_t AT_LO; /* 0x10 Bus address of the descriptor in progress, or of the last one, low half. */
  __IM uint32_t AT_HI; /* 0x14 Bus address of the descriptor in progress, or of the last one, high half. */
  uint32_t RESERVED0[10];
} COX_DMA_CHANNEL_Type;

/* DMA engine of the SoC: channels that execute lists of copies (docs/dma.md). Access is by aligned 32-bit words; bus faults are an access to anything that is not listed, a write to a read-only register, and a read of a write-only register. */
typedef struct {
  __IM uint32_t ID; /* 0x00 Identity of the device. */
  __IM uint32_t VERSION; /* 0x04 Version of the register interface. */
  __IM uint32_t GEOMETRY; /* 0x08 Size of the device. */
  uint32_t RESERVED0;
  __IOM uint32_t INT_STATUS; /* 0x10 Pending interrupts, enabled or not. */
  __IOM uint32_t INT_ENABLE; /* 0x14 Enables interrupts. */
  uint32_t RESERVED1[58];
  COX_DMA_CHANNEL_Type CHANNEL[2]; /* 0x100 A channel, which executes one list of descriptors at a time. The channels work at the same time and share the bandwidth to DRAM. */
} COX_DMA_Type;

/* ID: Identity of the device. */
#define COX_DMA_ID_ID_Pos 0U
#define COX_DMA_ID_ID_Msk 0xFFFFFFFFUL
/* VERSION: Version of the register interface. */
#define COX_DMA_VERSION_MINOR_Pos 0U
#define COX_DMA_VERSION_MINOR_Msk 0xFFFFUL
#define COX_DMA_VERSION_MAJOR_Pos 16U
#define COX_DMA_VERSION_MAJOR_Msk 0xFFFF0000UL
/* GEOMETRY: Size of the device. */
#define COX_DMA_GEOMETRY_CHANNELS_Pos 0U
#define COX_DMA_GEOMETRY_CHANNELS_Msk 0xFUL
/* INT_STATUS: Pending interrupts, enabled or not. */
#define COX_DMA_INT_STATUS_CHANNEL_Pos 0U
#define COX_DMA_INT_STATUS_CHANNEL_Msk 0x3UL
/* INT_ENABLE: Enables interrupts. */
#define COX_DMA_INT_ENABLE_CHANNEL_Pos 0U
#define COX_DMA_INT_ENABLE_CHANNEL_Msk 0x3UL
/* CHANNEL[].CONTROL: Begins and ends a list. */
#define COX_DMA_CHANNEL_CONTROL_START_Pos 0U
#define COX_DMA_CHANNEL_CONTROL_START_Msk 0x1UL
#define COX_DMA_CHANNEL_CONTROL_ABORT_Pos 1U
#define COX_DMA_CHANNEL_CONTROL_ABORT_Msk 0x2UL
/* CHANNEL[].STATUS: State of the channel. */
#define COX_DMA_CHANNEL_STATUS_BUSY_Pos 0U
#define COX_DMA_CHANNEL_STATUS_BUSY_Msk 0x1UL
#define COX_DMA_CHANNEL_STATUS_ERROR_Pos 4U
#define COX_DMA_CHANNEL_STATUS_ERROR_Msk 0xF0UL
#define COX_DMA_CHANNEL_STATUS_ENDED_Pos 16U
#define COX_DMA_CHANNEL_STATUS_ENDED_Msk 0xFFFF0000UL
/* CHANNEL[].LIST_LO: Bus address of the first descriptor, low half; a multiple of 64. Writing while the channel is busy is a bus fault. */
#define COX_DMA_CHANNEL_LIST_LO_ADDRESS_Pos 0U
#define COX_DMA_CHANNEL_LIST_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* CHANNEL[].LIST_HI: Bus address of the first descriptor, high half. Writing while the channel is busy is a bus fault. */
#define COX_DMA_CHANNEL_LIST_HI_ADDRESS_Pos 0U
#define COX_DMA_CHANNEL_LIST_HI_ADDRESS_Msk 0xFFFFFFFFUL
/* CHANNEL[].AT_LO: Bus address of the descriptor in progress, or of the last one, low half. */
#define COX_DMA_CHANNEL_AT_LO_ADDRESS_Pos 0U
#define COX_DMA_CHANNEL_AT_LO_ADDRESS_Msk 0xFFFFFFFFUL
/* CHANNEL[].AT_HI: Bus address of the descriptor in progress, or of the last one, high half. */
#define COX_DMA_CHANNEL_AT_HI_ADDRESS_Pos 0U
#define COX_DMA_CHANNEL_AT_HI_ADDRESS_Msk 0xFFFFFFFFUL

/* CHANNEL[].STATUS.ERROR: How the last list has ended; none while a list is in progress. */
typedef enum {
  COX_DMA_CHANNEL_STATUS_ERROR_none = 0, /* no error */
  COX_DMA_CHANNEL_STATUS_ERROR_bus_read = 1, /* the source is not memory */
  COX_DMA_CHANNEL_STATUS_ERROR_bus_write = 2, /* the destination is not memory */
  COX_DMA_CHANNEL_STATUS_ERROR_misaligned = 3, /* an address, a stride or the bytes of a row are not a multiple of 8, or the address of a descriptor is not a multiple of 64 */
  COX_DMA_CHANNEL_STATUS_ERROR_bad_descriptor = 4, /* the descriptor is not memory, has no mark, has bits set that are reserved, or a size outside its range */
  COX_DMA_CHANNEL_STATUS_ERROR_stopped = 5, /* software has aborted the list */
} COX_DMA_CHANNEL_STATUS_ERROR_Enum;
#ifdef __cplusplus
}
#endif
/* clang-format on */

#endif
