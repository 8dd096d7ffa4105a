// SPDX-License-Identifier: MIT
// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
#include "tests/sim/unity/arithmetic/json_reader.h"

namespace cox::test {
namespace {

using namespace isa::unity;  // the operations

void fill(const JsonReader &from, Lookup &to) {
  from("op", to.op)("table", to.table)("index", to.index)("result", to.result)("rows", to.rows)("width", to.width);
}
void fill(const JsonReader &from, PixelShuffle &to) { from("op", to.op)("source", to.source)("result", to.result)("scale", to.scale); }
void fill(const JsonReader &from, GridSample &to) {
  from("source", to.source)("result", to.result)("grid", to.grid)("padding", to.padding)("nearest", to.nearest)("align_corners",
                                                                                                                to.align_corners);
}
void fill(const JsonReader &from, AffineGrid &to) {
  from("matrix", to.matrix)("result", to.result)("height", to.height)("width", to.width)("align_corners", to.align_corners);
}

}  // namespace

void add_vision_families(JsonFamilies &families) {
  families["Lookup"] = read_json_family<Lookup, fill>;
  families["PixelShuffle"] = read_json_family<PixelShuffle, fill>;
  families["GridSample"] = read_json_family<GridSample, fill>;
  families["AffineGrid"] = read_json_family<AffineGrid, fill>;
}

}  // namespace cox::test
