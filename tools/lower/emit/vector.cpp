// SPDX-License-Identifier: MIT
#include "tools/lower/emit/vector.h"

#include <algorithm>

namespace cox::lower {

using isa::tile::DataFmt;

void configure_vector(const Work &work, const Layer &layer, const Origin &origin, const VectorSettings &settings,
                      std::array<std::size_t, 2> sources, const Shape &tile) {
  const FeatureMap &input = work.network.maps[sources[0]];
  const FeatureMap &output = work.network.output_of(layer);
  // With two tensors, IQK1 and IQB1 belong to STaddr, and IQK0 and IQB0 to STaddr1. With one tensor, IQK0 and IQB0 belong to STaddr
  // (docs/isa/tile.md, Vector functions).
  const bool two_tensors = settings.dimensions1 != 0;
  const FeatureMap &map0 = work.network.maps[sources[two_tensors ? 1 : 0]];
  const bool goes_on = settings.table && range_of(*settings.table).goes_on;
  Emitter &emitter = work.emitter;
  emitter.configure(
      "vp_cfg_gcs", origin,
      {{"CMPS", settings.compare}, {"SG0M", settings.group}, {"CMPVS", 0}, {"SG0VS", 0}, {"SG0V", 0.0}, {"CMPV", settings.compare_value}});
  emitter.configure("vp_cfg_gms", origin,
                    {{"USED", 0},
                     {"SEGE", goes_on ? 1 : 0},
                     {"SEGN", settings.table ? kTableSegments - 1 : 0},
                     {"MG0S", "DEFAULT"},
                     {"SG1M", "DEFAULT"},
                     {"MG0VS", 0},
                     {"SG1VS", 0},
                     {"SG1V", 0.0},
                     {"MG0V", settings.multiplier}});
  emitter.configure("vp_cfg_sms", origin, {{"SUMM", "DEFAULT"}, {"MULVS", 0}, {"SUMVS", 0}, {"SUMV", 0.0}, {"MULV", 0.0}});
  emitter.configure(
      "vp_cfg_qp", origin,
      {{"QCS", "ROUND"}, {"QSMD", "DEFAULT"}, {"QB", static_cast<double>(output.zero_point)}, {"QK", quantisation_scale(output)}});
  emitter.configure("vp_cfg_iq", origin, {{"IQCS", 0}, {"IQB0", dequantisation_offset(map0)}, {"IQK0", dequantisation_scale(map0)}});
  emitter.configure(
      "vp_cfg_iq1", origin,
      {{"IQB1", two_tensors ? dequantisation_offset(input) : 0.0}, {"IQK1", two_tensors ? dequantisation_scale(input) : 0.0}});
  emitter.configure("vp_cfg_fm", origin,
                    {{"IF", "SIGNED"},
                     {"OF", "SIGNED"},
                     {"IDF", settings.from_temporary ? "FP32" : name_of(input.format)},
                     {"ODF", settings.to_temporary ? "FP32" : name_of(output.format)},
                     {"VF32", 0},
                     settings.from_temporary ? shape_field("STile", *settings.from_temporary) : excerpt_field(work, "STile", sources[0]),
                     settings.to_temporary ? shape_field("DTile", *settings.to_temporary) : excerpt_field(work, "DTile", layer.output)});
  emitter.configure("vp_cfg_tp", origin,
                    {{"STRIDE", {layer.stride[0], layer.stride[1]}},
                     {"KERNEL", {layer.kernel[0], layer.kernel[1]}},
                     shape_field("Tile", tile),
                     {"T1F", settings.dimensions1},
                     {"T0F", isa::tile::kAllDimensions},
                     {"PADV_AREA", settings.outside}});
  if (settings.table) emitter.configure("vp_cfg_lut", origin, table_fields(work, *settings.table));
}

Fields vector_fields(const Work &work, const Layer &layer, const VectorSettings &settings, std::size_t source) {
  const bool dequantise = work.network.maps[source].format == DataFmt::INT8 && !settings.unchanged && !settings.from_temporary;
  const bool quantise = work.network.output_of(layer).format == DataFmt::INT8 && !settings.unchanged && !settings.to_temporary;
  return {{"IQEN", dequantise ? 1 : 0},
          {"QEN", quantise ? 3 : 0},
          {"SHMD", 0},
          {"GPMD", settings.dimensions1 != 0 ? isa::tile::kTwoTensors : isa::tile::kOneTensor},
          {"CMPD", "DEFAULT"},
          {"TREED", "DEFAULT"},
          {"ACCD", settings.mean_over},
          {"SWRS", "DEFAULT"},
          {"LUT", settings.function},
          {"SBSG", 0},
          {"DBSG", 0}};
}

std::vector<Piece> vector_pieces(const Work &work, const Layer &layer, const Step &step) {
  const auto pixels = [](const Shape &shape) { return std::uint64_t{shape.height} * shape.width; };
  const FeatureMap &input = work.network.input_of(layer);
  const FeatureMap &output = work.network.output_of(layer);
  const std::uint64_t bytes = std::uint64_t{output.shape.channels} * std::max(input.element_bytes(), output.element_bytes());
  const std::uint32_t width = work.emitter.geometry().vector_bytes_per_cycle;
  // If plan.whole_batches is set, the vector processor computes all images of a batch side by side, in the time of one image.
  const std::uint32_t images = work.plan.whole_batches ? 1 : step.images;
  const model::Cycle cycles = std::max(pixels(input.shape), pixels(output.shape)) * ((bytes + width - 1) / width) *
                              rows_of(step, output.shape.height) / output.shape.height * images;
  // A step of VP has twice as many pieces as a step of another lane with the same cycles, because a piece costs little in VP.
  return divide_images(step, output.shape.height, 2 * pieces_of(work.plan, cycles));
}

}  // namespace cox::lower
