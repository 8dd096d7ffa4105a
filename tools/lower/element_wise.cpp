// SPDX-License-Identifier: MIT
// quantise and add: vp_self.
#include "tools/lower/vector.h"

namespace cox::lower {
namespace {

/// `source` and `source1` are maps; one tensor: the same.
void emit_self(const Work &work, const Step &step, const VectorSettings &settings, std::size_t source, std::size_t source1) {
  const Layer &layer = work.network.layers[step.layer];
  const bool two = settings.two_tensors;
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0};
  for (const Piece &piece : vector_pieces(work, layer, step)) {
    configure_vector(work, layer, origin, settings, piece.rows);
    Fields fields =
        vector_fields(two, two ? isa::tile::kTwoTensors : isa::tile::kOneTensor, two ? isa::tile::kLutAdd : isa::tile::kLutNone);
    fields.insert(fields.end(), {{"TM", 0},
                                 {"SBSG1", 0},
                                 {"STaddr", row_address(work, source, piece.first_image, piece.first_row)},
                                 {"STaddr1", row_address(work, source1, piece.first_image, piece.first_row)},
                                 {"DTaddr", row_address(work, layer.output, piece.first_image, piece.first_row)}});
    work.emitter.emit("vp_self", origin, fields);
    ++origin.tile;
  }
}

}  // namespace

void emit_quantise(const Work &work, const Step &step) {
  const std::size_t source = work.network.layers[step.layer].inputs[0];
  emit_self(work, step, {}, source, source);
}

void emit_add(const Work &work, const Step &step) {
  // IQK1 and IQB1 belong to STaddr, IQK0 and IQB0 to STaddr1 (docs/isa/tile.md, Arithmetic).
  const Layer &layer = work.network.layers[step.layer];
  const FeatureMap &at_staddr = work.network.input_of(layer, 0);
  const FeatureMap &at_staddr1 = work.network.input_of(layer, 1);
  VectorSettings settings;
  settings.two_tensors = true;
  settings.scale1 = dequantisation_scale(at_staddr);
  settings.offset1 = dequantisation_offset(at_staddr);
  settings.scale0 = dequantisation_scale(at_staddr1);
  settings.offset0 = dequantisation_offset(at_staddr1);
  emit_self(work, step, settings, layer.inputs[0], layer.inputs[1]);
}

}  // namespace cox::lower
