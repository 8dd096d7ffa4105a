// SPDX-License-Identifier: MIT
// Weights as the device reads them: one record for each output channel (docs/isa/tile.md, Weights).
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/network/network.h"

namespace cox::lower {

struct WeightRecords {
  std::uint32_t offset = 0;        ///< offset of the layer's first record in WeightImage::bytes
  std::uint32_t record_bytes = 0;  ///< R*S*align8(C) bytes of weights, then 32 bytes of parameters
};

/// The bytes of the DRAM window of weights, and the offset of each layer's records. A layer without weights has record_bytes 0.
struct WeightImage {
  std::vector<std::uint8_t> bytes;
  std::vector<WeightRecords> layers;
  std::int64_t constants_offset = 0;  ///< offset of the constants (tools/lower/weights/constants.h), if the network needs any
};

/// Reads the weights of every layer and packs them. Folds the zero points of inputs into the biases, because pe_conv has no field for an
/// input's zero point. Throws NetworkError if a file is missing or has the wrong size, or if a scale or bias is not finite.
[[nodiscard]] WeightImage pack_weights(const Network &network);

}  // namespace cox::lower
