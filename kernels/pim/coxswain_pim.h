/* SPDX-License-Identifier: MIT */
/*
 * Kernels of the PIM engine for C programs (docs/kernels/pim.md). The C function cox_pim_NAME() of a kernel calls the C++ kernel NAME() in
 * this folder. That kernel's header states shapes and errors. It also describes the arguments: a member here means the same as the member
 * with that name there. Start from the arguments that the *_defaults() functions return.
 *
 * hal/cox_accelerator.h has the rules for memory and threads. Addresses of tensors are device addresses: cox_pim_address() makes them from
 * bus addresses.
 */
#ifndef KERNELS_PIM_COXSWAIN_PIM_H
#define KERNELS_PIM_COXSWAIN_PIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"
#include "coxswain/hal/cox_accelerator.h"
#include "coxswain/hal/cox_submission.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { COX_PIM_DENSE = 0, COX_PIM_VALUE_SPARSE = 1, COX_PIM_BIT_SPARSE = 2 }; /* forms of weights */
enum { COX_PIM_INT8 = 0, COX_PIM_INT32 = 1 };                                 /* types of results */
enum { COX_PIM_SPLIT_PIXELS = 0, COX_PIM_SPLIT_OUTPUTS = 1 };
enum { COX_PIM_MAXIMUM = 0, COX_PIM_AVERAGE = 1 };

/* Its contents are private to the kernels. */
typedef struct cox_pim_mapping {
  uint32_t opaque[64];
} cox_pim_mapping;

typedef struct cox_pim_conv2d_arguments {
  uint32_t input;
  uint32_t height, width, channels;
  uint32_t kernel_height, kernel_width, stride_y, stride_x, dilation_y, dilation_x;
  uint32_t pad_top, pad_left, pad_bottom, pad_right;
  int32_t pad_value;
  uint32_t groups;
  uint32_t output;
  uint32_t output_height, output_width, output_channels;
  uint32_t output_type;
  bool relu;
  int32_t zero_point;
  uint32_t form, threshold, window_inputs;
  bool has_bias;
  uint32_t weights;
  bool resident;
  uint32_t first_row;
  bool tables_resident;
  uint32_t first_core, cores, split;
  const uint8_t *thresholds; /* bit-sparse: of each output channel, or NULL: all have `threshold` */
  uint32_t weight_bits;
} cox_pim_conv2d_arguments;

typedef struct cox_pim_gemm_arguments {
  uint32_t left;
  uint32_t m, k, n;
  uint32_t output;
  uint32_t output_type;
  bool relu;
  int32_t zero_point;
  uint32_t form, threshold, window_inputs;
  bool has_bias;
  uint32_t weights;
  bool resident;
  uint32_t first_row, first_core, cores, split;
  const uint8_t *thresholds; /* bit-sparse: of each column of the output, or NULL */
  uint32_t weight_bits;
} cox_pim_gemm_arguments;

typedef struct cox_pim_factor {
  int32_t multiplier, shift;
} cox_pim_factor;

typedef struct cox_pim_eladd_arguments {
  uint32_t left, right, output;
  uint32_t count;
  int32_t left_zero_point, right_zero_point, zero_point;
  cox_pim_factor left_factor, right_factor, output_factor;
  uint32_t first_core, cores;
} cox_pim_eladd_arguments;

typedef struct cox_pim_elmul_arguments {
  uint32_t left, right, output;
  uint32_t count;
  int32_t left_zero_point, right_zero_point, zero_point;
  cox_pim_factor factor;
  uint32_t first_core, cores;
} cox_pim_elmul_arguments;

typedef struct cox_pim_quantise_arguments {
  uint32_t input, output;
  uint32_t pixels, channels;
  uint32_t multipliers;
  int32_t zero_point;
  bool relu;
  uint32_t first_core, cores;
} cox_pim_quantise_arguments;

typedef struct cox_pim_pool_arguments {
  uint32_t mode;
  uint32_t input;
  uint32_t height, width, channels;
  uint32_t kernel_height, kernel_width, stride_y, stride_x;
  uint32_t pad_top, pad_left, pad_bottom, pad_right;
  uint32_t output;
  uint32_t output_height, output_width;
  uint32_t first_core, cores;
} cox_pim_pool_arguments;

/* Weights, biases and factors to pack. Arrays that may be NULL stand for zeros. */
typedef struct cox_pim_weights {
  const int8_t *values;
  size_t count;
  uint32_t output_stride, input_stride;
  bool depthwise;
  const int32_t *biases, *multipliers; /* one for each output, or NULL */
  const int8_t *shifts;                /* one for each output, or NULL */
} cox_pim_weights;

/* A program under construction. Its contents are private to the kernels. It must not move. */
typedef struct cox_pim_stream {
  uint64_t opaque[256];
} cox_pim_stream;

/* Opens the PIM engine with all of DRAM as its window, and reads the configuration of its cores. Call it after cox_open() and before the
 * functions below. Errors: not_ready ("cox_open") before cox_open(); unsupported if the device has none; not_owner if it is open already.
 */
cox_status cox_pim_open(void);
/* Closes the engine. Streams need cox_pim_stream_init() again after the next cox_pim_open(). Error: not_ready ("cox_pim_open") if it is not
 * open. */
cox_status cox_pim_close(void);

/* Begins a program for `cores` cores in `memory`, aligned to 8 bytes, which the stream uses from then on. Error: not_ready before
 * cox_pim_open(). */
cox_status cox_pim_stream_init(cox_pim_stream *stream, void *memory, size_t bytes, uint32_t cores);
void cox_pim_stream_clear(cox_pim_stream *stream);
uint32_t cox_pim_stream_instructions(const cox_pim_stream *stream);
/* Runs the program and waits for its end, at most `time_limit_us` microseconds (0: 10 s). It can run again. */
cox_status cox_pim_run(cox_pim_stream *stream, uint32_t time_limit_us);
/* cox_pim_run() in two steps (hal/cox_submission.h). */
cox_status cox_pim_submit(cox_pim_stream *stream, cox_handle *handle);
cox_status cox_pim_wait(cox_handle handle, uint32_t time_limit_us);
/* Returns the device time, in cycles, at the end of the last program whose end a wait has seen. */
uint64_t cox_pim_end_cycle(void);

/* give: makes the core's writes visible to the engine. take: makes the engine's writes visible to the core. */
void cox_pim_give(uint64_t address, size_t bytes);
void cox_pim_take(uint64_t address, size_t bytes);
/* Writes the device address of bytes at a bus address. Error: address_outside_window ("address"). */
cox_status cox_pim_address(const cox_pim_stream *stream, uint64_t bus_address, uint64_t bytes, uint32_t *address);

cox_pim_conv2d_arguments cox_pim_conv2d_defaults(void);
/* Chooses how the layer lies in the array. Errors: those of conv2d_layer() and choose_mapping(); not_ready before cox_pim_open(). */
cox_status cox_pim_conv2d_mapping(const cox_pim_conv2d_arguments *arguments, cox_pim_mapping *mapping);
cox_status cox_pim_packed_bytes(const cox_pim_mapping *mapping, uint64_t *bytes);
/* Writes a threshold for each output to `thresholds`: the least whose mean square error is at most `bound`, in units of 2^-16
 * (choose_thresholds()). */
cox_status cox_pim_choose_thresholds(const cox_pim_conv2d_arguments *arguments, const cox_pim_weights *weights, uint64_t bound,
                                     uint8_t *thresholds);
/* Packs the weights of a layer into `packed`, cox_pim_packed_bytes() long (pack_weights()). */
cox_status cox_pim_conv2d_pack(const cox_pim_conv2d_arguments *arguments, const cox_pim_mapping *mapping, const cox_pim_weights *weights,
                               void *packed, size_t bytes);
cox_status cox_pim_conv2d(cox_pim_stream *stream, const cox_pim_conv2d_arguments *arguments, const cox_pim_mapping *mapping);
cox_status cox_pim_load_weights(cox_pim_stream *stream, const cox_pim_conv2d_arguments *arguments, const cox_pim_mapping *mapping);

/* Products use the functions above with these arguments: cox_pim_conv2d_of_gemm() is convolution_of(). */
cox_pim_gemm_arguments cox_pim_gemm_defaults(void);
cox_pim_conv2d_arguments cox_pim_conv2d_of_gemm(const cox_pim_gemm_arguments *arguments);
cox_status cox_pim_gemm(cox_pim_stream *stream, const cox_pim_gemm_arguments *arguments, const cox_pim_mapping *mapping);

cox_status cox_pim_eladd(cox_pim_stream *stream, const cox_pim_eladd_arguments *arguments);
cox_status cox_pim_elmul(cox_pim_stream *stream, const cox_pim_elmul_arguments *arguments);
cox_status cox_pim_quantise(cox_pim_stream *stream, const cox_pim_quantise_arguments *arguments);
cox_status cox_pim_pool(cox_pim_stream *stream, const cox_pim_pool_arguments *arguments);

#ifdef __cplusplus
}
#endif
#endif
