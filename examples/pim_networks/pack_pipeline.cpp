// SPDX-License-Identifier: MIT
#include "examples/pim_networks/pack_pipeline.h"

#include <cstring>

namespace cox::pim_networks {

void pack_image(std::span<const std::int8_t> image, std::span<std::byte> packed) {
  const kernels::pim::ResidentMap map = Pipeline::image_map();
  const std::size_t row = std::size_t{map.width} * map.channels;
  for (std::uint32_t y = 0; y < map.height; ++y) std::memcpy(&packed[map.offset(0, static_cast<std::int32_t>(y), 0)], &image[y * row], row);
}

void pack_weights(const Pipeline &pipeline, const isa::pim::Array &array, const Parameters &parameters, std::span<std::byte> arrays,
                  std::span<std::byte> constants) {
  const auto pack = [&](unsigned number, const kernels::pim::ResidentConvolution &convolution, unsigned core, unsigned block,
                        std::uint32_t offset) {
    const Layer &layer = layer_of(number);
    const LayerParameters &of_layer = parameters[number];
    kernels::pim::ResidentWeights weights = {of_layer.weights, of_layer.biases, of_layer.multipliers, of_layer.shifts};
    weights.input_zero_point = kResnet18.zero_point_of(layer.input);
    weights.output_zero_point = layer.sum_zero_point;
    if (layer.has_shortcut()) weights.add = of_layer.add;
    pack_resident(convolution, array, weights, block * convolution.filters, arrays.subspan(core * array.bytes(), array.bytes()),
                  constants.subspan(std::size_t{core} * Pipeline::kConstantsBytes + offset));
  };
  for (const Unit &unit : pipeline.units()) pack(Pipeline::convolution_of(unit), unit.convolution, unit.core, unit.block, unit.constants);
  for (unsigned core = 0; core < pipeline.last_bands() * Pipeline::kLastBlocks; ++core) {
    const unsigned block = core % Pipeline::kLastBlocks;
    for (const LastBlock &last : pipeline.last_blocks())
      pack(last.layer, last.convolution, core, last.layer == kClasses ? 2 * block + last.half : block, last.constants);
  }
}

}  // namespace cox::pim_networks
