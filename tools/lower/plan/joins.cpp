// SPDX-License-Identifier: MIT
#include "tools/lower/plan/joins.h"

#include <utility>

#include "coxswain/isa/tile/configuration.h"

namespace cox::lower {

std::vector<Join> joins_of(const Network &network, const Layer &layer) {
  std::vector<Join> joins;
  if (layer.operation != Operation::concatenation) return joins;
  std::uint32_t channel = 0;
  for (std::size_t input = 0; input < layer.inputs.size(); ++input) {
    if (channel % isa::tile::kL2AddressUnit == 0) joins.push_back({input, input, channel, 0});
    const std::uint32_t channels = network.maps[layer.inputs[input]].shape.channels;
    joins.back().end_input = input + 1;
    joins.back().channels += channels;
    channel += channels;
  }
  return joins;
}

FeatureMap transposed(FeatureMap output, const Join &join) {
  output.shape.channels = join.channels;
  std::swap(output.shape.channels, output.shape.width);
  return output;
}

const Join *widest(const std::vector<Join> &joins) {
  const Join *widest = nullptr;
  for (const Join &join : joins) {
    if (!join.single() && (widest == nullptr || join.channels > widest->channels)) widest = &join;
  }
  return widest;
}

}  // namespace cox::lower
