/* SPDX-License-Identifier: MIT */
/*
 * Kernels of the matrix unit for C programs (docs/kernels/cube.md, "Your first kernel call"). The C function cox_cube_NAME() of a kernel
 * calls the C++ kernel NAME() in this folder. That kernel's header states shapes and errors. It also describes the arguments: a member here
 * means the same as the member with that name there. Start from the arguments that the *_defaults() functions return.
 *
 * hal/cox_accelerator.h has the rules for memory and threads. Operands, results and scratch lie in DRAM.
 */
#ifndef KERNELS_CUBE_COXSWAIN_CUBE_H
#define KERNELS_CUBE_COXSWAIN_CUBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"
#include "coxswain/hal/cox_accelerator.h"
#include "coxswain/hal/cox_submission.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Types of operands, and of results. */
enum { COX_CUBE_BFLOAT16 = 0, COX_CUBE_HALF = 1, COX_CUBE_FLOAT = 2, COX_CUBE_INT8 = 3, COX_CUBE_INT4 = 4 };
enum { COX_CUBE_TO_FLOAT = 0, COX_CUBE_TO_HALF = 1, COX_CUBE_TO_BFLOAT16 = 2, COX_CUBE_TO_INT32 = 3, COX_CUBE_TO_INT8 = 4 };
enum { COX_CUBE_NONE = 0, COX_CUBE_RELU = 1, COX_CUBE_LEAKY_RELU = 2, COX_CUBE_CLIP = 3 }; /* activations */
enum { COX_CUBE_ROW_MAJOR = 0, COX_CUBE_COLUMN_MAJOR = 1 };
enum { COX_CUBE_NO_SCALE = 0, COX_CUBE_SCALE = 1, COX_CUBE_SCALE_A_CHANNEL = 2 };
/* Bits of cox_cube_warnings(). */
enum { COX_CUBE_WARN_EMPTY_MAD = 1, COX_CUBE_WARN_BIAS_WRAPPED = 2, COX_CUBE_WARN_FLAGS_LEFT = 4 };

typedef struct cox_cube_matrix {
  uint64_t address; /* bus address of element (0, 0), or its L1 address if in L1 */
  uint32_t rows, columns;
  uint32_t pitch; /* bytes from one row (column-major: column) to the next, 0: no gaps; in L1: fractals in a column, at most 2,048 */
  uint32_t order;
  bool in_l1;
} cox_cube_matrix;

typedef struct cox_cube_gemm_arguments {
  uint32_t type;
  cox_cube_matrix left, right;
  uint32_t to;
  cox_cube_matrix output;
  float alpha, beta;
  cox_cube_matrix addend;
  uint64_t biases, scales;
  uint32_t activation;
  float activation_parameter;
  int32_t zero_point;
  uint32_t batches;
  uint64_t left_stride, right_stride, output_stride, addend_stride;
} cox_cube_gemm_arguments;

typedef struct cox_cube_gemv_arguments {
  uint32_t type;
  cox_cube_matrix matrix;
  uint64_t vector;
  uint32_t to;
  uint64_t output;
  float alpha, beta;
  uint64_t addend, biases, scales;
  uint32_t activation;
  float activation_parameter;
  int32_t zero_point;
} cox_cube_gemv_arguments;

typedef struct cox_cube_conv2d_arguments {
  uint32_t type;
  uint64_t input;
  uint32_t batch, height, width, channels;
  uint64_t weights;
  uint32_t kernel_height, kernel_width, stride_y, stride_x, dilation_y, dilation_x;
  uint32_t pad_top, pad_left, pad_bottom, pad_right;
  int32_t pad_value;
  uint32_t groups;
  uint64_t output;
  uint32_t output_height, output_width, output_channels, output_type;
  uint64_t bias;
  uint32_t scale_mode;
  float scale;
  uint64_t scales, residual;
  float beta;
  uint32_t activation;
  float activation_parameter;
  int32_t zero_point;
} cox_cube_conv2d_arguments;

typedef struct cox_cube_attention_arguments {
  cox_cube_matrix queries, keys, values, output;
  uint32_t type, to;
  float scale;
  bool causal;
  int32_t diagonal;
  uint64_t scratch; /* address in DRAM */
  size_t scratch_bytes;
} cox_cube_attention_arguments;

/* A stream under construction. Its contents are private to the kernels. It must not move. */
typedef struct cox_cube_stream {
  uint64_t opaque[96];
} cox_cube_stream;

/* Opens the matrix unit with all of DRAM as its window. Call it after cox_open() and before the functions below. Errors: not_ready
 * ("cox_open") before cox_open(); unsupported ("matrix unit") if the device has none; not_owner ("matrix unit") if it is open already. */
cox_status cox_cube_open(void);
/* Closes the matrix unit. Streams need cox_cube_stream_init() again after the next cox_cube_open(). Error: not_ready ("cox_cube_open") if
 * it is not open. */
cox_status cox_cube_close(void);

/* Makes an empty stream in `memory`, aligned to 32 bytes, which the stream uses from then on. Error: not_ready before cox_cube_open(). */
cox_status cox_cube_stream_init(cox_cube_stream *stream, void *memory, size_t bytes, uint32_t segments);
/* From now on the stream's full segments run while kernels write the next segment (Engine::attach()). Error: not_ready ("callback") if
 * streams with a callback from the interrupt are in flight. */
cox_status cox_cube_attach(cox_cube_stream *stream);
void cox_cube_stream_clear(cox_cube_stream *stream);
uint32_t cox_cube_stream_slots(const cox_cube_stream *stream);
/* Runs the stream, or the rest of an attached stream, and waits for its end, at most `time_limit_us` microseconds (0: 10 s). The stream can
 * run again unless some of its segments were submitted while kernels were still writing it (cox_cube_attach()). */
cox_status cox_cube_run(cox_cube_stream *stream, uint32_t time_limit_us);
/* cox_cube_run() in two steps, so that the core and the other engines can work meanwhile (hal/cox_submission.h). Streams end in the order
 * in which they were submitted. If a stream has not ended after the time limit, cox_cube_wait() stops it and the streams behind it, which
 * fail with timeout. Errors of cox_cube_submit(), with nothing changed: no_room ("streams in flight"); no_room ("submissions") if there
 * are 16 handles whose outcome no wait has returned, or while another thread recovers the unit; not_ready ("stream") if a callback from
 * the interrupt submits while a stream is attached. */
cox_status cox_cube_submit(cox_cube_stream *stream, cox_handle *handle);
cox_status cox_cube_wait(cox_handle handle, uint32_t time_limit_us);
/* Returns the warnings of the last cox_cube_run(), or of the streams since the last cox_cube_submit(). */
uint32_t cox_cube_warnings(void);
/* Returns the device time, in cycles, at the end of the last stream whose end a wait has seen. */
uint64_t cox_cube_end_cycle(void);

/* give: makes the core's writes visible to the unit. take: makes the unit's writes visible to the core. */
void cox_cube_give(uint64_t address, size_t bytes);
void cox_cube_take(uint64_t address, size_t bytes);

cox_cube_gemm_arguments cox_cube_gemm_defaults(void);
cox_status cox_cube_gemm(cox_cube_stream *stream, const cox_cube_gemm_arguments *arguments);

cox_cube_gemv_arguments cox_cube_gemv_defaults(void);
cox_status cox_cube_gemv(cox_cube_stream *stream, const cox_cube_gemv_arguments *arguments);

cox_cube_conv2d_arguments cox_cube_conv2d_defaults(void);
cox_status cox_cube_conv2d(cox_cube_stream *stream, const cox_cube_conv2d_arguments *arguments);
/* Returns in `slots` the number of slots, of 32 bytes each, that cox_cube_conv2d() appends. */
cox_status cox_cube_conv2d_slots(const cox_cube_conv2d_arguments *arguments, uint64_t *slots);
/* Returns the number of positions of a kernel along one side of a map, or 0 if the side is too short for the kernel. */
uint32_t cox_cube_conv2d_output_side(uint32_t side, uint32_t before, uint32_t after, uint32_t kernel, uint32_t dilation, uint32_t stride);

cox_cube_attention_arguments cox_cube_attention_defaults(void);
/* Computes one attention head and returns when the head has ended. Each wait lasts at most `time_limit_us`. The call needs two streams of
 * its own (cox_cube_stream_init()). Error: not_ready ("callback") if streams with a callback from the interrupt are in flight. */
cox_status cox_cube_attention(cox_cube_stream *scores, cox_cube_stream *output, const cox_cube_attention_arguments *arguments,
                              uint32_t time_limit_us);
cox_status cox_cube_attention_scratch_bytes(const cox_cube_attention_arguments *arguments, uint64_t *bytes);
cox_status cox_cube_attention_least_scratch_bytes(const cox_cube_attention_arguments *arguments, uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
