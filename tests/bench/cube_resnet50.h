// SPDX-License-Identifier: MIT
// The 53 convolutions of ResNet-50 v1.5 at 224 x 224, batch 1, as the matrix unit executes them: INT8 maps, an INT32 bias and a factor per
// output channel, INT8 results, and ReLU if the network has one. Sums with the shortcut are not included.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coxswain/kernels/cube/conv2d.h"

namespace cox::bench {

struct CubeLayer {
  std::string name;
  kernels::cube::Conv2dArguments call;  ///< without addresses

  [[nodiscard]] double multiply_accumulates() const;
  /// array_cycles() returns the cycles that the array needs, with all sizes rounded up to fractals. dram_cycles() returns the cycles that
  /// the DRAM port needs to read each operand once and to write the output.
  [[nodiscard]] std::uint64_t array_cycles() const;
  [[nodiscard]] std::uint64_t dram_cycles() const;
  [[nodiscard]] std::uint64_t limit() const { return std::max(array_cycles(), dram_cycles()); }
};

[[nodiscard]] std::vector<CubeLayer> resnet50_convolutions();

}  // namespace cox::bench
