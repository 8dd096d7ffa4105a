// SPDX-License-Identifier: MIT
// Where each feature map lies in the L2 buffer.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/lower/network.h"

namespace cox::lower {

/// A feature map in L2: NHWC, each pixel padded to 8 bytes (docs/isa/tile.md, Feature maps).
struct PlacedMap {
  std::int64_t base = 0;  ///< byte address
  std::int64_t pixel_bytes = 0, row_bytes = 0, bytes = 0;
};

/// A place for each feature map. Maps whose lives do not overlap share bytes: a map lives from the layer that writes it to the
/// last that reads it. Throws NetworkError where the maps that live together do not fit `capacity` bytes.
[[nodiscard]] std::vector<PlacedMap> place_maps(const Network &network, std::int64_t capacity);

}  // namespace cox::lower
