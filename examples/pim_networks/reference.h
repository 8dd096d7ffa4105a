// SPDX-License-Identifier: MIT
// Evaluates a network in plain loops (docs/isa/pim.md, SIMD). It shares no code with kernels/pim or the model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "examples/pim_networks/network.h"
#include "examples/pim_networks/parameters.h"

namespace cox::pim_networks {

using Map = std::vector<std::int32_t>;  ///< [row][column][channel]

/// The output of every layer.
[[nodiscard]] std::vector<Map> evaluate(const Network &network, const Parameters &parameters, std::span<const std::int8_t> image);

}  // namespace cox::pim_networks
