// SPDX-License-Identifier: MIT
// Exchange of results between cores: if each core computes some kernels of a layer, each core fetches the others' results.
#pragma once

#include "tools/lower/emit/emission.h"
#include "tools/lower/weights/weight_tiles.h"

namespace cox::lower {

/// Emits the exchange of `piece` of the layer's output. `slices`: the kernels that each core computes. `computed`: the number from
/// Links::begin_work() that marks the pe_conv instructions of the layer.
void exchange(const Work &work, const Origin &origin, const Layer &layer, const std::vector<Slice> &slices, const Piece &piece,
              std::int64_t computed);

}  // namespace cox::lower
