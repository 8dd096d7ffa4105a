// SPDX-License-Identifier: MIT
#include <algorithm>

#include "coxswain/isa/tile/layout.h"
#include "sim/model/tile/arithmetic/fast_vector.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Vector;

/// Loads the pixels under one tap of the window for `count` output pixels of a row. Outside of the map, the pixels are padding.
void load_tap(const VectorCalculation &c, const Tensor &tensor, std::int64_t row, std::int64_t column, std::int64_t count, float *out) {
  const std::int64_t step = c.operation.stride_width;
  const std::int64_t width = tensor.map().width;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  if (row >= 0 && row < tensor.map().height) {
    while (begin < count && column + begin * step < 0) ++begin;
    end = begin;
    while (end < count && column + end * step < width) ++end;
  }
  const std::int64_t channels = c.operation.channels;
  std::fill(out, out + begin * channels, c.operation.padding_value);
  tensor.load(c.kernels, row, column + begin * step, step, end - begin, out + begin * channels);
  std::fill(out + end * channels, out + count * channels, c.operation.padding_value);
}

}  // namespace

void pool(const VectorCalculation &c) {
  const Vector &op = c.operation;
  const auto rows = isa::tile::covered(op.first_row, op.height, op.stride_height, op.kernel_height, op.source.height);
  const auto columns = isa::tile::covered(op.first_column, op.width, op.stride_width, op.kernel_width, op.source.width);
  const Tensor tensor(op.source, c.memories.source, {rows.first, rows.length, columns.first, columns.length}, op.channels, c.source(),
                      ScratchUse::source);
  const Output output(op, c.memories, c.scalars, op.channels, op.height, op.width, tensor.source(), Source{});
  const bool average = op.function == isa::tile::VectorFunction::average_pool;
  const bool least = op.function == isa::tile::VectorFunction::minimum_pool;
  const isa::tile::CompareMode mode = least ? isa::tile::CompareMode::MIN : isa::tile::CompareMode::MAX;
  const std::int64_t most = c.pixels_of_a_chunk();
  float *values = scratch_values(ScratchUse::values, most * op.channels);
  float *state = scratch_values(ScratchUse::state, most * op.channels);
  for (std::int64_t h = 0; h < op.height; ++h) {
    for (std::int64_t w = 0; w < op.width; w += most) {
      const std::int64_t count = std::min<std::int64_t>(most, op.width - w);
      const std::int64_t elements = count * op.channels;
      if (average) std::fill_n(state, elements, 0.0F);
      bool first = true;
      for (std::int64_t r = 0; r < op.kernel_height; ++r) {
        for (std::int64_t s = 0; s < op.kernel_width; ++s) {
          const bool replaces = first && !average;
          load_tap(c, tensor, std::int64_t{op.first_row} + h * op.stride_height + r,
                   std::int64_t{op.first_column} + w * op.stride_width + s, count, replaces ? state : values);
          first = false;
          if (average) {
            c.kernels.add_scaled(values, c.scalars.multiplier, elements, state);
          } else if (!replaces) {
            c.kernels.compare({values, 0}, mode, elements, state);
          }
        }
      }
      output.store(c.kernels, state, h, w, count);
    }
  }
  output.commit();
}

}  // namespace cox::model::arithmetic::fast
