// SPDX-License-Identifier: MIT
// The layers of network.h as kernels of a stream. A Builder derives from this class, and gives tensors their memory.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/kernels/mx/conv_act.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"
#include "examples/machine/arena.h"
#include "examples/machine/data_block.h"
#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

class Lowering {
 public:
  /// Returns the memory of the space-to-depth map.
  [[nodiscard]] const kernels::mx::Tensor &image() const { return tensors_[kInputTensor]; }
  /// Returns the memory of a map, whose tensor has been placed.
  [[nodiscard]] kernels::mx::Tensor at(const Map &map) const { return tensors_[map.tensor].slice(map.first, map.channels); }
  /// Returns the layer or tensor that was named last. This is useful if build() has failed.
  [[nodiscard]] const Name &layer() const { return layer_; }

  // Functions that Builder requires. Errors: no_room ("arena"); window_too_small ("weights") if there are too few bytes of packed weights;
  // errors of the kernels and of end().
  Status convolution(const Convolution &convolution, const Map &input, const Map &output);
  Status convolution_pair(const Convolution &first, const Convolution &second, const Map &input, const Map &output1, const Map &output2);
  Status add(const Name &name, const Map &input1, const Map &input2, const Map &output);
  Status max_pool(const Name &name, const Map &input, const Map &output);
  Status upsample(const Name &name, const Map &input, const Map &output);
  Status sigmoid(const Name &name, const Map &input, const Map &output);

 protected:
  Lowering() = default;
  Lowering(const Lowering &) = default;
  Lowering &operator=(const Lowering &) = default;
  ~Lowering() = default;

  /// The next build() appends to `stream`, finds its packed weights in `weights`, and takes scratch from `arena`.
  void start(kernels::mx::Stream &stream, const machine::Region &weights, machine::Arena &arena);
  /// The next build() finds the same weights.
  void start_again() { weight_bytes_ = 0; }
  /// Takes memory for a tensor from `arena`. Errors: no_room ("arena", "tensors").
  Status place(std::uint32_t number, const Name &name, const Map &map, machine::Arena &arena);
  [[nodiscard]] kernels::mx::Stream &stream() { return *stream_; }
  [[nodiscard]] machine::Arena &arena() { return *arena_; }

  /// Called before and after the kernels of a layer are appended. `second_output` is null if the layer has one output.
  virtual void begin() {}
  virtual Status end(LayerKind /*kind*/, const Map & /*output*/, const Map * /*second_output*/) { return {}; }

 private:
  void begin_layer(const Name &name);
  Status append(const kernels::mx::ConvActArguments &arguments);
  Result<std::uint64_t> take_weights(const Convolution &convolution);
  /// Returns scratch of at least `bytes`. All layers share it, because the engine executes them one after another.
  Result<kernels::mx::Scratch> take_scratch(const Result<std::uint64_t> &bytes);

  kernels::mx::Stream *stream_ = nullptr;
  machine::Region weights_;
  machine::Arena *arena_ = nullptr;
  std::array<kernels::mx::Tensor, kTensors> tensors_{};
  kernels::mx::Scratch scratch_;
  Name layer_;
  std::uint64_t weight_bytes_ = 0;  ///< bytes of the weights of the layers so far
};

}  // namespace cox::yolov5s
