// SPDX-License-Identifier: MIT
// oneDNN's convolution of the same shape, alone: everything in the layouts that it likes best, prepared beforehand.
#pragma once

#include <memory>

#include "convolution_layer.h"

namespace cox::bench {

class OnednnLayer {
 public:
  /// Of source elements. Signed bytes are as the model's; unsigned ones are oneDNN's faster case on some hosts. With bytes weights are
  /// bytes too, and the result is scaled and goes through ReLU; FP32 is FP32 throughout, with biases and nothing behind them.
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
