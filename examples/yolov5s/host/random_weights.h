// SPDX-License-Identifier: MIT
// Weights from a seed, because trained ones cannot be shipped (README.md, Random weights). Like a trained file before folding, they have
// convolutions with batch normalisation.
#pragma once

#include <cstdint>
#include <vector>

#include "examples/yolov5s/host/safetensors.h"

namespace cox::yolov5s {

/// The weights have the same bits on every machine. The random numbers are integers. The statistics come from a run of the network on a
/// synthetic picture, in arithmetic with a fixed order.
std::vector<NamedTensor> random_weights(std::uint64_t seed);

}  // namespace cox::yolov5s
