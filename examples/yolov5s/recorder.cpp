// SPDX-License-Identifier: MIT
#include "examples/yolov5s/recorder.h"

#include <algorithm>

#include "hal/board.h"
#include "kernels/mx/eladd.h"
#include "kernels/mx/pack_weights.h"
#include "kernels/mx/pool.h"
#include "kernels/mx/sigmoid.h"
#include "kernels/mx/upsample_nearest.h"

namespace cox::yolov5s {

using kernels::mx::ConvActArguments;
using kernels::mx::PoolArguments;
using kernels::mx::Scratch;
using kernels::mx::Tensor;
using kernels::mx::UpsampleNearestArguments;

static_assert(Builder<Recorder>);

void Recorder::record(kernels::mx::Stream &stream, machine::Arena &arena, MachineData &data) {
  *this = Recorder();
  stream_ = &stream;
  arena_ = &arena;
  data_ = &data;
  data.layer_count = 0;
}

void Recorder::record_second(const Recorder &first, kernels::mx::Stream &stream, machine::Arena &arena) {
  *this = first;
  stream_ = &stream;
  arena_ = &arena;
  second_ = true;
  weight_bytes_ = 0;
  layer_count_ = 0;
}

void Recorder::time(kernels::mx::Engine &engine, const machine::StreamTimer &timer) {
  engine_ = &engine;
  timer_ = &timer;
  weight_bytes_ = 0;
  layer_count_ = 0;
}

Status Recorder::tensor(std::uint32_t number, const Name &name, const Map &map) {
  if (number >= kTensors) return {ErrorCode::no_room, "tensors", -1, number, kTensors};
  if (keeps(number)) return {};
  layer_ = name;
  Tensor tensor{0, map.channels, map.height, map.width};
  const Result<std::uint64_t> address = arena_->take(tensor.bytes());
  if (!address) return address.status();
  tensor.address = address.value();
  tensors_[number] = tensor;
  return {};
}

bool Recorder::keeps(std::uint32_t number) const {
  if (!second_) return engine_ != nullptr;
  return number != kInputTensor && std::none_of(values_.begin(), values_.end(), [number](const Map &map) { return map.tensor == number; });
}

void Recorder::begin(const Name &name) {
  layer_ = name;
  if (engine_ != nullptr) stream_->clear();
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
    const Result<std::uint64_t> cycles = timer_->run(*engine_, *stream_);
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

Result<std::uint64_t> Recorder::take_weights(const Convolution &convolution) {
  const Result<std::uint64_t> bytes =
      kernels::mx::packed_weights_bytes({convolution.kernel, convolution.input_channels, convolution.output_channels});
  if (!bytes) return bytes.status();
  const std::uint64_t address = data_->weights.address + weight_bytes_;
  weight_bytes_ += bytes.value();
  if (weight_bytes_ > data_->weights.bytes) {
    return Status(ErrorCode::window_too_small, "weights", -1, static_cast<std::int64_t>(data_->weights.bytes),
                  static_cast<std::int64_t>(weight_bytes_));
  }
  return address;
}

Result<Scratch> Recorder::take_scratch(const Result<std::uint64_t> &bytes) {
  if (!bytes) return bytes.status();
  if (bytes.value() == 0) return Scratch{};
  if (bytes.value() > scratch_.bytes) {
    const Result<std::uint64_t> address = arena_->take(bytes.value());
    if (!address) return address.status();
    scratch_ = {address.value(), bytes.value()};
  }
  return scratch_;
}

namespace {

ConvActArguments arguments_of(const Convolution &convolution, const Tensor &input, std::uint64_t weights, const Tensor &output) {
  ConvActArguments arguments;
  arguments.input = input;
  arguments.weights = weights;
  arguments.output = output;
  arguments.kernel = convolution.kernel;
  arguments.stride = convolution.stride;
  arguments.padding = convolution.padding;
  arguments.activation = convolution.activation;
  return arguments;
}

}  // namespace

Status Recorder::append(const ConvActArguments &arguments) {
  ConvActArguments complete = arguments;
  const Result<Scratch> scratch = take_scratch(kernels::mx::conv_act_scratch_bytes(arguments));
  if (!scratch) return scratch.status();
  complete.scratch = scratch.value();
  return kernels::mx::conv_act(*stream_, complete);
}

Status Recorder::convolution(const Convolution &convolution, const Map &input, const Map &output) {
  begin(convolution.name);
  const Result<std::uint64_t> weights = take_weights(convolution);
  if (!weights) return weights.status();
  if (Status status = append(arguments_of(convolution, at(input), weights.value(), at(output))); !status.ok()) return status;
  return end(LayerKind::convolution, output);
}

Status Recorder::convolution_pair(const Convolution &first, const Convolution &second, const Map &input, const Map &output1,
                                  const Map &output2) {
  begin(first.name);
  const Result<std::uint64_t> weights = take_weights(first);
  if (!weights) return weights.status();
  if (const Result<std::uint64_t> behind = take_weights(second); !behind) return behind.status();
  ConvActArguments arguments = arguments_of(first, at(input), weights.value(), at(output1));
  arguments.split_output = at(output2);
  if (Status status = append(arguments); !status.ok()) return status;
  return end(LayerKind::convolution, output1, &output2);
}

Status Recorder::add(const Name &name, const Map &input1, const Map &input2, const Map &output) {
  begin(name);
  if (Status status = kernels::mx::eladd(*stream_, at(input1), at(input2), at(output)); !status.ok()) return status;
  return end(LayerKind::add, output);
}

Status Recorder::max_pool(const Name &name, const Map &input, const Map &output) {
  begin(name);
  PoolArguments arguments;
  arguments.input = at(input);
  arguments.output = at(output);
  arguments.kernel = kPoolKernel;
  arguments.stride = 1;
  arguments.padding = kPoolKernel / 2;
  const Result<Scratch> scratch = take_scratch(kernels::mx::pool_scratch_bytes(arguments));
  if (!scratch) return scratch.status();
  arguments.scratch = scratch.value();
  if (Status status = kernels::mx::pool(*stream_, arguments); !status.ok()) return status;
  return end(LayerKind::max_pool, output);
}

Status Recorder::upsample(const Name &name, const Map &input, const Map &output) {
  begin(name);
  UpsampleNearestArguments arguments;
  arguments.input = at(input);
  arguments.output = at(output);
  const Result<Scratch> scratch = take_scratch(kernels::mx::upsample_nearest_scratch_bytes(arguments));
  if (!scratch) return scratch.status();
  arguments.scratch = scratch.value();
  if (Status status = kernels::mx::upsample_nearest(*stream_, arguments); !status.ok()) return status;
  return end(LayerKind::upsample, output);
}

Status Recorder::sigmoid(const Name &name, const Map &input, const Map &output) {
  begin(name);
  if (Status status = kernels::mx::sigmoid(*stream_, at(input), at(output)); !status.ok()) return status;
  return end(LayerKind::sigmoid, output);
}

Status Recorder::head(std::uint32_t scale, const Map & /*logits*/, const Map &values) {
  values_[scale] = values;
  return {};
}

}  // namespace cox::yolov5s
