// SPDX-License-Identifier: MIT
// The network of network.h as instructions of a stream: a Builder that places tensors in DRAM and appends a kernel for each layer.
#pragma once

#include <array>
#include <cstdint>

#include "base/result.h"
#include "examples/machine/mx_application.h"
#include "examples/machine/stream_timer.h"
#include "examples/yolov5s/machine_data.h"
#include "examples/yolov5s/network.h"
#include "kernels/mx/conv_act.h"
#include "kernels/mx/engine.h"
#include "kernels/mx/stream.h"
#include "kernels/mx/tensor.h"

namespace cox::yolov5s {

class Recorder {
 public:
  /// The next build() appends its layers to `stream`. Tensors and scratch come from `arena`, and each layer gets a record in `data`.
  void record(kernels::mx::Stream &stream, machine::Arena &arena, MachineData &data);
  /// The next build() appends the layers of `first`, which has been built, to a second stream. The space-to-depth map and the head's values
  /// get memory of their own from `arena`, so that the core can use those of one stream while the other runs. The streams share all other
  /// tensors and scratch.
  void record_second(const Recorder &first, kernels::mx::Stream &stream, machine::Arena &arena);
  /// The next build() runs each layer by itself and writes device cycles to the layer's record. Its image size must be the same as before.
  void time(kernels::mx::Engine &engine, const machine::StreamTimer &timer);

  [[nodiscard]] const kernels::mx::Tensor &image() const { return tensors_[kInputTensor]; }
  /// Returns the head's outputs after the sigmoid.
  [[nodiscard]] kernels::mx::Tensor values(std::uint32_t scale) const { return at(values_[scale]); }
  /// Returns the layer that was named last. This is useful if build() has failed.
  [[nodiscard]] const Name &layer() const { return layer_; }

  // Functions that Builder requires. Errors: no_room ("arena", "layers", "tensors"); window_too_small ("weights") if there are too
  // few bytes of packed weights; errors of the kernels and of the engine.
  Status tensor(std::uint32_t number, const Name &name, const Map &map);
  Status convolution(const Convolution &convolution, const Map &input, const Map &output);
  Status convolution_pair(const Convolution &first, const Convolution &second, const Map &input, const Map &output1, const Map &output2);
  Status add(const Name &name, const Map &input1, const Map &input2, const Map &output);
  Status max_pool(const Name &name, const Map &input, const Map &output);
  Status upsample(const Name &name, const Map &input, const Map &output);
  Status sigmoid(const Name &name, const Map &input, const Map &output);
  Status head(std::uint32_t scale, const Map &logits, const Map &values);

 private:
  [[nodiscard]] kernels::mx::Tensor at(const Map &map) const { return tensors_[map.tensor].slice(map.first, map.channels); }
  /// Returns true if the next build() does not give the tensor memory, because it keeps what it has.
  [[nodiscard]] bool keeps(std::uint32_t number) const;
  void begin(const Name &name);
  /// Ends the layer that begin() has started. `second_output` is null if the layer has one output.
  Status end(LayerKind kind, const Map &output, const Map *second_output = nullptr);
  Status append(const kernels::mx::ConvActArguments &arguments);
  Result<std::uint64_t> take_weights(const Convolution &convolution);
  /// Returns scratch of at least `bytes`. All layers share it, because the engine executes them one after another.
  Result<kernels::mx::Scratch> take_scratch(const Result<std::uint64_t> &bytes);

  kernels::mx::Stream *stream_ = nullptr;
  machine::Arena *arena_ = nullptr;
  MachineData *data_ = nullptr;
  bool second_ = false;                    ///< true for the second of two streams, whose layers get no records
  kernels::mx::Engine *engine_ = nullptr;  ///< null unless layers are timed
  const machine::StreamTimer *timer_ = nullptr;
  std::array<kernels::mx::Tensor, kTensors> tensors_{};
  std::array<Map, kScales> values_{};
  kernels::mx::Scratch scratch_;
  Name layer_;
  std::uint64_t weight_bytes_ = 0;  ///< bytes of the weights of the layers so far
  std::uint32_t layer_count_ = 0;
  std::uint64_t instructions_before_ = 0;
};

}  // namespace cox::yolov5s
