// SPDX-License-Identifier: MIT
#include "tools/lower/vector.h"

#include <algorithm>

namespace cox::lower {

void configure_vector(const Work &work, const Layer &layer, const Origin &origin, const VectorSettings &settings, std::uint32_t rows) {
  const FeatureMap &input = work.network.input_of(layer);
  const FeatureMap &output = work.network.output_of(layer);
  Emitter &emitter = work.emitter;
  emitter.configure("vp_cfg_gcs", origin,
                    {{"CMPS", settings.compare}, {"SG0M", "DEFAULT"}, {"CMPVS", 0}, {"SG0VS", 0}, {"SG0V", 0.0}, {"CMPV", 0.0}});
  emitter.configure("vp_cfg_gms", origin,
                    {{"USED", 0},
                     {"SEGE", 0},
                     {"SEGN", 0},
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
  emitter.configure("vp_cfg_iq", origin, {{"IQCS", 0}, {"IQB0", settings.offset0}, {"IQK0", settings.scale0}});
  emitter.configure("vp_cfg_iq1", origin, {{"IQB1", settings.offset1}, {"IQK1", settings.scale1}});
  emitter.configure("vp_cfg_fm", origin,
                    {{"IF", "SIGNED"},
                     {"OF", "SIGNED"},
                     {"IDF", name_of(input.format)},
                     {"ODF", name_of(output.format)},
                     {"VF32", 0},
                     shape_field("STile", input.shape),
                     shape_field("DTile", output.shape)});
  emitter.configure("vp_cfg_tp", origin,
                    {{"STRIDE", {layer.stride[0], layer.stride[1]}},
                     {"KERNEL", {layer.kernel[0], layer.kernel[1]}},
                     {"Tile", {output.shape.channels, rows, output.shape.width}},
                     {"T1F", settings.two_tensors ? isa::tile::kAllDimensions : 0},
                     {"T0F", isa::tile::kAllDimensions},
                     {"PADV_AREA", settings.outside}});
}

Fields vector_fields(bool dequantise, std::int64_t path, std::int64_t table) {
  return {{"IQEN", dequantise ? 1 : 0}, {"QEN", 3},          {"SHMD", 0},    {"GPMD", path}, {"CMPD", "DEFAULT"}, {"TREED", "DEFAULT"},
          {"ACCD", "DEFAULT"},          {"SWRS", "DEFAULT"}, {"LUT", table}, {"SBSG", 0},    {"DBSG", 0}};
}

std::vector<Piece> vector_pieces(const Work &work, const Layer &layer, const Step &step) {
  const auto pixels = [](const Shape &shape) { return std::uint64_t{shape.height} * shape.width; };
  const FeatureMap &input = work.network.input_of(layer);
  const FeatureMap &output = work.network.output_of(layer);
  const std::uint64_t bytes = std::uint64_t{output.shape.channels} * std::max(input.element_bytes(), output.element_bytes());
  const std::uint32_t width = work.emitter.geometry().vector_bytes_per_cycle;
  const model::Cycle cycles = std::max(pixels(input.shape), pixels(output.shape)) * ((bytes + width - 1) / width) * step.images;
  // Twice as many as the other engines have: another one costs little here.
  return divide_images(step, output.shape.height, 2 * pieces_of(work.plan, cycles));
}

}  // namespace cox::lower
