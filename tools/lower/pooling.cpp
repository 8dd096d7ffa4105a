// SPDX-License-Identifier: MIT
// maximum_pool and average_pool: vp_pool.
#include "tools/lower/vector.h"

namespace cox::lower {

void emit_pool(const Work &work, const Step &step) {
  constexpr double kBelowEverything = -32768;
  const Layer &layer = work.network.layers[step.layer];
  const bool maximum = layer.operation == Operation::maximum_pool;
  VectorSettings settings;
  settings.scale0 = dequantisation_scale(work.network.input_of(layer));
  settings.offset0 = dequantisation_offset(work.network.input_of(layer));
  if (maximum) {
    settings.compare = "MAX";
    settings.outside = kBelowEverything;
  } else {
    settings.multiplier = static_cast<double>(static_cast<float>(1.0 / (layer.kernel[0] * layer.kernel[1])));
  }
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0};
  for (const Piece &piece : vector_pieces(work, layer, step)) {
    configure_vector(work, layer, origin, settings, piece.rows);
    const Start start = start_of(work, layer, piece);
    Fields fields = vector_fields(true, isa::tile::kOneTensor, maximum ? isa::tile::kLutMaximumPool : isa::tile::kLutAveragePool);
    fields.insert(fields.end(), {{"IPH", start.row},
                                 {"IPW", start.column},
                                 {"STaddr", start.address},
                                 {"DTaddr", row_address(work, layer.output, piece.first_image, piece.first_row)}});
    work.emitter.emit("vp_pool", origin, fields);
    ++origin.tile;
  }
}

}  // namespace cox::lower
