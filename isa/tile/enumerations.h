// SPDX-License-Identifier: MIT
// The enumerations of the tile instruction set, by their names in the printed form (docs/isa/tile.md, Enumerations).
#pragma once

#include <cstdint>

#include "isa/field.h"

namespace cox::isa::tile {

enum class DataFmt : std::uint8_t { INT4 = 0, INT8 = 1, INT16 = 2, FP16 = 3, BF16 = 4, INT32 = 5, FP32 = 6 };
enum class ActMode : std::uint8_t { DISABLE = 0, RELU = 1, RELUX = 2, LEAKY_RELU = 3, PRELU = 4, SILU = 5 };
enum class Float2Fixed : std::uint8_t { CEIL = 0, FLOOR = 1, ROUND = 2, TRUNCATE = 3 };
enum class DataSign : std::uint8_t { UNSIGNED = 0, SIGNED = 1 };
enum class CompareMode : std::uint8_t { DEFAULT = 0, MAX = 1, MIN = 2 };
enum class CutMode : std::uint8_t { CUT_W = 0, CUT_H = 1, CUT_N = 2, CUT_K = 3, CUT_C = 4 };

// GPMD and LUT of vp_self and vp_pool: together they name the function, and have no names in the printed form (docs/isa/tile.md,
// Arithmetic).
inline constexpr std::int64_t kOneTensor = 4, kTwoTensors = 69;
inline constexpr std::int64_t kLutNone = 16, kLutMaximumPool = 17, kLutAdd = 18, kLutAveragePool = 56;
/// T0F and T1F of vp_cfg_tp: the tensor has every dimension.
inline constexpr std::int64_t kAllDimensions = 7;

namespace detail {
inline constexpr EnumValue kDataFmtValues[] = {{"INT4", 0}, {"INT8", 1}, {"INT16", 2}, {"FP16", 3}, {"BF16", 4}, {"INT32", 5}, {"FP32", 6}};
inline constexpr EnumValue kActModeValues[] = {{"DISABLE", 0}, {"RELU", 1}, {"RELUX", 2}, {"LEAKY_RELU", 3}, {"PRELU", 4}, {"SILU", 5}};
inline constexpr EnumValue kFloat2FixedValues[] = {{"CEIL", 0}, {"FLOOR", 1}, {"ROUND", 2}, {"TRUNCATE", 3}};
inline constexpr EnumValue kDataSignValues[] = {{"UNSIGNED", 0}, {"SIGNED", 1}};
inline constexpr EnumValue kCutModeValues[] = {{"CUT_W", 0}, {"CUT_H", 1}, {"CUT_N", 2}, {"CUT_K", 3}, {"CUT_C", 4}};
inline constexpr EnumValue kCompareValues[] = {{"DEFAULT", 0}, {"MAX", 1}, {"MIN", 2}};
inline constexpr EnumValue kDefaultOnlyValues[] = {{"DEFAULT", 0}};
}  // namespace detail

inline constexpr EnumType kDataFmt{"DataFmt", detail::kDataFmtValues};
inline constexpr EnumType kActMode{"ActMode", detail::kActModeValues};
inline constexpr EnumType kFloat2Fixed{"Float2Fixed", detail::kFloat2FixedValues};
inline constexpr EnumType kDataSign{"DataSign", detail::kDataSignValues};
inline constexpr EnumType kXCutMode{"XCutMode", detail::kCutModeValues};
inline constexpr EnumType kYCutMode{"YCutMode", detail::kCutModeValues};
inline constexpr EnumType kCmps{"CMPS", detail::kCompareValues};
// Modes of which the published material shows the default alone.
inline constexpr EnumType kSg0m{"SG0M", detail::kDefaultOnlyValues};
inline constexpr EnumType kSg1m{"SG1M", detail::kDefaultOnlyValues};
inline constexpr EnumType kMg0s{"MG0S", detail::kDefaultOnlyValues};
inline constexpr EnumType kSumm{"SUMM", detail::kDefaultOnlyValues};
inline constexpr EnumType kQsmd{"QSMD", detail::kDefaultOnlyValues};
inline constexpr EnumType kCmpd{"CMPD", detail::kDefaultOnlyValues};
inline constexpr EnumType kTreed{"TREED", detail::kDefaultOnlyValues};
inline constexpr EnumType kAccd{"ACCD", detail::kDefaultOnlyValues};
inline constexpr EnumType kSwrs{"SWRS", detail::kDefaultOnlyValues};

}  // namespace cox::isa::tile
