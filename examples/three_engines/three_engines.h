/* SPDX-License-Identifier: MIT */
#ifndef EXAMPLES_THREE_ENGINES_THREE_ENGINES_H
#define EXAMPLES_THREE_ENGINES_THREE_ENGINES_H

#ifdef __cplusplus
extern "C" {
#endif

/* The whole program (README.md). The task image copy.cxt lies at the base of DRAM. Returns 0 if all results are right. */
int three_engines(void);

#ifdef __cplusplus
}
#endif
#endif
