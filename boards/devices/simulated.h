/* SPDX-License-Identifier: MIT */
/*
 * Registers of the devices that only QEMU's boards have. Their addresses are in each board's board.json. This file holds only macros,
 * because C++ code and QEMU's devices read it.
 */
#ifndef BOARDS_DEVICES_SIMULATED_H
#define BOARDS_DEVICES_SIMULATED_H

/*
 * The simulation probe: facts that only a simulator can report. The numbers are offsets of registers, which are 32-bit and
 * read-only.
 * Reading EXECUTED_LO latches EXECUTED_HI.
 */
#define BOARD_PROBE_FEATURES 0x00    /* the bits below */
#define BOARD_PROBE_EXECUTED_LO 0x04 /* instructions that the control core has executed since power-on, low half */
#define BOARD_PROBE_EXECUTED_HI 0x08 /* high half of the same number */
#define BOARD_PROBE_DRAM_SIZE 0x0c   /* bytes of DRAM at BOARD_DRAM_BASE */

/* Bits of BOARD_PROBE_FEATURES. */
#define BOARD_PROBE_COUNTS 0x01 /* QEMU counts instructions (-icount) */
#define BOARD_PROBE_HOST 0x02   /* there is a mailbox, and it has a link to a host */

/*
 * The mailbox (device/mailbox.h has its registers) and a host process are linked by a stream of bytes. In both directions
 * BOARD_MAILBOX_RING rings. The host answers each ring that it gets with BOARD_MAILBOX_CLEAR. Only then does the mailbox ring it again.
 */
#define BOARD_MAILBOX_RING 0x01
#define BOARD_MAILBOX_CLEAR 0x02

#endif
