/* SPDX-License-Identifier: MIT */
/* The status that C functions return: base/status.h for C programs. */
#ifndef BASE_COX_STATUS_H
#define BASE_COX_STATUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The errors, by the names that cox_error_name() returns. base/status.h says what each means. */
enum cox_error {
  COX_OK = 0,
  COX_ERROR_INVALID_ARGUMENT = 1,
  COX_ERROR_NOT_READY = 2,
  COX_ERROR_NO_ROOM = 3,
  COX_ERROR_TIMEOUT = 4,
  COX_ERROR_UNSUPPORTED = 5,
  COX_ERROR_UNKNOWN_DEVICE = 6,
  COX_ERROR_NOT_OWNER = 7,
  COX_ERROR_IMAGE_TRUNCATED = 16,
  COX_ERROR_IMAGE_MAGIC = 17,
  COX_ERROR_IMAGE_VERSION = 18,
  COX_ERROR_IMAGE_CHECKSUM = 19,
  COX_ERROR_IMAGE_MALFORMED = 20,
  COX_ERROR_IMAGE_GEOMETRY = 21,
  COX_ERROR_IMAGE_UNSIGNED = 22,
  COX_ERROR_UNKNOWN_KEY = 23,
  COX_ERROR_BAD_SIGNATURE = 24,
  COX_ERROR_ROLLED_BACK = 25,
  COX_ERROR_UNKNOWN_INSTRUCTION = 32,
  COX_ERROR_FIELD_OUT_OF_RANGE = 33,
  COX_ERROR_RESERVED_BITS = 34,
  COX_ERROR_MISSING_CONFIGURATION = 35,
  COX_ERROR_ADDRESS_OUTSIDE_WINDOW = 36,
  COX_ERROR_ADDRESS_OUTSIDE_CUT = 37,
  COX_ERROR_ADDRESS_OUTSIDE_WL0 = 38,
  COX_ERROR_MISALIGNED_ADDRESS = 39,
  COX_ERROR_SHAPE_MISMATCH = 40,
  COX_ERROR_STREAM_TRUNCATED = 41,
  COX_ERROR_BASE_NOT_WRITTEN = 42,
  COX_ERROR_ADDRESS_OUTSIDE_BUFFER = 43,
  COX_ERROR_FLAG_NOT_SET = 44,
  COX_ERROR_FLAG_OVERFLOW = 45,
  COX_ERROR_OWN_CORE = 46,
  COX_ERROR_NO_TASK_START = 48,
  COX_ERROR_NO_TASK_END = 49,
  COX_ERROR_TOKENS_UNBALANCED = 50,
  COX_ERROR_DEADLOCK = 52,
  COX_ERROR_BAD_BUFFER_CUT = 53,
  COX_ERROR_TOO_MANY_INSTRUCTIONS = 54,
  COX_ERROR_CUT_NOT_ORDERED = 55,
  COX_ERROR_TIME_LIMIT = 64,
  COX_ERROR_DEVICE_FAULT = 65,
  COX_ERROR_CANCELLED = 66,
  COX_ERROR_WINDOW_MISSING = 80,
  COX_ERROR_WINDOW_TOO_SMALL = 81,
  COX_ERROR_WINDOW_OUTSIDE_DRAM = 82,
  COX_ERROR_WINDOW_OVERLAP = 83,
  COX_ERROR_TENSOR_UNKNOWN = 84,
  COX_ERROR_TENSOR_SIZE = 85,
  COX_ERROR_TENSOR_OVERLAP = 86,
  COX_ERROR_BRANCH_OUTSIDE_PROGRAM = 96,
  COX_ERROR_BATCH_WITHOUT_COMPUTE = 97,
  COX_ERROR_MESSAGE_MISMATCH = 98,
  COX_ERROR_BARRIER_MISMATCH = 99
};

/* The outcome of a call. */
typedef struct cox_status {
  uint32_t error;   /* enum cox_error */
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
