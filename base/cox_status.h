/* SPDX-License-Identifier: MIT */
/* What C functions return: base/status.h for C programs. */
#ifndef BASE_COX_STATUS_H
#define BASE_COX_STATUS_H

#include <stdint.h>

/* The outcome of a call. error 0 is success. */
typedef struct cox_status {
  uint32_t error;   /* cox::ErrorCode; cox_error_name(), cox_mx_error_name() and cox_cube_error_name() have its name */
  int32_t index;    /* of the instruction, window or element; -1: none */
  const char *what; /* the field, register or object; static storage */
  int64_t value;    /* what stands there */
  int64_t limit;    /* what it broke */
} cox_status;

#endif
