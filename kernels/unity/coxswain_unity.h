/* SPDX-License-Identifier: MIT */
/*
 * Kernels of the Unity units for C programs (docs/kernels/unity.md). The C function cox_unity_NAME() of a kernel calls the C++ kernel
 * NAME() in this folder. That kernel's header states shapes and errors. It also describes the arguments: a member here means the same as
 * the member with that name there. Start from the arguments that the *_defaults() functions return.
 *
 * hal/cox_accelerator.h has the rules for memory and threads. Addresses are bus addresses in DRAM.
 */
#ifndef KERNELS_UNITY_COXSWAIN_UNITY_H
#define KERNELS_UNITY_COXSWAIN_UNITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"
#include "coxswain/hal/cox_accelerator.h"
#include "coxswain/hal/cox_submission.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { COX_UNITY_MAXIMUM = 0, COX_UNITY_AVERAGE = 1 };

/* The real number multiplier / 2^31 * 2^shift. */
typedef struct cox_unity_multiplier {
  int32_t multiplier, shift;
} cox_unity_multiplier;

typedef struct cox_unity_bounds {
  int32_t least, most;
} cox_unity_bounds;

typedef struct cox_unity_channel_results {
  uint64_t biases, multipliers, shifts;
  int32_t output_zero;
  cox_unity_bounds bounds;
} cox_unity_channel_results;

typedef struct cox_unity_conv2d_arguments {
  bool depthwise;
  uint64_t input, weights, output;
  uint32_t batch;
  uint32_t height, width, channels;
  uint32_t output_height, output_width, output_channels;
  uint32_t kernel_height, kernel_width, stride_y, stride_x, dilation_y, dilation_x, enlarge_y, enlarge_x;
  uint32_t groups;
  uint32_t pad_top, pad_left, pad_bottom, pad_right;
  int32_t pad_value;
  int32_t weights_zero;
  cox_unity_channel_results results;
} cox_unity_conv2d_arguments;

typedef struct cox_unity_fully_connected_arguments {
  uint64_t input, weights, output;
  uint32_t rows, depth, columns;
  int32_t weights_zero;
  cox_unity_channel_results results;
} cox_unity_fully_connected_arguments;

/* The core reads and writes these arrays, so they are pointers. */
typedef struct cox_unity_fold_arguments {
  const int8_t *weights;
  size_t count; /* of weights */
  bool by_channel;
  int32_t input_zero, weights_zero;
  const int32_t *bias; /* one for each output channel, or NULL: zeros */
  uint32_t channels;
} cox_unity_fold_arguments;

typedef struct cox_unity_pool_arguments {
  uint32_t mode;
  uint64_t input, output;
  uint32_t batch;
  uint32_t height, width, channels;
  uint32_t output_height, output_width;
  uint32_t kernel_height, kernel_width, stride_y, stride_x;
  uint32_t pad_top, pad_left, pad_bottom, pad_right;
  cox_unity_bounds bounds;
} cox_unity_pool_arguments;

typedef struct cox_unity_sum_arguments {
  bool subtract;
  uint64_t inputs[2];
  uint64_t output;
  uint64_t elements;
  uint32_t left_shift;
  int32_t input_zero[2];
  cox_unity_multiplier input_multiplier[2];
  cox_unity_multiplier multiplier;
  int32_t output_zero;
  cox_unity_bounds bounds;
} cox_unity_sum_arguments;

typedef struct cox_unity_product_arguments {
  uint64_t inputs[2];
  uint64_t output;
  uint64_t scratch;
  uint64_t elements;
  int32_t input_zero[2];
  cox_unity_multiplier multiplier;
  int32_t output_zero;
  cox_unity_bounds bounds;
} cox_unity_product_arguments;

typedef struct cox_unity_rescale_arguments {
  uint64_t input, output;
  uint64_t elements;
  int32_t input_zero, output_zero;
  cox_unity_multiplier multiplier;
  cox_unity_bounds bounds;
} cox_unity_rescale_arguments;

typedef struct cox_unity_softmax_arguments {
  uint64_t input, output;
  uint32_t rows, depth;
  cox_unity_multiplier multiplier;
  int32_t least_difference;
} cox_unity_softmax_arguments;

/* A container under construction. Its contents are private to the kernels. It must not move. */
typedef struct cox_unity_stream {
  uint64_t opaque[80];
} cox_unity_stream;

/* Opens the Unity engine with all of DRAM as its window. Call it after cox_open() and before the functions below. Errors: not_ready
 * ("cox_open") before cox_open(); unsupported if the device has none; not_owner if it is open already. */
cox_status cox_unity_open(void);
/* Closes the engine. Streams need cox_unity_stream_init() again after the next cox_unity_open(). Error: not_ready ("cox_unity_open") if it
 * is not open. */
cox_status cox_unity_close(void);

/* Begins a container for unit 0 in `memory`, aligned to 32 bytes, which the stream uses from then on. It holds at most `instructions`
 * instructions, with the one that ends it. Errors: not_ready before cox_unity_open(); those of ContainerBuilder::init(). */
cox_status cox_unity_stream_init(cox_unity_stream *stream, void *memory, size_t bytes, uint32_t instructions);
void cox_unity_stream_clear(cox_unity_stream *stream);
/* Returns the number of instructions without the one that ends the container. */
uint32_t cox_unity_stream_instructions(const cox_unity_stream *stream);
/* Lets operands in the `bytes` bytes from `from` lie behind `to` instead (ContainerBuilder::move_operands()). The container must not be
 * running. */
cox_status cox_unity_move_operands(cox_unity_stream *stream, uint64_t from, uint64_t bytes, uint64_t to);
/* Runs the container and waits for its end, at most `time_limit_us` microseconds (0: 10 s). It can run again. */
cox_status cox_unity_run(cox_unity_stream *stream, uint32_t time_limit_us);
/* cox_unity_run() in two steps (hal/cox_submission.h). */
cox_status cox_unity_submit(cox_unity_stream *stream, cox_handle *handle);
cox_status cox_unity_wait(cox_handle handle, uint32_t time_limit_us);
/* Returns the device time, in cycles, at the end of the last container whose end a wait has seen. */
uint64_t cox_unity_end_cycle(void);

/* give: makes the core's writes visible to the engine. take: makes the engine's writes visible to the core. */
void cox_unity_give(uint64_t address, size_t bytes);
void cox_unity_take(uint64_t address, size_t bytes);

/* Writes the multiplier that TensorFlow Lite has for a real number. Needs no open engine. Error: invalid_argument ("value") if the number
 * is not finite or, rounded to 31 bits, less than 2^-32 or at least 2^30. */
cox_status cox_unity_quantised_multiplier(double value, cox_unity_multiplier *multiplier);
/* Writes the biases that contain the input's zero point to `folded`, one for each output channel. Needs no open engine. Errors:
 * invalid_argument ("channels", "count") if one is 0; shape_mismatch ("count") if it is no multiple of `channels`. */
cox_status cox_unity_fold_zero_point(const cox_unity_fold_arguments *arguments, int32_t *folded);

cox_unity_conv2d_arguments cox_unity_conv2d_defaults(void);
cox_status cox_unity_conv2d(cox_unity_stream *stream, const cox_unity_conv2d_arguments *arguments);
cox_unity_fully_connected_arguments cox_unity_fully_connected_defaults(void);
cox_status cox_unity_fully_connected(cox_unity_stream *stream, const cox_unity_fully_connected_arguments *arguments);
cox_unity_pool_arguments cox_unity_pool_defaults(void);
cox_status cox_unity_pool(cox_unity_stream *stream, const cox_unity_pool_arguments *arguments);
cox_unity_sum_arguments cox_unity_sum_defaults(void);
cox_status cox_unity_sum(cox_unity_stream *stream, const cox_unity_sum_arguments *arguments);
/* Returns the bytes of a product's scratch. */
uint64_t cox_unity_product_scratch(uint64_t elements);
cox_unity_product_arguments cox_unity_product_defaults(void);
cox_status cox_unity_product(cox_unity_stream *stream, const cox_unity_product_arguments *arguments);
cox_unity_rescale_arguments cox_unity_rescale_defaults(void);
cox_status cox_unity_rescale(cox_unity_stream *stream, const cox_unity_rescale_arguments *arguments);
cox_unity_softmax_arguments cox_unity_softmax_defaults(void);
cox_status cox_unity_softmax(cox_unity_stream *stream, const cox_unity_softmax_arguments *arguments);

#ifdef __cplusplus
}
#endif
#endif
