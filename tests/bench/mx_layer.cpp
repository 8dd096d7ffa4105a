// SPDX-License-Identifier: MIT
#include "mx_layer.h"

#include <array>
#include <cstring>
#include <random>

namespace cox::bench {
namespace {

using isa::mx::kBlockBytes;
using isa::mx::kBlockElements;

void fill(std::mt19937 &random, std::byte *blocks, std::uint64_t count, float deviation) {
  std::normal_distribution<float> normal(0.0F, deviation);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::array<float, kBlockElements> values{};
    for (float &value : values) value = normal(random);
    const isa::mx::Block block = isa::mx::quantise(values);
    std::memcpy(blocks + i * kBlockBytes, &block, kBlockBytes);
  }
}

}  // namespace

MxLayer::MxLayer(const LayerShape &shape, isa::mx::Activation activation) {
  std::mt19937 random(1);
  const std::uint32_t padding = shape.kernel / 2;
  operation_.kernel = shape.kernel;
  operation_.padding = padding;
  operation_.activation = activation;
  operation_.input = {0, isa::mx::blocks_of(shape.channels), shape.size, shape.size};
  operation_.output1 = {0, isa::mx::blocks_of(shape.kernels), shape.size, shape.size};
  input_.resize(operation_.input.bytes());
  fill(random, input_.data(), operation_.input.count(), 1.0F);
  output_.resize(operation_.output1.bytes());
  weights_.resize(isa::mx::weight_bytes(shape.kernel, operation_.input.blocks, operation_.output1.blocks));
  const std::uint64_t group_bytes = isa::mx::weight_bytes(shape.kernel, operation_.input.blocks, 1);
  for (std::uint32_t g = 0; g < operation_.output1.blocks; ++g) {
    const std::uint64_t blocks = std::uint64_t{shape.kernel} * shape.kernel * operation_.input.blocks * kBlockElements;
    fill(random, weights_.data() + g * group_bytes, blocks, 0.05F);
    for (std::uint32_t k = 0; k < kBlockElements; ++k) {
      const float bias = 0.01F * static_cast<float>(k % 7);
      std::memcpy(weights_.data() + g * group_bytes + blocks * kBlockBytes + k * sizeof bias, &bias, sizeof bias);
    }
  }
}

void MxLayer::run(model::mx::Path path) {
  model::mx::execute(operation_, {input_.data(), nullptr, weights_.data(), output_.data(), nullptr}, path);
}

}  // namespace cox::bench
