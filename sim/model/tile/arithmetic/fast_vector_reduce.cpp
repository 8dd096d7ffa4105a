// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include "sim/model/tile/arithmetic/fast_vector.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::CompareMode;
using isa::tile::Dimensions;
using isa::tile::GroupMode;
using isa::tile::Vector;
using isa::tile::VectorFunction;

constexpr std::int64_t kSumLanes = 8;

/// Partial results of a row: [lane][column][channel]. A dimension that is reduced has length 1. Each lane has a partial sum.
class State {
 public:
  explicit State(const VectorCalculation &calculation)
      : c_(calculation),
        sums_(c_.operation.function == VectorFunction::sum || c_.operation.function == VectorFunction::mean),
        over_channels_(has_dimension(c_.operation.reduced, Dimensions::C)),
        over_columns_(has_dimension(c_.operation.reduced, Dimensions::W)),
        over_rows_(has_dimension(c_.operation.reduced, Dimensions::H)),
        channels_(over_channels_ ? 1 : c_.operation.channels),
        columns_(over_columns_ ? 1 : c_.operation.width),
        lanes_(sums_ && c_.operation.lanes ? kSumLanes : 1),
        values_(scratch_values(ScratchUse::state, lanes_ * columns_ * channels_)) {
    reset();
  }

  [[nodiscard]] bool over_rows() const { return over_rows_; }
  [[nodiscard]] std::int64_t channels() const { return channels_; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] std::int64_t rows() const { return over_rows_ ? 1 : c_.operation.height; }

  void reset() {
    const float infinity = std::numeric_limits<float>::infinity();
    std::fill_n(values_, lanes_ * columns_ * channels_, sums_ ? 0.0F : mode() == CompareMode::MAX ? -infinity : infinity);
  }

  /// Adds `count` pixels of row `h`, from column `w` on, to the partial results.
  void take(const float *pixels, std::int64_t h, std::int64_t w, std::int64_t count) {
    const std::int64_t all = c_.operation.channels;
    // The elements of one output are numbered row by row, within a row column by column, and within a pixel channel by channel.
    const std::int64_t row = over_rows_ ? h : 0;
    if (over_channels_) {
      if (over_columns_) return fold(pixels, count * all, (row * c_.operation.width + w) * all, values_);
      if (sums_ && lanes_ == 1) return sum_runs(pixels, count, all, values_ + w);
      for (std::int64_t i = 0; i < count; ++i) fold(pixels + i * all, all, row * all, values_ + w + i);
      return;
    }
    if (!over_columns_) return combine(pixels, count * all, row, values_ + w * all);
    for (std::int64_t i = 0; i < count; ++i) combine(pixels + i * all, all, row * c_.operation.width + w + i, values_);
  }

  /// Returns the results of the row.
  float *finish() {
    const std::int64_t outputs = columns_ * channels_;
    if (lanes_ > 1) {
      for (std::int64_t i = 0; i < outputs; ++i) values_[i] = sum_of_lanes(values_ + i, outputs);
    }
    if (c_.operation.function == VectorFunction::mean) {
      const std::int64_t count = (over_channels_ ? std::int64_t{c_.operation.channels} : 1) *
                                 (over_columns_ ? std::int64_t{c_.operation.width} : 1) *
                                 (over_rows_ ? std::int64_t{c_.operation.height} : 1);
      c_.kernels.arithmetic({nullptr, static_cast<float>(count)}, GroupMode::DIV, outputs, values_);
    }
    return values_;
  }

 private:
  [[nodiscard]] CompareMode mode() const { return c_.operation.function == VectorFunction::maximum ? CompareMode::MAX : CompareMode::MIN; }

  /// Combines values[i] with outputs[i], for each i below `count`. `number` is the index of values[i] among the source elements that
  /// outputs[i] combines. It is the same for every i.
  void combine(const float *values, std::int64_t count, std::int64_t number, float *outputs) {
    if (!sums_) return c_.kernels.compare({values, 0}, mode(), count, outputs);
    c_.kernels.arithmetic({values, 0}, GroupMode::DEFAULT, count, outputs + number % lanes_ * columns_ * channels_);
  }

  /// Combines `count` elements with one output. `number` is the index of the first one among all source elements of this output.
  void fold(const float *values, std::int64_t count, std::int64_t number, float *output) {
    if (!sums_) {
      const float extreme = c_.kernels.extreme(values, mode(), count);
      return c_.kernels.compare({nullptr, extreme}, mode(), 1, output);
    }
    if (lanes_ == 1) return sum_runs(values, 1, count, output);
    float lanes[kSumLanes];
    const std::int64_t step = columns_;  // distance between the partial sums of one output
    for (std::int64_t i = 0; i < kSumLanes; ++i) lanes[i] = output[i * step];
    sum_lanes(values, count, number, lanes);
    for (std::int64_t i = 0; i < kSumLanes; ++i) output[i * step] = lanes[i];
  }

  const VectorCalculation &c_;
  bool sums_, over_channels_, over_columns_, over_rows_;
  std::int64_t channels_, columns_, lanes_;
  float *values_;
};

}  // namespace

void sum_runs(const float *values, std::int64_t runs, std::int64_t length, float *sums) {
  constexpr std::int64_t kTogether = 8;  // each sum is a chain of additions; several chains at once keep the adders busy
  std::int64_t run = 0;
  for (; run + kTogether <= runs; run += kTogether) {
    float chains[kTogether];
    for (std::int64_t j = 0; j < kTogether; ++j) chains[j] = sums[run + j];
    const float *from = values + run * length;
    for (std::int64_t i = 0; i < length; ++i) {
      for (std::int64_t j = 0; j < kTogether; ++j) chains[j] = chains[j] + from[j * length + i];
    }
    for (std::int64_t j = 0; j < kTogether; ++j) sums[run + j] = chains[j];
  }
  for (; run < runs; ++run) {
    float sum = sums[run];
    for (std::int64_t i = 0; i < length; ++i) sum = sum + values[run * length + i];
    sums[run] = sum;
  }
}

void sum_lanes(const float *values, std::int64_t count, std::int64_t first, float *lanes) {
  std::int64_t i = 0;
  for (; i < count && (first + i) % kSumLanes != 0; ++i) lanes[(first + i) % kSumLanes] += values[i];
  for (; i + kSumLanes <= count; i += kSumLanes) {
    for (std::int64_t j = 0; j < kSumLanes; ++j) lanes[j] = lanes[j] + values[i + j];
  }
  for (std::int64_t j = 0; i < count; ++i, ++j) lanes[j] = lanes[j] + values[i];
}

float sum_of_lanes(const float *lanes, std::int64_t step) {
  return ((lanes[0] + lanes[step]) + (lanes[2 * step] + lanes[3 * step])) +
         ((lanes[4 * step] + lanes[5 * step]) + (lanes[6 * step] + lanes[7 * step]));
}

void reduce(const VectorCalculation &c) {
  const Vector &op = c.operation;
  const Broadcast tensor(op.source, c.memories.source, op.dimensions, op.channels, op.height, op.width, c.source(), ScratchUse::source);
  State state(c);
  const Output output(op, c.memories, c.scalars, state.channels(), state.rows(), state.columns(), tensor.source(), Source{});
  const std::int64_t most = c.pixels_of_a_chunk();
  float *values = scratch_values(ScratchUse::values, most * op.channels);
  for (std::int64_t h = 0; h < op.height; ++h) {
    for (std::int64_t w = 0; w < op.width; w += most) {
      const std::int64_t count = std::min<std::int64_t>(most, op.width - w);
      tensor.load(c.kernels, h, w, count, values);
      state.take(values, h, w, count);
    }
    if (state.over_rows() && h + 1 < op.height) continue;
    float *results = state.finish();
    keep_result(op, c.memories, results[state.columns() * state.channels() - 1]);
    output.store(c.kernels, results, state.over_rows() ? 0 : h, 0, state.columns());
    state.reset();
  }
  output.commit();
}

}  // namespace cox::model::arithmetic::fast
