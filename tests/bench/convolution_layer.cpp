// SPDX-License-Identifier: MIT
#include "convolution_layer.h"

#include <cstring>
#include <random>

#include "sim/model/tile/arithmetic/element.h"
#include "sim/model/tile/geometry.h"

namespace cox::bench {
namespace {

using isa::tile::Map;

Map dense_map(isa::tile::DataFmt format, std::uint32_t channels, std::uint32_t size, std::int64_t base) {
  Map map;
  map.format.format = format;
  map.element_bits = isa::tile::bits_of(format);
  map.channels = channels;
  map.height = size;
  map.width = size;
  map.pixel_bytes = static_cast<std::uint32_t>(map.bytes_of(channels));
  map.row_bytes = std::int64_t{size} * map.pixel_bytes;
  map.image_bytes = map.row_bytes * size;
  map.base = base;
  return map;
}

/// Fills with random numbers. Floating-point numbers have magnitudes from 1 to 2, because subnormals are slow and do not occur in networks.
void fill(std::vector<std::byte> &bytes, isa::tile::DataFmt format) {
  std::mt19937 random(1);
  for (std::byte &byte : bytes) byte = static_cast<std::byte>(random());
  if (format == isa::tile::DataFmt::FP16) {
    for (std::size_t i = 1; i < bytes.size(); i += 2) bytes[i] = (bytes[i] & std::byte{0x83}) | std::byte{0x3C};
  } else if (format == isa::tile::DataFmt::FP32) {
    for (std::size_t i = 3; i < bytes.size(); i += 4) {
      bytes[i] = std::byte{0x3F};
      bytes[i - 1] |= std::byte{0x80};
    }
  }
}

}  // namespace

ModelLayer::ModelLayer(const LayerShape &shape)
    : l2_(std::size_t{isa::tile::kMaxL2Blocks} * isa::tile::kBlockBytes), wl0_(model::TileGeometry{}.wl0_bytes()) {
  fill(l2_, shape.format);
  fill(wl0_, shape.format);

  isa::tile::Convolution convolution;
  convolution.source = dense_map(shape.format, shape.channels, shape.size, 0);
  convolution.destination = dense_map(isa::tile::DataFmt::INT8, shape.kernels, shape.size, convolution.source.image_bytes);
  convolution.weight_format.format = shape.format;
  convolution.groups = shape.depthwise ? shape.channels : 1;
  convolution.channels = shape.depthwise ? 1 : shape.channels;
  convolution.position_bytes = (convolution.channels * convolution.source.element_bits + 63) / 64 * 8;
  const std::uint32_t weight_bytes = shape.kernel * shape.kernel * convolution.position_bytes;
  convolution.record_bytes = weight_bytes + 32;
  convolution.batch = 1;
  convolution.kernels = shape.kernels;
  convolution.height = convolution.width = shape.size;
  convolution.kernel_height = convolution.kernel_width = shape.kernel;
  convolution.stride_height = convolution.stride_width = 1;
  convolution.first_row = convolution.first_column = -static_cast<std::int32_t>(shape.kernel / 2);
  convolution.padding_value = 6;
  convolution.activation = isa::tile::ActMode::RELU;
  convolution.scale = 40;
  convolution.zero_point = -128;
  for (std::uint32_t k = 0; k < shape.kernels; ++k) {
    const float scale = 1e-5f * static_cast<float>(1 + k % 3);
    const float bias = 0.01f * static_cast<float>(k % 7);
    std::byte *parameters = wl0_.data() + std::size_t{k} * convolution.record_bytes + weight_bytes;
    std::memcpy(parameters, &scale, sizeof scale);
    std::memcpy(parameters + sizeof scale, &bias, sizeof bias);
  }
  operation_ = convolution;
  const isa::tile::Region all{0, isa::tile::kMaxL2Blocks};
  const auto l2 = model::arithmetic::Memory::circular(l2_.data(), all);
  memories_ = {l2, {}, l2, model::arithmetic::Memory::linear(wl0_.data(), 0, static_cast<std::int64_t>(wl0_.size()))};
}

}  // namespace cox::bench
