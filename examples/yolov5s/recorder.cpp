// SPDX-License-Identifier: MIT
#include "examples/yolov5s/recorder.h"

#include <algorithm>

#include "coxswain/hal/board.h"

namespace cox::yolov5s {

static_assert(Builder<Recorder>);

void Recorder::record(kernels::mx::Stream &stream, machine::Arena &arena, MachineData &data) {
  *this = Recorder();
  start(stream, data.weights, arena);
  data_ = &data;
  data.layer_count = 0;
}

void Recorder::record_second(const Recorder &first, kernels::mx::Stream &stream, machine::Arena &arena) {
  *this = first;
  start(stream, data_->weights, arena);
  second_ = true;
  layer_count_ = 0;
}

void Recorder::time(kernels::mx::Engine &engine, const machine::StreamTimer &timer) {
  engine_ = &engine;
  timer_ = &timer;
  start_again();
  layer_count_ = 0;
}

Status Recorder::tensor(std::uint32_t number, const Name &name, const Map &map) {
  return keeps(number) ? Status() : place(number, name, map, arena());
}

bool Recorder::keeps(std::uint32_t number) const {
  if (!second_) return engine_ != nullptr;
  return number != kInputTensor && std::none_of(values_.begin(), values_.end(), [number](const Map &map) { return map.tensor == number; });
}

void Recorder::begin() {
  if (engine_ != nullptr) stream().clear();
  instructions_before_ = board::executed_instructions();
}

Status Recorder::end(LayerKind kind, const Map &output, const Map *second_output) {
  const std::uint64_t instructions_after = board::executed_instructions();
  const std::uint32_t first = layer_count_;
  layer_count_ += second_output == nullptr ? 1 : 2;
  if (layer_count_ > kLayers) return {ErrorCode::no_room, "layers", -1, layer_count_, kLayers};
  if (second_) return {};
  LayerRecord &record = data_->layers[first];
  if (engine_ != nullptr) {
    const Result<std::uint64_t> cycles = timer_->run(*engine_, stream());
    if (!cycles) return cycles.status();
    record.device_cycles = cycles.value();
    return {};
  }
  record = {kind, output.channels, output.height, output.width, at(output).address, 0, 0};
  if (instructions_after != UINT64_MAX) record.control_instructions = instructions_after - instructions_before_;
  if (second_output != nullptr) {
    data_->layers[first + 1] = {kind, second_output->channels, second_output->height, second_output->width, at(*second_output).address, 0,
                                0};
  }
  data_->layer_count = layer_count_;
  return {};
}

Status Recorder::head(std::uint32_t scale, const Map & /*logits*/, const Map &values) {
  values_[scale] = values;
  return {};
}

}  // namespace cox::yolov5s
