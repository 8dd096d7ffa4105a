// SPDX-License-Identifier: MIT
#include "tests/sim/unity/programs/generators.h"

namespace cox::test::unity_programs {

namespace {

/// Operations from `first` to `last`, in the order of the table, have a generator in common.
struct Family {
  Opcode first, last;
  Generate generate;
};
constexpr Family kFamilies[] = {
    {Opcode::ADD, Opcode::THRES, make_binary},
    {Opcode::ASUM, Opcode::ABS, make_unary},
    {Opcode::MEDIAN, Opcode::MEDIAN, make_median},
    {Opcode::SIGN, Opcode::SIGN, make_unary},
    {Opcode::POW, Opcode::POW, make_binary},
    {Opcode::SQRT, Opcode::RSQRT, make_unary},
    {Opcode::COS_SIM, Opcode::COS_SIM, make_binary},
    {Opcode::RECIPROCAL, Opcode::RECIPROCAL, make_unary},
    {Opcode::AND, Opcode::BSET, make_logic},
    {Opcode::ASR, Opcode::MUL, make_binary},
    {Opcode::REDUCE_ALL, Opcode::REDUCE_VAR, make_reduction},
    {Opcode::CONCAT, Opcode::CONCAT, make_concat},
    {Opcode::GATHER, Opcode::GATHER_ND, make_gather},
    {Opcode::SCATTER, Opcode::SCATTER_ND, make_scatter},
    {Opcode::SPLIT, Opcode::SLICE, make_split},
    {Opcode::TRANSPOSE, Opcode::TRANSPOSE, make_transpose},
    {Opcode::RESHAPE, Opcode::UNSQUEEZE, make_copy},
    {Opcode::STACK, Opcode::STACK, make_stack},
    {Opcode::TILE, Opcode::TILE, make_tile},
    {Opcode::PAD, Opcode::PAD, make_pad},
    {Opcode::ROLL, Opcode::ROLL, make_roll},
    {Opcode::SIGN_BIT, Opcode::SIGN_BIT, make_sign_bit},
    {Opcode::WHERE, Opcode::WHERE, make_where},
    {Opcode::FLATTEN, Opcode::EXPAND_DIM, make_copy},
    {Opcode::REVERSE, Opcode::REVERSE, make_stack},
    {Opcode::ROUND, Opcode::FLOOR, make_unary},
    {Opcode::CLIP, Opcode::CLIP, make_clip},
    {Opcode::DATA_CONVERT, Opcode::DATA_CONVERT, make_convert},
    {Opcode::MATRIX_MUL, Opcode::MATRIX_MUL, make_matrix_product},
    {Opcode::DATA_MOVE, Opcode::DATA_MOVE, make_data_move},
    {Opcode::RESIZE_BILINEAR, Opcode::RESIZE_NEAREST, make_resize},
    {Opcode::SEQ, Opcode::SGT, make_binary},
    {Opcode::SIN, Opcode::LOG2, make_unary},
    {Opcode::ARG_MAX, Opcode::ARG_MIN, make_arg},
    {Opcode::ARG_SORT, Opcode::TOPK, make_sort},
    {Opcode::NON_ZERO, Opcode::NON_ZERO, make_non_zero},
    {Opcode::RELU, Opcode::SOFTPLUS, make_activation},
    {Opcode::SOFTMAX, Opcode::LOGSOFTMAX, make_softmax},
    {Opcode::SOFT_SIGN, Opcode::HARD_TANH, make_activation},
    {Opcode::ELE_ADD, Opcode::ELE_SUB, make_quantised_add},
    {Opcode::CONV2D, Opcode::UDEF_CONV, make_convolution},
    {Opcode::MAX_POOL, Opcode::MEDIAN_POOL, make_pool},
    {Opcode::ROI_POOL, Opcode::ROI_POOL, make_section_pool},
    {Opcode::POOL3D, Opcode::POOL1D, make_pool},
    {Opcode::ADAPTIVV_POOL1D, Opcode::ADAPTIVV_POOL3D, make_section_pool},
    {Opcode::UDEF_POOL, Opcode::UDEF_POOL, make_pool},
    {Opcode::BATCH_NORM, Opcode::L2_NORM, make_norm},
    {Opcode::UNSTACK, Opcode::UNSTACK, make_unstack},
    {Opcode::LU, Opcode::LU, make_factors},
    {Opcode::CHOLESKY, Opcode::CHOLESKY, make_square},
    {Opcode::QR, Opcode::QR, make_factors},
    {Opcode::NORM, Opcode::NORM, make_matrix_norm},
    {Opcode::INVERSE, Opcode::INVERSE, make_square},
    {Opcode::LSTSQ, Opcode::LSTSQ, make_least_squares},
    {Opcode::SOLVE, Opcode::SOLVE, make_solution},
    {Opcode::CREATE_TENSOR, Opcode::DESTROY_TENSOR, make_creation},
    {Opcode::FFT, Opcode::IFFT, make_fourier},
    {Opcode::SHAPE, Opcode::HAS_NAN, make_query},
    {Opcode::EMBEDDING, Opcode::ONE_HOT, make_lookup},
    {Opcode::LSTM, Opcode::GRU, make_recurrent},
    {Opcode::DROPOUT, Opcode::DROPOUT, make_dropout},
    {Opcode::LABEL_SMOOTH, Opcode::LABEL_SMOOTH, make_label_smooth},
    {Opcode::PIXEL_SHUFFLE, Opcode::PIXEL_UNSHUFFLE, make_pixel_shuffle},
    {Opcode::GRID_SAMPLE, Opcode::GRID_SAMPLE, make_grid_sample},
    {Opcode::AFFINE_GRID, Opcode::AFFINE_GRID, make_affine_grid},
    {Opcode::CROSS_ENTROPY, Opcode::SOFT_MARGIN_LOSS, make_loss},
    {Opcode::ACCURACY, Opcode::AUC, make_score},
    {Opcode::SGD, Opcode::ADAM, make_optimizer},
};

}  // namespace

Generator generator_of(Opcode op) {
  if (op == Opcode::EXIT || (op >= Opcode::CASE && op <= Opcode::WHILE_LOOP)) return {nullptr, true};
  for (const Family &family : kFamilies) {
    if (op >= family.first && op <= family.last) return {family.generate};
  }
  return {};
}

Made make_instruction(Random &random, Pool &pool, Opcode op, AddressSpace space) {
  Maker maker(random, pool, op, space);
  generator_of(op).generate(maker);
  return maker.made();
}

}  // namespace cox::test::unity_programs
