// SPDX-License-Identifier: MIT
// Emits vp_self instructions for element-wise functions of one or two tensors, and for functions of each pixel, such as softmax.
#include "tools/lower/emit/vector.h"
#include "tools/lower/weights/constants.h"

namespace cox::lower {
namespace {

/// Emits a function of the maps `sources`. For a function of one tensor, both are the same map.
void emit_self(const Work &work, const Step &step, const VectorSettings &settings, std::array<std::size_t, 2> sources) {
  const Layer &layer = work.network.layers[step.layer];
  const Shape &shape = work.network.output_of(layer).shape;
  const bool repeated_rows = work.network.maps[sources[1]].shape.height != shape.height;
  const std::vector<Piece> pieces = vector_pieces(work, layer, step);
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0, images_of_batch(step, pieces)};
  for (const Piece &piece : pieces) {
    configure_vector(work, layer, origin, settings, sources, {shape.channels, piece.rows, shape.width});
    Fields fields = vector_fields(work, layer, settings, sources[0]);
    fields.insert(fields.end(), {{"TM", 0},
                                 {"SBSG1", 0},
                                 {"STaddr", row_address(work, sources[0], piece.first_image, piece.first_row)},
                                 {"STaddr1", row_address(work, sources[1], piece.first_image, repeated_rows ? 0 : piece.first_row)},
                                 {"DTaddr", row_address(work, layer.output, piece.first_image, piece.first_row)}});
    work.emitter.emit("vp_self", origin, fields);
    ++origin.tile;
  }
}

std::int64_t function_of(Operation operation) {
  switch (operation) {
    case Operation::softmax: return isa::tile::kLutSoftmax;
    case Operation::layer_norm: return isa::tile::kLutLayerNorm;
    case Operation::quantise: return isa::tile::kLutNone;
    default: return isa::tile::kLutTable;
  }
}

/// Returns the dimensions in which the second tensor has the extent of the first. In the others the second tensor is repeated.
std::int64_t dimensions_of(const Shape &second, const Shape &whole) {
  constexpr std::int64_t kChannels = 1, kColumns = 2, kRows = 4;
  return (second.channels == whole.channels ? kChannels : 0) | (second.width == whole.width ? kColumns : 0) |
         (second.height == whole.height ? kRows : 0);
}

/// Emits a normalisation with gamma and beta. These are FP32, so the tensor must be FP32 too (docs/isa/tile.md, Vector functions). So the
/// input is first converted to FP32.
void emit_scaled_norm(const Work &work, const Step &step) {
  constexpr std::int64_t kChannelsAndRows = 5;
  const Layer &layer = work.network.layers[step.layer];
  const std::size_t input = layer.inputs[0];
  const FeatureMap temporary = as_fp32(work.network.output_of(layer));
  const std::int64_t parameters = work.placement.constants() + norm_offset(work.network, layer);
  Shape rows = temporary.shape;
  rows.height = rows_of(step, rows.height);
  VectorSettings convert(isa::tile::kLutNone);
  convert.to_temporary = rows;
  VectorSettings norm(isa::tile::kLutLayerNorm);
  norm.from_temporary = rows;
  norm.dimensions1 = kChannelsAndRows;
  norm.compare_value = convert.compare_value = layer.epsilon;
  // The images are computed one by one and not as a batch, because all images use the same room for intermediate results.
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0};
  for (const Piece &piece : vector_pieces(work, layer, step)) {
    const Shape tile{rows.channels, piece.rows, rows.width};
    const std::int64_t between = work.strips.temporary + (piece.first_row - step.first_row) * layout_of(temporary).row_bytes;
    const auto emit = [&](const VectorSettings &settings, std::int64_t first, std::int64_t second, std::int64_t destination) {
      configure_vector(work, layer, origin, settings, {input, input}, tile);
      Fields fields = vector_fields(work, layer, settings, input);
      fields.insert(fields.end(), {{"TM", 0}, {"SBSG1", 0}, {"STaddr", first}, {"STaddr1", second}, {"DTaddr", destination}});
      work.emitter.emit("vp_self", origin, fields);
      ++origin.tile;
    };
    const std::int64_t source = row_address(work, input, piece.first_image, piece.first_row);
    emit(convert, source, source, between);
    emit(norm, between, parameters, row_address(work, layer.output, piece.first_image, piece.first_row));
  }
}

}  // namespace

void emit_function(const Work &work, const Step &step) {
  const Layer &layer = work.network.layers[step.layer];
  if (layer.has_gamma()) return emit_scaled_norm(work, step);
  VectorSettings settings(function_of(layer.operation));
  settings.table = table_of(layer);
  settings.compare_value = layer.epsilon;
  emit_self(work, step, settings, {layer.inputs[0], layer.inputs[0]});
}

void emit_two_tensors(const Work &work, const Step &step) {
  const Layer &layer = work.network.layers[step.layer];
  const bool compares = layer.operation == Operation::maximum || layer.operation == Operation::minimum;
  VectorSettings settings(compares ? isa::tile::kLutCompare : isa::tile::kLutAdd);
  settings.dimensions1 = dimensions_of(work.network.input_of(layer, 1).shape, work.network.output_of(layer).shape);
  switch (layer.operation) {
    case Operation::subtract: settings.group = "SUB"; break;
    case Operation::multiply: settings.group = "MUL"; break;
    case Operation::maximum: settings.compare = "MAX"; break;
    case Operation::minimum: settings.compare = "MIN"; break;
    default: break;
  }
  emit_self(work, step, settings, {layer.inputs[0], layer.inputs[1]});
}

}  // namespace cox::lower
