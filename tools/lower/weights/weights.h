// SPDX-License-Identifier: MIT
// Weights as the device reads them: one record for each output channel (docs/isa/tile.md, Weights).
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/network/network.h"

namespace cox::lower {

struct WeightRecords {
  std::uint32_t offset = 0;        ///< of the layer's first record in the image
  std::uint32_t record_bytes = 0;  ///< R*S*align8(C) weights and 32 bytes of parameters
};

/// The bytes of the DRAM window of weights, and where each layer's lie. Layers without weights have no records (record_bytes 0).
struct WeightImage {
  std::vector<std::uint8_t> bytes;
  std::vector<WeightRecords> layers;
  std::int64_t constants_offset = 0;  ///< of tools/lower/weights/constants.h, where the network needs any
};

/// Reads the weights of every layer and packs them. Zero points are folded into the biases here: the device knows of none.
/// Throws NetworkError for a file that is missing or of the wrong size, and for scales and biases that are not finite.
[[nodiscard]] WeightImage pack_weights(const Network &network);

}  // namespace cox::lower
