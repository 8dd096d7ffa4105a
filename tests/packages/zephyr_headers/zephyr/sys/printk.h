/* SPDX-License-Identifier: MIT */
/* A stand-in for Zephyr's header (kernel.h). */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
void printk(const char *format, ...);
#ifdef __cplusplus
}
#endif
