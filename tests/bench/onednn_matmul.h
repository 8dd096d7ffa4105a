// SPDX-License-Identifier: MIT
// oneDNN's matrix product.
#pragma once

#include <memory>

#include "cube_gemm.h"

namespace cox::bench {

class OnednnMatmul {
 public:
  /// Prepares FP32 operands in the layouts that oneDNN prefers. From now on oneDNN uses only the calling thread.
  explicit OnednnMatmul(const GemmShape &shape);
  ~OnednnMatmul();
  OnednnMatmul(const OnednnMatmul &) = delete;
  OnednnMatmul &operator=(const OnednnMatmul &) = delete;

  void run() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace cox::bench
