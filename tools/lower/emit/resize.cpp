// SPDX-License-Identifier: MIT
// Emits resize as vp_pool. Each output row and column has a position in the source, which need not be a whole row or column
// (docs/arithmetic.md, Resize).
#include "tools/lower/emit/resize.h"

#include "tools/lower/emit/vector.h"

namespace cox::lower {
Fraction fraction_of(const Layer &layer, std::int64_t source, std::int64_t output) {
  if (layer.coordinates == Coordinates::half_pixel) return {source, output, layer.bilinear ? source - output : source};
  if (output == 1) return {};
  // The last number is in units of 1 / (2 * (output - 1)) pixels. Nearest adds half a pixel, because the device rounds positions down.
  return {source - 1, output - 1, layer.bilinear ? 0 : output - 1};
}

void emit_resize(const Work &work, const Step &step) {
  constexpr double kNearestOfTheMap = -32768;
  const Layer &layer = work.network.layers[step.layer];
  const std::size_t source = layer.inputs[0];
  const Shape &from = work.network.maps[source].shape;
  const Shape &to = work.network.output_of(layer).shape;
  const Fraction rows = fraction_of(layer, from.height, to.height);
  const Fraction columns = fraction_of(layer, from.width, to.width);
  VectorSettings settings(layer.bilinear ? isa::tile::kLutBilinear : isa::tile::kLutNearest);
  settings.outside = kNearestOfTheMap;
  const std::vector<Piece> pieces = vector_pieces(work, layer, step);
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0, images_of_batch(step, pieces)};
  for (const Piece &piece : pieces) {
    configure_vector(work, layer, origin, settings, {source, source}, {to.channels, piece.rows, to.width});
    // If the source is in strips, rows are counted from the first row in L2, which keeps the numbers small.
    const Excerpt excerpt = excerpt_of(work, source, piece.first_image);
    const bool strip = is_spilled(work.plan, source);
    const std::int64_t moved = strip ? 2 * (piece.first_row * rows.numerator - excerpt.first_row * rows.denominator) : 0;
    work.emitter.configure("vp_cfg_rs", origin,
                           {{"NUM", {rows.numerator, columns.numerator}},
                            {"DEN", {rows.denominator, columns.denominator}},
                            {"OFFSET", {rows.offset + moved, columns.offset}}});
    Fields fields = vector_fields(work, layer, settings, source);
    fields.insert(fields.end(), {{"IPH", strip ? 0 : piece.first_row},
                                 {"IPW", 0},
                                 {"STaddr", excerpt.address},
                                 {"DTaddr", row_address(work, layer.output, piece.first_image, piece.first_row)}});
    work.emitter.emit("vp_pool", origin, fields);
    ++origin.tile;
  }
}

}  // namespace cox::lower
