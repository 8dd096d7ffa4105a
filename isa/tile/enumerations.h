// SPDX-License-Identifier: MIT
// The enumerations of the tile instruction set, by their names in the printed form (docs/isa/tile.md, Enumerations).
#pragma once

#include <cstdint>

#include "coxswain/isa/field.h"

namespace cox::isa::tile {

enum class DataFmt : std::uint8_t { INT4 = 0, INT8 = 1, INT16 = 2, FP16 = 3, BF16 = 4, INT32 = 5, FP32 = 6 };
enum class ActMode : std::uint8_t { DISABLE = 0, RELU = 1, RELUX = 2, LEAKY_RELU = 3, PRELU = 4, SILU = 5 };
enum class Float2Fixed : std::uint8_t { CEIL = 0, FLOOR = 1, ROUND = 2, TRUNCATE = 3 };
enum class DataSign : std::uint8_t { UNSIGNED = 0, SIGNED = 1 };
enum class CompareMode : std::uint8_t { DEFAULT = 0, MAX = 1, MIN = 2, GT = 3, GE = 4, LT = 5, LE = 6, EQ = 7, NE = 8 };
enum class GroupMode : std::uint8_t { DEFAULT = 0, SUB = 1, RSUB = 2, MUL = 3, DIV = 4 };  ///< SG0M; DEFAULT adds
enum class Group1Mode : std::uint8_t { DEFAULT = 0, ADD = 1, SUB = 2, MUL = 3 };           ///< field SG1M; DEFAULT does nothing
/// The dimensions that CMPD or ACCD reduces. Bit 0: channels, bit 1: columns, bit 2: rows.
enum class Dimensions : std::uint8_t { DEFAULT = 0, C = 1, W = 2, WC = 3, H = 4, HC = 5, HW = 6, HWC = 7 };
/// Returns true if a set of dimensions (T0F, T1F, CMPD, ACCD) contains `dimension`.
[[nodiscard]] constexpr bool has_dimension(unsigned dimensions, Dimensions dimension) {
  return (dimensions & static_cast<unsigned>(dimension)) != 0;
}
enum class CutMode : std::uint8_t { CUT_W = 0, CUT_H = 1, CUT_N = 2, CUT_K = 3, CUT_C = 4 };

// GPMD and LUT of vp_self and vp_pool. Together they select the function. They have no names in the printed form (docs/isa/tile.md, Vector
// functions).
inline constexpr std::int64_t kOneTensor = 4, kTensorAndScalar = 5, kTwoTensors = 69;
inline constexpr std::int64_t kLutNone = 16, kLutComparingPool = 17, kLutAdd = 18, kLutCompare = 19, kLutSum = 20, kLutMean = 21,
                              kLutMaximum = 22, kLutMinimum = 23, kLutTable = 32, kLutSoftmax = 40, kLutLayerNorm = 41, kLutNearest = 48,
                              kLutBilinear = 49, kLutAveragePool = 56;
inline constexpr unsigned kScalarRegisters = 8;  ///< VP's FP32 registers; each context has 8 on each core
/// The value of PADV_AREA that means "no correction": if a resize needs an element outside of the map, it takes the nearest element of the
/// map.
inline constexpr float kNoAreaCorrection = -32768;
/// Order of dt_cal: source layout and destination layout.
enum class Order : std::uint8_t {
  nhwc_copy = 0,
  nhwc_to_nchw = 1,
  nchw_to_nhwc = 2,
  nhwc_to_blocks8 = 3,  ///< N, C / 8, H, W, 8
  blocks8_to_nhwc = 4,
  nchw_to_blocks8 = 5,
  blocks8_to_nchw = 6,
  nhwc_to_blocks16 = 7,  ///< N, C / 16, H, W, 16
  blocks16_to_nhwc = 8,
  swap_hw = 9,   ///< NHWC with rows and columns exchanged
  swap_wc = 10,  ///< NHWC with columns and channels exchanged
  swap_hc = 11,  ///< NHWC with rows and channels exchanged
  nchw_to_blocks16 = 12,
  blocks16_to_nchw = 13,
};
/// T0F or T1F of vp_cfg_tp for a tensor that has every dimension.
inline constexpr std::int64_t kAllDimensions = 7;

namespace detail {
inline constexpr EnumValue kDataFmtValues[] = {{"INT4", 0}, {"INT8", 1}, {"INT16", 2}, {"FP16", 3}, {"BF16", 4}, {"INT32", 5}, {"FP32", 6}};
inline constexpr EnumValue kActModeValues[] = {{"DISABLE", 0}, {"RELU", 1}, {"RELUX", 2}, {"LEAKY_RELU", 3}, {"PRELU", 4}, {"SILU", 5}};
inline constexpr EnumValue kFloat2FixedValues[] = {{"CEIL", 0}, {"FLOOR", 1}, {"ROUND", 2}, {"TRUNCATE", 3}};
inline constexpr EnumValue kDataSignValues[] = {{"UNSIGNED", 0}, {"SIGNED", 1}};
inline constexpr EnumValue kCutModeValues[] = {{"CUT_W", 0}, {"CUT_H", 1}, {"CUT_N", 2}, {"CUT_K", 3}, {"CUT_C", 4}};
inline constexpr EnumValue kConversionValues[] = {{"SAME", 0}, {"INT4", 1}, {"INT8", 2},  {"INT16", 3},
                                                  {"FP16", 4}, {"BF16", 5}, {"INT32", 6}, {"FP32", 7}};
inline constexpr EnumValue kCompareValues[] = {{"DEFAULT", 0}, {"MAX", 1}, {"MIN", 2}, {"GT", 3}, {"GE", 4},
                                               {"LT", 5},      {"LE", 6},  {"EQ", 7},  {"NE", 8}};
inline constexpr EnumValue kGroupValues[] = {{"DEFAULT", 0}, {"SUB", 1}, {"RSUB", 2}, {"MUL", 3}, {"DIV", 4}};
inline constexpr EnumValue kGroup1Values[] = {{"DEFAULT", 0}, {"ADD", 1}, {"SUB", 2}, {"MUL", 3}};
inline constexpr EnumValue kMultiplySourceValues[] = {{"DEFAULT", 0}, {"ELEMENT", 1}};
inline constexpr EnumValue kSumValues[] = {{"DEFAULT", 0}, {"AFFINE", 1}};
inline constexpr EnumValue kQuantisationValues[] = {{"DEFAULT", 0}, {"SUB", 1}};
inline constexpr EnumValue kDimensionsValues[] = {{"DEFAULT", 0}, {"C", 1},  {"W", 2},  {"WC", 3},
                                                  {"H", 4},       {"HC", 5}, {"HW", 6}, {"HWC", 7}};
inline constexpr EnumValue kTreeValues[] = {{"DEFAULT", 0}, {"LANES", 1}};
inline constexpr EnumValue kScalarValues[] = {{"DEFAULT", 0}, {"S0", 1}, {"S1", 2}, {"S2", 3}, {"S3", 4},
                                              {"S4", 5},      {"S5", 6}, {"S6", 7}, {"S7", 8}};
}  // namespace detail

inline constexpr EnumType kDataFmt{"DataFmt", detail::kDataFmtValues};
inline constexpr EnumType kActMode{"ActMode", detail::kActModeValues};
inline constexpr EnumType kFloat2Fixed{"Float2Fixed", detail::kFloat2FixedValues};
inline constexpr EnumType kDataSign{"DataSign", detail::kDataSignValues};
inline constexpr EnumType kXCutMode{"XCutMode", detail::kCutModeValues};
inline constexpr EnumType kYCutMode{"YCutMode", detail::kCutModeValues};
inline constexpr EnumType kCmps{"CMPS", detail::kCompareValues};
/// CVT of lda_cfg and sta_cfg: 0 is SAME, and any other value is a DataFmt plus 1.
inline constexpr EnumType kConversion{"Conversion", detail::kConversionValues};
// The published material shows only the default of these modes. This project defines the other values.
inline constexpr EnumType kSg0m{"SG0M", detail::kGroupValues};
inline constexpr EnumType kSg1m{"SG1M", detail::kGroup1Values};
inline constexpr EnumType kMg0s{"MG0S", detail::kMultiplySourceValues};
inline constexpr EnumType kSumm{"SUMM", detail::kSumValues};
inline constexpr EnumType kQsmd{"QSMD", detail::kQuantisationValues};
inline constexpr EnumType kCmpd{"CMPD", detail::kDimensionsValues};
inline constexpr EnumType kTreed{"TREED", detail::kTreeValues};
inline constexpr EnumType kAccd{"ACCD", detail::kDimensionsValues};
inline constexpr EnumType kSwrs{"SWRS", detail::kScalarValues};

}  // namespace cox::isa::tile
