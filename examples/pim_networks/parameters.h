// SPDX-License-Identifier: MIT
// Weights and scales of a network, on the host.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "examples/pim_networks/network.h"

namespace cox::pim_networks {

/// A number as MUL takes it (docs/isa/pim.md, SIMD): multiplier / 2^31 / 2^shift.
struct Factor {
  std::int32_t multiplier = 0;
  std::int8_t shift = 0;
};
/// The factor nearest to `real`, which is above 0 and below 2^31.
[[nodiscard]] Factor factor_of(double real);

/// Operand of quantify-resadd: z1, m1, s1, z2, m2, s2, mo, so, zo. Input 1 is the convolution, input 2 the shortcut.
using AddBlock = std::array<std::int32_t, 9>;

struct LayerParameters {
  std::vector<std::int8_t> weights;  ///< [filter][kernel row][kernel column][input channel]
  std::vector<std::int32_t> biases;  ///< of a filter, in steps of its sums
  std::vector<std::int32_t> multipliers;
  std::vector<std::int8_t> shifts;
  AddBlock add{};  ///< with a shortcut
};
/// An element for each layer of the network.
using Parameters = std::vector<LayerParameters>;

/// The block whose result is first * scales[0] + second * scales[1], where both inputs and the output are quantised with these scales.
[[nodiscard]] AddBlock add_block(const std::array<double, 2> &scales, std::int32_t first_zero, std::int32_t second_zero,
                                 double output_scale, std::int32_t output_zero);

/// Parameters of kDigits from examples/digits. Throws std::runtime_error.
[[nodiscard]] Parameters digits_parameters(const std::filesystem::path &folder);
/// The held-out images of examples/digits, quantised: 64 bytes each. Throws std::runtime_error.
[[nodiscard]] std::vector<std::int8_t> digits_images(const std::filesystem::path &folder);

/// Pseudo-random parameters and image of kResnet18 (README.md, Random weights).
[[nodiscard]] Parameters resnet18_parameters();
[[nodiscard]] std::vector<std::int8_t> resnet18_image();

}  // namespace cox::pim_networks
