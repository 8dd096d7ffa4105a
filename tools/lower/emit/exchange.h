// SPDX-License-Identifier: MIT
// Where each core computes some of a layer's kernels, each fetches the others' from them.
#pragma once

#include "tools/lower/emit/emission.h"
#include "tools/lower/weights/weight_tiles.h"

namespace cox::lower {

/// `slices`: the kernels of each core, of which a piece has been computed by instructions of number `computed` (Links::begin_work).
void exchange(const Work &work, const Origin &origin, const Layer &layer, const std::vector<Slice> &slices, const Piece &piece,
              std::int64_t computed);

}  // namespace cox::lower
