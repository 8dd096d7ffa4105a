// SPDX-License-Identifier: MIT
#include "tools/lower/emit/strip_steps.h"

#include <algorithm>

#include "tools/lower/plan/rows.h"

namespace cox::lower {
namespace {

/// A strip of one image: rows of the output, or channels for a global pool, whose output is one pixel.
struct Strip {
  std::uint32_t image = 0, first_row = 0, rows = 1, first_channel = 0, channels = 0;
};

std::vector<Strip> divide(const Work &work, const Step &step, const StripLayout &layout) {
  const Layer &layer = work.network.layers[step.layer];
  const Shape &output = work.network.output_of(layer).shape;
  const bool by_channels = layout.channels != 0;
  const std::uint32_t all = by_channels ? output.channels : rows_of(step, output.height);
  const std::uint32_t each = by_channels ? layout.channels : layout.rows;
  std::vector<Strip> strips;
  for (std::uint32_t image = step.first_image; image < step.first_image + step.images; ++image) {
    for (std::uint32_t first = 0; first < all; first += each) {
      const std::uint32_t extent = std::min(each, all - first);
      strips.push_back(by_channels ? Strip{image, 0, 1, first, extent} : Strip{image, step.first_row + first, extent, 0, output.channels});
    }
  }
  return strips;
}

class StripEmission {
 public:
  StripEmission(const Work &work, const Step &step, const StripLayout &layout, std::int64_t base)
      : work_(work),
        layer_(work.network.layers[step.layer]),
        layout_(layout),
        base_(base),
        origin_{static_cast<std::int32_t>(step.layer)} {}

  /// Emits the step for cores [first, end), which all do the same work.
  void run(const Step &step, unsigned first, unsigned end, const std::function<void(const Step &, std::uint32_t)> &layer) {
    unsigned turn = 0;
    for (const Strip &strip : divide(work_, step, layout_)) {
      begin(strip, base_ + turn++ % layout_.slots * layout_.slot_bytes);
      for (unsigned core = first; core < end; ++core) {
        work_.emitter.select(core);
        for (const StripMove &move : loads_) load_strip(work_, origin_, move);
      }
      Step part = step;
      part.first_image = strip.image;
      part.images = 1;
      part.first_row = strip.first_row;
      part.rows = strip.rows;
      layer(part, strip.first_channel);
      for (unsigned core = first; core < end; ++core) {
        work_.emitter.select(core);
        store(strip);
      }
    }
    work_.strips.maps.clear();
  }

 private:
  [[nodiscard]] bool by_channels() const { return layout_.channels != 0; }

  void begin(const Strip &strip, std::int64_t slot) {
    loads_.clear();
    work_.strips.temporary = slot + layout_.temporary;
    for (const StripBuffer &buffer : layout_.buffers) {
      const Shape &shape = work_.network.maps[buffer.map].shape;
      Excerpt excerpt{{shape.channels, strip.rows, shape.width}, strip.first_row, slot + buffer.offset};
      if (buffer.map != layer_.output) {
        Rows needed{0, shape.height};
        if (!by_channels()) {
          needed = rows_needed(work_.network, layer_, buffer.map, {strip.first_row, std::int64_t{strip.first_row} + strip.rows});
        }
        // A transposed convolution may read no row of its source, but the map must have at least one row.
        const bool none = needed.end <= needed.first;
        excerpt.first_row = std::clamp<std::int64_t>(needed.first, 0, shape.height - 1);
        excerpt.shape.height = none ? 1 : static_cast<std::uint32_t>(needed.end - needed.first);
        if (by_channels()) excerpt.shape.channels = strip.channels;
        const StripMove move{buffer.map,           strip.image,         static_cast<std::uint32_t>(excerpt.first_row),
                             excerpt.shape.height, strip.first_channel, excerpt.shape.channels};
        if (!none) loads_.push_back(move);
      }
      work_.strips.maps[buffer.map] = excerpt;
    }
  }

  void store(const Strip &strip) {
    if (!is_spilled(work_.plan, layer_.output)) return;
    store_strip(work_, origin_, {layer_.output, strip.image, strip.first_row, strip.rows, strip.first_channel, strip.channels});
  }

  const Work &work_;
  const Layer &layer_;
  const StripLayout &layout_;
  std::int64_t base_;
  Origin origin_;
  std::vector<StripMove> loads_;  ///< loads of the current strip
};

}  // namespace

void emit_strips(const Work &work, const Step &step, const StripLayout &layout, std::int64_t base,
                 const std::function<void(const Step &, std::uint32_t)> &layer) {
  StripEmission emission(work, step, layout, base);
  if (work.network.layers[step.layer].has_weights()) return emission.run(step, 0, work.plan.cores, layer);
  for (unsigned core = 0; core < work.plan.cores; ++core) {
    const Step share = share_of(work, step, core);
    if (share.images != 0) emission.run(share, core, core + 1, layer);
  }
}

}  // namespace cox::lower
