// SPDX-License-Identifier: MIT
// Emits convolution, transposed_convolution and fully_connected as pe_conv.
#include <algorithm>

#include "tools/lower/emit/exchange.h"
#include "tools/lower/plan/rows.h"
#include "tools/lower/program/links.h"
#include "tools/lower/weights/weight_supply.h"

namespace cox::lower {
namespace {

using isa::tile::DataFmt;

/// The channel groups of some consecutive kernels. The kernels fill whole groups, or lie in one group.
struct Groups {
  std::uint32_t count = 1, first_channel = 0;
};

Groups groups_of(const Network &network, const Layer &layer, const Slice &slice) {
  const std::uint32_t of_group = network.output_of(layer).shape.channels / layer.groups;
  return {std::max(slice.kernels / of_group, 1U), slice.first_kernel / of_group * network.kernel_channels(layer)};
}

/// Returns the value of the field DILATION or UPSAMPLE, in which 0 stands for a distance of 1.
std::uint32_t spacing_of(std::uint32_t distance) { return distance == 1 ? 0 : distance; }

const char *mode_of(Activation activation) {
  switch (activation) {
    case Activation::none: return "DISABLE";
    case Activation::relu: return "RELU";
    case Activation::relu_x: return "RELUX";
    case Activation::leaky_relu: return "LEAKY_RELU";
    case Activation::prelu: return "PRELU";
    case Activation::sigmoid:
    case Activation::tanh:
    case Activation::gelu:
    case Activation::silu: break;
  }
  return "SILU";  // in this mode, the device applies a table, which can hold any function
}

/// Returns true if LD, VP or ST writes the layer's input or reads its output. Such a layer is cut into pieces, so that PE and the other
/// lane work at the same time.
bool beside_another_engine(const Network &network, const Layer &layer) {
  const std::size_t input = layer.inputs[0];
  if (input == 0 || !network.layers[input - 1].has_weights() || layer.output == network.output) return true;
  return std::any_of(network.layers.begin(), network.layers.end(), [&layer](const Layer &other) {
    return !other.has_weights() && std::find(other.inputs.begin(), other.inputs.end(), layer.output) != other.inputs.end();
  });
}

isa::tile::Convolution extents(const Network &network, const Layer &layer, const Slice &slice, std::uint32_t images, std::uint32_t rows) {
  isa::tile::Convolution extent;
  extent.batch = images;
  extent.kernels = slice.kernels;
  extent.channels = network.kernel_channels(layer);
  extent.groups = groups_of(network, layer, slice).count;
  extent.height = rows;
  extent.width = network.output_of(layer).shape.width;
  extent.kernel_height = layer.kernel[0];
  extent.kernel_width = layer.kernel[1];
  return extent;
}

void convolve(const Work &work, const Origin &origin, const Layer &layer, const Slice &slice, std::int64_t unit, const Piece &piece,
              const std::vector<Touch> &more) {
  const FeatureMap &input = work.network.input_of(layer);
  const FeatureMap &output = work.network.output_of(layer);
  const Groups groups = groups_of(work.network, layer, slice);
  const bool requantise = output.format == DataFmt::INT8;
  const GridCut &cut = work.cuts.best(extents(work.network, layer, slice, piece.images, piece.rows));
  Emitter &emitter = work.emitter;
  emitter.configure("pe_cfg_fm", origin,
                    {{"IF", "SIGNED"},
                     {"OF", "SIGNED"},
                     {"SF", "INT8"},
                     {"WF", "INT8"},
                     {"DF", name_of(output.format)},
                     {"PADV", static_cast<double>(input.zero_point)},
                     excerpt_field(work, "STile", layer.inputs[0]),
                     excerpt_field(work, "DTile", layer.output)});
  emitter.configure("pe_cfg_pm", origin,
                    {{"ACTMD", mode_of(layer.activation)},
                     {"ACTPM", layer.activation_parameter},
                     {"QC", "ROUND"},
                     {"QB", requantise ? static_cast<double>(output.zero_point) : 0.0},
                     {"QK", requantise ? quantisation_scale(output) : 0.0},
                     {"ADDEN", 0},
                     {"STRIDE", {layer.stride[0], layer.stride[1]}},
                     {"XYmode", {static_cast<int>(cut.x), static_cast<int>(cut.y)}}});
  emitter.configure("pe_cfg_dq", origin, {{"DQC", 0}, {"DQB", 0.0}, {"DQK", 0.0}});
  emitter.configure("pe_cfg_tp", origin,
                    {{"KERNEL", {layer.kernel[0], layer.kernel[1]}},
                     {"Tile", {piece.images, slice.kernels, work.network.kernel_channels(layer), piece.rows, output.shape.width}},
                     {"MTK0", 1},
                     {"MTC0", 1},
                     {"MTI", {1, 1}},
                     {"GROUPS", groups.count == 1 ? 0 : groups.count},
                     {"DILATION", {spacing_of(layer.dilation[0]), spacing_of(layer.dilation[1])}},
                     {"UPSAMPLE", {spacing_of(layer.upsample[0]), spacing_of(layer.upsample[1])}}});
  if (const std::optional<TableFunction> function = table_of(layer)) {
    Fields table = table_fields(work, *function);
    table.insert(table.end(), {{"SEGN", kTableSegments - 1}, {"SEGE", range_of(*function).goes_on ? 1 : 0}});
    emitter.configure("pe_cfg_lut", origin, table);
  }
  const Start start = start_of(work, layer, piece);
  const std::int64_t destination = row_address(work, layer.output, piece.first_image, piece.first_row);
  emitter.emit("pe_conv", origin,
               {{"PS", 0},
                {"SPHI", start.row},
                {"SPWI", start.column},
                {"SBSG", 0},
                {"DBSG", 0},
                {"STaddr", start.address + groups.first_channel},
                {"SWaddr", unit},
                {"DTaddr", destination + std::int64_t{slice.first_kernel} * output.element_bytes()}},
               more);
}

std::size_t most(const std::vector<std::vector<Piece>> &pieces) {
  std::size_t count = 0;
  for (const std::vector<Piece> &own : pieces) count = std::max(count, own.size());
  return count;
}

}  // namespace

void emit_convolution(const Work &work, WeightSupply &supply, const Step &step) {
  const Layer &layer = work.network.layers[step.layer];
  const std::uint32_t height = work.network.output_of(layer).shape.height;
  const std::uint32_t rows = rows_of(share_of(work, step, work.plan.cores - 1), height);  // rows of the last core; no other core has more
  Origin origin{static_cast<std::int32_t>(step.layer), {}, 0};
  const std::vector<WeightTile> &tiles = supply.tiles_of(step.layer);
  const bool exchanged = work.plan.division == Division::kernels && work.plan.cores > 1;
  const std::int64_t computed = exchanged ? work.links.begin_work() : 0;
  for (const WeightTile &tile : tiles) {
    const GridCut &whole = work.cuts.best(extents(work.network, layer, tile.slices[0], step.images, rows));
    const std::int64_t unit = supply.fetch(tile, whole);
    const std::uint32_t count = exchanged || beside_another_engine(work.network, layer) ? pieces_of(work.plan, whole.cycles) : 1;
    std::vector<std::vector<Piece>> pieces;
    for (unsigned core = 0; core < work.plan.cores; ++core) {
      const Step share = share_of(work, step, core);
      pieces.push_back(share.images == 0 ? std::vector<Piece>() : divide(share, height, count));
    }
    for (std::size_t i = 0; i < most(pieces); ++i) {
      for (unsigned core = 0; core < work.plan.cores; ++core) {
        if (tile.slices[core].kernels == 0 || i >= pieces[core].size()) continue;
        work.emitter.select(core);
        convolve(work, origin, layer, tile.slices[core], unit, pieces[core][i],
                 exchanged ? std::vector<Touch>{Links::computed(computed, core)} : std::vector<Touch>());
      }
      if (exchanged && &tile == &tiles.back())
        exchange(work, origin, layer, slices_of(work.network, layer, work.plan), pieces[0][i], computed);
      ++origin.tile;
    }
  }
}

}  // namespace cox::lower
