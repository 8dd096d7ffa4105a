// SPDX-License-Identifier: MIT
// A convolution in oneDNN. run() does only the convolution, because the constructor prepares all operands in the layouts that oneDNN
// prefers.
#pragma once

#include <memory>

#include "convolution_layer.h"

namespace cox::bench {

class OnednnLayer {
 public:
  /// Type of the source elements. Signed bytes are the model's type. Unsigned bytes are oneDNN's faster case on some hosts. With signed or
  /// unsigned bytes, the weights are bytes, too, and the result is scaled and goes through ReLU. float32 uses FP32 everywhere, with biases
  /// and without scaling and ReLU.
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
