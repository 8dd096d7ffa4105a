// SPDX-License-Identifier: MIT
// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
#include "isa/unity/operands.h"
#include "isa/unity/region_sink.h"

namespace cox::isa::unity::detail {

Result<Operation> resolve_vision(const Operands &operands) { return Status(ErrorCode::unsupported, operands.row().name); }

void list_regions(const Lookup & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const PixelShuffle & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const GridSample & /*operation*/, RegionSink & /*sink*/) {}
void list_regions(const AffineGrid & /*operation*/, RegionSink & /*sink*/) {}

}  // namespace cox::isa::unity::detail
