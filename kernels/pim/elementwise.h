// SPDX-License-Identifier: MIT
// Operations on the elements of maps with the SIMD unit (docs/kernels/pim.md, Elementwise operations).
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/kernels/pim/program_builder.h"

namespace cox::kernels::pim {

/// A factor MUL(x, multiplier, shift) (docs/isa/pim.md, SIMD): x * multiplier * 2^(-31 - shift), rounded as TensorFlow Lite rounds.
struct Factor {
  std::int32_t multiplier = 0;
  std::int32_t shift = 0;  ///< -31 to 31
};

/// Operands and results are device addresses of `count` elements without gaps, in DRAM or in a local memory that the kernels leave to the
/// caller. The output may be one of the operands.
struct EladdArguments {
  std::uint32_t left = 0, right = 0, output = 0;  ///< int8
  std::uint32_t count = 0;
  std::int32_t left_zero_point = 0, right_zero_point = 0, zero_point = 0;
  Factor left_factor, right_factor, output_factor;
  std::uint32_t first_core = 0, cores = 1;  ///< each core computes a part
};

/// Appends output = sat(MUL(MUL((left - zl) * 2^20, left_factor) + MUL((right - zr) * 2^20, right_factor), output_factor) + zero_point),
/// the sum of two quantised maps. Errors, after which the program is unchanged: not_ready before ProgramBuilder::init(); invalid_argument:
/// a count of 0 or over 2^31 ("count"), a shift ("left_factor", "right_factor", "output_factor"), cores that the program lacks ("cores"),
/// an address in a local memory of the kernels ("left", "right", "output"); address_outside_window, address_outside_buffer; tensor_overlap
/// if the output shares only some bytes with an operand ("output"); no_room ("stream"); unsupported for a memory that the configuration
/// lacks.
Status eladd(ProgramBuilder &builder, const EladdArguments &arguments);

struct ElmulArguments {
  std::uint32_t left = 0, right = 0, output = 0;  ///< int8
  std::uint32_t count = 0;
  std::int32_t left_zero_point = 0, right_zero_point = 0, zero_point = 0;
  Factor factor;
  std::uint32_t first_core = 0, cores = 1;
};

/// Appends output = sat(MUL((left - zl) * (right - zr), factor) + zero_point). Errors: as eladd(), with "factor".
Status elmul(ProgramBuilder &builder, const ElmulArguments &arguments);

struct QuantiseArguments {
  std::uint32_t input = 0;   ///< `pixels` times `channels` int32
  std::uint32_t output = 0;  ///< int8
  std::uint32_t pixels = 0, channels = 1;
  std::uint32_t multipliers = 0;  ///< device address of `channels` int32, then at once `channels` int8 shifts of -31 to 31
  std::int32_t zero_point = 0;
  bool relu = false;  ///< before the zero point is added
  std::uint32_t first_core = 0, cores = 1;
};

/// Appends output = sat(MUL(input, multiplier, shift) + zero_point) with a factor for each channel. Errors: as eladd(), with "pixels",
/// "channels" and "multipliers"; no_room ("channels") if the factors of one pixel do not fit the kernels' memories.
Status quantise(ProgramBuilder &builder, const QuantiseArguments &arguments);

}  // namespace cox::kernels::pim
