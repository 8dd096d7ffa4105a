// SPDX-License-Identifier: MIT
#include "tools/lower/lowering.h"

#include <algorithm>
#include <map>
#include <utility>

#include "isa/tile/configuration.h"
#include "isa/tile/table.h"
#include "tools/lower/dependencies.h"
#include "tools/lower/placement.h"
#include "tools/lower/weight_tiles.h"

namespace cox::lower {
namespace {

using isa::tile::DataFmt;
using nlohmann::ordered_json;

constexpr std::int64_t kL2Bytes = std::int64_t{isa::tile::kL2Blocks} * isa::tile::kBlockBytes;
constexpr std::uint64_t kTensorAlignment = 64;
/// An instruction writes about so many bytes at most: larger maps are computed in bands of rows, so that the next engine starts on
/// the first band while the second is computed.
constexpr std::int64_t kBandBytes = std::int64_t{128} * 1024;

const char *name_of(DataFmt format) { return format == DataFmt::FP16 ? "FP16" : "INT8"; }

ordered_json json_of(const Shape &shape) { return ordered_json::array({shape.channels, shape.height, shape.width}); }

/// Output rows `first` to `first + count - 1` of a layer.
struct Band {
  std::uint32_t first = 0, count = 0;
};

std::vector<Band> bands_of(const FeatureMap &map, const PlacedMap &place) {
  const auto rows = static_cast<std::uint32_t>(std::clamp<std::int64_t>(kBandBytes / place.row_bytes, 1, map.shape.height));
  std::vector<Band> bands;
  for (std::uint32_t first = 0; first < map.shape.height; first += rows) bands.push_back({first, std::min(rows, map.shape.height - first)});
  return bands;
}

class Lowerer {
 public:
  Lowerer(const Network &network, const WeightImage &weights)
      : network_(network), places_(place_maps(network, kL2Bytes)), tiles_(tile_weights(network, weights)) {}

  Lowering run() {
    const FeatureMap &input = network_.maps[0];
    result_.output_offset = (dense_bytes(input) + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment;
    result_.tensor_window_bytes = result_.output_offset + dense_bytes(network_.maps[network_.output]);
    begin_task();
    load_input();
    for (std::size_t i = 0; i < network_.layers.size(); ++i) emit_layer(i);
    store_output();
    end_task();
    order(result_.program);
    return std::move(result_);
  }

 private:
  // --- Instructions ---------------------------------------------------------------------------------------------------------------

  void emit(const char *name, const Origin &origin, ordered_json fields, std::vector<Touch> touches) {
    const isa::tile::Instruction &instruction = *isa::tile::find_instruction(name);
    result_.program.push_back({name, instruction.queue, false, origin, std::move(fields), std::move(touches)});
  }

  /// A configuration that stands already is not written again.
  void configure(const char *name, const Origin &origin, ordered_json fields) {
    ordered_json &standing = configured_[name];
    if (standing == fields) return;
    standing = fields;
    const isa::tile::Instruction &instruction = *isa::tile::find_instruction(name);
    result_.program.push_back({name, instruction.queue, true, origin, std::move(fields), {}});
  }

  static Touch cuts(bool write) { return {Resource::cuts, write, 0, 1}; }

  /// Bytes from row `first` to row `last` of a map, whole rows.
  [[nodiscard]] Touch rows(std::size_t map, bool write, std::int64_t first, std::int64_t last) const {
    const PlacedMap &place = places_[map];
    return {Resource::l2, write, place.base + first * place.row_bytes, place.base + (last + 1) * place.row_bytes};
  }

  /// The source rows under an output band.
  [[nodiscard]] Touch source_rows(const Layer &layer, const Band &band) const {
    const std::int64_t top = std::int64_t{band.first} * layer.stride[0] - layer.padding.top;
    const std::int64_t bottom = top + std::int64_t{band.count - 1} * layer.stride[0] + layer.kernel[0] - 1;
    return rows(layer.inputs[0], false, std::max<std::int64_t>(top, 0),
                std::min<std::int64_t>(bottom, network_.input_of(layer).shape.height - 1));
  }

  [[nodiscard]] Touch band_rows(std::size_t map, bool write, const Band &band) const {
    return rows(map, write, band.first, std::int64_t{band.first} + band.count - 1);
  }

  // --- The task -------------------------------------------------------------------------------------------------------------------

  void begin_task() {
    const Origin origin{0};
    emit("ct_st", origin, ordered_json::object(), {{Resource::task, true, 0, 1}});
    // One region, all of L2, named by selector 0; the other fifteen are none.
    for (std::uint32_t bank = 0; bank < isa::tile::kRegions / isa::tile::kRegionsACut; ++bank) {
      const std::uint32_t last_block = bank == 0 ? isa::tile::kL2Blocks - 1 : 0;
      emit("ct_bc", origin, {{"BCS", bank}, {"BufCut", {0, last_block, 0, 0, 0, 0, 0, 0}}}, {cuts(true)});
    }
  }

  void end_task() {
    // The end comes after everything: it touches whatever anything touches.
    constexpr std::int64_t kEverything = std::int64_t{1} << 40;
    emit("ct_ed", {last_layer()}, ordered_json::object(),
         {{Resource::l2, true, 0, kEverything}, {Resource::wl0, true, 0, kEverything}, cuts(true), {Resource::task, true, 0, 1}});
  }

  [[nodiscard]] std::int32_t last_layer() const { return static_cast<std::int32_t>(network_.layers.size()) - 1; }

  void load_input() {
    const FeatureMap &map = network_.maps[0];
    const Origin origin{0, {0}};
    const ordered_json shape = json_of(map.shape);
    configure("lda_cfg", origin,
              {{"SME", 1}, {"RS", 0}, {"BAS", kTensorWindow}, {"DF", name_of(map.format)}, {"STile", shape}, {"DTile", shape}});
    emit("lda_mov", origin,
         {{"RS", 0},
          {"DBSG", 0},
          {"STaddr", 0},
          {"DTaddr", places_[0].base},
          {"Tile", {1, map.shape.channels, map.shape.height, map.shape.width}}},
         {cuts(false), rows(0, true, 0, std::int64_t{map.shape.height} - 1)});
  }

  void store_output() {
    const FeatureMap &map = network_.maps[network_.output];
    const Origin origin{last_layer(), {static_cast<std::int32_t>(network_.output) - 1}};
    const ordered_json shape = json_of(map.shape);
    configure("sta_cfg", origin,
              {{"SME", 1}, {"RS", 0}, {"BAS", kTensorWindow}, {"DF", name_of(map.format)}, {"STile", shape}, {"DTile", shape}});
    emit("sta_mov", origin,
         {{"RS", 0},
          {"SBSG", 0},
          {"STaddr", places_[network_.output].base},
          {"DTaddr", result_.output_offset},
          {"Tile", {1, map.shape.channels, map.shape.height, map.shape.width}}},
         {cuts(false), rows(network_.output, false, 0, std::int64_t{map.shape.height} - 1)});
  }

  void emit_layer(std::size_t i) {
    const Layer &layer = network_.layers[i];
    const Origin origin{static_cast<std::int32_t>(i), {}, 0};
    switch (layer.operation) {
      case Operation::convolution:
      case Operation::fully_connected: return emit_convolution(i);
      case Operation::maximum_pool:
      case Operation::average_pool: return emit_pool(layer, origin);
      case Operation::quantise: return emit_quantise(layer, origin);
      case Operation::add: return emit_add(layer, origin);
    }
  }

  // --- Weights and convolutions ---------------------------------------------------------------------------------------------------

  void load_weights(const WeightTile &tile, std::int32_t while_layer) {
    const Layer &layer = network_.layers[tile.layer];
    const Origin origin{while_layer, {static_cast<std::int32_t>(tile.layer)}};
    const std::uint32_t channels = network_.input_of(layer).shape.channels;
    const ordered_json record = ordered_json::array({channels, layer.kernel[0], layer.kernel[1]});
    configure("lw_cfg", origin, {{"BAS", kWeightWindow}, {"DF", "INT8"}, {"MKC", 0}, {"MKEN", 0}, {"SWsize", record}, {"DWsize", record}});
    emit("lw_mov", origin,
         {{"SS", 1},
          {"XYmode", grid_mode(layer)},
          {"SBSG", 0},
          {"STaddr", tile.records_offset},
          {"DTaddr", tile.unit},
          {"Wsize", {tile.kernels, channels, layer.kernel[0], layer.kernel[1]}}},
         {weights_touched(tile, true)});
  }

  static Touch weights_touched(const WeightTile &tile, bool write) {
    const std::int64_t first = std::int64_t{tile.unit} * isa::tile::kWeightUnitBytes;
    return {Resource::wl0, write, first, first + tile.bytes};
  }

  /// How the tile is spread over the grid of processing elements: over output and input channels where there is one pixel.
  [[nodiscard]] ordered_json grid_mode(const Layer &layer) const {
    return ordered_json::array({"CUT_K", network_.output_of(layer).shape.height > 1 ? "CUT_H" : "CUT_C"});
  }

  void emit_convolution(std::size_t index) {
    const auto number = static_cast<std::int32_t>(index);
    std::int32_t tile_number = 0;
    if (next_tile_ == 0) load_weights(tiles_[0], number);
    for (; next_tile_ < tiles_.size() && tiles_[next_tile_].layer == index; ++next_tile_) {
      if (next_tile_ + 1 < tiles_.size()) load_weights(tiles_[next_tile_ + 1], number);
      const Layer &layer = network_.layers[index];
      for (const Band &band : bands_of(network_.output_of(layer), places_[layer.output])) {
        convolve(layer, {number, {}, tile_number++}, tiles_[next_tile_], band);
      }
    }
  }

  void convolve(const Layer &layer, const Origin &origin, const WeightTile &tile, const Band &band) {
    const FeatureMap &input = network_.input_of(layer);
    const FeatureMap &output = network_.output_of(layer);
    const bool requantise = output.format == DataFmt::INT8;
    configure("pe_cfg_fm", origin,
              {{"IF", "SIGNED"},
               {"OF", "SIGNED"},
               {"SF", "INT8"},
               {"WF", "INT8"},
               {"DF", name_of(output.format)},
               {"PADV", static_cast<double>(input.zero_point)},
               {"STile", json_of(input.shape)},
               {"DTile", json_of(output.shape)}});
    configure("pe_cfg_pm", origin,
              {{"ACTMD", layer.relu ? "RELU" : "DISABLE"},
               {"ACTPM", 0.0},
               {"QC", "ROUND"},
               {"QB", requantise ? static_cast<double>(output.zero_point) : 0.0},
               {"QK", requantise ? quantisation_scale(output) : 0.0},
               {"ADDEN", 0},
               {"STRIDE", layer.stride},
               {"XYmode", grid_mode(layer)}});
    configure("pe_cfg_dq", origin, {{"DQC", 0}, {"DQB", 0}, {"DQK", 0}});
    configure("pe_cfg_tp", origin,
              {{"KERNEL", layer.kernel},
               {"Tile", {1, tile.kernels, input.shape.channels, band.count, output.shape.width}},
               {"MTK0", 1},
               {"MTC0", 1},
               {"MTI", {1, 1}}});
    const PlacedMap &destination = places_[layer.output];
    const Start start = start_of(layer, band);
    emit("pe_conv", origin,
         {{"PS", 0},
          {"SPHI", start.row},
          {"SPWI", start.column},
          {"SBSG", 0},
          {"DBSG", 0},
          {"STaddr", start.address},
          {"SWaddr", tile.unit},
          {"DTaddr", destination.base + band.first * destination.row_bytes + std::int64_t{tile.first_kernel} * output.element_bytes()}},
         {cuts(false), source_rows(layer, band), weights_touched(tile, false), band_rows(layer.output, true, band)});
  }

  /// The source pixel under the kernel's corner for the first output pixel of a band; the address is moved by the padding with it.
  struct Start {
    std::int64_t row = 0, column = 0, address = 0;
  };

  [[nodiscard]] Start start_of(const Layer &layer, const Band &band) const {
    const PlacedMap &source = places_[layer.inputs[0]];
    Start start;
    start.row = std::int64_t{band.first} * layer.stride[0] - layer.padding.top;
    start.column = -std::int64_t{layer.padding.left};
    start.address = source.base + start.row * source.row_bytes + start.column * source.pixel_bytes;
    return start;
  }

  // --- Vector operations ----------------------------------------------------------------------------------------------------------

  /// FP32, as the instruction holds it; the independent evaluation rounds at the same places (docs/lowering.md, Arithmetic).
  static double quantisation_scale(const FeatureMap &map) { return static_cast<double>(static_cast<float>(1.0 / map.scale)); }
  static double dequantisation_scale(const FeatureMap &map) { return static_cast<double>(static_cast<float>(map.scale)); }
  static double dequantisation_offset(const FeatureMap &map) {
    return static_cast<double>(static_cast<float>(-map.zero_point * map.scale));
  }

  /// What differs between the vector operations.
  struct VectorSettings {
    bool maximum = false;
    double multiplier = 0;
    double scale0 = 1, offset0 = 0, scale1 = 0, offset1 = 0;
    bool two_tensors = false;
    double outside = 0;
  };

  void configure_vector(const Layer &layer, const Origin &origin, const VectorSettings &settings, std::uint32_t rows_computed) {
    const FeatureMap &input = network_.input_of(layer);
    const FeatureMap &output = network_.output_of(layer);
    configure(
        "vp_cfg_gcs", origin,
        {{"CMPS", settings.maximum ? "MAX" : "DEFAULT"}, {"SG0M", "DEFAULT"}, {"CMPVS", 0}, {"SG0VS", 0}, {"SG0V", 0.0}, {"CMPV", 0.0}});
    configure("vp_cfg_gms", origin,
              {{"USED", false},
               {"SEGE", 0},
               {"SEGN", 0},
               {"MG0S", "DEFAULT"},
               {"SG1M", "DEFAULT"},
               {"MG0VS", 0},
               {"SG1VS", 0},
               {"SG1V", 0.0},
               {"MG0V", settings.multiplier}});
    configure("vp_cfg_sms", origin, {{"SUMM", "DEFAULT"}, {"MULVS", 0}, {"SUMVS", 0}, {"SUMV", 0.0}, {"MULV", 0.0}});
    configure("vp_cfg_qp", origin,
              {{"QCS", "ROUND"}, {"QSMD", "DEFAULT"}, {"QB", static_cast<double>(output.zero_point)}, {"QK", quantisation_scale(output)}});
    configure("vp_cfg_iq", origin, {{"IQCS", 0}, {"IQB0", settings.offset0}, {"IQK0", settings.scale0}});
    configure("vp_cfg_iq1", origin, {{"IQB1", settings.offset1}, {"IQK1", settings.scale1}});
    configure("vp_cfg_fm", origin,
              {{"IF", "SIGNED"},
               {"OF", "SIGNED"},
               {"IDF", name_of(input.format)},
               {"ODF", name_of(output.format)},
               {"VF32", 0},
               {"STile", json_of(input.shape)},
               {"DTile", json_of(output.shape)}});
    configure("vp_cfg_tp", origin,
              {{"STRIDE", layer.stride},
               {"KERNEL", layer.kernel},
               {"Tile", {output.shape.channels, rows_computed, output.shape.width}},
               {"T1F", settings.two_tensors ? isa::tile::kAllDimensions : 0},
               {"T0F", isa::tile::kAllDimensions},
               {"PADV_AREA", settings.outside}});
  }

  static ordered_json vector_fields(bool dequantise, std::int64_t path) {
    return {{"IQEN", dequantise ? 1 : 0}, {"QEN", 3},           {"SHMD", 0},        {"GPMD", path},
            {"CMPD", "DEFAULT"},          {"TREED", "DEFAULT"}, {"ACCD", "DEFAULT"}};
  }

  /// `source` and `source1` are maps; one tensor: the same.
  void emit_self(const Layer &layer, const Origin &origin, const Band &band, std::size_t source, std::size_t source1, bool add) {
    ordered_json fields = vector_fields(add, add ? isa::tile::kTwoTensors : isa::tile::kOneTensor);
    fields["TM"] = 0;
    fields["SWRS"] = "DEFAULT";
    fields["LUT"] = add ? isa::tile::kLutAdd : isa::tile::kLutNone;
    fields["SBSG"] = fields["SBSG1"] = fields["DBSG"] = 0;
    fields["STaddr"] = places_[source].base + band.first * places_[source].row_bytes;
    fields["STaddr1"] = places_[source1].base + band.first * places_[source1].row_bytes;
    fields["DTaddr"] = places_[layer.output].base + band.first * places_[layer.output].row_bytes;
    std::vector<Touch> touches = {cuts(false), band_rows(source, false, band), band_rows(layer.output, true, band)};
    if (add) touches.push_back(band_rows(source1, false, band));
    emit("vp_self", origin, std::move(fields), std::move(touches));
  }

  void emit_quantise(const Layer &layer, const Origin &origin) {
    for (const Band &band : bands_of(network_.output_of(layer), places_[layer.output])) {
      configure_vector(layer, origin, {}, band.count);
      emit_self(layer, origin, band, layer.inputs[0], layer.inputs[0], false);
    }
  }

  void emit_add(const Layer &layer, const Origin &origin) {
    // IQK1 and IQB1 belong to STaddr, IQK0 and IQB0 to STaddr1 (docs/isa/tile.md, Arithmetic).
    const FeatureMap &at_staddr = network_.input_of(layer, 0);
    const FeatureMap &at_staddr1 = network_.input_of(layer, 1);
    VectorSettings settings;
    settings.two_tensors = true;
    settings.scale1 = dequantisation_scale(at_staddr);
    settings.offset1 = dequantisation_offset(at_staddr);
    settings.scale0 = dequantisation_scale(at_staddr1);
    settings.offset0 = dequantisation_offset(at_staddr1);
    for (const Band &band : bands_of(network_.output_of(layer), places_[layer.output])) {
      configure_vector(layer, origin, settings, band.count);
      emit_self(layer, origin, band, layer.inputs[0], layer.inputs[1], true);
    }
  }

  void emit_pool(const Layer &layer, const Origin &origin) {
    constexpr double kBelowEverything = -32768;
    const bool maximum = layer.operation == Operation::maximum_pool;
    const FeatureMap &input = network_.input_of(layer);
    VectorSettings settings;
    settings.maximum = maximum;
    settings.scale0 = dequantisation_scale(input);
    settings.offset0 = dequantisation_offset(input);
    if (maximum) {
      settings.outside = kBelowEverything;
    } else {
      settings.multiplier = static_cast<double>(static_cast<float>(1.0 / (layer.kernel[0] * layer.kernel[1])));
    }
    for (const Band &band : bands_of(network_.output_of(layer), places_[layer.output])) {
      configure_vector(layer, origin, settings, band.count);
      const Start start = start_of(layer, band);
      ordered_json fields = vector_fields(true, isa::tile::kOneTensor);
      fields["SWRS"] = "DEFAULT";
      fields["LUT"] = maximum ? isa::tile::kLutMaximumPool : isa::tile::kLutAveragePool;
      fields["IPH"] = start.row;
      fields["IPW"] = start.column;
      fields["SBSG"] = fields["DBSG"] = 0;
      fields["STaddr"] = start.address;
      fields["DTaddr"] = places_[layer.output].base + band.first * places_[layer.output].row_bytes;
      emit("vp_pool", origin, std::move(fields), {cuts(false), source_rows(layer, band), band_rows(layer.output, true, band)});
    }
  }

  const Network &network_;
  std::vector<PlacedMap> places_;
  std::vector<WeightTile> tiles_;
  std::size_t next_tile_ = 0;
  std::map<std::string, ordered_json> configured_;
  Lowering result_;
};

}  // namespace

std::uint64_t dense_bytes(const FeatureMap &map) {
  return std::uint64_t{map.shape.channels} * map.shape.height * map.shape.width * map.element_bytes();
}

Lowering lower(const Network &network, const WeightImage &weights) { return Lowerer(network, weights).run(); }

}  // namespace cox::lower
