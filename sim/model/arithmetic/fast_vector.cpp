// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "sim/model/arithmetic/fast.h"
#include "sim/model/arithmetic/layout.h"
#include "sim/model/arithmetic/staging.h"

namespace cox::model::arithmetic::fast {
namespace {

using isa::tile::Map;
using isa::tile::Vector;
using isa::tile::VectorFunction;

/// Real numbers worked on at once: they stay in the first-level cache.
constexpr std::int64_t kChunk = 2048;

bool aligned(const void *pointer, const Map &map) { return reinterpret_cast<std::uintptr_t>(pointer) % (map.element_bits / 8) == 0; }

/// A source of the operation and how its elements become real numbers.
struct Tensor {
  const Map &map;
  const Source &source;
  float scale;
  float zero_point;
};

/// `count` pixels of a row, `step` columns apart, as real numbers without gaps.
void load(const Vector &operation, const Kernels &kernels, const Tensor &tensor, std::int64_t row, std::int64_t column, std::int64_t step,
          std::int64_t count, float *out) {
  if (count <= 0) return;
  const std::int64_t run = tensor.map.bytes_of(operation.channels);
  const std::int64_t distance = step * tensor.map.pixel_bytes;
  const std::byte *from = tensor.source.at(pixel_address(tensor.map, 0, row, column));
  if ((count > 1 && distance != run) || !aligned(from, tensor.map)) {
    std::byte *gathered = scratch(ScratchUse::gather, count * run);
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(gathered + i * run, from + i * distance, static_cast<std::size_t>(run));
    from = gathered;
  }
  kernels.dequantise(from, tensor.map.format.format, count * operation.channels, operation.dequantise, tensor.scale, tensor.zero_point,
                     out);
}

/// One tap of a pool for `count` output pixels of a row: values from inside the map, padding outside.
void load_tap(const Vector &operation, const Kernels &kernels, const Tensor &tensor, std::int64_t row, std::int64_t column,
              std::int64_t count, float *out) {
  const std::int64_t step = operation.stride_width;
  const std::int64_t width = tensor.map.width;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  if (row >= 0 && row < tensor.map.height) {
    while (begin < count && column + begin * step < 0) ++begin;
    end = begin;
    while (end < count && column + end * step < width) ++end;
  }
  const std::int64_t channels = operation.channels;
  std::fill(out, out + begin * channels, operation.padding_value);
  load(operation, kernels, tensor, row, column + begin * step, step, end - begin, out + begin * channels);
  std::fill(out + end * channels, out + count * channels, operation.padding_value);
}

/// `count` output pixels from (row, column) of a pool.
void pool(const Vector &operation, const Kernels &kernels, const Tensor &tensor, std::int64_t row, std::int64_t column, std::int64_t count,
          float *values, float *state) {
  const std::int64_t elements = count * operation.channels;
  const bool average = operation.function == VectorFunction::average_pool;
  std::fill(state, state + elements, 0.0f);
  bool first = true;
  for (std::uint32_t r = 0; r < operation.kernel_height; ++r) {
    for (std::uint32_t s = 0; s < operation.kernel_width; ++s) {
      const bool replaces = first && !average;
      float *out = replaces ? state : values;
      load_tap(operation, kernels, tensor, std::int64_t{operation.first_row} + row * operation.stride_height + r,
               std::int64_t{operation.first_column} + column * operation.stride_width + s, count, out);
      first = false;
      if (average) {
        kernels.add_scaled(values, operation.multiplier.value, elements, state);
      } else if (!replaces) {
        kernels.maximum(values, elements, state);
      }
    }
  }
}

void store(const Vector &operation, const Kernels &kernels, const float *values, const Destination &destination, std::int64_t row,
           std::int64_t column, std::int64_t count) {
  const Map &map = operation.destination;
  const Quantisation quantisation{operation.scale, operation.zero_point, operation.rounding, map.format.format};
  const std::int64_t run = map.bytes_of(operation.channels);
  const std::int64_t elements = count * operation.channels;
  std::byte *to = destination.at(pixel_address(map, 0, row, column));
  if ((count == 1 || map.pixel_bytes == run) && aligned(to, map)) return kernels.quantise(values, elements, quantisation, to);
  std::byte *dense = scratch(ScratchUse::gather, count * run);
  kernels.quantise(values, elements, quantisation, dense);
  for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * map.pixel_bytes, dense + i * run, static_cast<std::size_t>(run));
}

/// Of the source, what the operation reads: for a pool what lies inside of the map.
Box read_box(const Vector &operation) {
  const std::int64_t run = operation.source.bytes_of(operation.channels);
  if (!operation.is_pool()) return {1, 0, operation.height, 0, operation.width, run};
  const std::int64_t row_end =
      operation.first_row + (std::int64_t{operation.height} - 1) * operation.stride_height + operation.kernel_height;
  const std::int64_t column_end =
      operation.first_column + (std::int64_t{operation.width} - 1) * operation.stride_width + operation.kernel_width;
  const std::int64_t row = std::max(operation.first_row, 0);
  const std::int64_t column = std::max(operation.first_column, 0);
  return {1,
          row,
          std::min<std::int64_t>(row_end, operation.source.height) - row,
          column,
          std::min<std::int64_t>(column_end, operation.source.width) - column,
          run};
}

}  // namespace

void vector(const Vector &operation, const Memories &memories, const Kernels &kernels) {
  const bool two = operation.two_tensors;
  const Box written{1, 0, operation.height, 0, operation.width, operation.destination.bytes_of(operation.channels)};
  if (written.empty()) return;
  const Source source(memories.source, extent_of(operation.source, read_box(operation)), ScratchUse::source);
  const Box read1{1, 0, operation.height, 0, operation.width, operation.source1.bytes_of(operation.channels)};
  const Source source1 = two ? Source(memories.source1, extent_of(operation.source1, read1), ScratchUse::source1) : Source{};
  const Destination destination(memories.destination, operation.destination, written, source, source1);
  const Tensor tensor{operation.source, source, operation.source_scale, operation.source_zero_point};
  const Tensor tensor1{operation.source1, source1, operation.source1_scale, operation.source1_zero_point};

  const std::int64_t most = std::max<std::int64_t>(1, kChunk / operation.channels);
  const std::int64_t bytes = most * operation.channels * static_cast<std::int64_t>(sizeof(float));
  auto *values = reinterpret_cast<float *>(scratch(ScratchUse::values, bytes));
  auto *state = reinterpret_cast<float *>(scratch(ScratchUse::state, bytes));
  for (std::int64_t h = 0; h < operation.height; ++h) {
    for (std::int64_t w = 0; w < operation.width; w += most) {
      const std::int64_t count = std::min<std::int64_t>(most, operation.width - w);
      if (operation.is_pool()) {
        pool(operation, kernels, tensor, h, w, count, values, state);
      } else {
        load(operation, kernels, tensor, h, w, 1, count, state);
      }
      if (two) {
        load(operation, kernels, tensor1, h, w, 1, count, values);
        kernels.add(values, count * operation.channels, state);
      }
      store(operation, kernels, state, destination, h, w, count);
    }
  }
  destination.commit();
}

}  // namespace cox::model::arithmetic::fast
