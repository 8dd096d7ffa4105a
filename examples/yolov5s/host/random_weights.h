// SPDX-License-Identifier: MIT
// Weights from a seed, because trained ones cannot be shipped (README.md, Random weights). Like a trained file before folding, they have
// convolutions with batch normalisation.
#pragma once

#include <cstdint>
#include <vector>

#include "examples/yolov5s/host/safetensors.h"

namespace cox::yolov5s {

/// Makes weights from a seed. They have the same bits on every machine. The means and variances of the batch normalisations are measured in
/// a run of the network on a synthetic picture. This run adds in a fixed order, and the random numbers come from integer arithmetic.
std::vector<NamedTensor> random_weights(std::uint64_t seed);

}  // namespace cox::yolov5s
