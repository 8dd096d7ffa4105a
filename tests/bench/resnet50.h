// SPDX-License-Identifier: MIT
// The operations of ResNet-50 with their real sizes, to measure how long the model takes for an image. Weights are random and the results
// are not used. Other tests run streams and check the results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/model/tile/arithmetic/execute.h"

namespace cox::bench {

class Resnet50 {
 public:
  Resnet50();

  /// Runs one image: moves, quantisation, 53 convolutions, the fully connected layer, 16 adds and both pools. A layer whose weights do not
  /// fit into WL0 runs in tiles, each with a part of the kernels.
  void run();
  /// Runs only vector operations.
  void run_vectors() { run_all(vectors_); }
  /// Runs only moves: the image and, once per tile, the weights.
  void run_moves() { run_all(moves_); }

  [[nodiscard]] double multiply_accumulates() const { return multiply_accumulates_; }

 private:
  void convolution(std::uint32_t channels, std::uint32_t kernels, std::uint32_t size, std::uint32_t kernel, std::uint32_t stride);
  void bottleneck(std::uint32_t channels, std::uint32_t width, std::uint32_t size, std::uint32_t stride);
  void run_all(const std::vector<isa::tile::Operation> &operations);

  std::vector<std::byte> l2_, wl0_, dram_;
  std::vector<isa::tile::Operation> convolutions_, vectors_, moves_;
  double multiply_accumulates_ = 0;
};

}  // namespace cox::bench
