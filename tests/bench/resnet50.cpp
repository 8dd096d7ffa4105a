// SPDX-License-Identifier: MIT
#include "resnet50.h"

#include <algorithm>
#include <random>
#include <variant>

#include "sim/model/tile/geometry.h"

namespace cox::bench {
namespace {

using isa::tile::Convolution;
using isa::tile::DataFmt;
using isa::tile::Map;
using isa::tile::Move;
using isa::tile::Space;
using isa::tile::Vector;
using isa::tile::VectorFunction;
using isa::tile::WeightMove;
using model::arithmetic::Memories;
using model::arithmetic::Memory;

constexpr std::int64_t kWl0Bytes = model::TileGeometry{}.wl0_bytes();
constexpr std::int64_t kSecond = 2 << 20;  // L2 address of the second operand
constexpr std::int64_t kResult = 4 << 20;  // L2 address of the result

Map map_of(DataFmt format, std::uint32_t channels, std::uint32_t size, std::int64_t base) {
  Map map;
  map.format.format = format;
  map.channels = channels;
  map.height = map.width = size;
  map.element_bits = format == DataFmt::INT8 ? 8 : 16;
  map.pixel_bytes = static_cast<std::uint32_t>((map.bytes_of(channels) + 7) / 8 * 8);
  map.row_bytes = std::int64_t{size} * map.pixel_bytes;
  map.image_bytes = map.row_bytes * size;
  map.base = base;
  return map;
}

Vector vector_of(VectorFunction function, DataFmt from, DataFmt to, std::uint32_t channels, std::uint32_t size, std::uint32_t result_size) {
  Vector operation;
  operation.function = function;
  operation.two_tensors = function == VectorFunction::arithmetic;
  operation.source = map_of(from, channels, size, 0);
  operation.source1 = map_of(from, channels, size, kSecond);
  operation.destination = map_of(to, channels, result_size, kResult);
  operation.channels = channels;
  operation.height = operation.width = result_size;
  operation.dequantise = from == DataFmt::INT8;
  operation.source_scale = operation.source1_scale = 0.02f;
  operation.source_zero_point = operation.source1_zero_point = 2.5f;
  operation.scale = 40;
  operation.zero_point = -128;
  return operation;
}

}  // namespace

Resnet50::Resnet50()
    : l2_(std::size_t{isa::tile::kMaxL2Blocks} * isa::tile::kBlockBytes), wl0_(static_cast<std::size_t>(kWl0Bytes)), dram_(wl0_.size()) {
  std::mt19937 random(3);
  for (std::byte &byte : l2_) byte = static_cast<std::byte>(random() & 0x3F);  // so that no number is NaN or infinite in FP16
  for (std::byte &byte : dram_) byte = static_cast<std::byte>(random() & 0x3F);

  Move image;
  image.from = map_of(DataFmt::FP16, 3, 224, 0);
  image.from.space = Space::dram;
  image.from.pixel_bytes = 6;
  image.from.row_bytes = std::int64_t{224} * 6;
  image.to = map_of(DataFmt::FP16, 3, 224, 0);
  image.batch = 1;
  image.channels = 3;
  image.height = image.width = 224;
  moves_.emplace_back(image);
  vectors_.emplace_back(vector_of(VectorFunction::copy, DataFmt::FP16, DataFmt::INT8, 3, 224, 224));
  convolution(3, 64, 224, 7, 2);
  Vector pool = vector_of(VectorFunction::maximum_pool, DataFmt::INT8, DataFmt::INT8, 64, 112, 56);
  pool.kernel_height = pool.kernel_width = 3;
  pool.stride_height = pool.stride_width = 2;
  pool.first_row = pool.first_column = -1;
  pool.padding_value = -32768;
  vectors_.emplace_back(pool);
  constexpr std::uint32_t kBlocks[] = {3, 4, 6, 3};
  std::uint32_t channels = 64;
  std::uint32_t size = 56;
  for (std::uint32_t stage = 0; stage < 4; ++stage) {
    const std::uint32_t width = 64u << stage;
    for (std::uint32_t block = 0; block < kBlocks[stage]; ++block) {
      const std::uint32_t stride = stage > 0 && block == 0 ? 2 : 1;
      bottleneck(channels, width, size, stride);
      channels = 4 * width;
      size /= stride;
    }
  }
  Vector average = vector_of(VectorFunction::average_pool, DataFmt::INT8, DataFmt::INT8, 2048, 7, 1);
  average.kernel_height = average.kernel_width = 7;
  average.multiplier.value = 1.0f / 49;
  vectors_.emplace_back(average);
  convolution(2048, 1000, 1, 1, 1);
}

void Resnet50::bottleneck(std::uint32_t channels, std::uint32_t width, std::uint32_t size, std::uint32_t stride) {
  convolution(channels, width, size, 1, 1);
  convolution(width, width, size, 3, stride);
  convolution(width, 4 * width, size / stride, 1, 1);
  if (channels != 4 * width) convolution(channels, 4 * width, size, 1, stride);
  vectors_.emplace_back(vector_of(VectorFunction::arithmetic, DataFmt::INT8, DataFmt::INT8, 4 * width, size / stride, size / stride));
}

void Resnet50::convolution(std::uint32_t channels, std::uint32_t kernels, std::uint32_t size, std::uint32_t kernel, std::uint32_t stride) {
  Convolution operation;
  operation.source = map_of(DataFmt::INT8, channels, size, 0);
  operation.position_bytes = operation.source.pixel_bytes;
  operation.record_bytes = kernel * kernel * operation.source.pixel_bytes + 32;
  operation.batch = 1;
  operation.channels = channels;
  operation.height = operation.width = size / stride;
  operation.kernel_height = operation.kernel_width = kernel;
  operation.stride_height = operation.stride_width = stride;
  operation.first_row = operation.first_column = -static_cast<std::int32_t>(kernel / 2);
  operation.activation = isa::tile::ActMode::RELU;
  operation.scale = 40;
  operation.zero_point = -128;
  const auto most = static_cast<std::uint32_t>(kWl0Bytes / operation.record_bytes) / 64 * 64;
  for (std::uint32_t first = 0; first < kernels; first += most) {
    operation.destination = map_of(DataFmt::INT8, kernels, size / stride, kResult + first);
    operation.kernels = std::min(most, kernels - first);
    convolutions_.emplace_back(operation);
    WeightMove weights;  // each move reads weights, scales and biases from the first bytes of `dram_`
    weights.bytes = std::int64_t{operation.kernels} * operation.record_bytes;
    moves_.emplace_back(weights);
  }
  multiply_accumulates_ += static_cast<double>(channels) * kernels * kernel * kernel * operation.height * operation.width;
}

void Resnet50::run_all(const std::vector<isa::tile::Operation> &operations) {
  const Memory buffer = Memory::circular(l2_.data(), {0, isa::tile::kMaxL2Blocks});
  const Memory weights = Memory::linear(wl0_.data(), 0, kWl0Bytes);
  const Memory window = Memory::linear(dram_.data(), 0, static_cast<std::int64_t>(dram_.size()));
  for (const isa::tile::Operation &operation : operations) {
    Memories memories{buffer, buffer, buffer, weights};
    if (std::holds_alternative<Move>(operation)) memories.source = window;
    if (std::holds_alternative<WeightMove>(operation)) memories = {window, {}, weights, {}};
    model::arithmetic::execute(operation, memories, model::arithmetic::Path::fast);
  }
}

void Resnet50::run() {
  run_all(moves_);
  run_all(convolutions_);
  run_all(vectors_);
}

}  // namespace cox::bench
