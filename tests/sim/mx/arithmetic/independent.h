// SPDX-License-Identifier: MIT
// The arithmetic of MX9 once more, from docs/mx9.md alone: numbers as double precision holds them, and no code of the model or of isa.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "isa/mx/operation.h"

namespace cox::test::independent {

/// A block's numbers. NaN blocks are 16 NaNs.
using Numbers = std::array<double, 16>;

Numbers decode(const std::byte *block);
/// FP32 values to 18 bytes.
std::array<std::byte, 18> encode(const std::array<float, 16> &values);

/// The bytes of output 1, with those of output 2 behind them.
std::vector<std::byte> convolve(const isa::mx::ConvAct &op, const std::byte *input, const std::byte *weights);
std::vector<std::byte> elementwise(const isa::mx::Elementwise &op, const std::byte *input1, const std::byte *input2);
std::vector<std::byte> pool(const isa::mx::Pool &op, const std::byte *input);

/// A convolution before its activation, in double precision throughout, and the sum of magnitudes of what was added: [output
/// channel][pixel].
struct RealConvolution {
  std::vector<double> values, magnitudes;
};
RealConvolution convolve_real(const isa::mx::ConvAct &op, const std::byte *input, const std::byte *weights);

}  // namespace cox::test::independent
