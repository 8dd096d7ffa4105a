// SPDX-License-Identifier: MIT
// Measures each function of VP in the model on a map of 56 x 56 x 64, and softmax and layer norm on 196 x 768. Part of bench_model.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstring>
#include <vector>

#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/arithmetic/execute.h"

namespace {

using cox::isa::tile::DataFmt;
using cox::isa::tile::Map;
using cox::isa::tile::Vector;
using cox::isa::tile::VectorFunction;
using cox::model::arithmetic::Memories;
using cox::model::arithmetic::Memory;

constexpr std::int64_t kMapBytes = std::int64_t{4} * 1024 * 1024;

Map map_of(DataFmt format, std::uint32_t channels, std::uint32_t height, std::uint32_t width, std::int64_t base) {
  Map map;
  map.format.format = format;
  map.channels = channels;
  map.height = height;
  map.width = width;
  map.element_bits = cox::isa::tile::bits_of(format);
  map.pixel_bytes = static_cast<std::uint32_t>((map.bytes_of(channels) + 7) / 8 * 8);
  map.row_bytes = std::int64_t{width} * map.pixel_bytes;
  map.image_bytes = map.row_bytes * height;
  map.base = base;
  return map;
}

void vector_function(benchmark::State &state, VectorFunction function, DataFmt format, bool two_tensors = false) {
  const bool normalises = function == VectorFunction::softmax || function == VectorFunction::layer_norm;
  Vector op;
  op.function = function;
  op.channels = normalises ? 768 : 64;
  op.height = normalises ? 14 : 56;
  op.width = op.height;
  op.two_tensors = two_tensors;
  const std::uint32_t half = op.is_resize() ? 2 : 1;
  op.source = map_of(format, op.channels, op.height / half, op.width / half, 0);
  op.source1 = map_of(format, op.channels, op.height, op.width, kMapBytes);
  op.destination = map_of(format, op.channels, op.height, op.width, 2 * kMapBytes);
  op.dequantise = true;
  op.source_scale = op.source1_scale = 0.05f;
  op.source_zero_point = op.source1_zero_point = 0.25f;
  op.scale = 20;
  op.reduced = op.is_reduction() ? 1 : 0;
  op.table = {255, 0, 3 * kMapBytes, -8, 16, false};
  if (op.is_pool()) op.kernel_height = op.kernel_width = 3;
  op.numerator = {1, 1};
  op.denominator = {2, 2};
  op.offset = {-1, -1};
  op.padding_value = cox::isa::tile::kNoAreaCorrection;
  if (op.is_reduction()) op.destination = map_of(format, 1, op.height, op.width, 2 * kMapBytes);
  std::vector<std::byte> l2(4 * kMapBytes, std::byte{0x3C});
  const Memory memory = Memory::linear(l2.data(), 0, static_cast<std::int64_t>(l2.size()));
  const Memories memories{memory, memory, memory, {}, memory, memory};
  for (auto unused : state) {
    (void)unused;
    cox::model::arithmetic::execute(op, memories, cox::model::arithmetic::Path::fast);
  }
  state.SetItemsProcessed(state.iterations() * std::int64_t{op.channels} * op.height * op.width);
}

BENCHMARK_CAPTURE(vector_function, copy_int8, VectorFunction::copy, DataFmt::INT8);
BENCHMARK_CAPTURE(vector_function, copy_int4, VectorFunction::copy, DataFmt::INT4);
BENCHMARK_CAPTURE(vector_function, copy_int32, VectorFunction::copy, DataFmt::INT32);
BENCHMARK_CAPTURE(vector_function, copy_bf16, VectorFunction::copy, DataFmt::BF16);
BENCHMARK_CAPTURE(vector_function, copy_fp32, VectorFunction::copy, DataFmt::FP32);
BENCHMARK_CAPTURE(vector_function, add_int8, VectorFunction::arithmetic, DataFmt::INT8, true);
BENCHMARK_CAPTURE(vector_function, add_fp16, VectorFunction::arithmetic, DataFmt::FP16, true);
BENCHMARK_CAPTURE(vector_function, table_int8, VectorFunction::table, DataFmt::INT8);
BENCHMARK_CAPTURE(vector_function, sum_of_channels_fp16, VectorFunction::sum, DataFmt::FP16);
BENCHMARK_CAPTURE(vector_function, maximum_of_channels_fp16, VectorFunction::maximum, DataFmt::FP16);
BENCHMARK_CAPTURE(vector_function, softmax_fp16, VectorFunction::softmax, DataFmt::FP16);
BENCHMARK_CAPTURE(vector_function, layer_norm_fp16, VectorFunction::layer_norm, DataFmt::FP16);
BENCHMARK_CAPTURE(vector_function, maximum_pool_int8, VectorFunction::maximum_pool, DataFmt::INT8);
BENCHMARK_CAPTURE(vector_function, average_pool_int8, VectorFunction::average_pool, DataFmt::INT8);
BENCHMARK_CAPTURE(vector_function, nearest_int8, VectorFunction::nearest, DataFmt::INT8);
BENCHMARK_CAPTURE(vector_function, bilinear_int8, VectorFunction::bilinear, DataFmt::INT8);

}  // namespace
