/* SPDX-License-Identifier: MIT */
/* What the C program asks of the board. */
#ifndef EXAMPLES_FIRST_KERNEL_DRAM_H
#define EXAMPLES_FIRST_KERNEL_DRAM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The bus address of the first byte of DRAM. */
uint64_t first_kernel_dram(void);

#ifdef __cplusplus
}
#endif
#endif
