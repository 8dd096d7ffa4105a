// SPDX-License-Identifier: MIT
// A convolution in oneDNN. run() does only the convolution, because the constructor prepares all operands in the layouts that oneDNN
// prefers.
#pragma once

#include <memory>

#include "convolution_layer.h"

namespace cox::bench {

class OnednnLayer {
 public:
  /// Type of the source elements. With signed or unsigned bytes, the weights are signed bytes, and the results are scaled and go through
  /// ReLU. With float32, everything is FP32, and there is no scaling and no ReLU.
  enum class Source : std::uint8_t { signed_bytes, unsigned_bytes, float32 };
  OnednnLayer(const LayerShape &shape, Source source);
  ~OnednnLayer();
  OnednnLayer(const OnednnLayer &) = delete;
  OnednnLayer &operator=(const OnednnLayer &) = delete;

  void run() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cox::bench
