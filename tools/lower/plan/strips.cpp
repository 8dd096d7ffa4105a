// SPDX-License-Identifier: MIT
#include "tools/lower/plan/strips.h"

#include <algorithm>

#include "coxswain/isa/tile/layout.h"
#include "tools/lower/plan/joins.h"
#include "tools/lower/plan/placement.h"
#include "tools/lower/plan/rows.h"

namespace cox::lower {
namespace {

constexpr std::int64_t kStripAlignment = 64;
/// Minimum number of strips, if there are enough rows. With fewer strips, loads overlap little with computing.
constexpr std::uint32_t kLeastStrips = 4;

std::uint32_t divide_up(std::uint32_t value, std::uint32_t divisor) { return (value + divisor - 1) / divisor; }

/// Returns the largest number of input rows that this number of output rows needs.
std::uint32_t most_rows(const Network &network, const Layer &layer, std::size_t input, std::uint32_t rows) {
  const std::uint32_t height = network.output_of(layer).shape.height;
  std::int64_t most = 1;
  for (std::uint32_t first = 0; first < height; first += rows) {
    const Rows needed = rows_needed(network, layer, input, {first, std::min(first + rows, height)});
    most = std::max(most, needed.end - needed.first);
  }
  return static_cast<std::uint32_t>(most);
}

class Layout {
 public:
  Layout(const Network &network, const Plan &plan, const Layer &layer) : network_(network), plan_(plan), layer_(layer) {}

  [[nodiscard]] bool wanted() const {
    return intermediate_of(network_, layer_).has_value() || is_spilled(plan_, layer_.output) ||
           std::any_of(layer_.inputs.begin(), layer_.inputs.end(), [this](std::size_t input) { return is_spilled(plan_, input); });
  }

  /// Returns the layout for strips of `extent` rows of the output, or of `extent` channels of a global pool's input.
  [[nodiscard]] StripLayout of(std::uint32_t extent) const {
    StripLayout layout;
    const bool by_channels = layer_.operation == Operation::global_average_pool;
    (by_channels ? layout.channels : layout.rows) = extent;
    for (const std::size_t input : layer_.inputs) {
      const bool twice =
          std::any_of(layout.buffers.begin(), layout.buffers.end(), [input](const StripBuffer &b) { return b.map == input; });
      if (!is_spilled(plan_, input) || twice) continue;
      const Shape &shape = network_.maps[input].shape;
      add(layout, input, by_channels ? extent : shape.channels, by_channels ? shape.height : most_rows(network_, layer_, input, extent));
    }
    const Shape &shape = network_.output_of(layer_).shape;
    if (is_spilled(plan_, layer_.output)) add(layout, layer_.output, shape.channels, by_channels ? 1 : extent);
    layout.temporary = layout.slot_bytes;
    if (const auto between = intermediate_of(network_, layer_)) reserve(layout, *between, between->shape.channels, extent);
    return layout;
  }

  [[nodiscard]] StripLayout best(std::uint32_t images) const {
    const FeatureMap &input = network_.input_of(layer_);
    const bool by_channels = layer_.operation == Operation::global_average_pool;
    // If strips divide channels, a strip's pixels must fill whole units of kPixelAlignment bytes in L2.
    const std::uint32_t granule = by_channels ? static_cast<std::uint32_t>(isa::tile::kPixelAlignment) / input.element_bytes() : 1;
    const std::uint32_t whole = by_channels ? input.shape.channels : network_.output_of(layer_).shape.height;
    // Bounds of a strip's extent, in granules. A strip has at least 1 granule, even if that does not fit.
    std::uint32_t low = 1, high = divide_up(whole, granule);
    const auto extent = [&](std::uint32_t granules) { return std::min(granules * granule, whole); };
    const auto slots = [&](std::uint32_t of_strip) { return of_strip == whole && images == 1 ? 1U : 2U; };
    const auto fits = [&](std::uint32_t of_strip) { return slots(of_strip) * of(of_strip).slot_bytes <= plan_.strip_bytes; };
    high = divide_up(high, kLeastStrips);
    while (low < high) {
      const std::uint32_t middle = (low + high + 1) / 2;
      fits(extent(middle)) ? low = middle : high = middle - 1;
    }
    // Make the strips about the same size.
    const std::uint32_t strips = divide_up(whole, extent(low));
    const std::uint32_t each = extent(divide_up(divide_up(whole, strips), granule));
    StripLayout layout = of(each);
    layout.slots = fits(each) ? slots(each) : 1;
    return layout;
  }

 private:
  void add(StripLayout &layout, std::size_t map, std::uint32_t channels, std::uint32_t rows) const {
    layout.buffers.push_back({map, channels, rows, layout.slot_bytes});
    reserve(layout, network_.maps[map], channels, rows);
  }

  static void reserve(StripLayout &layout, FeatureMap strip, std::uint32_t channels, std::uint32_t rows) {
    strip.shape.channels = channels;
    strip.shape.height = rows;
    layout.slot_bytes += isa::tile::align_up(layout_of(strip).image_bytes, kStripAlignment);
  }

  const Network &network_;
  const Plan &plan_;
  const Layer &layer_;
};

}  // namespace

std::optional<FeatureMap> intermediate_of(const Network &network, const Layer &layer) {
  const FeatureMap &output = network.output_of(layer);
  if (layer.has_gamma()) return as_fp32(output);
  const std::vector<Join> joins = joins_of(network, layer);
  const Join *join = widest(joins);
  return join == nullptr ? std::nullopt : std::optional(transposed(output, *join));
}

std::optional<StripLayout> strips_of(const Network &network, const Plan &plan, std::size_t layer) {
  const Layout layout(network, plan, network.layers[layer]);
  if (!layout.wanted()) return std::nullopt;
  const auto segment = std::find_if(plan.segments.begin(), plan.segments.end(), [layer](const Segment &s) { return layer < s.end_layer; });
  return layout.best(segment->images);
}

}  // namespace cox::lower
