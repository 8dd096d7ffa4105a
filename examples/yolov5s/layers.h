// SPDX-License-Identifier: MIT
// The layers of the network with their shapes, in order. Reports use them, and the addresses of layers' outputs follow from them.
#pragma once

#include <array>
#include <cstdint>

#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

struct Layer {
  LayerKind kind = LayerKind::convolution;
  Name name;
  Map input1, input2;  ///< only add has input2
  Map output;
  Convolution convolution;  ///< used only if `kind` is convolution
  std::uint64_t multiply_accumulates = 0;
  bool second_of_pair = false;  ///< true if the device runs the layer in the same instruction as the layer before it
};

/// A Builder that collects the layers.
class LayerList {
 public:
  [[nodiscard]] const std::array<Layer, kLayers> &layers() const { return layers_; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const std::array<Map, kTensors> &tensors() const { return tensors_; }
  [[nodiscard]] const std::array<Name, kTensors> &tensor_names() const { return tensor_names_; }
  [[nodiscard]] std::uint32_t tensor_count() const { return tensor_count_; }
  [[nodiscard]] const Map &logits(std::uint32_t scale) const { return logits_[scale]; }
  [[nodiscard]] const Map &values(std::uint32_t scale) const { return values_[scale]; }

  Status tensor(std::uint32_t number, const Name &name, const Map &map) {
    if (number >= kTensors) return {ErrorCode::no_room, "tensors", -1, number, kTensors};
    tensors_[number] = map;
    tensor_names_[number] = name;
    tensor_count_ = number + 1;
    return {};
  }
  Status convolution(const Convolution &convolution, const Map &input, const Map &output) {
    return append({LayerKind::convolution,
                   convolution.name,
                   input,
                   {},
                   output,
                   convolution,
                   yolov5s::multiply_accumulates(convolution, output),
                   false});
  }
  Status convolution_pair(const Convolution &first, const Convolution &second, const Map &input, const Map &output1, const Map &output2) {
    if (Status status = convolution(first, input, output1); !status.ok()) return status;
    if (Status status = convolution(second, input, output2); !status.ok()) return status;
    layers_[count_ - 1].second_of_pair = true;
    return {};
  }
  Status add(const Name &name, const Map &input1, const Map &input2, const Map &output) {
    return append({LayerKind::add, name, input1, input2, output, {}, 0, false});
  }
  Status max_pool(const Name &name, const Map &input, const Map &output) {
    return append({LayerKind::max_pool, name, input, {}, output, {}, 0, false});
  }
  Status upsample(const Name &name, const Map &input, const Map &output) {
    return append({LayerKind::upsample, name, input, {}, output, {}, 0, false});
  }
  Status sigmoid(const Name &name, const Map &input, const Map &output) {
    return append({LayerKind::sigmoid, name, input, {}, output, {}, 0, false});
  }
  Status head(std::uint32_t scale, const Map &logits, const Map &values) {
    logits_[scale] = logits;
    values_[scale] = values;
    return {};
  }

 private:
  Status append(const Layer &layer) {
    if (count_ >= kLayers) return {ErrorCode::no_room, "layers", -1, count_, kLayers};
    layers_[count_++] = layer;
    return {};
  }

  std::array<Layer, kLayers> layers_{};
  std::uint32_t count_ = 0;
  std::array<Map, kTensors> tensors_{};
  std::array<Name, kTensors> tensor_names_{};
  std::uint32_t tensor_count_ = 0;
  std::array<Map, kScales> logits_{}, values_{};
};

}  // namespace cox::yolov5s
