// SPDX-License-Identifier: MIT
// Pools of maps and volumes, by windows or by sections.
#include <algorithm>
#include <array>
#include <vector>

#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/parameter.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Depth;
using isa::unity::FeatureMap;
using isa::unity::Pool;

/// The elements of one window, by plane, row and column. `values` has padding, too.
struct Window {
  std::vector<std::uint64_t> bits;
  std::uint64_t valid = 0;  ///< the first ones are no padding
};

/// The element that has `before` others before it in ascending order, -0 before +0; NaN if there is one.
template <typename Value, typename Less>
Value ranked(std::vector<Value> values, std::size_t before, Less less) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(before), values.end(), less);
  return values[before];
}

std::size_t rank(Pool::Kind kind, std::size_t count) {
  return kind == Pool::Kind::max ? count - 1 : kind == Pool::Kind::min ? 0 : (count - 1) / 2;  // the lower one of two middle ones
}

std::uint64_t of_wholes(Pool::Kind kind, const Window &window, Unit unit) {
  if (kind == Pool::Kind::average) {
    Whole sum;
    for (std::uint64_t i = 0; i < window.valid; ++i) sum = sum + whole_of_bits(window.bits[i], unit);
    if (window.valid == 0) return 0;
    return bits_of_whole(quotient(sum, whole(false, window.valid), Rounding::half_from_zero), unit, false);
  }
  std::vector<Whole> values;
  for (const std::uint64_t bits : window.bits) values.push_back(whole_of_bits(bits, unit));
  return bits_of_whole(ranked(values, rank(kind, values.size()), [](Whole a, Whole b) { return a < b; }), unit, false);
}

std::uint64_t of_reals(Pool::Kind kind, const Window &window, Unit unit) {
  if (kind == Pool::Kind::average) {
    return in_wider(unit, [&](auto wide) {
      using Wide = decltype(wide);
      for (std::uint64_t i = 0; i < window.valid; ++i) wide += static_cast<Wide>(real_of_bits(window.bits[i], unit));
      return window.valid == 0 ? 0 : bits_of_wide(wide / static_cast<Wide>(window.valid), unit);
    });
  }
  std::vector<double> values;
  for (const std::uint64_t bits : window.bits) {
    values.push_back(real_of_bits(bits, unit));
    if (std::isnan(values.back())) return bits_of_real(values.back(), unit);
  }
  const auto less = [](double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); };
  return bits_of_real(ranked(values, rank(kind, values.size()), less), unit);
}

/// Positions of a window along a direction that lie inside of the map, from `first` to below `end`. Empty if first >= end.
struct Range {
  std::int64_t first = 0, end = 0;
};
Range window_range(std::int64_t index, std::int64_t stride, std::int64_t kernel, std::int64_t padding, std::int64_t extent) {
  const std::int64_t first = index * stride - padding;
  return {std::max<std::int64_t>(first, 0), std::min(first + kernel, extent)};
}
Range section_range(std::int64_t index, std::int64_t sections, std::int64_t extent) {
  return {index * extent / sections, ((index + 1) * extent + sections - 1) / sections};
}
/// Along the depth, rows and columns.
using Ranges = std::array<Range, 3>;

/// A pool of a volume; a map is a volume with one plane.
class Pooler {
 public:
  Pooler(Pool::Kind kind, const FeatureMap &source, const Depth &depth, const FeatureMap &result, Memory &memory)
      : kind_(kind), map_(source), depth_(depth), to_(result), source_(read(memory, source, depth)), result_(write(memory, result)) {}

  /// `ranges(d, h, w)`: the positions inside of the map for that result element. `pad(window, c)` adds padding of channel c.
  template <typename RangesAt, typename Pad>
  void run(RangesAt ranges, Pad pad) {
    const std::uint32_t lines = depth_.lines(to_);
    for (std::uint32_t line = 0; line < to_.height; ++line) {
      for (std::uint32_t w = 0; w < to_.width; ++w) {
        const Ranges inside = ranges(line / lines, line % lines, w);
        for (std::uint32_t c = 0; c < to_.channels; ++c) {
          take(inside, c);
          pad(window_, c);
          const std::uint64_t bits = is_float(map_.unit) ? of_reals(kind_, window_, map_.unit) : of_wholes(kind_, window_, map_.unit);
          store_at(result_, to_.unit, to_.nibble(line, w, c), bits);
        }
      }
    }
  }

 private:
  void take(const Ranges &inside, std::uint32_t c) {
    window_.bits.clear();
    for (std::int64_t z = inside[0].first; z < inside[0].end; ++z) {
      for (std::int64_t y = inside[1].first; y < inside[1].end; ++y) {
        for (std::int64_t x = inside[2].first; x < inside[2].end; ++x) {
          const std::uint64_t place = static_cast<std::uint64_t>(z) * depth_.source_step +
                                      map_.nibble(static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(x), c);
          window_.bits.push_back(load_at(source_, map_.unit, place));
        }
      }
    }
    window_.valid = window_.bits.size();
  }

  Pool::Kind kind_;
  const FeatureMap &map_;
  const Depth &depth_;
  const FeatureMap &to_;
  const std::byte *source_;
  std::byte *result_;
  Window window_;
};

void pool_windows(const Pool &operation, const Depth &depth, Memory &memory) {
  const auto &map = operation.source;
  const ParameterValues padding(memory, operation.padding, map);
  const std::size_t positions = std::size_t{depth.kernel} * operation.kernel_height * operation.kernel_width;
  Pooler(operation.kind, map, depth, operation.result, memory)
      .run(
          [&](std::uint32_t d, std::uint32_t h, std::uint32_t w) {
            return Ranges{window_range(d, depth.stride, depth.kernel, depth.front, depth.source),
                          window_range(h, operation.stride_vertical, operation.kernel_height, operation.top, map.height),
                          window_range(w, operation.stride_horizontal, operation.kernel_width, operation.left, map.width)};
          },
          [&](Window &window, std::uint32_t c) { window.bits.resize(positions, padding.bits(0, 0, c)); });
}

}  // namespace

void pool(const Pool &operation, Memory &memory) { pool_windows(operation, {}, memory); }

void volume_pool(const isa::unity::VolumePool &operation, Memory &memory) { pool_windows(operation.planes, operation.depth, memory); }

void section_pool(const isa::unity::SectionPool &operation, Memory &memory) {
  const auto &map = operation.source, &to = operation.result;
  const Depth &depth = operation.depth;
  Pooler(operation.kind, map, depth, to, memory)
      .run(
          [&](std::uint32_t d, std::uint32_t h, std::uint32_t w) {
            return Ranges{section_range(d, depth.result, depth.source), section_range(h, depth.lines(to), map.height),
                          section_range(w, to.width, map.width)};
          },
          [](Window & /*window*/, std::uint32_t /*c*/) {});
}

}  // namespace cox::model::unity::reference
