/* SPDX-License-Identifier: MIT */
#ifndef EXAMPLES_COPIES_H
#define EXAMPLES_COPIES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the program's exit status. */
int copies(void);

#ifdef __cplusplus
}
#endif
#endif
