/* SPDX-License-Identifier: MIT */
/*
 * Copies in DRAM by the board's DMA engine, for C programs (docs/dma.md, From C). A program submits a list of copies, does other work, and
 * waits for the list. On a board without a DMA engine, the core copies before cox_dma_submit() returns. The rules of
 * hal/cox_accelerator.h hold, and:
 *
 * - One thread at a time calls these functions. cox_dma_wait() puts the core to sleep, also in a program with an operating system. A thread
 *   that must let others run calls cox_dma_has_ended() instead.
 * - From cox_dma_submit() until a wait has returned the outcome, sources stay unchanged, and the core does not touch destinations. Bytes
 *   beside a destination may be used. Caches need no care.
 *
 * Errors of all functions that take a list: invalid_argument ("handle") if the list names nothing, for example because a wait has returned
 * its outcome; not_ready ("cox_dma_open") before cox_dma_open().
 */
#ifndef HAL_COX_DMA_H
#define HAL_COX_DMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Most copies in a list, and most lists that were submitted and whose outcome no wait has returned. */
#define COX_DMA_COPIES 16u
#define COX_DMA_LISTS 4u

/* A copy of `rows` rows. Source and destination lie in DRAM and do not overlap. One row may begin and end at any byte. If there are
 * several, the source and its stride are multiples of 8; the destination, its stride and `bytes` are multiples of 64. */
typedef struct cox_dma_copy {
  const void *source;
  void *destination;
  uint32_t bytes;              /* of a row: 1 to 16 MiB */
  uint32_t rows;               /* 1 to 65,536 */
  uint32_t source_stride;      /* bytes from a row to the next, at least `bytes`; unused if there is one row */
  uint32_t destination_stride; /* the same */
} cox_dma_copy;

/* Names a list. 0 is never a list. */
typedef uint32_t cox_dma_list;

/* Opens the DMA engine, after cox_open(). Takes 8 KiB of queue memory until cox_close(). Errors: not_ready ("cox_open"); not_owner ("DMA")
 * if it is open already; no_room ("queue memory"); unknown_device; timeout ("DMA channel", `index` the channel) if a channel that an
 * earlier program has started does not stop. */
cox_status cox_dma_open(void);
/* Aborts all lists and closes the DMA engine. Call it before cox_close(). Errors: not_ready ("cox_dma_open"); timeout ("DMA channel",
 * `index` the channel): the engine is closed, but this channel has not stopped and may still write the destinations of its list. */
cox_status cox_dma_close(void);

/* Begins the copies of a list, and sets `*list`. The copies may be done in any order and at once, so no destination may overlap another
 * copy of this list, or of a list that has not ended. If the list takes longer than `time_limit_us` microseconds (0: one second) from when
 * the engine begins it, the list is aborted. Errors, with nothing copied (`index` is the copy):
 * - not_ready ("cox_dma_open"); invalid_argument ("copies", "list") for NULL, or for no copy or more than COX_DMA_COPIES;
 * - invalid_argument ("bytes", "rows", "stride"), misaligned_address, window_outside_dram ("source", "destination");
 * - window_overlap ("destination") if source and destination of a copy overlap; ("copies") if a copy overlaps another one of the list;
 * - window_overlap ("DMA channel", `limit` the channel): a channel that does not stop may write this memory;
 * - no_room ("DMA") if no list is free. */
cox_status cox_dma_submit(const cox_dma_copy *copies, size_t count, uint32_t time_limit_us, cox_dma_list *list);

/* Returns true if a wait would return at once, also for a list that is not valid. Checks time limits: a program that waits for no list
 * calls it every 10 ms or more often. */
bool cox_dma_has_ended(cox_dma_list list);

/* Sleeps until the list has ended, at most `limit_us` microseconds, and returns its outcome. Then the list is no longer valid. Error:
 * timeout ("wait"); the list goes on and stays valid. Outcomes that are not ok leave unspecified bytes in the destinations:
 * - device_fault (the name of the engine's error in docs/dma-registers.md, `index` the copy, `limit` the channel);
 * - device_fault ("DMA channel", `limit` the channel): the list was aborted, but the channel has not stopped within 20 ms. It may still
 *   write the destinations. cox_dma_submit() refuses this memory until the channel has stopped;
 * - not_ready ("DMA channel"): the list has not begun, because no channel works;
 * - timeout ("DMA"): the list took longer than its time limit; cancelled ("DMA"): cox_dma_abort(). */
cox_status cox_dma_wait(cox_dma_list list, uint32_t limit_us);

/* Aborts a list that has not ended. A wait is still necessary. */
cox_status cox_dma_abort(cox_dma_list list);

#ifdef __cplusplus
}
#endif
#endif
