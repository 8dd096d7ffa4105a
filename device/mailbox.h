/* SPDX-License-Identifier: MIT */
/* The registers of the peripheral COX_MAILBOX in CMSIS style. Generated from npu.svd by generate.py: do not edit. */
#ifndef COXSWAIN_DEVICE_MAILBOX_H
#define COXSWAIN_DEVICE_MAILBOX_H

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

/* Mailbox between the control core and a host: one ring in each direction. It carries no data, which is in memory that both share. Access is by aligned 32-bit words. */
typedef struct {
  __IM uint32_t TO_CORE_STATUS; /* 0x00 Rings of the host. */
  __OM uint32_t TO_CORE_SET; /* 0x04 Rings the control core. For the host. */
  __OM uint32_t TO_CORE_CLEAR; /* 0x08 Clears the ring of the host. For the control core, before it looks for what the host has to tell. */
  uint32_t RESERVED0;
  __IM uint32_t TO_HOST_STATUS; /* 0x10 Rings of the control core. */
  __OM uint32_t TO_HOST_SET; /* 0x14 Rings the host. For the control core. */
  __OM uint32_t TO_HOST_CLEAR; /* 0x18 Clears the ring of the control core. For the host, before it looks for what the control core has to tell. */
} COX_MAILBOX_Type;

/* TO_CORE_STATUS: Rings of the host. */
#define COX_MAILBOX_TO_CORE_STATUS_RUNG_Pos 0U
#define COX_MAILBOX_TO_CORE_STATUS_RUNG_Msk 0x1UL
/* TO_CORE_SET: Rings the control core. For the host. */
#define COX_MAILBOX_TO_CORE_SET_RING_Pos 0U
#define COX_MAILBOX_TO_CORE_SET_RING_Msk 0x1UL
/* TO_CORE_CLEAR: Clears the ring of the host. For the control core, before it looks for what the host has to tell. */
#define COX_MAILBOX_TO_CORE_CLEAR_CLEAR_Pos 0U
#define COX_MAILBOX_TO_CORE_CLEAR_CLEAR_Msk 0x1UL
/* TO_HOST_STATUS: Rings of the control core. */
#define COX_MAILBOX_TO_HOST_STATUS_RUNG_Pos 0U
#define COX_MAILBOX_TO_HOST_STATUS_RUNG_Msk 0x1UL
/* TO_HOST_SET: Rings the host. For the control core. */
#define COX_MAILBOX_TO_HOST_SET_RING_Pos 0U
#define COX_MAILBOX_TO_HOST_SET_RING_Msk 0x1UL
/* TO_HOST_CLEAR: Clears the ring of the control core. For the host, before it looks for what the control core has to tell. */
#define COX_MAILBOX_TO_HOST_CLEAR_CLEAR_Pos 0U
#define COX_MAILBOX_TO_HOST_CLEAR_CLEAR_Msk 0x1UL
#ifdef __cplusplus
}
#endif
/* clang-format on */

#endif
