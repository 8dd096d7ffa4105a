// SPDX-License-Identifier: MIT
// Weights from a seed, for want of trained ones that could be shipped (README.md, Random weights): as a trained file before folding has
// them, convolutions with batch normalisation beside them.
#pragma once

#include <cstdint>
#include <vector>

#include "examples/yolov5s/host/safetensors.h"

namespace cox::yolov5s {

/// The same bits on every machine: whole-number random numbers, and statistics from a run of the network over a synthetic picture in
/// arithmetic whose order is stated.
std::vector<NamedTensor> random_weights(std::uint64_t seed);

}  // namespace cox::yolov5s
