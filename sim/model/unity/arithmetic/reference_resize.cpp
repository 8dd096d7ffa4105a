// SPDX-License-Identifier: MIT
// RESIZE_BILINEAR and RESIZE_NEAREST.
#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "sim/model/unity/arithmetic/resize_numbers.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::FeatureMap;
using isa::unity::Resize;

/// Bits of source element (h, w, c).
struct Source {
  const FeatureMap &map;
  const std::byte *bytes;
  std::uint32_t c = 0;

  [[nodiscard]] std::uint64_t at(std::uint32_t h, std::uint32_t w) const { return load_at(bytes, map.unit, map.nibble(h, w, c)); }
};

std::uint64_t bilinear_whole(const Source &source, const Neighbours<std::int64_t> &rows, const Neighbours<std::int64_t> &columns) {
  const Unit unit = source.map.unit;
  std::int64_t sum = 0;
  const auto add = [&](std::uint32_t h, std::uint32_t w, std::int64_t weight) {
    sum += isa::unity::integer_of(unit, source.at(h, w)) * weight;
  };
  add(rows.lower, columns.lower, (1024 - rows.weight) * (1024 - columns.weight));
  add(rows.upper, columns.lower, rows.weight * (1024 - columns.weight));
  add(rows.lower, columns.upper, (1024 - rows.weight) * columns.weight);
  add(rows.upper, columns.upper, rows.weight * columns.weight);
  const std::int64_t half = sum > 0 ? 1 << 19 : -(1 << 19);
  return static_cast<std::uint64_t>((sum + half) / (1 << 20)) & mask_of(unit);
}

template <typename Wide>
std::uint64_t bilinear_real(const Source &source, const Neighbours<Wide> &rows, const Neighbours<Wide> &columns) {
  const Unit unit = source.map.unit;
  // A weight of 0 omits its element, which may be infinite.
  const auto line = [&](std::uint32_t h) {
    const auto value = [&](std::uint32_t w) { return static_cast<Wide>(real_of_bits(source.at(h, w), unit)); };
    const Wide lower = value(columns.lower);
    return columns.weight == 0 ? lower : lower * (1 - columns.weight) + value(columns.upper) * columns.weight;
  };
  const Wide lower = line(rows.lower);
  return bits_of_wide(rows.weight == 0 ? lower : lower * (1 - rows.weight) + line(rows.upper) * rows.weight, unit);
}

}  // namespace

void resize(const Resize &operation, Memory &memory) {
  const FeatureMap &map = operation.source, &to = operation.result;
  const std::byte *in = read(memory, map);
  std::byte *out = write(memory, to);
  const auto direction = [&](std::uint32_t from, std::uint32_t into) {
    return Direction{from, into, operation.align_corners, operation.half_pixel};
  };
  const Direction rows = direction(map.height, to.height), columns = direction(map.width, to.width);
  for (std::uint32_t h = 0; h < to.height; ++h) {
    for (std::uint32_t w = 0; w < to.width; ++w) {
      for (std::uint32_t c = 0; c < to.channels; ++c) {
        const Source source{map, in, c};
        std::uint64_t bits = 0;
        if (operation.op == isa::unity::Opcode::RESIZE_NEAREST) {
          bits = source.at(nearest(rows, h), nearest(columns, w));
        } else if (is_float(map.unit)) {
          bits = in_wider(map.unit, [&](auto wide) {
            using Wide = decltype(wide);
            return bilinear_real(source, real_neighbours<Wide>(rows, h), real_neighbours<Wide>(columns, w));
          });
        } else {
          bits = bilinear_whole(source, fixed_neighbours(rows, h), fixed_neighbours(columns, w));
        }
        store_at(out, to.unit, to.nibble(h, w, c), bits);
      }
    }
  }
}

}  // namespace cox::model::unity::reference
