// SPDX-License-Identifier: MIT
// The network of network.h as instructions of a stream: a Builder that places tensors in DRAM and appends a kernel for each layer.
#pragma once

#include <array>
#include <cstdint>

#include "coxswain/kernels/mx/engine.h"
#include "examples/machine/mx_application.h"
#include "examples/machine/stream_timer.h"
#include "examples/yolov5s/lowering.h"
#include "examples/yolov5s/machine_data.h"
#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

class Recorder final : public Lowering {
 public:
  /// The next build() appends its layers to `stream`. Tensors and scratch come from `arena`, and each layer gets a record in `data`.
  void record(kernels::mx::Stream &stream, machine::Arena &arena, MachineData &data);
  /// The next build() appends the layers of `first`, which has been built, to a second stream. The space-to-depth map and the head's values
  /// get memory of their own from `arena`, so that the core can use those of one stream while the other runs. The streams share all other
  /// tensors and scratch.
  void record_second(const Recorder &first, kernels::mx::Stream &stream, machine::Arena &arena);
  /// The next build() runs each layer by itself and writes device cycles to the layer's record. Its image size must be the same as before.
  void time(kernels::mx::Engine &engine, const machine::StreamTimer &timer);

  /// Returns the head's outputs after the sigmoid.
  [[nodiscard]] kernels::mx::Tensor values(std::uint32_t scale) const { return at(values_[scale]); }

  // Functions that Builder requires, beside those of Lowering. Errors: no_room ("arena", "tensors").
  Status tensor(std::uint32_t number, const Name &name, const Map &map);
  Status head(std::uint32_t scale, const Map &logits, const Map &values);

 private:
  /// Returns true if the next build() does not give the tensor memory, because it keeps what it has.
  [[nodiscard]] bool keeps(std::uint32_t number) const;
  void begin() override;
  /// Errors: no_room ("layers"); those of the engine.
  Status end(LayerKind kind, const Map &output, const Map *second_output) override;

  MachineData *data_ = nullptr;
  bool second_ = false;                    ///< true for the second of two streams, whose layers get no records
  kernels::mx::Engine *engine_ = nullptr;  ///< null unless layers are timed
  const machine::StreamTimer *timer_ = nullptr;
  std::array<Map, kScales> values_{};
  std::uint32_t layer_count_ = 0;
  std::uint64_t instructions_before_ = 0;
};

}  // namespace cox::yolov5s
