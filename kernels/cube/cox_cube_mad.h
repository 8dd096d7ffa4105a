/* SPDX-License-Identifier: MIT */
/*
 * The instructions of the matrix unit for C programs (docs/kernels/cube.md, Intrinsics). Each call appends one instruction to `stream`;
 * nothing runs before the stream is run. A refused call appends nothing, and its status names the parameter. docs/isa/cube.md has the
 * ranges and the meaning of all fields.
 *
 * Addresses in L1, L0A, L0B, L0C and the bias table are offsets in bytes; pitches in L1 and L0C count fractals.
 */
#ifndef KERNELS_CUBE_COX_CUBE_MAD_H
#define KERNELS_CUBE_COX_CUBE_MAD_H

#include <stdbool.h>
#include <stdint.h>

#include "coxswain/kernels/cube/coxswain_cube.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What c starts from in c = a * b + c. */
enum cox_cube_start {
  COX_CUBE_START_L0C = 0,  /* the contents of L0C */
  COX_CUBE_START_BIAS = 1, /* the biases at bt_addr in the bias table */
  COX_CUBE_START_ZERO = 2
};

typedef struct cox_cube_mad {
  uint32_t dst;        /* in L0C, a multiple of 1,024 */
  uint32_t src0, src1; /* in L0A and L0B, multiples of 512 */
  uint16_t m, k, n;
  uint32_t start;   /* enum cox_cube_start */
  uint64_t bt_addr; /* used only with COX_CUBE_START_BIAS */
  bool k_direction_align;
} cox_cube_mad;

/* c = a * b + c. The types of a and b are those in the name; c is FP32, for integers INT32. Errors: those of mad() in
 * kernels/cube/intrinsics.h; field_out_of_range ("start") for another number. */
cox_status cox_cube_mad_bf16(cox_cube_stream *stream, const cox_cube_mad *mad);
cox_status cox_cube_mad_f16(cox_cube_stream *stream, const cox_cube_mad *mad);
cox_status cox_cube_mad_f32(cox_cube_stream *stream, const cox_cube_mad *mad);
cox_status cox_cube_mad_s8(cox_cube_stream *stream, const cox_cube_mad *mad);
cox_status cox_cube_mad_s4(cox_cube_stream *stream, const cox_cube_mad *mad);

enum cox_cube_pipe { COX_CUBE_MTE2, COX_CUBE_MTE1, COX_CUBE_M, COX_CUBE_FIX, COX_CUBE_ALL_PIPES };
/* Flags 0 to 7 of each pair of pipes: set by `from`, waited for by `to`. */
cox_status cox_cube_set_flag(cox_cube_stream *stream, enum cox_cube_pipe from, enum cox_cube_pipe to, uint32_t flag);
cox_status cox_cube_wait_flag(cox_cube_stream *stream, enum cox_cube_pipe from, enum cox_cube_pipe to, uint32_t flag);
cox_status cox_cube_pipe_barrier(cox_cube_stream *stream, enum cox_cube_pipe pipe);

typedef struct cox_cube_dram_to_l1 {
  uint64_t src; /* bus address */
  uint32_t rows, row_bytes, src_pitch;
  bool fractal; /* false: the bytes stay as they are */
  uint32_t dst, dst_pitch;
} cox_cube_dram_to_l1;
cox_status cox_cube_move_dram_to_l1(cox_cube_stream *stream, const cox_cube_dram_to_l1 *move);

typedef struct cox_cube_l1_to_l0 {
  uint32_t type; /* COX_CUBE_BFLOAT16, ... */
  uint32_t dst, src, src_pitch;
  uint32_t rows, columns; /* to L0A: m and k; to L0B: k and n */
  bool transpose, k_direction_align;
} cox_cube_l1_to_l0;
cox_status cox_cube_move_l1_to_l0a(cox_cube_stream *stream, const cox_cube_l1_to_l0 *move);
cox_status cox_cube_move_l1_to_l0b(cox_cube_stream *stream, const cox_cube_l1_to_l0 *move);
cox_status cox_cube_move_l1_to_bt(cox_cube_stream *stream, uint32_t bt_addr, uint32_t src, uint32_t bytes);

/* Appends an OUT_CFG without scale, bias, residual and activation, then moves accumulators to DRAM. */
typedef struct cox_cube_l0c_to_dram {
  uint64_t dst; /* bus address */
  uint32_t dst_pitch;
  uint32_t to; /* COX_CUBE_TO_FLOAT, ... */
  uint32_t src, src_pitch;
  uint32_t rows, columns;
  bool integer; /* true: the accumulators are INT32 */
} cox_cube_l0c_to_dram;
cox_status cox_cube_move_l0c_to_dram(cox_cube_stream *stream, const cox_cube_l0c_to_dram *move);

#ifdef __cplusplus
}
#endif
#endif
