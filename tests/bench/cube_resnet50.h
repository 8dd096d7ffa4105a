// SPDX-License-Identifier: MIT
// The 53 convolutions of ResNet-50 v1.5 at 224 x 224, batch 1, as the matrix unit does them: INT8 maps, an INT32 bias and a factor an
// output channel, ReLU where the network has one, INT8 results. Sums with the shortcut are not in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/cube/conv2d.h"

namespace cox::bench {

struct CubeLayer {
  std::string name;
  kernels::cube::Conv2dArguments call;  ///< without addresses

  [[nodiscard]] double multiply_accumulates() const;
  /// Cycles of the array with its sides whole fractals, and those in which DRAM's port carries what is read, once, and what is written.
  [[nodiscard]] std::uint64_t array_cycles() const;
  [[nodiscard]] std::uint64_t dram_cycles() const;
  [[nodiscard]] std::uint64_t limit() const { return std::max(array_cycles(), dram_cycles()); }
};

[[nodiscard]] std::vector<CubeLayer> resnet50_convolutions();

}  // namespace cox::bench
