// SPDX-License-Identifier: MIT
// A network to tile instructions (docs/lowering.md).
#pragma once

#include "tools/lower/network.h"
#include "tools/lower/program.h"
#include "tools/lower/weights.h"

namespace cox::lower {

// Windows of the task: what base address registers 0 and 1 point at.
inline constexpr std::uint32_t kTensorWindow = 0;  ///< the input at offset 0, the output after it
inline constexpr std::uint32_t kWeightWindow = 1;  ///< WeightImage::bytes

struct Lowering {
  Program program;                  ///< with dependency bits
  std::uint64_t output_offset = 0;  ///< bytes, in the tensor window
  std::uint64_t tensor_window_bytes = 0;
};

/// Throws NetworkError for a network that does not fit the device: its maps L2, eight kernels of a layer half of WL0.
[[nodiscard]] Lowering lower(const Network &network, const WeightImage &weights);

/// Bytes of a feature map in DRAM: dense NHWC.
[[nodiscard]] std::uint64_t dense_bytes(const FeatureMap &map);

}  // namespace cox::lower
