// SPDX-License-Identifier: MIT
// All of a network's tensors in FP32, each [channel][row][column].
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "examples/yolov5s/layers.h"

namespace cox::yolov5s {

class Activations {
 public:
  explicit Activations(const LayerList &layers) {
    for (std::uint32_t number = 0; number < layers.tensor_count(); ++number) {
      const Map &map = layers.tensors()[number];
      tensors_[number].resize(std::size_t{map.channels} * map.height * map.width);
    }
  }
  /// Returns the values of the map, whose channels are contiguous.
  [[nodiscard]] std::span<float> of(const Map &map) {
    const std::size_t plane = std::size_t{map.height} * map.width;
    return std::span(tensors_[map.tensor]).subspan(map.first * plane, map.channels * plane);
  }

 private:
  std::array<std::vector<float>, kTensors> tensors_;
};

}  // namespace cox::yolov5s
