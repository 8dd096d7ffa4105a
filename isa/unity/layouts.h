// SPDX-License-Identifier: MIT
// The layouts of all operand tables. Names of addresses: S source, D result, FM feature map, K kernel. docs/isa/unity.md is generated from
// them.
#pragma once

#include "coxswain/isa/unity/layout.h"
#include "coxswain/isa/unity/units.h"

namespace cox::isa::unity::layouts {

// clang-format off
namespace detail {

inline constexpr TableField kElementMode[] = {
    {"S0_UNIT", Holds::unit, 0, 4, nullptr, "unit of source 0"},
    {"S1_UNIT", Holds::unit, 4, 4, nullptr, "unit of source 1"},
    {"D_UNIT", Holds::unit, 8, 4, nullptr, "unit of the result"},
    {"S2_UNIT", Holds::unit, 12, 4, nullptr, "unit of source 2"},
    {"SAT", Holds::boolean, 16, 1, nullptr, "clamps the result to its range; else it is taken modulo 2^n"},
    {"ROUND", Holds::integer, 17, 2, nullptr, "rounding: 0 drop, 1 half up, 2 half away from zero, 3 half to even"},
    {"LESS", Holds::boolean, 19, 1, nullptr, "THRES: 1 compares with <, 0 with >"},
    {"SCALAR1", Holds::boolean, 20, 1, nullptr, "source 1 is one element"},
};
inline constexpr TableField kReductionDim[] = {
    {"FW", Holds::integer, 0, 12, nullptr, "width"},
    {"FH", Holds::integer, 12, 12, nullptr, "height"},
    {"FC", Holds::integer, 24, 12, nullptr, "channels"},
};
inline constexpr TableField kReductionMode[] = {
    {"AXIS", Holds::integer, 0, 3, nullptr, "0 all, 1 H, 2 W, 3 C, 4 HW, 5 HC, 6 WC"},
    {"UNIT", Holds::unit, 3, 4, nullptr, "unit of the elements"},
    {"SAT", Holds::boolean, 16, 1, nullptr, "clamps the result to its range; else it is taken modulo 2^n"},
    {"ROUND", Holds::integer, 17, 2, nullptr, "rounding: 0 drop, 1 half up, 2 half away from zero, 3 half to even"},
};
inline constexpr TableField kCaseMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"N", Holds::integer, 4, 8, nullptr, "number of entries"},
};
inline constexpr TableField kOneUnit[] = {{"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"}};
inline constexpr TableField kConcatDim[] = {
    {"FH1", Holds::integer, 0, 12, nullptr, "height of source 1"},
    {"FC1", Holds::integer, 12, 12, nullptr, "channels of source 1"},
    {"FW0", Holds::integer, 24, 12, nullptr, "width of source 0"},
    {"FH0", Holds::integer, 36, 12, nullptr, "height of source 0"},
    {"FC0", Holds::integer, 48, 12, nullptr, "channels of source 0"},
};
inline constexpr TableField kConcatMode[] = {
    {"FW1", Holds::integer, 0, 12, nullptr, "width of source 1"},
    {"AXIS", Holds::integer, 12, 3, nullptr, "axis"},
    {"UNIT", Holds::unit, 15, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kGatherDim[] = {
    {"FH", Holds::integer, 0, 12, nullptr, "height"},
    {"FC", Holds::integer, 12, 12, nullptr, "channels"},
};
inline constexpr TableField kGatherMode[] = {
    {"INDEX_LEN", Holds::integer, 0, 12, nullptr, "number of indices"},
    {"FW", Holds::integer, 12, 12, nullptr, "width"},
    {"AXIS", Holds::integer, 24, 3, nullptr, "axis"},
    {"UNIT", Holds::unit, 27, 4, nullptr, "unit of the elements"},
    {"U8", Holds::boolean, 31, 1, nullptr, "indices are bytes; else s32"},
};
inline constexpr TableField kGatherNdMode[] = {
    {"INDEX_LEN", Holds::integer, 0, 12, nullptr, "number of indices"},
    {"FW", Holds::integer, 12, 12, nullptr, "width"},
    {"UNIT", Holds::unit, 24, 4, nullptr, "unit of the elements"},
    {"COORDS", Holds::integer, 28, 2, nullptr, "coordinates of a tuple; 0: 3"},
};
inline constexpr TableField kScatterMode[] = {
    {"INDEX_LEN", Holds::integer, 0, 12, nullptr, "number of indices"},
    {"UNIT", Holds::unit, 12, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kSplitMode[] = {
    {"SPLIT_INDEX", Holds::integer, 0, 12, nullptr, "first index of result 1"},
    {"AXIS", Holds::integer, 12, 3, nullptr, "axis"},
    {"FW", Holds::integer, 15, 12, nullptr, "width"},
    {"UNIT", Holds::unit, 27, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kSliceMode[] = {
    {"SLICE_INDEX", Holds::integer, 0, 12, nullptr, "index of result 0"},
    {"AXIS", Holds::integer, 12, 3, nullptr, "axis"},
    {"FW", Holds::integer, 15, 12, nullptr, "width"},
    {"UNIT", Holds::unit, 27, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kTransposeDim[] = {
    {"P3", Holds::integer, 0, 2, nullptr, "axis of the source that becomes axis 3"},
    {"P2", Holds::integer, 2, 2, nullptr, "axis of the source that becomes axis 2"},
    {"P1", Holds::integer, 4, 2, nullptr, "axis of the source that becomes axis 1"},
    {"P0", Holds::integer, 6, 2, nullptr, "axis of the source that becomes axis 0"},
    {"FH", Holds::integer, 8, 12, nullptr, "height"},
    {"FC", Holds::integer, 20, 12, nullptr, "channels"},
};
inline constexpr TableField kTransposeMode[] = {
    {"FN", Holds::integer, 0, 12, nullptr, "number of tensors"},
    {"FW", Holds::integer, 12, 12, nullptr, "width"},
    {"UNIT", Holds::unit, 24, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kUnstackDim[] = {
    {"AXIS", Holds::integer, 0, 3, nullptr, "axis"},
    {"FH", Holds::integer, 3, 12, nullptr, "height"},
    {"FC", Holds::integer, 15, 12, nullptr, "channels"},
};
inline constexpr TableField kTileDim[] = {
    {"REPEAT", Holds::integer, 0, 8, nullptr, "copies"},
    {"FH", Holds::integer, 8, 12, nullptr, "height"},
    {"FC", Holds::integer, 20, 12, nullptr, "channels"},
};
inline constexpr TableField kPadDim[] = {
    {"PW1", Holds::integer, 0, 4, nullptr, "columns behind"},
    {"PW0", Holds::integer, 4, 4, nullptr, "columns before"},
    {"FH", Holds::integer, 8, 12, nullptr, "height"},
    {"FC", Holds::integer, 20, 12, nullptr, "channels"},
};
inline constexpr TableField kPadMode[] = {
    {"PH1", Holds::integer, 0, 4, nullptr, "lines below"},
    {"PH0", Holds::integer, 4, 4, nullptr, "lines above"},
    {"FW", Holds::integer, 8, 12, nullptr, "width"},
    {"UNIT", Holds::unit, 20, 4, nullptr, "unit of the elements"},
    {"VALUE", Holds::either_sign, 24, 8, nullptr, "value of the padding"},
};
inline constexpr TableField kRollDim[] = {
    {"SHIFT_H_LO", Holds::integer, 0, 4, nullptr, "low bits of the shift of lines"},
    {"SHIFT_C_LO", Holds::integer, 4, 4, nullptr, "low bits of the shift of channels"},
    {"FH", Holds::integer, 8, 12, nullptr, "height"},
    {"FC", Holds::integer, 20, 12, nullptr, "channels"},
};
inline constexpr TableField kRollMode[] = {
    {"SHIFT_W", Holds::signed_integer, 0, 6, nullptr, "shift of columns"},
    {"FW", Holds::integer, 6, 12, nullptr, "width"},
    {"UNIT", Holds::unit, 18, 4, nullptr, "unit of the elements"},
    {"SHIFT_H_HI", Holds::integer, 22, 2, nullptr, "high bits of the shift of lines"},
    {"SHIFT_C_HI", Holds::integer, 24, 2, nullptr, "high bits of the shift of channels"},
};
inline constexpr TableField kWhereMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"COND_UNIT", Holds::unit, 4, 4, nullptr, "unit of the condition"},
};
inline constexpr TableField kBounds[] = {
    {"CLIP_MAX", Holds::either_sign, 0, 16, nullptr, "largest result"},
    {"CLIP_MIN", Holds::either_sign, 16, 16, nullptr, "smallest result; no bounds if both are 0"},
};
inline constexpr TableField kDataConvertMode[] = {
    {"S_UNIT", Holds::unit, 0, 4, nullptr, "unit of the source"},
    {"D_UNIT", Holds::unit, 4, 4, nullptr, "unit of the result"},
    {"SAT", Holds::boolean, 16, 1, nullptr, "clamps the result to its range; else it is taken modulo 2^n"},
    {"ROUND", Holds::integer, 17, 2, nullptr, "rounding: 0 drop, 1 half up, 2 half away from zero, 3 half to even"},
};
inline constexpr TableField kMatrixMulData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"W_UNIT", Holds::unit, 4, 4, nullptr, "unit of the kernel"},
    {"D_UNIT", Holds::unit, 8, 4, nullptr, "unit of the result"},
    {"FORMAT", Holds::integer, 12, 2, nullptr, "0 NHWC, 1 NCHW"},
};
inline constexpr TableField kPadding[] = {
    {"T_PAD", Holds::integer, 0, 4, nullptr, "lines of padding above"},
    {"B_PAD", Holds::integer, 4, 4, nullptr, "lines of padding below"},
    {"L_PAD", Holds::integer, 8, 4, nullptr, "columns of padding before"},
    {"R_PAD", Holds::integer, 12, 4, nullptr, "columns of padding behind"},
    {"H_STRIDE", Holds::integer, 16, 4, nullptr, "columns from a window to the next one"},
    {"V_STRIDE", Holds::integer, 20, 4, nullptr, "lines from a window to the next one"},
    {"PAD_MODE", Holds::integer, 24, 2, nullptr, "padding: 0 one value, 1 one a channel"},
};
inline constexpr TableField kMapLine[] = {
    {"LINE_STRIDE", Holds::integer, 0, 16, nullptr, "bytes from a line to the next one; 0: dense"},
    {"FM_C", Holds::integer, 16, 12, nullptr, "channels of the map"},
};
inline constexpr TableField kMapSize[] = {
    {"FM_H", Holds::integer, 0, 12, nullptr, "height of the map"},
    {"FM_W", Holds::integer, 12, 12, nullptr, "width of the map"},
    {"K_H", Holds::integer, 24, 4, nullptr, "height of the kernel"},
    {"K_W", Holds::integer, 28, 4, nullptr, "width of the kernel"},
};
inline constexpr TableField kKernelNumber[] = {
    {"K_STRIDE", Holds::integer, 0, 20, nullptr, "bytes of one outermost index of the kernel; 0: dense"},
    {"K_NUM", Holds::integer, 20, 12, nullptr, "output channels"},
};
inline constexpr TableField kLuMode[] = {
    {"I_W", Holds::integer, 0, 12, nullptr, "width"},
    {"I_H", Holds::integer, 12, 12, nullptr, "height"},
    {"UNIT", Holds::unit, 24, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kCholeskyMode[] = {
    {"UPPER", Holds::integer, 0, 2, nullptr, "upper triangle"},
    {"I_W", Holds::integer, 2, 12, nullptr, "width"},
    {"I_H", Holds::integer, 14, 12, nullptr, "height"},
    {"UNIT", Holds::unit, 26, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kMatrixNormMode[] = {
    {"AXIS", Holds::integer, 0, 2, nullptr, "0 matrix, 1 column, 2 row, 3 all elements"},
    {"NORM_TYPE", Holds::integer, 2, 2, nullptr, "0 L2 or Frobenius, 1 L1, 2 infinity, 3 minus infinity"},
    {"I_W", Holds::integer, 4, 12, nullptr, "width"},
    {"I_H", Holds::integer, 16, 12, nullptr, "height"},
    {"UNIT", Holds::unit, 28, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kLstsqMode[] = {
    {"K", Holds::integer, 0, 12, nullptr, "columns of B"},
    {"N", Holds::integer, 12, 12, nullptr, "columns of A"},
    {"M", Holds::integer, 24, 12, nullptr, "rows of A"},
    {"UNIT", Holds::unit, 36, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kSolveMode[] = {
    {"K", Holds::integer, 0, 12, nullptr, "columns of B"},
    {"N", Holds::integer, 12, 12, nullptr, "rows of A"},
    {"UNIT", Holds::unit, 24, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kDataMoveMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"TRANSFER", Holds::integer, 4, 2, nullptr, "0 copy, 1 fill, 2 repeat, 3 transpose"},
};
inline constexpr TableField kDataMoveS0w[] = {
    {"S_SIZE", Holds::integer, 0, 24, nullptr, "elements of a source surface"},
    {"S_NUM", Holds::integer, 24, 8, nullptr, "source surfaces"},
};
inline constexpr TableField kDataMoveS1w[] = {
    {"S_LINE_HI", Holds::integer, 0, 8, nullptr, "high bits of the bytes from a source line to the next one"},
    {"S_SURF", Holds::integer, 8, 24, nullptr, "bytes from a source surface to the next one; 0: dense"},
};
inline constexpr TableField kDataMoveS2w[] = {
    {"S_WIDTH", Holds::integer, 0, 16, nullptr, "elements of a source line"},
    {"S_LINE_LO", Holds::integer, 16, 16, nullptr, "low bits of these bytes; 0 together: dense"},
};
inline constexpr TableField kDataMoveD0w[] = {
    {"D_SIZE", Holds::integer, 0, 24, nullptr, "elements of a destination surface"},
    {"D_NUM", Holds::integer, 24, 8, nullptr, "destination surfaces"},
};
inline constexpr TableField kDataMoveD1w[] = {
    {"D_LINE_HI", Holds::integer, 0, 8, nullptr, "high bits of the bytes from a destination line to the next one"},
    {"D_SURF", Holds::integer, 8, 24, nullptr, "bytes from a destination surface to the next one; 0: dense"},
};
inline constexpr TableField kDataMoveD2w[] = {
    {"D_WIDTH", Holds::integer, 0, 16, nullptr, "elements of a destination line"},
    {"D_LINE_LO", Holds::integer, 16, 16, nullptr, "low bits of these bytes; 0 together: dense"},
};
inline constexpr TableField kResizeData[] = {
    {"ALIGN", Holds::integer, 0, 2, nullptr, "0 none, 1 corners aligned, 2 half-pixel centres"},
    {"FORMAT", Holds::integer, 2, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"O_H", Holds::integer, 4, 12, nullptr, "height of the result"},
    {"O_W", Holds::integer, 16, 12, nullptr, "width of the result"},
};
inline constexpr TableField kResizeSize[] = {
    {"FW", Holds::integer, 0, 12, nullptr, "width"},
    {"FH", Holds::integer, 12, 12, nullptr, "height"},
};
inline constexpr TableField kResizeFcw[] = {{"FC", Holds::integer, 0, 12, nullptr, "channels"}};
inline constexpr TableField kCreateMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"RANK", Holds::integer, 4, 3, nullptr, "dimensions, 1 to 6"},
};
inline constexpr TableField kTopkMode[] = {
    {"K", Holds::integer, 0, 12, nullptr, "number of results"},
    {"UNIT", Holds::unit, 12, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kFftMode[] = {
    {"N", Holds::integer, 0, 12, nullptr, "elements of a vector"},
    {"BATCH", Holds::integer, 12, 12, nullptr, "number of vectors"},
    {"UNIT", Holds::unit, 24, 4, nullptr, "unit of the elements"},
    {"REAL", Holds::boolean, 28, 1, nullptr, "the input is real"},
};
inline constexpr TableField kPreluMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"S_UNIT", Holds::unit, 4, 4, nullptr, "unit of the shifts; 0 for floats"},
    {"M_UNIT", Holds::unit, 8, 4, nullptr, "unit of the multiplier"},
    {"I", Holds::boolean, 12, 1, nullptr, "one value for all elements; only with B"},
    {"B", Holds::boolean, 13, 1, nullptr, "one value for all elements, or one a channel"},
    {"VALID", Holds::integer, 14, 12, nullptr, "channels"},
    {"FORMAT", Holds::integer, 26, 2, nullptr, "0 NHWC, 1 NCHW"},
};
inline constexpr TableField kEluMode[] = {
    {"A_UNIT", Holds::unit, 0, 4, nullptr, "unit of alpha"},
    {"UNIT", Holds::unit, 4, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kHardSigmoidMode[] = {
    {"B_UNIT", Holds::unit, 0, 4, nullptr, "unit of B"},
    {"A_UNIT", Holds::unit, 4, 4, nullptr, "unit of A"},
    {"UNIT", Holds::unit, 8, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kSeluMode[] = {
    {"G_UNIT", Holds::unit, 0, 4, nullptr, "unit of gamma"},
    {"A_UNIT", Holds::unit, 4, 4, nullptr, "unit of alpha"},
    {"UNIT", Holds::unit, 8, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kSoftmaxData[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"AXIS", Holds::integer, 4, 2, nullptr, "axis: 0 N, 1 H, 2 W, 3 C"},
    {"FORMAT", Holds::integer, 6, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"I_W", Holds::integer, 8, 12, nullptr, "width"},
    {"I_H", Holds::integer, 20, 12, nullptr, "height"},
};
inline constexpr TableField kSoftmaxQpar[] = {
    {"DIFF_MIN", Holds::signed_integer, 0, 16, nullptr, "smallest difference that counts"},
    {"LSHIFT", Holds::integer, 16, 8, nullptr, "left shift"},
};
inline constexpr TableField kQuantisedAddMode[] = {
    {"S0_UNIT", Holds::unit, 0, 4, nullptr, "unit of source 0"},
    {"S1_UNIT", Holds::unit, 4, 4, nullptr, "unit of source 1"},
    {"D_UNIT", Holds::unit, 8, 4, nullptr, "unit of the result"},
    {"M_UNIT", Holds::unit, 12, 4, nullptr, "unit of the multiplier"},
    {"I", Holds::boolean, 16, 1, nullptr, "one value for all elements; only with B"},
    {"B", Holds::boolean, 17, 1, nullptr, "one value for all elements, or one a channel"},
    {"VALID", Holds::integer, 18, 12, nullptr, "channels"},
    {"FORMAT", Holds::integer, 30, 2, nullptr, "0 NHWC, 1 NCHW"},
};
inline constexpr TableField kQuantisedAddZp[] = {
    {"SHIFT", Holds::signed_integer, 0, 8, nullptr, "shift of the sum"},
    {"OZERO", Holds::either_sign, 8, 8, nullptr, "zero point of the result"},
    {"IZERO", Holds::either_sign, 16, 8, nullptr, "zero point of both sources, or of source 0"},
    {"LSHIFT", Holds::integer, 24, 8, nullptr, "left shift of the sources; not 0: the table has three more words"},
};
inline constexpr TableField kQuantisedAddQpar[] = {
    {"SHIFT0", Holds::signed_integer, 0, 8, nullptr, "shift of source 0"},
    {"SHIFT1", Holds::signed_integer, 8, 8, nullptr, "shift of source 1"},
    {"IZERO1", Holds::either_sign, 16, 8, nullptr, "zero point of source 1"},
};
inline constexpr TableField kConvolutionData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"W_UNIT", Holds::unit, 4, 4, nullptr, "unit of the kernel"},
    {"D_UNIT", Holds::unit, 8, 4, nullptr, "unit of the result"},
    {"BIAS_UNIT", Holds::unit, 12, 4, nullptr, "unit of the bias"},
    {"MUL_UNIT", Holds::unit, 16, 4, nullptr, "unit of the multiplier"},
    {"SCALE_UNIT", Holds::unit, 20, 4, nullptr, "unit of the scale"},
    {"BIAS_MODE", Holds::integer, 24, 2, nullptr, "bias: 0 one value, 1 one a channel, 2 one an element"},
    {"MUL_MODE", Holds::integer, 26, 2, nullptr, "multiplier: 0 one value, 1 one a channel, 2 one an element"},
    {"SHIFT_MODE", Holds::integer, 28, 2, nullptr, "shift: 0 one value, 1 one a channel, 2 one an element"},
    {"SCALE_MODE", Holds::integer, 30, 2, nullptr, "scale: 0 one value, 1 one a channel, 2 one an element"},
    {"FORMAT", Holds::integer, 32, 2, nullptr, "0 NHWC, 1 NCHW"},
};
inline constexpr TableField kTransposeConvData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"W_UNIT", Holds::unit, 4, 4, nullptr, "unit of the kernel"},
    {"D_UNIT", Holds::unit, 8, 4, nullptr, "unit of the result"},
    {"BIAS_UNIT", Holds::unit, 12, 4, nullptr, "unit of the bias"},
    {"MUL_UNIT", Holds::unit, 16, 4, nullptr, "unit of the multiplier"},
    {"SCALE_UNIT", Holds::unit, 20, 4, nullptr, "unit of the scale"},
    {"BIAS_MODE", Holds::integer, 24, 2, nullptr, "bias: 0 one value, 1 one a channel, 2 one an element"},
    {"MUL_MODE", Holds::integer, 26, 2, nullptr, "multiplier: 0 one value, 1 one a channel, 2 one an element"},
    {"SHIFT_MODE", Holds::integer, 28, 2, nullptr, "shift: 0 one value, 1 one a channel, 2 one an element"},
    {"SCALE_MODE", Holds::integer, 30, 2, nullptr, "scale: 0 one value, 1 one a channel, 2 one an element"},
    {"FORMAT", Holds::integer, 32, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"ENLARGE_H", Holds::integer, 34, 5, nullptr, "columns that a column of the map becomes"},
    {"ENLARGE_V", Holds::integer, 39, 5, nullptr, "lines that a line of the map becomes"},
};
inline constexpr TableField kDilateConvData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"W_UNIT", Holds::unit, 4, 4, nullptr, "unit of the kernel"},
    {"D_UNIT", Holds::unit, 8, 4, nullptr, "unit of the result"},
    {"BIAS_UNIT", Holds::unit, 12, 4, nullptr, "unit of the bias"},
    {"MUL_UNIT", Holds::unit, 16, 4, nullptr, "unit of the multiplier"},
    {"SCALE_UNIT", Holds::unit, 20, 4, nullptr, "unit of the scale"},
    {"BIAS_MODE", Holds::integer, 24, 2, nullptr, "bias: 0 one value, 1 one a channel, 2 one an element"},
    {"MUL_MODE", Holds::integer, 26, 2, nullptr, "multiplier: 0 one value, 1 one a channel, 2 one an element"},
    {"SHIFT_MODE", Holds::integer, 28, 2, nullptr, "shift: 0 one value, 1 one a channel, 2 one an element"},
    {"SCALE_MODE", Holds::integer, 30, 2, nullptr, "scale: 0 one value, 1 one a channel, 2 one an element"},
    {"FORMAT", Holds::integer, 32, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"DILATE", Holds::integer, 34, 7, nullptr, "distance of the kernel's elements"},
};
inline constexpr TableField kConv3dD0[] = {
    {"FM_D", Holds::integer, 0, 12, nullptr, "depth of the map"},
    {"K_D", Holds::integer, 12, 4, nullptr, "depth of the kernel"},
    {"FRONT_PAD", Holds::integer, 16, 4, nullptr, "surfaces of padding before"},
    {"BACK_PAD", Holds::integer, 20, 4, nullptr, "surfaces of padding behind"},
    {"D_STRIDE", Holds::integer, 24, 4, nullptr, "surfaces from a window to the next one"},
};
inline constexpr TableField kTransConv3dD0[] = {
    {"FM_D", Holds::integer, 0, 12, nullptr, "depth of the map"},
    {"K_D", Holds::integer, 12, 4, nullptr, "depth of the kernel"},
    {"FRONT_PAD", Holds::integer, 16, 4, nullptr, "surfaces of padding before"},
    {"BACK_PAD", Holds::integer, 20, 4, nullptr, "surfaces of padding behind"},
    {"D_STRIDE", Holds::integer, 24, 4, nullptr, "surfaces from a window to the next one"},
    {"ENLARGE_D", Holds::integer, 28, 4, nullptr, "surfaces that a surface of the map becomes"},
};
inline constexpr TableField kMapSize2[] = {
    {"FM_H", Holds::integer, 0, 12, nullptr, "height of the map"},
    {"FM_W", Holds::integer, 12, 12, nullptr, "width of the map"},
    {"K_H", Holds::integer, 24, 4, nullptr, "0"},
    {"K_W", Holds::integer, 28, 4, nullptr, "0"},
};
inline constexpr TableField kUdefConvX0[] = {
    {"W_ZERO", Holds::either_sign, 0, 8, nullptr, "zero point of the kernel"},
    {"GROUPS", Holds::integer, 8, 12, nullptr, "groups of channels"},
};
inline constexpr TableField kUdefConvX1[] = {
    {"DIL_H", Holds::integer, 0, 7, nullptr, "distance of the kernel's columns"},
    {"DIL_V", Holds::integer, 7, 7, nullptr, "distance of the kernel's lines"},
};
inline constexpr TableField kUdefConvX2[] = {
    {"T", Holds::integer, 0, 8, nullptr, "lines of padding above"},
    {"B", Holds::integer, 8, 8, nullptr, "lines of padding below"},
    {"L", Holds::integer, 16, 8, nullptr, "columns of padding before"},
    {"R", Holds::integer, 24, 8, nullptr, "columns of padding behind"},
};
inline constexpr TableField kUdefConvX3[] = {
    {"KX_H", Holds::integer, 0, 12, nullptr, "height of the kernel"},
    {"KX_W", Holds::integer, 12, 12, nullptr, "width of the kernel"},
};
inline constexpr TableField kPoolData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"FORMAT", Holds::integer, 4, 2, nullptr, "0 NHWC, 1 NCHW"},
};
inline constexpr TableField kRoiPoolData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"FORMAT", Holds::integer, 4, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"O_H", Holds::integer, 6, 12, nullptr, "height of the result"},
    {"O_W", Holds::integer, 18, 12, nullptr, "width of the result"},
};
inline constexpr TableField kPool3dData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"FORMAT", Holds::integer, 4, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"KIND", Holds::integer, 6, 2, nullptr, "0 max, 1 min, 2 average, 3 median"},
};
inline constexpr TableField kAdaptivePoolData[] = {
    {"FM_UNIT", Holds::unit, 0, 4, nullptr, "unit of the feature map"},
    {"FORMAT", Holds::integer, 4, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"O_H", Holds::integer, 6, 12, nullptr, "height of the result"},
    {"O_W", Holds::integer, 18, 12, nullptr, "width of the result"},
    {"KIND", Holds::integer, 30, 2, nullptr, "0 max, 1 min, 2 average, 3 median"},
};
inline constexpr TableField kAdaptivePool3dD0[] = {
    {"FM_D", Holds::integer, 0, 12, nullptr, "depth of the map"},
    {"O_D", Holds::integer, 12, 12, nullptr, "depth of the result"},
};
inline constexpr TableField kBatchNormData[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"FORMAT", Holds::integer, 4, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"I_H", Holds::integer, 6, 12, nullptr, "height"},
    {"I_W", Holds::integer, 18, 12, nullptr, "width"},
};
inline constexpr TableField kBatchNormN0[] = {
    {"BATCH_NUM", Holds::integer, 0, 12, nullptr, "number of images"},
    {"FC", Holds::integer, 12, 12, nullptr, "channels"},
};
inline constexpr TableField kGroupNormN0[] = {
    {"GROUP_NUM", Holds::integer, 0, 12, nullptr, "groups of channels"},
    {"FC", Holds::integer, 12, 12, nullptr, "channels"},
};
inline constexpr TableField kEmbeddingMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"WIDTH", Holds::integer, 4, 12, nullptr, "elements of a row"},
};
inline constexpr TableField kOneHotMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"DEPTH", Holds::integer, 4, 12, nullptr, "elements of a vector"},
};
inline constexpr TableField kRecurrentMode[] = {
    {"HIDDEN", Holds::integer, 0, 12, nullptr, "elements of the hidden state"},
    {"INPUT", Holds::integer, 12, 12, nullptr, "elements of an input"},
    {"UNIT", Holds::unit, 24, 4, nullptr, "unit of the elements"},
    {"RELU", Holds::boolean, 28, 1, nullptr, "RELU instead of tanh"},
};
inline constexpr TableField kRecurrentTb[] = {
    {"BATCH", Holds::integer, 0, 12, nullptr, "sequences"},
    {"T", Holds::integer, 12, 12, nullptr, "steps"},
};
inline constexpr TableField kDropoutData[] = {
    {"RATIO_UNIT", Holds::unit, 0, 4, nullptr, "unit of the ratio"},
    {"UNIT", Holds::unit, 4, 4, nullptr, "unit of the elements"},
    {"SEED", Holds::integer, 8, 24, nullptr, "seed of the random numbers"},
};
inline constexpr TableField kLabelSmoothMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"CLASSES", Holds::integer, 4, 12, nullptr, "number of classes"},
};
inline constexpr TableField kPixelShuffleDim[] = {
    {"SCALE", Holds::integer, 0, 5, nullptr, "factor"},
    {"FW", Holds::integer, 5, 12, nullptr, "width"},
    {"FH", Holds::integer, 17, 12, nullptr, "height"},
};
inline constexpr TableField kPixelShuffleData[] = {
    {"FORMAT", Holds::integer, 0, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"FC", Holds::integer, 2, 12, nullptr, "channels"},
    {"UNIT", Holds::unit, 14, 4, nullptr, "unit of the elements"},
};
inline constexpr TableField kGridSampleMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"FORMAT", Holds::integer, 4, 2, nullptr, "0 NHWC, 1 NCHW"},
    {"FC", Holds::integer, 6, 12, nullptr, "channels"},
};
inline constexpr TableField kGridSampleOut[] = {
    {"O_W", Holds::integer, 0, 12, nullptr, "width of the result"},
    {"O_H", Holds::integer, 12, 12, nullptr, "height of the result"},
    {"NEAREST", Holds::boolean, 24, 1, nullptr, "nearest element; else bilinear"},
    {"PADDING", Holds::integer, 25, 2, nullptr, "coordinates outside: 0 zeros, 1 border, 2 reflection"},
    {"ALIGN", Holds::boolean, 27, 1, nullptr, "corners aligned"},
};
inline constexpr TableField kAffineGridMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"ALIGN", Holds::boolean, 4, 1, nullptr, "corners aligned"},
};
inline constexpr TableField kAffineGridOut[] = {
    {"O_W", Holds::integer, 0, 12, nullptr, "width of the result"},
    {"O_H", Holds::integer, 12, 12, nullptr, "height of the result"},
};
inline constexpr TableField kLossMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"REDUCTION", Holds::integer, 4, 2, nullptr, "0 none, 1 mean, 2 sum"},
};
inline constexpr TableField kLossCls[] = {{"CLASSES", Holds::integer, 0, 12, nullptr, "number of classes"}};
inline constexpr TableField kAccuracyMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"CLASSES", Holds::integer, 4, 12, nullptr, "number of classes"},
    {"K", Holds::integer, 16, 12, nullptr, "best scores that count"},
};
inline constexpr TableField kOptimizerMode[] = {
    {"UNIT", Holds::unit, 0, 4, nullptr, "unit of the elements"},
    {"NESTEROV", Holds::boolean, 4, 1, nullptr, "Nesterov momentum"},
};
inline constexpr Item kBinaryItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, "S0_UNIT", "source 0"}),
    whole(Size::address, {"S1", Holds::address, 0, 0, "S1_UNIT", "source 1"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kElementMode),
};
inline constexpr Item kUnaryItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, "S0_UNIT", "source 0"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kElementMode),
};
inline constexpr Item kTernaryItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, "S0_UNIT", "source 0"}),
    whole(Size::address, {"S1", Holds::address, 0, 0, "S1_UNIT", "source 1"}),
    whole(Size::address, {"S2", Holds::address, 0, 0, "S2_UNIT", "source 2"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kElementMode),
};
inline constexpr Item kLogicItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, nullptr, "source 0"}),
    whole(Size::address, {"S1", Holds::address, 0, 0, nullptr, "source 1"}),
    whole(Size::address, {"D", Holds::address, 0, 0, nullptr, "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
};
inline constexpr Item kReductionItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::two_words, kReductionDim),
    group(Size::word, kReductionMode),
};
inline constexpr Item kCaseItems[] = {
    whole(Size::address, {"PAIRS", Holds::address, 0, 0, nullptr, "list of pairs of a predicate and a program"}),
    whole(Size::address, {"DEFAULT", Holds::program, 0, 0, nullptr, "program that runs if no other does"}),
    group(Size::word, kCaseMode),
};
inline constexpr Item kCondItems[] = {
    whole(Size::address, {"PRED", Holds::address, 0, 0, "UNIT", "predicate"}),
    whole(Size::address, {"TRUE", Holds::program, 0, 0, nullptr, "program that runs if the predicate is not 0"}),
    whole(Size::address, {"FALSE", Holds::program, 0, 0, nullptr, "program that runs if the predicate is 0"}),
    group(Size::word, kOneUnit),
};
inline constexpr Item kSwitchCaseItems[] = {
    whole(Size::address, {"INDEX", Holds::address, 0, 0, "UNIT", "index of the program"}),
    whole(Size::address, {"PROGRAMS", Holds::address, 0, 0, nullptr, "list of programs"}),
    whole(Size::address, {"DEFAULT", Holds::program, 0, 0, nullptr, "program that runs if no other does"}),
    group(Size::word, kCaseMode),
};
inline constexpr Item kWhileLoopItems[] = {
    whole(Size::address, {"PRED", Holds::address, 0, 0, "UNIT", "predicate"}),
    whole(Size::address, {"CONDITION", Holds::program, 0, 0, nullptr, "program that computes the predicate"}),
    whole(Size::address, {"BODY", Holds::program, 0, 0, nullptr, "program of one turn"}),
    group(Size::word, kOneUnit),
    whole(Size::word, {"LIMIT", Holds::integer, 0, 0, nullptr, "turns that may run; 0: no limit"}),
};
inline constexpr Item kConcatItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, "UNIT", "source 0"}),
    whole(Size::address, {"S1", Holds::address, 0, 0, "UNIT", "source 1"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::two_words, kConcatDim),
    group(Size::word, kConcatMode),
};
inline constexpr Item kGatherItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"INDEX", Holds::address, 0, 0, nullptr, "indices"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kGatherDim),
    group(Size::word, kGatherMode),
};
inline constexpr Item kGatherNdItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"INDEX", Holds::address, 0, 0, "s32", "tuples of indices"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kGatherDim),
    group(Size::word, kGatherNdMode),
};
inline constexpr Item kScatterItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "tensor that is changed"}),
    whole(Size::address, {"INDEX", Holds::address, 0, 0, "s32", "indices"}),
    whole(Size::address, {"UPDATE", Holds::address, 0, 0, "UNIT", "elements to be stored"}),
    whole(Size::word, {"LEN", Holds::integer, 0, 0, nullptr, "elements of the tensor"}),
    group(Size::word, kScatterMode),
};
inline constexpr Item kScatterNdItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "tensor that is changed"}),
    whole(Size::address, {"INDEX", Holds::address, 0, 0, "s32", "tuples of indices"}),
    whole(Size::address, {"UPDATE", Holds::address, 0, 0, "UNIT", "elements to be stored"}),
    group(Size::word, kGatherDim),
    group(Size::word, kGatherNdMode),
};
inline constexpr Item kSplitItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D0", Holds::address, 0, 0, "UNIT", "result 0"}),
    whole(Size::address, {"D1", Holds::address, 0, 0, "UNIT", "result 1"}),
    group(Size::word, kGatherDim),
    group(Size::word, kSplitMode),
};
inline constexpr Item kSliceItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D0", Holds::address, 0, 0, "UNIT", "result 0"}),
    whole(Size::address, {"D1", Holds::optional_address, 0, 0, "UNIT", "result 1; 0: absent"}),
    group(Size::word, kGatherDim),
    group(Size::word, kSliceMode),
};
inline constexpr Item kTransposeItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kTransposeDim),
    group(Size::word, kTransposeMode),
};
inline constexpr Item kCopyItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    whole(Size::address, {"ZERO", Holds::integer, 0, 0, nullptr, "0"}),
    group(Size::word, kOneUnit),
};
inline constexpr Item kUnstackItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"LIST", Holds::address, 0, 0, nullptr, "list of addresses of results"}),
    group(Size::word, kUnstackDim),
    group(Size::word, kTransposeMode),
};
inline constexpr Item kStackItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, "UNIT", "source 0"}),
    whole(Size::address, {"S1", Holds::address, 0, 0, "UNIT", "source 1"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kUnstackDim),
    group(Size::word, kTransposeMode),
};
inline constexpr Item kTileItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kTileDim),
    group(Size::word, kTransposeMode),
};
inline constexpr Item kPadItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kPadDim),
    group(Size::word, kPadMode),
};
inline constexpr Item kRollItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kRollDim),
    group(Size::word, kRollMode),
};
inline constexpr Item kSignBitItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result, in the unit of the source"}),
    whole(Size::word, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kOneUnit),
};
inline constexpr Item kWhereItems[] = {
    whole(Size::address, {"COND", Holds::address, 0, 0, "COND_UNIT", "condition"}),
    whole(Size::address, {"S0", Holds::address, 0, 0, "UNIT", "source 0"}),
    whole(Size::address, {"S1", Holds::address, 0, 0, "UNIT", "source 1"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kWhereMode),
    whole(Size::word, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
};
inline constexpr Item kClipItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, "S0_UNIT", "source 0"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kElementMode),
    group(Size::word, kBounds),
};
inline constexpr Item kDataConvertItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "S_UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kDataConvertMode),
};
inline constexpr Item kMatrixMulItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"K", Holds::address, 0, 0, "W_UNIT", "kernel"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    group(Size::word, kMatrixMulData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kKernelNumber),
};
inline constexpr Item kLuItems[] = {
    whole(Size::address, {"A", Holds::address, 0, 0, "UNIT", "matrix A"}),
    whole(Size::address, {"D0", Holds::address, 0, 0, "UNIT", "factors"}),
    whole(Size::address, {"D1", Holds::address, 0, 0, "s32", "pivots, counted from 1"}),
    group(Size::word, kLuMode),
};
inline constexpr Item kCholeskyItems[] = {
    whole(Size::address, {"A", Holds::address, 0, 0, "UNIT", "matrix A"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kCholeskyMode),
};
inline constexpr Item kQrItems[] = {
    whole(Size::address, {"A", Holds::address, 0, 0, "UNIT", "matrix A"}),
    whole(Size::address, {"Q", Holds::address, 0, 0, "UNIT", "matrix Q"}),
    whole(Size::address, {"R", Holds::address, 0, 0, "UNIT", "matrix R"}),
    group(Size::word, kLuMode),
};
inline constexpr Item kMatrixNormItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kMatrixNormMode),
};
inline constexpr Item kInverseItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kLuMode),
};
inline constexpr Item kLstsqItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "matrix A, and B behind it"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::two_words, kLstsqMode),
};
inline constexpr Item kSolveItems[] = {
    whole(Size::address, {"A", Holds::address, 0, 0, "UNIT", "matrix A"}),
    whole(Size::address, {"B", Holds::address, 0, 0, "UNIT", "matrix B"}),
    whole(Size::address, {"X", Holds::address, 0, 0, "UNIT", "solution"}),
    whole(Size::address, {"LU", Holds::optional_address, 0, 0, "UNIT", "LU factors; 0: absent"}),
    group(Size::word, kSolveMode),
};
inline constexpr Item kDataMoveItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kDataMoveMode),
    group(Size::word, kDataMoveS0w),
    group(Size::word, kDataMoveS1w),
    group(Size::word, kDataMoveS2w),
    group(Size::word, kDataMoveD0w),
    group(Size::word, kDataMoveD1w),
    group(Size::word, kDataMoveD2w),
};
inline constexpr Item kResizeItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::address, kOneUnit),
    group(Size::word, kResizeData),
    group(Size::word, kResizeSize),
    group(Size::word, kResizeFcw),
};
inline constexpr Item kCreateItems[] = {
    whole(Size::address, {"DESC", Holds::address, 0, 0, "u64", "tensor descriptor"}),
    whole(Size::address, {"DATA", Holds::optional_address, 0, 0, "UNIT", "elements"}),
    whole(Size::address, {"SHAPE", Holds::optional_address, 0, 0, "u32", "dimensions"}),
    whole(Size::address, {"SRC", Holds::optional_address, 0, 0, nullptr, "source"}),
    group(Size::word, kCreateMode),
    whole(Size::word, {"P0", Holds::integer, 0, 0, nullptr, "parameter 0"}),
    whole(Size::word, {"P1", Holds::integer, 0, 0, nullptr, "parameter 1"}),
    whole(Size::two_words, {"SEED", Holds::integer, 0, 0, nullptr, "seed of the random numbers"}),
};
inline constexpr Item kArgSortItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D0", Holds::address, 0, 0, "UNIT", "sorted elements"}),
    whole(Size::address, {"D1", Holds::address, 0, 0, "s32", "their indices"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kOneUnit),
};
inline constexpr Item kTopkItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D0", Holds::address, 0, 0, "UNIT", "largest elements"}),
    whole(Size::address, {"D1", Holds::address, 0, 0, "s32", "their indices"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kTopkMode),
};
inline constexpr Item kFftItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kFftMode),
};
inline constexpr Item kQueryItems[] = {
    whole(Size::address, {"DESC", Holds::address, 0, 0, "u64", "tensor descriptor"}),
    whole(Size::address, {"D", Holds::address, 0, 0, nullptr, "result"}),
    whole(Size::word, {"MODE", Holds::integer, 0, 0, nullptr, "0"}),
};
inline constexpr Item kActivationItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kOneUnit),
};
inline constexpr Item kPreluItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kPreluMode),
    whole(Size::address, {"MUL", Holds::address, 0, 0, "M_UNIT", "multipliers"}),
    whole(Size::address, {"SHIFT", Holds::optional_address, 0, 0, "S_UNIT", "shifts to the right; 0 for floats"}),
};
inline constexpr Item kEluItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    whole(Size::word, {"ALPHA", Holds::parameter, 0, 0, "A_UNIT", "alpha"}),
    group(Size::word, kEluMode),
};
inline constexpr Item kHardSigmoidItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    whole(Size::word, {"A", Holds::parameter, 0, 0, "A_UNIT", "slope"}),
    whole(Size::word, {"B", Holds::parameter, 0, 0, "B_UNIT", "offset"}),
    group(Size::word, kHardSigmoidMode),
};
inline constexpr Item kSeluItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    whole(Size::word, {"GAMMA", Holds::parameter, 0, 0, "G_UNIT", "gamma"}),
    whole(Size::word, {"A", Holds::parameter, 0, 0, "A_UNIT", "alpha"}),
    group(Size::word, kSeluMode),
};
inline constexpr Item kSoftmaxItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kSoftmaxData),
    group(Size::word, kResizeFcw),
};
inline constexpr Item kSoftmaxExtension[] = {
    whole(Size::word, {"QMUL", Holds::signed_integer, 0, 0, nullptr, "Q31 multiplier of the differences"}),
    group(Size::word, kSoftmaxQpar),
};
inline constexpr Item kLogsoftmaxItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kSoftmaxData),
    group(Size::word, kResizeFcw),
};
inline constexpr Item kOneParameterItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kOneUnit),
    whole(Size::word, {"P0", Holds::float32, 0, 0, nullptr, "the parameter"}),
};
inline constexpr Item kTwoParametersItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kOneUnit),
    whole(Size::word, {"P0", Holds::float32, 0, 0, nullptr, "lower bound"}),
    whole(Size::word, {"P1", Holds::float32, 0, 0, nullptr, "upper bound"}),
};
inline constexpr Item kQuantisedAddItems[] = {
    whole(Size::address, {"S0", Holds::address, 0, 0, "S0_UNIT", "source 0"}),
    whole(Size::address, {"S1", Holds::address, 0, 0, "S1_UNIT", "source 1"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    whole(Size::address, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
    group(Size::word, kQuantisedAddMode),
    whole(Size::two_words, {"MUL", Holds::parameter, 0, 0, "M_UNIT", "multiplier; 0: none"}),
    group(Size::word, kQuantisedAddZp),
    group(Size::word, kBounds),
};
inline constexpr Item kQuantisedAddExtension[] = {
    whole(Size::word, {"MUL0", Holds::signed_integer, 0, 0, nullptr, "Q31 multiplier of source 0"}),
    whole(Size::word, {"MUL1", Holds::signed_integer, 0, 0, nullptr, "Q31 multiplier of source 1"}),
    group(Size::word, kQuantisedAddQpar),
};
inline constexpr Item kConvolutionItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"K", Holds::address, 0, 0, "W_UNIT", "kernel"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    group(Size::two_words, kConvolutionData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::wide, {"BIAS", Holds::parameter, 0, 0, "BIAS_UNIT", "bias: value or address"}),
    whole(Size::wide, {"MUL", Holds::parameter, 0, 0, "MUL_UNIT", "multiplier: value or address; value 0: none"}),
    whole(Size::wide, {"SHIFT", Holds::parameter, 0, 0, "s8", "shift: value or address"}),
    whole(Size::wide, {"SCALE", Holds::parameter, 0, 0, "SCALE_UNIT", "scale, added last: value or address"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kKernelNumber),
    group(Size::word, kBounds),
};
inline constexpr Item kTransposeConvItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"K", Holds::address, 0, 0, "W_UNIT", "kernel"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    group(Size::two_words, kTransposeConvData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::wide, {"BIAS", Holds::parameter, 0, 0, "BIAS_UNIT", "bias: value or address"}),
    whole(Size::wide, {"MUL", Holds::parameter, 0, 0, "MUL_UNIT", "multiplier: value or address; value 0: none"}),
    whole(Size::wide, {"SHIFT", Holds::parameter, 0, 0, "s8", "shift: value or address"}),
    whole(Size::wide, {"SCALE", Holds::parameter, 0, 0, "SCALE_UNIT", "scale, added last: value or address"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kKernelNumber),
    group(Size::word, kBounds),
};
inline constexpr Item kDilateConvItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"K", Holds::address, 0, 0, "W_UNIT", "kernel"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    group(Size::two_words, kDilateConvData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::wide, {"BIAS", Holds::parameter, 0, 0, "BIAS_UNIT", "bias: value or address"}),
    whole(Size::wide, {"MUL", Holds::parameter, 0, 0, "MUL_UNIT", "multiplier: value or address; value 0: none"}),
    whole(Size::wide, {"SHIFT", Holds::parameter, 0, 0, "s8", "shift: value or address"}),
    whole(Size::wide, {"SCALE", Holds::parameter, 0, 0, "SCALE_UNIT", "scale, added last: value or address"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kKernelNumber),
    group(Size::word, kBounds),
};
inline constexpr Item kConv3dItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"K", Holds::address, 0, 0, "W_UNIT", "kernel"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    group(Size::two_words, kConvolutionData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::wide, {"BIAS", Holds::parameter, 0, 0, "BIAS_UNIT", "bias: value or address"}),
    whole(Size::wide, {"MUL", Holds::parameter, 0, 0, "MUL_UNIT", "multiplier: value or address; value 0: none"}),
    whole(Size::wide, {"SHIFT", Holds::parameter, 0, 0, "s8", "shift: value or address"}),
    whole(Size::wide, {"SCALE", Holds::parameter, 0, 0, "SCALE_UNIT", "scale, added last: value or address"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kKernelNumber),
    group(Size::word, kBounds),
    group(Size::word, kConv3dD0),
    whole(Size::word, {"FM_D_STRIDE", Holds::integer, 0, 0, nullptr, "bytes from a depth to the next one; 0: dense"}),
};
inline constexpr Item kTransConv3dItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"K", Holds::address, 0, 0, "W_UNIT", "kernel"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    group(Size::two_words, kTransposeConvData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::wide, {"BIAS", Holds::parameter, 0, 0, "BIAS_UNIT", "bias: value or address"}),
    whole(Size::wide, {"MUL", Holds::parameter, 0, 0, "MUL_UNIT", "multiplier: value or address; value 0: none"}),
    whole(Size::wide, {"SHIFT", Holds::parameter, 0, 0, "s8", "shift: value or address"}),
    whole(Size::wide, {"SCALE", Holds::parameter, 0, 0, "SCALE_UNIT", "scale, added last: value or address"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kKernelNumber),
    group(Size::word, kBounds),
    group(Size::word, kTransConv3dD0),
    whole(Size::word, {"FM_D_STRIDE", Holds::integer, 0, 0, nullptr, "bytes from a depth to the next one; 0: dense"}),
};
inline constexpr Item kUdefConvItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"K", Holds::address, 0, 0, "W_UNIT", "kernel"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "D_UNIT", "result"}),
    group(Size::two_words, kConvolutionData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::wide, {"BIAS", Holds::parameter, 0, 0, "BIAS_UNIT", "bias: value or address"}),
    whole(Size::wide, {"MUL", Holds::parameter, 0, 0, "MUL_UNIT", "multiplier: value or address; value 0: none"}),
    whole(Size::wide, {"SHIFT", Holds::parameter, 0, 0, "s8", "shift: value or address"}),
    whole(Size::wide, {"SCALE", Holds::parameter, 0, 0, "SCALE_UNIT", "scale, added last: value or address"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize2),
    group(Size::word, kKernelNumber),
    group(Size::word, kBounds),
    group(Size::word, kUdefConvX0),
    group(Size::word, kUdefConvX1),
    group(Size::word, kUdefConvX2),
    group(Size::word, kUdefConvX3),
};
inline constexpr Item kPoolItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "FM_UNIT", "result"}),
    group(Size::word, kPoolData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
};
inline constexpr Item kRoiPoolItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "FM_UNIT", "result"}),
    group(Size::word, kRoiPoolData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
};
inline constexpr Item kPool3dItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "FM_UNIT", "result"}),
    group(Size::word, kPool3dData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kConv3dD0),
    whole(Size::word, {"FM_D_STRIDE", Holds::integer, 0, 0, nullptr, "bytes from a depth to the next one; 0: dense"}),
};
inline constexpr Item kPool1dItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "FM_UNIT", "result"}),
    group(Size::word, kPool3dData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
};
inline constexpr Item kAdaptivePoolItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "FM_UNIT", "result"}),
    group(Size::word, kAdaptivePoolData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
};
inline constexpr Item kAdaptivePool3dItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "FM_UNIT", "result"}),
    group(Size::word, kAdaptivePoolData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kAdaptivePool3dD0),
    whole(Size::word, {"FM_D_STRIDE", Holds::integer, 0, 0, nullptr, "bytes from a depth to the next one; 0: dense"}),
};
inline constexpr Item kUdefPoolItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "FM_UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "FM_UNIT", "result"}),
    group(Size::word, kPool3dData),
    group(Size::word, kPadding),
    whole(Size::wide, {"PAD", Holds::parameter, 0, 0, "FM_UNIT", "value of the padding, or address of one a channel"}),
    whole(Size::word, {"SURF", Holds::integer, 0, 0, nullptr, "bytes from a surface to the next one; 0: dense"}),
    group(Size::word, kMapLine),
    group(Size::word, kMapSize),
    group(Size::word, kUdefConvX2),
    group(Size::word, kUdefConvX3),
};
inline constexpr Item kBatchNormItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"W", Holds::address, 0, 0, "UNIT", "weights"}),
    whole(Size::address, {"BIAS", Holds::address, 0, 0, "UNIT", "bias"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"MEAN", Holds::address, 0, 0, "UNIT", "means"}),
    whole(Size::address, {"VAR", Holds::address, 0, 0, "UNIT", "variances"}),
    group(Size::word, kBatchNormData),
    group(Size::word, kBatchNormN0),
};
inline constexpr Item kChannelNormItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"W", Holds::address, 0, 0, "UNIT", "weights"}),
    whole(Size::address, {"BIAS", Holds::address, 0, 0, "UNIT", "bias"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kBatchNormData),
    group(Size::word, kResizeFcw),
};
inline constexpr Item kGroupNormItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"W", Holds::address, 0, 0, "UNIT", "weights"}),
    whole(Size::address, {"BIAS", Holds::address, 0, 0, "UNIT", "bias"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kBatchNormData),
    group(Size::word, kGroupNormN0),
};
inline constexpr Item kLrnNormItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kBatchNormData),
    group(Size::word, kResizeFcw),
    whole(Size::word, {"SIZE", Holds::integer, 0, 0, nullptr, "channels of a sum"}),
    whole(Size::word, {"ALPHA", Holds::float32, 0, 0, nullptr, "alpha"}),
    whole(Size::word, {"BETA", Holds::float32, 0, 0, nullptr, "beta"}),
    whole(Size::word, {"BIAS", Holds::float32, 0, 0, nullptr, "k"}),
};
inline constexpr Item kLpNormItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kBatchNormData),
    group(Size::word, kResizeFcw),
    whole(Size::word, {"P", Holds::float32, 0, 0, nullptr, "exponent"}),
};
inline constexpr Item kL2NormItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kBatchNormData),
    group(Size::word, kResizeFcw),
};
inline constexpr Item kEmbeddingItems[] = {
    whole(Size::address, {"TABLE", Holds::address, 0, 0, "UNIT", "rows"}),
    whole(Size::address, {"INDEX", Holds::address, 0, 0, "s32", "indices"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kEmbeddingMode),
    whole(Size::word, {"N", Holds::integer, 0, 0, nullptr, "number of indices"}),
    whole(Size::word, {"ROWS", Holds::integer, 0, 0, nullptr, "number of rows"}),
};
inline constexpr Item kOneHotItems[] = {
    whole(Size::address, {"INDEX", Holds::address, 0, 0, "s32", "indices"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kOneHotMode),
    whole(Size::word, {"N", Holds::integer, 0, 0, nullptr, "number of indices"}),
};
inline constexpr Item kRecurrentItems[] = {
    whole(Size::address, {"X", Holds::address, 0, 0, "UNIT", "inputs"}),
    whole(Size::address, {"W_IH", Holds::address, 0, 0, "UNIT", "weights of the input"}),
    whole(Size::address, {"W_HH", Holds::address, 0, 0, "UNIT", "weights of the hidden state"}),
    whole(Size::address, {"BIAS", Holds::optional_address, 0, 0, "UNIT", "bias"}),
    whole(Size::address, {"H", Holds::optional_address, 0, 0, "UNIT", "hidden state"}),
    whole(Size::address, {"C", Holds::optional_address, 0, 0, "UNIT", "cell state; 0: absent"}),
    whole(Size::address, {"Y", Holds::address, 0, 0, "UNIT", "results"}),
    group(Size::word, kRecurrentMode),
    group(Size::word, kRecurrentTb),
};
inline constexpr Item kDropoutItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kDropoutData),
    whole(Size::word, {"RATIO", Holds::parameter, 0, 0, "RATIO_UNIT", "share of elements that become 0"}),
    whole(Size::word, {"LEN", Holds::integer, 0, 0, nullptr, "number of elements"}),
};
inline constexpr Item kLabelSmoothItems[] = {
    whole(Size::address, {"S", Holds::address, 0, 0, "UNIT", "source"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    whole(Size::address, {"PRIOR", Holds::optional_address, 0, 0, "UNIT", "prior distribution; 0: uniform"}),
    group(Size::word, kLabelSmoothMode),
    whole(Size::word, {"N", Holds::integer, 0, 0, nullptr, "number of rows"}),
    whole(Size::word, {"EPSILON", Holds::float32, 0, 0, nullptr, "epsilon"}),
};
inline constexpr Item kPixelShuffleItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kPixelShuffleDim),
    group(Size::word, kPixelShuffleData),
};
inline constexpr Item kGridSampleItems[] = {
    whole(Size::address, {"FM", Holds::address, 0, 0, "UNIT", "feature map"}),
    whole(Size::address, {"GRID", Holds::address, 0, 0, "UNIT", "coordinates"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kGridSampleMode),
    group(Size::word, kResizeSize),
    group(Size::word, kGridSampleOut),
};
inline constexpr Item kAffineGridItems[] = {
    whole(Size::address, {"THETA", Holds::address, 0, 0, "UNIT", "matrices"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kAffineGridMode),
    group(Size::word, kAffineGridOut),
};
inline constexpr Item kLossItems[] = {
    whole(Size::address, {"IN", Holds::address, 0, 0, "UNIT", "input"}),
    whole(Size::address, {"TARGET", Holds::address, 0, 0, nullptr, "target"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "UNIT", "result"}),
    group(Size::word, kLossMode),
    group(Size::word, kLossCls),
    whole(Size::word, {"N", Holds::integer, 0, 0, nullptr, "number of rows"}),
    whole(Size::word, {"P0", Holds::float32, 0, 0, nullptr, "beta of SMOOTH_L1_LOSS, epsilon of LOG_LOSS"}),
};
inline constexpr Item kAccuracyItems[] = {
    whole(Size::address, {"IN", Holds::address, 0, 0, "UNIT", "input"}),
    whole(Size::address, {"LABEL", Holds::address, 0, 0, "s32", "labels"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "fp32", "result"}),
    group(Size::word, kAccuracyMode),
    whole(Size::word, {"N", Holds::integer, 0, 0, nullptr, "number of rows"}),
};
inline constexpr Item kAucItems[] = {
    whole(Size::address, {"IN", Holds::address, 0, 0, "UNIT", "input"}),
    whole(Size::address, {"LABEL", Holds::address, 0, 0, "s32", "labels"}),
    whole(Size::address, {"D", Holds::address, 0, 0, "fp32", "result"}),
    group(Size::word, kOneUnit),
    whole(Size::word, {"N", Holds::integer, 0, 0, nullptr, "number of scores"}),
};
inline constexpr Item kOptimizerItems[] = {
    whole(Size::address, {"P", Holds::address, 0, 0, "UNIT", "parameters"}),
    whole(Size::address, {"G", Holds::address, 0, 0, "UNIT", "gradients"}),
    whole(Size::address, {"S1", Holds::optional_address, 0, 0, "UNIT", "state 1"}),
    whole(Size::address, {"S2", Holds::optional_address, 0, 0, "UNIT", "state 2"}),
    whole(Size::address, {"S3", Holds::optional_address, 0, 0, "UNIT", "state 3"}),
    group(Size::word, kOptimizerMode),
    whole(Size::word, {"N", Holds::integer, 0, 0, nullptr, "number of parameters"}),
    whole(Size::word, {"LR", Holds::float32, 0, 0, nullptr, "learning rate"}),
    whole(Size::word, {"H0", Holds::float32, 0, 0, nullptr, "parameter 0"}),
    whole(Size::word, {"H1", Holds::float32, 0, 0, nullptr, "parameter 1"}),
    whole(Size::word, {"H2", Holds::float32, 0, 0, nullptr, "parameter 2"}),
    whole(Size::word, {"STEP", Holds::integer, 0, 0, nullptr, "number of the step"}),
};

}  // namespace detail

inline constexpr Layout kBinary{detail::kBinaryItems, {}};
inline constexpr Layout kUnary{detail::kUnaryItems, {}};
inline constexpr Layout kTernary{detail::kTernaryItems, {}};
inline constexpr Layout kLogic{detail::kLogicItems, {}};
inline constexpr Layout kReduction{detail::kReductionItems, {}};
inline constexpr Layout kCase{detail::kCaseItems, {}};
inline constexpr Layout kCond{detail::kCondItems, {}};
inline constexpr Layout kSwitchCase{detail::kSwitchCaseItems, {}};
inline constexpr Layout kWhileLoop{detail::kWhileLoopItems, {}};
inline constexpr Layout kConcat{detail::kConcatItems, {}};
inline constexpr Layout kGather{detail::kGatherItems, {}};
inline constexpr Layout kGatherNd{detail::kGatherNdItems, {}};
inline constexpr Layout kScatter{detail::kScatterItems, {}};
inline constexpr Layout kScatterNd{detail::kScatterNdItems, {}};
inline constexpr Layout kSplit{detail::kSplitItems, {}};
inline constexpr Layout kSlice{detail::kSliceItems, {}};
inline constexpr Layout kTranspose{detail::kTransposeItems, {}};
inline constexpr Layout kCopy{detail::kCopyItems, {}};
inline constexpr Layout kUnstack{detail::kUnstackItems, {}};
inline constexpr Layout kStack{detail::kStackItems, {}};
inline constexpr Layout kTile{detail::kTileItems, {}};
inline constexpr Layout kPad{detail::kPadItems, {}};
inline constexpr Layout kRoll{detail::kRollItems, {}};
inline constexpr Layout kSignBit{detail::kSignBitItems, {}};
inline constexpr Layout kWhere{detail::kWhereItems, {}};
inline constexpr Layout kClip{detail::kClipItems, {}};
inline constexpr Layout kDataConvert{detail::kDataConvertItems, {}};
inline constexpr Layout kMatrixMul{detail::kMatrixMulItems, {}};
inline constexpr Layout kLu{detail::kLuItems, {}};
inline constexpr Layout kCholesky{detail::kCholeskyItems, {}};
inline constexpr Layout kQr{detail::kQrItems, {}};
inline constexpr Layout kMatrixNorm{detail::kMatrixNormItems, {}};
inline constexpr Layout kInverse{detail::kInverseItems, {}};
inline constexpr Layout kLstsq{detail::kLstsqItems, {}};
inline constexpr Layout kSolve{detail::kSolveItems, {}};
inline constexpr Layout kDataMove{detail::kDataMoveItems, {}};
inline constexpr Layout kResize{detail::kResizeItems, {}};
inline constexpr Layout kCreate{detail::kCreateItems, {}};
inline constexpr Layout kArgSort{detail::kArgSortItems, {}};
inline constexpr Layout kTopk{detail::kTopkItems, {}};
inline constexpr Layout kFft{detail::kFftItems, {}};
inline constexpr Layout kQuery{detail::kQueryItems, {}};
inline constexpr Layout kActivation{detail::kActivationItems, {}};
inline constexpr Layout kPrelu{detail::kPreluItems, {}};
inline constexpr Layout kElu{detail::kEluItems, {}};
inline constexpr Layout kHardSigmoid{detail::kHardSigmoidItems, {}};
inline constexpr Layout kSelu{detail::kSeluItems, {}};
inline constexpr Layout kSoftmax{detail::kSoftmaxItems, detail::kSoftmaxExtension, "UNIT", static_cast<std::uint8_t>(Unit::s8)};
inline constexpr Layout kLogsoftmax{detail::kLogsoftmaxItems, {}};
inline constexpr Layout kOneParameter{detail::kOneParameterItems, {}};
inline constexpr Layout kTwoParameters{detail::kTwoParametersItems, {}};
inline constexpr Layout kQuantisedAdd{detail::kQuantisedAddItems, detail::kQuantisedAddExtension, "LSHIFT", kAnyButZero};
inline constexpr Layout kConvolution{detail::kConvolutionItems, {}};
inline constexpr Layout kTransposeConv{detail::kTransposeConvItems, {}};
inline constexpr Layout kDilateConv{detail::kDilateConvItems, {}};
inline constexpr Layout kConv3d{detail::kConv3dItems, {}};
inline constexpr Layout kTransConv3d{detail::kTransConv3dItems, {}};
inline constexpr Layout kUdefConv{detail::kUdefConvItems, {}};
inline constexpr Layout kPool{detail::kPoolItems, {}};
inline constexpr Layout kRoiPool{detail::kRoiPoolItems, {}};
inline constexpr Layout kPool3d{detail::kPool3dItems, {}};
inline constexpr Layout kPool1d{detail::kPool1dItems, {}};
inline constexpr Layout kAdaptivePool{detail::kAdaptivePoolItems, {}};
inline constexpr Layout kAdaptivePool3d{detail::kAdaptivePool3dItems, {}};
inline constexpr Layout kUdefPool{detail::kUdefPoolItems, {}};
inline constexpr Layout kBatchNorm{detail::kBatchNormItems, {}};
inline constexpr Layout kChannelNorm{detail::kChannelNormItems, {}};
inline constexpr Layout kGroupNorm{detail::kGroupNormItems, {}};
inline constexpr Layout kLrnNorm{detail::kLrnNormItems, {}};
inline constexpr Layout kLpNorm{detail::kLpNormItems, {}};
inline constexpr Layout kL2Norm{detail::kL2NormItems, {}};
inline constexpr Layout kEmbedding{detail::kEmbeddingItems, {}};
inline constexpr Layout kOneHot{detail::kOneHotItems, {}};
inline constexpr Layout kRecurrent{detail::kRecurrentItems, {}};
inline constexpr Layout kDropout{detail::kDropoutItems, {}};
inline constexpr Layout kLabelSmooth{detail::kLabelSmoothItems, {}};
inline constexpr Layout kPixelShuffle{detail::kPixelShuffleItems, {}};
inline constexpr Layout kGridSample{detail::kGridSampleItems, {}};
inline constexpr Layout kAffineGrid{detail::kAffineGridItems, {}};
inline constexpr Layout kLoss{detail::kLossItems, {}};
inline constexpr Layout kAccuracy{detail::kAccuracyItems, {}};
inline constexpr Layout kAuc{detail::kAucItems, {}};
inline constexpr Layout kOptimizer{detail::kOptimizerItems, {}};
// clang-format on

}  // namespace cox::isa::unity::layouts
