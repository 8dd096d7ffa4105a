// SPDX-License-Identifier: MIT
#include "examples/yolov5s/lowering.h"

#include "coxswain/kernels/mx/eladd.h"
#include "coxswain/kernels/mx/pack_weights.h"
#include "coxswain/kernels/mx/pool.h"
#include "coxswain/kernels/mx/sigmoid.h"
#include "coxswain/kernels/mx/upsample_nearest.h"

namespace cox::yolov5s {

using kernels::mx::ConvActArguments;
using kernels::mx::PoolArguments;
using kernels::mx::Scratch;
using kernels::mx::Tensor;
using kernels::mx::UpsampleNearestArguments;

void Lowering::start(kernels::mx::Stream &stream, const machine::Region &weights, machine::Arena &arena) {
  stream_ = &stream;
  weights_ = weights;
  arena_ = &arena;
  start_again();
}

Status Lowering::place(std::uint32_t number, const Name &name, const Map &map, machine::Arena &arena) {
  if (number >= kTensors) return {ErrorCode::no_room, "tensors", -1, number, kTensors};
  layer_ = name;
  Tensor tensor{0, map.channels, map.height, map.width};
  const Result<std::uint64_t> address = arena.take(tensor.bytes());
  if (!address) return address.status();
  tensor.address = address.value();
  tensors_[number] = tensor;
  return {};
}

void Lowering::begin_layer(const Name &name) {
  layer_ = name;
  begin();
}

Result<std::uint64_t> Lowering::take_weights(const Convolution &convolution) {
  const Result<std::uint64_t> bytes =
      kernels::mx::packed_weights_bytes({convolution.kernel, convolution.input_channels, convolution.output_channels});
  if (!bytes) return bytes.status();
  const std::uint64_t address = weights_.address + weight_bytes_;
  weight_bytes_ += bytes.value();
  if (weight_bytes_ > weights_.bytes) {
    return Status(ErrorCode::window_too_small, "weights", -1, static_cast<std::int64_t>(weights_.bytes),
                  static_cast<std::int64_t>(weight_bytes_));
  }
  return address;
}

Result<Scratch> Lowering::take_scratch(const Result<std::uint64_t> &bytes) {
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

Status Lowering::append(const ConvActArguments &arguments) {
  ConvActArguments complete = arguments;
  const Result<Scratch> scratch = take_scratch(kernels::mx::conv_act_scratch_bytes(arguments));
  if (!scratch) return scratch.status();
  complete.scratch = scratch.value();
  return kernels::mx::conv_act(*stream_, complete);
}

Status Lowering::convolution(const Convolution &convolution, const Map &input, const Map &output) {
  begin_layer(convolution.name);
  const Result<std::uint64_t> weights = take_weights(convolution);
  if (!weights) return weights.status();
  if (Status status = append(arguments_of(convolution, at(input), weights.value(), at(output))); !status.ok()) return status;
  return end(LayerKind::convolution, output, nullptr);
}

Status Lowering::convolution_pair(const Convolution &first, const Convolution &second, const Map &input, const Map &output1,
                                  const Map &output2) {
  begin_layer(first.name);
  const Result<std::uint64_t> weights = take_weights(first);
  if (!weights) return weights.status();
  if (const Result<std::uint64_t> behind = take_weights(second); !behind) return behind.status();
  ConvActArguments arguments = arguments_of(first, at(input), weights.value(), at(output1));
  arguments.split_output = at(output2);
  if (Status status = append(arguments); !status.ok()) return status;
  return end(LayerKind::convolution, output1, &output2);
}

Status Lowering::add(const Name &name, const Map &input1, const Map &input2, const Map &output) {
  begin_layer(name);
  if (Status status = kernels::mx::eladd(*stream_, at(input1), at(input2), at(output)); !status.ok()) return status;
  return end(LayerKind::add, output, nullptr);
}

Status Lowering::max_pool(const Name &name, const Map &input, const Map &output) {
  begin_layer(name);
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
  return end(LayerKind::max_pool, output, nullptr);
}

Status Lowering::upsample(const Name &name, const Map &input, const Map &output) {
  begin_layer(name);
  UpsampleNearestArguments arguments;
  arguments.input = at(input);
  arguments.output = at(output);
  const Result<Scratch> scratch = take_scratch(kernels::mx::upsample_nearest_scratch_bytes(arguments));
  if (!scratch) return scratch.status();
  arguments.scratch = scratch.value();
  if (Status status = kernels::mx::upsample_nearest(*stream_, arguments); !status.ok()) return status;
  return end(LayerKind::upsample, output, nullptr);
}

Status Lowering::sigmoid(const Name &name, const Map &input, const Map &output) {
  begin_layer(name);
  if (Status status = kernels::mx::sigmoid(*stream_, at(input), at(output)); !status.ok()) return status;
  return end(LayerKind::sigmoid, output, nullptr);
}

}  // namespace cox::yolov5s
