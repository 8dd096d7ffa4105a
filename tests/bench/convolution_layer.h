// SPDX-License-Identifier: MIT
// A convolution layer as the model executes it: filled L2 and WL0, and the operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/tile/arithmetic/execute.h"

namespace cox::bench {

/// A layer with stride 1 and an INT8 output. The input is padded, so the output has as many rows and columns as the input.
struct LayerShape {
  std::uint32_t channels = 64, kernels = 64, size = 56, kernel = 3;
  isa::tile::DataFmt format = isa::tile::DataFmt::INT8;  ///< format of source and weights
  bool depthwise = false;                                ///< one kernel per channel

  [[nodiscard]] double multiply_accumulates() const {
    return static_cast<double>(depthwise ? 1 : channels) * kernels * size * size * kernel * kernel;
  }
};

class ModelLayer {
 public:
  explicit ModelLayer(const LayerShape &shape);

  /// Runs the layer from L2 bytes to L2 bytes: unpacks weights, pads, convolves and requantises.
  void run() const { model::arithmetic::execute(operation_, memories_, model::arithmetic::Path::fast); }

 private:
  std::vector<std::byte> l2_;
  std::vector<std::byte> wl0_;
  isa::tile::Operation operation_;
  model::arithmetic::Memories memories_;
};

}  // namespace cox::bench
