// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "sim/model/tile/arithmetic/fast_vector.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::GroupMode;
using isa::tile::Vector;

/// Sums the channels of each pixel.
void sum_channels(const Vector &operation, const float *values, std::int64_t count, float *sums) {
  const std::int64_t channels = operation.channels;
  std::fill_n(sums, count, 0.0F);
  if (!operation.lanes) return sum_runs(values, count, channels, sums);
  for (std::int64_t i = 0; i < count; ++i) {
    float lanes[8] = {};
    sum_lanes(values + i * channels, channels, 0, lanes);
    sums[i] = sum_of_lanes(lanes, 1);
  }
}

void softmax(const VectorCalculation &c, std::int64_t count, float *values, float *sums) {
  const std::int64_t channels = c.operation.channels;
  for (std::int64_t i = 0; i < count; ++i) {
    float *pixel = values + i * channels;
    c.kernels.exponential(c.kernels.extreme(pixel, isa::tile::CompareMode::MAX, channels), channels, pixel);
  }
  sum_channels(c.operation, values, count, sums);
  for (std::int64_t i = 0; i < count; ++i) c.kernels.arithmetic({nullptr, sums[i]}, GroupMode::DIV, channels, values + i * channels);
}

void layer_norm(const VectorCalculation &c, std::int64_t count, float *values, float *squares, float *sums) {
  const std::int64_t channels = c.operation.channels;
  const auto divisor = static_cast<float>(channels);
  sum_channels(c.operation, values, count, sums);
  for (std::int64_t i = 0; i < count; ++i)
    c.kernels.arithmetic({nullptr, sums[i] / divisor}, GroupMode::SUB, channels, values + i * channels);
  std::copy_n(values, count * channels, squares);
  c.kernels.arithmetic({values, 0}, GroupMode::MUL, count * channels, squares);
  sum_channels(c.operation, squares, count, sums);
  for (std::int64_t i = 0; i < count; ++i) {
    const float variance = sums[i] / divisor;
    c.kernels.arithmetic({nullptr, std::sqrt(variance + c.scalars.operand)}, GroupMode::DIV, channels, values + i * channels);
  }
}

}  // namespace

void normalise(const VectorCalculation &c) {
  const Vector &op = c.operation;
  const bool is_softmax = op.function == isa::tile::VectorFunction::softmax;
  const bool has_parameters = op.two_tensors && !is_softmax;
  const Broadcast tensor(op.source, c.memories.source, op.dimensions, op.channels, op.height, op.width, c.source(), ScratchUse::source);
  const Broadcast parameters =
      has_parameters ? Broadcast(op.source1, c.memories.source1, op.dimensions1, op.channels, 2, op.width, c.source1(), ScratchUse::source1)
                     : Broadcast();
  const Output output(op, c.memories, c.scalars, op.channels, op.height, op.width, tensor.source(), parameters.source());
  const std::int64_t most = c.pixels_of_a_chunk();
  const std::int64_t room = most * op.channels;
  float *values = scratch_values(ScratchUse::values, room + most);
  float *sums = values + room;
  float *squares = scratch_values(ScratchUse::state, room);
  for (std::int64_t h = 0; h < op.height; ++h) {
    for (std::int64_t w = 0; w < op.width; w += most) {
      const std::int64_t count = std::min<std::int64_t>(most, op.width - w);
      tensor.load(c.kernels, h, w, count, values);
      if (is_softmax) {
        softmax(c, count, values, sums);
      } else {
        layer_norm(c, count, values, squares, sums);
      }
      if (has_parameters) {
        parameters.load(c.kernels, 0, w, count, squares);
        c.kernels.arithmetic({squares, 0}, GroupMode::MUL, count * op.channels, values);
        parameters.load(c.kernels, 1, w, count, squares);
        c.kernels.arithmetic({squares, 0}, GroupMode::DEFAULT, count * op.channels, values);
      }
      output.store(c.kernels, values, h, w, count);
    }
  }
  output.commit();
}

}  // namespace cox::model::arithmetic::fast
