// SPDX-License-Identifier: MIT
// A second implementation of MX9 arithmetic, written only from docs/mx9.md. It computes in double precision and uses no code of the model
// or of isa.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "coxswain/isa/mx/operation.h"

namespace cox::test::independent {

/// The numbers of a block. A NaN block has 16 NaNs.
using Numbers = std::array<double, 16>;

Numbers decode(const std::byte *block);
/// Encodes FP32 values as a block of 18 bytes.
std::array<std::byte, 18> encode(const std::array<float, 16> &values);

/// Bytes of output 1, followed by those of output 2.
std::vector<std::byte> convolve(const isa::mx::ConvAct &op, const std::byte *input, const std::byte *weights);
std::vector<std::byte> elementwise(const isa::mx::Elementwise &op, const std::byte *input1, const std::byte *input2);
std::vector<std::byte> pool(const isa::mx::Pool &op, const std::byte *input);

/// The sums of a convolution before its activation, in double precision. Both vectors are indexed [output channel][pixel]; magnitudes[i] is
/// the sum of the magnitudes of the terms of values[i].
struct RealConvolution {
  std::vector<double> values, magnitudes;
};
RealConvolution convolve_real(const isa::mx::ConvAct &op, const std::byte *input, const std::byte *weights);

}  // namespace cox::test::independent
