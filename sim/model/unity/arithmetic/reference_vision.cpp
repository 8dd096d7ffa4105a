// SPDX-License-Identifier: MIT
// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {

Status lookup(const isa::unity::Lookup & /*operation*/, Memory & /*memory*/) { return {}; }
Status pixel_shuffle(const isa::unity::PixelShuffle & /*operation*/, Memory & /*memory*/) { return {}; }
Status grid_sample(const isa::unity::GridSample & /*operation*/, Memory & /*memory*/) { return {}; }
Status affine_grid(const isa::unity::AffineGrid & /*operation*/, Memory & /*memory*/) { return {}; }

}  // namespace cox::model::unity::reference
