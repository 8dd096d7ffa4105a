/* SPDX-License-Identifier: MIT */
/* The status that C functions return: base/status.h for C programs. */
#ifndef BASE_COX_STATUS_H
#define BASE_COX_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The outcome of a call. error 0 is success. */
typedef struct cox_status {
  uint32_t error;   /* cox::ErrorCode; cox_error_name() has its name */
  int32_t index;    /* index of the instruction, window or element; -1: none */
  const char *what; /* the field, register or object; static storage */
  int64_t value;    /* the value found */
  int64_t limit;    /* the limit that `value` breaks */
} cox_status;

/* The error's name, for example "address_outside_window". */
const char *cox_error_name(uint32_t error);

#ifdef __cplusplus
}
#endif

#endif
