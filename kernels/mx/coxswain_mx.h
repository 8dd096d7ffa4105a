/* SPDX-License-Identifier: MIT */
/*
 * Kernels of the MX engine for C programs (docs/kernels/mx.md, "Your first kernel call"). The C function cox_mx_NAME() of a kernel calls
 * the C++ kernel NAME() in this folder. That kernel's header states shapes and errors. It also describes the arguments: a member here means
 * the same as the member with that name there.
 *
 * hal/cox_accelerator.h has the rules for memory and threads. Tensors, weights and scratch lie in DRAM.
 */
#ifndef KERNELS_MX_COXSWAIN_MX_H
#define KERNELS_MX_COXSWAIN_MX_H

#include <stddef.h>
#include <stdint.h>

#include "coxswain/base/cox_status.h"
#include "coxswain/hal/cox_accelerator.h"
#include "coxswain/hal/cox_submission.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { COX_MX_BLOCK_BYTES = 18, COX_MX_BLOCK_ELEMENTS = 16 };
enum { COX_MX_NONE = 0, COX_MX_SILU = 1, COX_MX_RELU = 2 }; /* activations */
enum { COX_MX_MAXIMUM = 0, COX_MX_AVERAGE = 1 };            /* modes of pooling */

/* An array of MX9 blocks, [channels / 16][row][column], at a bus address aligned to 2 bytes. */
typedef struct cox_mx_tensor {
  uint64_t address;
  uint32_t channels, height, width;
} cox_mx_tensor;

/* Memory that a kernel may use until its stream has ended; aligned to 4 bytes. */
typedef struct cox_mx_scratch {
  uint64_t address, bytes;
} cox_mx_scratch;

typedef struct cox_mx_conv_act_arguments {
  cox_mx_tensor input;
  uint64_t weights; /* result of cox_mx_pack_weights(), aligned to 4 bytes */
  cox_mx_tensor output;
  cox_mx_tensor split_output; /* channels 0: no split */
  uint32_t kernel, stride, padding, activation;
  cox_mx_scratch scratch;
} cox_mx_conv_act_arguments;

typedef struct cox_mx_pool_arguments {
  cox_mx_tensor input, output;
  uint32_t mode, kernel, stride, padding;
  cox_mx_scratch scratch;
} cox_mx_pool_arguments;

typedef struct cox_mx_upsample_nearest_arguments {
  cox_mx_tensor input, output;
  uint32_t factor;
  cox_mx_scratch scratch;
} cox_mx_upsample_nearest_arguments;

/* A stream under construction. Its contents are private to the kernels. */
typedef struct cox_mx_stream {
  uint64_t opaque[80];
} cox_mx_stream;

/* Opens the MX engine with all of DRAM as its window. Call it after cox_open() and before the functions below. Errors: not_ready
 * ("cox_open") before cox_open(); unsupported ("MX engine") if the device has no MX engine; not_owner ("MX engine") if it is open already.
 */
cox_status cox_mx_open(void);
/* Closes the engine. Streams need cox_mx_stream_init() again after the next cox_mx_open(). Error: not_ready ("cox_mx_open") if it is not
 * open. */
cox_status cox_mx_close(void);

/* Makes an empty stream in `memory`, aligned to 8 bytes, which the stream uses from then on. Error: not_ready before cox_mx_open(). */
cox_status cox_mx_stream_init(cox_mx_stream *stream, void *memory, size_t bytes);
void cox_mx_stream_clear(cox_mx_stream *stream);
/* Runs the stream and waits for its end, at most `time_limit_us` microseconds (0: 10 s). The stream can run again. */
cox_status cox_mx_run(const cox_mx_stream *stream, uint32_t time_limit_us);
/* cox_mx_run() in two steps, so that the core and the other engines can work meanwhile (hal/cox_submission.h). Streams end in the order
 * in which they were submitted. If a stream has not ended after the time limit, cox_mx_wait() stops it and the streams behind it, which
 * fail with timeout. Errors of cox_mx_submit(), with nothing changed: no_room ("streams in flight"); no_room ("submissions") if there are
 * 16 handles whose outcome no wait has returned, or while another thread recovers the engine; not_ready ("base registers") if a stream in
 * flight needs other ones (docs/kernels/mx.md, Streams). */
cox_status cox_mx_submit(const cox_mx_stream *stream, cox_handle *handle);
cox_status cox_mx_wait(cox_handle handle, uint32_t time_limit_us);
/* Returns the device time, in cycles, at the end of the last stream whose end a wait has seen. */
uint64_t cox_mx_end_cycle(void);

/* tensor_bytes: returns the bytes of a tensor. give: makes the core's writes to it visible to the engine. take: makes the engine's writes
 * to it visible to the core. */
uint64_t cox_mx_tensor_bytes(const cox_mx_tensor *tensor);
void cox_mx_give(const cox_mx_tensor *tensor);
void cox_mx_take(const cox_mx_tensor *tensor);

/* `values` has the tensor's channels * height * width numbers, [channel][row][column]. */
cox_status cox_mx_pack(const float *values, const cox_mx_tensor *tensor);
cox_status cox_mx_unpack(const cox_mx_tensor *tensor, float *values);

/* Says which number each byte stands for. It is aligned to COX_MX_U8_CONVERSION_ALIGNMENT. Its contents are private to the kernels. */
enum { COX_MX_U8_CONVERSION_ALIGNMENT = 256 };
typedef struct cox_mx_u8_conversion {
#ifdef __cplusplus
  alignas(COX_MX_U8_CONVERSION_ALIGNMENT)
#else
  _Alignas(COX_MX_U8_CONVERSION_ALIGNMENT)
#endif
      unsigned char opaque[8704];
} cox_mx_u8_conversion;

/* Byte b stands for b * scale + offset. */
cox_status cox_mx_u8_conversion_init(cox_mx_u8_conversion *conversion, float scale, float offset);
/* `values` has 16 bytes for each block of the tensor. */
cox_status cox_mx_pack_u8(const uint8_t *values, const cox_mx_u8_conversion *conversion, const cox_mx_tensor *tensor);
/* `picture` is [row][column][channel] with at most 4 channels, at an even address. The tensor has 4 * channels channels and half the
 * picture's height and width. */
cox_status cox_mx_pack_u8_space_to_depth(const uint8_t *picture, uint32_t channels, const cox_mx_u8_conversion *conversion,
                                         const cox_mx_tensor *tensor);

/* `weights` is [output][input][row][column]; `biases` may be NULL. The function writes the result at `packed`, in DRAM, and makes it
 * visible to the engine. */
cox_status cox_mx_packed_weights_bytes(uint32_t kernel, uint32_t input_channels, uint32_t output_channels, uint64_t *bytes);
cox_status cox_mx_pack_weights(uint32_t kernel, uint32_t input_channels, uint32_t output_channels, const float *weights,
                               const float *biases, uint64_t packed);

cox_status cox_mx_conv_act(cox_mx_stream *stream, const cox_mx_conv_act_arguments *arguments);
cox_status cox_mx_conv_act_scratch_bytes(const cox_mx_conv_act_arguments *arguments, uint64_t *bytes);
/* Computes one convolution of numbers, for programs that lay out no memory: packs weights and input, runs cox_mx_conv_act(), and unpacks
 * the output. The function places everything in `memory` and ignores the addresses, the weights and the scratch in `*arguments`. The arrays
 * may lie in any memory of the core; `input` and `output` may be the same array. `weights` and `biases` are those of cox_mx_pack_weights().
 * It opens the MX engine if it is closed, and then closes it again. Errors, with `output` unchanged: invalid_argument ("split_output" if
 * there is one; "memory" if it is not in DRAM); no_room ("memory", `limit` the bytes that it needs at least; "stream" if no room is left
 * for the instructions); those of the functions that it calls. */
cox_status cox_mx_conv_act_once(const cox_mx_conv_act_arguments *arguments, const float *weights, const float *biases, const float *input,
                                float *output, cox_memory memory);
cox_status cox_mx_eladd(cox_mx_stream *stream, const cox_mx_tensor *input1, const cox_mx_tensor *input2, const cox_mx_tensor *output);
cox_status cox_mx_elmul(cox_mx_stream *stream, const cox_mx_tensor *input1, const cox_mx_tensor *input2, const cox_mx_tensor *output);
cox_status cox_mx_smuli(cox_mx_stream *stream, const cox_mx_tensor *input, float factor, const cox_mx_tensor *output);
cox_status cox_mx_sigmoid(cox_mx_stream *stream, const cox_mx_tensor *input, const cox_mx_tensor *output);
cox_status cox_mx_softmax(cox_mx_stream *stream, const cox_mx_tensor *input, const cox_mx_tensor *output);
/* cox_mx_softmax_channels() runs on the control core, not in a stream. If a stream writes `input`, first wait
 * for that stream and call cox_mx_take(input). If a stream reads `output`, first call cox_mx_give(output). */
cox_status cox_mx_softmax_channels(const cox_mx_tensor *input, const cox_mx_tensor *output);
cox_status cox_mx_pool(cox_mx_stream *stream, const cox_mx_pool_arguments *arguments);
cox_status cox_mx_pool_scratch_bytes(const cox_mx_pool_arguments *arguments, uint64_t *bytes);
/* cox_mx_concat() takes at most COX_MX_MOST_INPUTS inputs. */
enum { COX_MX_MOST_INPUTS = 16 };
cox_status cox_mx_concat(cox_mx_stream *stream, const cox_mx_tensor *inputs, size_t count, const cox_mx_tensor *output);
cox_status cox_mx_upsample_nearest(cox_mx_stream *stream, const cox_mx_upsample_nearest_arguments *arguments);
cox_status cox_mx_upsample_nearest_scratch_bytes(const cox_mx_upsample_nearest_arguments *arguments, uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
