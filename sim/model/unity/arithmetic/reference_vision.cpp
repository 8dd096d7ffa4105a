// SPDX-License-Identifier: MIT
// Look-ups and vision: EMBEDDING, ONE_HOT, PIXEL_SHUFFLE, PIXEL_UNSHUFFLE, GRID_SAMPLE, AFFINE_GRID.
#include <array>

#include "sim/model/unity/arithmetic/mover.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::AffineGrid;
using isa::unity::FeatureMap;
using isa::unity::GridSample;
using isa::unity::Lookup;
using isa::unity::Opcode;
using isa::unity::PixelShuffle;

std::int64_t index_at(const std::byte *indices, std::uint64_t i) {
  return isa::unity::integer_of(Unit::s32, load_bits(indices, Unit::s32, i));
}
bool is_below(std::int64_t index, std::uint64_t extent) { return index >= 0 && static_cast<std::uint64_t>(index) < extent; }

void one_hot(const Lookup &operation, Memory &memory) {
  const std::byte *indices = read(memory, operation.index);
  std::byte *result = write(memory, operation.result);
  const Unit unit = operation.result.unit;
  const std::uint64_t one = is_float(unit) ? bits_of_real(1, unit) : 1;
  for (std::uint64_t i = 0; i < operation.index.elements; ++i) {
    const std::int64_t index = index_at(indices, i);
    for (std::uint32_t j = 0; j < operation.width; ++j) store_bits(result, unit, i * operation.width + j, index == j ? one : 0);
  }
  clear_spare(result, unit, operation.result.elements);
}

/// A coordinate's place among `size` elements, which may lie between or outside of them.
template <typename Wide>
class Places {
 public:
  Places(const GridSample &operation, std::uint32_t size)
      : padding_(operation.padding), align_(operation.align_corners), last_(static_cast<Wide>(size - 1)), size_(static_cast<Wide>(size)) {}

  [[nodiscard]] Wide of(Wide coordinate) const {
    const Wide place = align_ ? (coordinate + 1) * (last_ / 2) : (coordinate + 1) * (size_ / 2) - Wide{0.5};
    switch (padding_) {
      case GridSample::Padding::border: return bounded(place);
      case GridSample::Padding::reflection: return bounded(reflected(place));
      default: return place;
    }
  }
  [[nodiscard]] bool contains(Wide place) const { return place >= 0 && place <= last_; }

 private:
  /// NaN becomes 0.
  [[nodiscard]] Wide bounded(Wide place) const { return place > 0 ? (place < last_ ? place : last_) : Wide{0}; }
  /// Reflects at the centres or the edges of the outermost elements. Infinities become NaN.
  [[nodiscard]] Wide reflected(Wide place) const {
    const Wide low = align_ ? Wide{0} : Wide{-0.5}, span = align_ ? last_ : size_;
    if (span == 0) return 0;
    const Wide distance = std::fmod(std::fabs(place - low), 2 * span);
    return (distance > span ? 2 * span - distance : distance) + low;
  }

  GridSample::Padding padding_;
  bool align_;
  Wide last_, size_;
};

template <typename Wide>
class Sampler {
 public:
  Sampler(const GridSample &operation, Memory &memory)
      : operation_(operation),
        source_(read(memory, operation.source)),
        grid_(read(memory, operation.grid)),
        result_(write(memory, operation.result)),
        rows_(operation, operation.source.height),
        columns_(operation, operation.source.width) {}

  void run() const {
    const FeatureMap &to = operation_.result;
    for (std::uint32_t h = 0; h < to.height; ++h) {
      for (std::uint32_t w = 0; w < to.width; ++w) {
        const std::uint64_t pair = (std::uint64_t{h} * to.width + w) * 2;
        const Wide x = columns_.of(number(grid_, pair)), y = rows_.of(number(grid_, pair + 1));
        for (std::uint32_t c = 0; c < to.channels; ++c) {
          const std::uint64_t bits = operation_.nearest ? bits_at(std::nearbyint(y), std::nearbyint(x), c) : bilinear(y, x, c);
          store_at(result_, to.unit, to.nibble(h, w, c), bits);
        }
      }
    }
  }

 private:
  [[nodiscard]] Wide number(const std::byte *run, std::uint64_t i) const {
    return static_cast<Wide>(real_of_bits(load_bits(run, operation_.grid.unit, i), operation_.grid.unit));
  }
  /// The element at a whole place; 0 outside of the map, also for NaN.
  [[nodiscard]] std::uint64_t bits_at(Wide y, Wide x, std::uint32_t c) const {
    if (!rows_.contains(y) || !columns_.contains(x)) return 0;
    const FeatureMap &map = operation_.source;
    return load_at(source_, map.unit, map.nibble(static_cast<std::uint64_t>(y), static_cast<std::uint64_t>(x), c));
  }
  [[nodiscard]] std::uint64_t bilinear(Wide y, Wide x, std::uint32_t c) const {
    const Unit unit = operation_.source.unit;
    const auto value = [&](Wide row, Wide column) { return static_cast<Wide>(real_of_bits(bits_at(row, column, c), unit)); };
    const Wide top = std::floor(y), left = std::floor(x);
    const Wide lower = y - top, right = x - left;
    Wide sum = value(top, left) * ((1 - lower) * (1 - right));
    sum += value(top, left + 1) * ((1 - lower) * right);
    sum += value(top + 1, left) * (lower * (1 - right));
    sum += value(top + 1, left + 1) * (lower * right);
    return bits_of_wide(sum, unit);
  }

  const GridSample &operation_;
  const std::byte *source_, *grid_;
  std::byte *result_;
  Places<Wide> rows_, columns_;
};

/// Coordinate of element i of `size`, from -1 to 1.
template <typename Wide>
Wide coordinate(std::uint32_t i, std::uint32_t size, bool align_corners) {
  if (!align_corners) return (2 * static_cast<Wide>(i) + 1 - static_cast<Wide>(size)) / static_cast<Wide>(size);
  return size == 1 ? Wide{0} : (2 * static_cast<Wide>(i) - static_cast<Wide>(size - 1)) / static_cast<Wide>(size - 1);
}

template <typename Wide>
void fill_grid(const AffineGrid &operation, Memory &memory) {
  const Unit unit = operation.result.unit;
  const std::byte *matrix = read(memory, operation.matrix);
  std::byte *result = write(memory, operation.result);
  std::array<Wide, 6> m{};
  for (unsigned i = 0; i < m.size(); ++i) m[i] = static_cast<Wide>(real_of_bits(load_bits(matrix, unit, i), unit));
  std::uint64_t at = 0;
  for (std::uint32_t h = 0; h < operation.height; ++h) {
    const Wide y = coordinate<Wide>(h, operation.height, operation.align_corners);
    for (std::uint32_t w = 0; w < operation.width; ++w) {
      const Wide x = coordinate<Wide>(w, operation.width, operation.align_corners);
      store_bits(result, unit, at++, bits_of_wide(m[0] * x + m[1] * y + m[2], unit));
      store_bits(result, unit, at++, bits_of_wide(m[3] * x + m[4] * y + m[5], unit));
    }
  }
}

}  // namespace

Status lookup(const Lookup &operation, Memory &memory) {
  if (operation.op == Opcode::ONE_HOT) {
    one_hot(operation, memory);
    return {};
  }
  const std::byte *indices = read(memory, operation.index);
  for (std::uint64_t i = 0; i < operation.index.elements; ++i) {
    if (const std::int64_t index = index_at(indices, i); !is_below(index, operation.rows)) {
      return Status(ErrorCode::field_out_of_range, "index", static_cast<std::int32_t>(i), index, signed_of(operation.rows));
    }
  }
  const Mover mover(memory, operation.table, operation.result);
  for (std::uint64_t i = 0; i < operation.index.elements; ++i) {
    mover.move(static_cast<std::uint64_t>(index_at(indices, i)) * operation.width, i * operation.width, operation.width);
  }
  mover.finish();
  return {};
}

Status pixel_shuffle(const PixelShuffle &operation, Memory &memory) {
  const std::byte *source = read(memory, operation.source);
  std::byte *result = write(memory, operation.result);
  const bool shuffles = operation.op == Opcode::PIXEL_SHUFFLE;
  const FeatureMap &fine = shuffles ? operation.result : operation.source, &coarse = shuffles ? operation.source : operation.result;
  const std::uint32_t scale = operation.scale;
  for (std::uint32_t h = 0; h < fine.height; ++h) {
    for (std::uint32_t w = 0; w < fine.width; ++w) {
      for (std::uint32_t c = 0; c < fine.channels; ++c) {
        const std::uint64_t one = fine.nibble(h, w, c);
        const std::uint64_t other = coarse.nibble(h / scale, w / scale, (c * scale + h % scale) * scale + w % scale);
        const std::uint64_t bits = load_at(source, fine.unit, shuffles ? other : one);
        store_at(result, fine.unit, shuffles ? one : other, bits);
      }
    }
  }
  return {};
}

Status grid_sample(const GridSample &operation, Memory &memory) {
  in_wider(operation.grid.unit, [&](auto wide) { Sampler<decltype(wide)>(operation, memory).run(); });
  return {};
}

Status affine_grid(const AffineGrid &operation, Memory &memory) {
  in_wider(operation.result.unit, [&](auto wide) { fill_grid<decltype(wide)>(operation, memory); });
  return {};
}

}  // namespace cox::model::unity::reference
