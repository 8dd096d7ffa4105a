// SPDX-License-Identifier: MIT
// Emits maximum_pool and average_pool as vp_pool, and global_average_pool as vp_self with a mean.
#include "tools/lower/emit/vector.h"

namespace cox::lower {

void emit_pool(const Work &work, const Step &step) {
  constexpr double kBelowEverything = -32768;
  const Layer &layer = work.network.layers[step.layer];
  const Shape &shape = work.network.output_of(layer).shape;
  const bool maximum = layer.operation == Operation::maximum_pool;
  VectorSettings settings(maximum ? isa::tile::kLutComparingPool : isa::tile::kLutAveragePool);
  if (maximum) {
    settings.compare = "MAX";
    settings.outside = kBelowEverything;
  } else {
    settings.multiplier = static_cast<double>(static_cast<float>(1.0 / (layer.kernel[0] * layer.kernel[1])));
  }
  const std::vector<Piece> pieces = vector_pieces(work, layer, step);
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0, images_of_batch(step, pieces)};
  for (const Piece &piece : pieces) {
    configure_vector(work, layer, origin, settings, {layer.inputs[0], layer.inputs[0]}, {shape.channels, piece.rows, shape.width});
    const Start start = start_of(work, layer, piece);
    Fields fields = vector_fields(work, layer, settings, layer.inputs[0]);
    fields.insert(fields.end(), {{"IPH", start.row},
                                 {"IPW", start.column},
                                 {"STaddr", start.address},
                                 {"DTaddr", row_address(work, layer.output, piece.first_image, piece.first_row)}});
    work.emitter.emit("vp_pool", origin, fields);
    ++origin.tile;
  }
}

void emit_global_average_pool(const Work &work, const Step &step, std::uint32_t first_channel) {
  const Layer &layer = work.network.layers[step.layer];
  const std::int64_t into_pixel = std::int64_t{first_channel} * work.network.output_of(layer).element_bytes();
  const std::size_t source = layer.inputs[0];
  VectorSettings settings(isa::tile::kLutMean);
  settings.mean_over = "HW";
  const std::vector<Piece> pieces = divide_images(step, 1, 1);
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0, images_of_batch(step, pieces)};
  for (const Piece &piece : pieces) {
    const Excerpt excerpt = excerpt_of(work, source, piece.first_image);
    configure_vector(work, layer, origin, settings, {source, source}, excerpt.shape);
    Fields fields = vector_fields(work, layer, settings, source);
    fields.insert(fields.end(), {{"TM", 0},
                                 {"SBSG1", 0},
                                 {"STaddr", excerpt.address},
                                 {"STaddr1", excerpt.address},
                                 {"DTaddr", row_address(work, layer.output, piece.first_image, 0) + into_pixel}});
    work.emitter.emit("vp_self", origin, fields);
    ++origin.tile;
  }
}

}  // namespace cox::lower
