/* SPDX-License-Identifier: MIT */
#ifndef EXAMPLES_THREADS_THREADS_H
#define EXAMPLES_THREADS_THREADS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The whole program (README.md). Returns 0 if all results are right. */
int threads(void);

#ifdef __cplusplus
}
#endif
#endif
