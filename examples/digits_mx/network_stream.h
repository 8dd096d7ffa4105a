// SPDX-License-Identifier: MIT
// The network as kernels that are appended to a stream (README.md, The network).
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/kernels/mx/conv_act.h"
#include "coxswain/kernels/mx/eladd.h"
#include "coxswain/kernels/mx/pool.h"
#include "coxswain/kernels/mx/stream.h"
#include "coxswain/kernels/mx/tensor.h"
#include "examples/digits_mx/network.h"

namespace cox::digits_mx {

using kernels::mx::Activation;
using kernels::mx::ConvActArguments;
using kernels::mx::PoolArguments;
using kernels::mx::PoolMode;
using kernels::mx::Stream;
using kernels::mx::Tensor;

class NetworkStream {
 public:
  [[nodiscard]] const Tensor &image() const { return image_; }
  [[nodiscard]] const Tensor &logits() const { return logits_; }

  /// Appends the network to an empty stream. `weights`: bus address of the packed weights. `arena.take(bytes)` allocates memory for a map
  /// and returns its bus address as Result<std::uint64_t>.
  template <typename Arena>
  Status append(Stream &stream, std::uint64_t weights, Arena &arena) {
    stream_ = &stream;
    status_ = {};
    weights_ = weights;
    image_ = take(arena, 1, kSide);
    const Tensor conv1 = take(arena, 16, kSide);
    const Tensor conv2 = take(arena, 32, kSide);
    const Tensor pooled = take(arena, 32, kSide / 2);
    const Tensor conv3 = take(arena, 32, kSide / 2);
    const Tensor sum = take(arena, 32, kSide / 2);
    const Tensor residual = take(arena, 32, kSide / 2);
    const Tensor average = take(arena, 32, kSide / 4);
    logits_ = take(arena, kDigits, 1);

    convolve(Convolution::conv1, image_, conv1, Activation::ReLU);
    convolve(Convolution::conv2, conv1, conv2, Activation::ReLU);
    pool(PoolMode::Maximum, conv2, pooled);
    convolve(Convolution::conv3, pooled, conv3, Activation::None);
    if (status_.ok()) status_ = kernels::mx::eladd(*stream_, pooled, conv3, sum);
    convolve(Convolution::rectify, sum, residual, Activation::ReLU);
    pool(PoolMode::Average, residual, average);
    const Tensor flat{average.address, average.blocks() * 4 * isa::mx::kBlockElements, 1, 1};
    convolve(Convolution::logits, flat, logits_, Activation::None);
    return status_;
  }

 private:
  template <typename Arena>
  Tensor take(Arena &arena, std::uint32_t channels, std::uint32_t side) {
    Tensor tensor{0, channels, side, side};
    const Result<std::uint64_t> address = arena.take(tensor.bytes());
    if (!address && status_.ok()) status_ = address.status();
    tensor.address = address.value();
    return tensor;
  }
  void convolve(Convolution convolution, const Tensor &input, const Tensor &output, Activation activation) {
    if (!status_.ok()) return;
    const kernels::mx::WeightShape &shape = shape_of(convolution);
    ConvActArguments arguments;
    arguments.input = input;
    arguments.weights = weights_;
    arguments.output = output;
    arguments.kernel = shape.kernel;
    arguments.padding = shape.kernel / 2;
    arguments.activation = activation;
    status_ = kernels::mx::conv_act(*stream_, arguments);
    const Result<std::uint64_t> bytes = kernels::mx::packed_weights_bytes(shape);
    if (!bytes && status_.ok()) status_ = bytes.status();
    weights_ += bytes.value();
  }
  void pool(PoolMode mode, const Tensor &input, const Tensor &output) {
    if (!status_.ok()) return;
    PoolArguments arguments;
    arguments.input = input;
    arguments.output = output;
    arguments.mode = mode;
    status_ = kernels::mx::pool(*stream_, arguments);
  }

  Stream *stream_ = nullptr;
  Status status_;
  std::uint64_t weights_ = 0;
  Tensor image_, logits_;
};

}  // namespace cox::digits_mx
