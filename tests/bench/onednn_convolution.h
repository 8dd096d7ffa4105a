// SPDX-License-Identifier: MIT
// oneDNN's INT8 convolution of the same shape, alone: everything in the layouts that it likes best, prepared beforehand.
#pragma once

#include <memory>

#include "convolution_layer.h"

namespace cox::bench {

class OnednnLayer {
 public:
  /// `signed_source`: as the model's; unsigned sources are oneDNN's faster case on some hosts.
  OnednnLayer(const LayerShape &shape, bool signed_source);
  ~OnednnLayer();
  OnednnLayer(const OnednnLayer &) = delete;
  OnednnLayer &operator=(const OnednnLayer &) = delete;

  void run() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cox::bench
