// SPDX-License-Identifier: MIT
// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
#pragma once

#include <cstdint>

#include "isa/unity/instruction.h"
#include "isa/unity/run.h"

namespace cox::isa::unity {

/// EMBEDDING and ONE_HOT.
struct Lookup {
  Opcode op{};
};

/// PIXEL_SHUFFLE and PIXEL_UNSHUFFLE.
struct PixelShuffle {
  Opcode op{};
};

/// GRID_SAMPLE.
struct GridSample {
  Opcode op{};
};

/// AFFINE_GRID.
struct AffineGrid {
  Opcode op{};
};

}  // namespace cox::isa::unity
