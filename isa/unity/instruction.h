// SPDX-License-Identifier: MIT
// The form of a Unity instruction (docs/isa/unity.md): the 16 bytes of its payload, four little-endian words. The domain id, which says
// that the payload is a Unity instruction, lies elsewhere in the storage image (isa/unity/storage.h).
#pragma once

#include <cstdint>

#include "coxswain/isa/machine_code.h"

namespace cox::isa::unity {

/// Word 0: [5:0] section, [7:6] address space, [21:8] operation, [31:22] zero. Word 1: SYNC_CTRL (isa/unity/sync.h). Words 2 and 3: address
/// of the operand table.
using MachineCode = Words32<4>;
inline constexpr std::uint32_t kInstructionBytes = sizeof(MachineCode);

/// Width of the addresses in an operand table. The value is the code in the payload.
enum class AddressSpace : std::uint8_t {
  bits16 = 0,  ///< offsets in the context's page of 64 KiB
  bits32 = 1,  ///< device addresses
  bits64 = 2
};
inline constexpr AddressSpace kAddressSpaces[] = {AddressSpace::bits16, AddressSpace::bits32, AddressSpace::bits64};
constexpr unsigned address_bits(AddressSpace space) { return 16U << static_cast<unsigned>(space); }
inline constexpr std::uint32_t kPageBytes = 0x10000;
inline constexpr std::uint32_t kTableAlignment = 4;

/// Sections of operations.
inline constexpr std::uint8_t kBaseSection = 0x3F, kAiSection = 0x00;

/// The operations of both sections, BASE first, in the order of their codes. Names are the specification's, made unique where it repeats
/// one.
// clang-format off
enum class Opcode : std::uint8_t {
  EXIT, ADD, SUB, MAX, MIN, MAXSI, MINSI, THRES, ASUM, ABS, MEDIAN, SIGN, POW, SQRT, RSQRT, COS_SIM, RECIPROCAL, AND, OR, XOR, INV, BCLR,
  BSET, ASR, ASL, LSR, LSL, ROR, NSR, SXT, UXT, DIV, MOD, MUL, REDUCE_ALL, REDUCE_ANY, REDUCE_MEAN, REDUCE_MAX, REDUCE_MIN, REDUCE_PROD,
  REDUCE_SUM, REDUCE_VAR, CASE, COND, SWITCH_CASE, WHILE_LOOP, CONCAT, GATHER, GATHER_ND, SCATTER, SCATTER_ND, SPLIT, SLICE, TRANSPOSE,
  RESHAPE, SQUEEZE, UNSQUEEZE, UNSTACK, STACK, TILE, PAD, ROLL, SIGN_BIT, WHERE, FLATTEN, EXPAND_DIM, REVERSE, ROUND, CEIL, FLOOR, CLIP,
  DATA_CONVERT, MATRIX_MUL, LU, CHOLESKY, QR, NORM, INVERSE, LSTSQ, SOLVE, DATA_MOVE, RESIZE_BILINEAR, RESIZE_NEAREST, CREATE_TENSOR,
  WARP_TENSOR, ZEROS, FULL, EMPTY, CONTIGUOUS, RAND_UNIFORM, RAND_NORMAL, RAND_BERNOULLI, RAND_BINOMIAL, MULTI_NOMIAL, RAND_PERM, RANGE,
  LINSPACE, CREATE_SPARSE_TENSOR, CREATE_QUANT_TENSOR, DUPLICATE, CREATE_FROM_DIAG, DESTROY_TENSOR, SEQ, SNE, SLE, SLT, SGE, SGT, SIN,
  COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, ASINH, ACOSH, ATANH, EXP, EXPML, LOG, LOGLP, LOG10, LOG2, ARG_MAX, ARG_MIN, ARG_SORT,
  TOPK, NON_ZERO, FFT, IFFT, SHAPE, IS_EMPTY, IS_FINITE, IS_INF, IS_CONTIGUROUS, RANK, SIZE, HAS_INF, HAS_NAN, RELU, PRELU, ELU,
  HARD_SIGMOID, SELU, SIGMOID, AI_TANH, SOFTPLUS, SOFTMAX, LOGSOFTMAX, SOFT_SIGN, RELU6, THRESHOLD_RELU, LEAKY_RELU, BRELU, GELU, SWISH,
  HARD_SWISH, ERF, HARD_SHRINK, TANH_SHRINK, HARD_TANH, ELE_ADD, ELE_SUB, CONV2D, DEP_CONV, TRANSPOSE_CONV, DILATE_CONV, CONV3D,
  TRANS_CONV3D, CONV1D, UDEF_CONV, MAX_POOL, MIN_POOL, AVRG_POOL, MEDIAN_POOL, ROI_POOL, POOL3D, POOL1D, ADAPTIVV_POOL1D,
  ADAPTIVV_POOL2D, ADAPTIVV_POOL3D, UDEF_POOL, BATCH_NORM, INSTANCE_NORM, LAYER_NORM, GROUP_NORM, LRN_NORM, LP_NORM, L2_NORM, EMBEDDING,
  ONE_HOT, LSTM, RNN_CELL, RNN, LSTM_CELL, GRU_CELL, GRU, DROPOUT, LABEL_SMOOTH, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE,
  AFFINE_GRID, CROSS_ENTROPY, MSE_LOSS, L1_LOSS, LOG_LOSS, SMOOTH_L1_LOSS, KLDIV_LOSS, NLL_LOSS, SPARSE_CROSS_ENTROPY_LOSS,
  SOFT_MARGIN_LOSS, ACCURACY, AUC, SGD, MOMENTUM, ADA_GRAD, ADA_DELTA, RMS_PROP, CENTERED_RMSPROP, ADAM,
};
// clang-format on

constexpr AddressSpace address_space(const MachineCode &code) { return static_cast<AddressSpace>(code[0] >> 6 & 3); }
constexpr std::uint64_t table_address(const MachineCode &code) { return std::uint64_t{code[3]} << 32 | code[2]; }

}  // namespace cox::isa::unity
