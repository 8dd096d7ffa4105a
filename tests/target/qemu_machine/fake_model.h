/* SPDX-License-Identifier: MIT */
/* Registers of the fake model, as offsets in the NPU block. The self-test that drives the model uses them too. */
#ifndef TESTS_QEMU_MACHINE_FAKE_MODEL_H
#define TESTS_QEMU_MACHINE_FAKE_MODEL_H

#define FAKE_ID 0x00 /* reads FAKE_ID_VALUE */
#define FAKE_ID_VALUE 0x46414b45
#define FAKE_TIME 0x04        /* reads the device time, low 32 bits */
#define FAKE_ALARM 0x08       /* write n: interrupt line 0 rises n cycles later */
#define FAKE_ACKNOWLEDGE 0x0c /* write: line 0 falls */
#define FAKE_FAULT_LINE 0x10  /* write 0 or 1: the level of line 1 */
#define FAKE_SOURCE 0x14      /* write: bus address of the block to copy */
#define FAKE_DESTINATION 0x18 /* write: bus address to copy the block to; starts the copy */
#define FAKE_RESULT 0x1c      /* reads the result of the copy: FAKE_RESULT_* */
#define FAKE_RESETS 0x20      /* reads how often the model was reset */

/* A register of the DMA engine, as an offset in its block: write 0 or 1: the level of line 2; reads FAKE_DMA_VALUE. */
#define FAKE_DMA_LINE 0x100
#define FAKE_DMA_VALUE 0x444d4121

#define FAKE_BLOCK_BYTES 64
#define FAKE_RESULT_MAPPED 1
#define FAKE_RESULT_COPIED 2
#define FAKE_RESULT_READ_ERROR 3
#define FAKE_RESULT_WRITE_ERROR 4

#endif
