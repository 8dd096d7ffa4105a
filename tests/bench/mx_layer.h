// SPDX-License-Identifier: MIT
// A CONVACT as the model executes it: packed MX9 data in memory, and the operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "convolution_layer.h"
#include "sim/model/mx/arithmetic/execute.h"

namespace cox::bench {

class MxLayer {
 public:
  /// Makes a layer with stride 1, and with padding so that the output is as large as the input.
  MxLayer(const LayerShape &shape, isa::mx::Activation activation);

  /// Runs the layer from packed blocks to packed blocks: unpacks weights and input, convolves and quantises.
  void run(model::mx::Path path = model::mx::Path::fast);
  [[nodiscard]] const std::vector<std::byte> &output() const { return output_; }

 private:
  std::vector<std::byte> input_, weights_, output_;
  isa::mx::ConvAct operation_;
};

}  // namespace cox::bench
