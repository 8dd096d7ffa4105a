// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d_tiles.h"

#include <algorithm>

#include "coxswain/isa/cube/table.h"
#include "coxswain/kernels/cube/conv2d_cost.h"
#include "coxswain/kernels/cube/pipeline.h"

namespace cox::kernels::cube {
namespace {

using isa::cube::fractals;
using isa::cube::k_fractals;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRows;
using isa::cube::kL1Bytes;

constexpr std::uint32_t kBankFractals = isa::cube::kL0ABytes / kBanks / kFractalBytes;
constexpr std::uint32_t kTileFractals = isa::cube::kL0CBytes / kBanks / isa::cube::kAccumulatorFractalBytes;

/// Returns the maximum of a field of IM2COL_CFG.
template <isa::FixedString Name>
constexpr std::uint32_t most() {
  return static_cast<std::uint32_t>(isa::cube::field<isa::cube::Opcode::IM2COL_CFG, Name>().maximum);
}
using detail::kMostK;
constexpr std::uint32_t kMostSide = most<"Width">();  // the longest side of a map in L1, and the longest row of output positions
static_assert(most<"Height">() == kMostSide && most<"OutWidth">() == kMostSide);

bool fits_fields(const Conv2dShape &shape) {
  constexpr std::uint64_t kMostDepth = isa::cube::field<isa::cube::Opcode::IM2COL_TO_L0A, "FirstColumn">().maximum;
  const std::uint64_t reach_y = std::uint64_t{shape.kernel_height - 1} * shape.dilation_y + 1;
  const std::uint64_t reach_x = std::uint64_t{shape.kernel_width - 1} * shape.dilation_x + 1;
  return shape.kernel_height <= most<"KernelHeight">() && shape.kernel_width <= most<"KernelWidth">() &&
         shape.stride_y <= most<"StrideY">() && shape.stride_x <= most<"StrideX">() && shape.dilation_y <= most<"DilationY">() &&
         shape.dilation_x <= most<"DilationX">() && shape.pad_top <= most<"PadTop">() && shape.pad_left <= most<"PadLeft">() &&
         shape.pixel_bytes() <= most<"PixelPitch">() && reach_y <= kMostSide && reach_x <= kMostSide && shape.depth() <= kMostDepth;
}

/// Returns the bytes of L1 that are left for weights and map.
std::uint64_t room(const Conv2dShape &shape, const Conv2dTiles &tiles) {
  const Conv2dPlaces places = places_in_l1(shape, tiles);
  return places.weights >= kL1Bytes ? 0 : kL1Bytes - places.weights;
}

void set_residual(const Conv2dShape &shape, Conv2dTiles &tiles) {
  if (!shape.residual) return;
  tiles.residual_bytes = tiles.tile * tiles.block * shape.output_bytes;
  tiles.residual_slots = residual_lag(tiles.steps(shape)) + 2;
}

/// Cuts k into steps of about equal length, whose operands fit a bank of L0. Puts several steps into a chunk, so that the weights of a
/// chunk have about `wanted` bytes in L1.
void set_k(const Conv2dProblem &problem, Conv2dTiles &tiles, std::uint64_t wanted) {
  const std::uint32_t m = fractals(tiles.tile, kFractalRows), n = fractals(tiles.block, kFractalRows);
  const std::uint32_t most = std::min(kBankFractals / std::max(m, n) / problem.unit_fractals, kMostK / problem.unit);
  const std::uint64_t steps = divided_up(problem.units, most);
  tiles.step = narrow(divided_up(problem.units, steps)) * problem.unit;
  const std::uint64_t step_bytes = std::uint64_t{n} * (tiles.step / problem.unit) * problem.unit_fractals * kFractalBytes;
  const std::uint64_t all = divided_up(problem.depth, tiles.step);
  const std::uint64_t together = std::clamp<std::uint64_t>(wanted / step_bytes, 1, all);
  const std::uint64_t chunks = divided_up(all, together);
  const std::uint64_t even = divided_up(all, chunks);
  tiles.chunk = narrow(even) * tiles.step;
  tiles.weight_bytes = narrow(even * step_bytes);
}

/// Keeps the tiles with the fewest cycles.
class Choice {
 public:
  explicit Choice(const Conv2dProblem &problem) : problem_(problem) {}

  [[nodiscard]] const Conv2dTiles &best() const { return best_; }
  [[nodiscard]] bool found() const { return best_.cycles != 0; }

  /// Tries all ways to keep map and weights in L1, with the blocks and tiles of `tiles`.
  void consider(Conv2dTiles tiles) {
    const Conv2dShape &shape = problem_.shape;
    for (const std::uint64_t wanted : {16U << 10, 32U << 10, 64U << 10}) {
      tiles.map = MapIn::strips;
      set_k(problem_, tiles, wanted);
      set_residual(shape, tiles);
      tiles.strip_tiles = 1;
      if (tiles.columns == 0) consider_images(tiles);
      consider_strips(tiles);
    }
  }

 private:
  void keep(const Conv2dTiles &tiles) {
    const std::uint64_t cycles = conv2d_cycles(problem_, tiles);
    if (found() && cycles >= best_.cycles) return;
    best_ = tiles;
    best_.cycles = cycles;
  }

  void consider_images(Conv2dTiles tiles) {
    const Conv2dShape &shape = problem_.shape;
    const std::uint64_t image = std::uint64_t{shape.height} * problem_.row_bytes, left = room(shape, tiles);
    if (image > left) return;
    tiles.map = MapIn::images;
    tiles.map_bytes = narrow(image);
    const std::uint64_t all = std::uint64_t{tiles.blocks(shape)} * tiles.chunks(shape);
    // The number of strips is limited, because each strip needs a load, and at most kMostLoadsAhead loads may be ahead of the moves.
    tiles.strip_tiles = narrow(divided_up(tiles.tiles_of_image(shape), kMostStrips));
    for (const std::uint64_t images : {std::uint64_t{shape.batch}, std::uint64_t{2}, std::uint64_t{1}}) {
      if (images > shape.batch || (images > 1 && images * tiles.strips(shape) > kMostBands) || images * image > left) continue;
      tiles.map_slots = narrow(images);
      const std::uint64_t for_weights = (left - images * image) / tiles.weight_bytes;
      if (for_weights >= all && all <= kMostWeights) keep_with_weights(tiles, all, false, true);
      const std::uint64_t slots = std::min<std::uint64_t>(for_weights, kMostWeights);
      if (images == shape.batch && slots >= least_weights(tiles, true)) keep_with_weights(tiles, slots, true, false);
      if (slots >= least_weights(tiles, false)) keep_with_weights(tiles, slots, false, false);
    }
  }

  void consider_strips(Conv2dTiles tiles) {
    const Conv2dShape &shape = problem_.shape;
    tiles.map = MapIn::strips;
    const std::uint64_t left = room(shape, tiles);
    const std::uint64_t all = std::uint64_t{tiles.blocks(shape)} * tiles.chunks(shape), chunks = tiles.chunks(shape);
    if (all <= kMostWeights) consider_strips_beside(tiles, left, all, false, true);
    if (chunks + 2 <= kMostWeights) {
      consider_strips_beside(tiles, left, chunks + 2, true, false);
      consider_strips_beside(tiles, left, chunks + 2, false, false);
    }
    consider_strips_beside(tiles, left, std::min<std::uint64_t>(kMostWeights / 2, chunks + 2), false, false, 1);
  }

  /// Tries strips of the greatest height at which two of them fit beside the weights.
  void consider_strips_beside(Conv2dTiles tiles, std::uint64_t left, std::uint64_t slots, bool outside, bool stay,
                              std::uint32_t most_tiles = ~0U) {
    const Conv2dShape &shape = problem_.shape;
    const std::uint64_t weights = slots * tiles.weight_bytes;
    if (weights >= left) return;
    const std::uint64_t strip = (left - weights) / 2;
    const std::uint64_t rows_in_image = tiles.columns == 0 ? divided_up(problem_.places, tiles.tile) : shape.out_height;
    std::uint64_t low = 0, high = std::min<std::uint64_t>(rows_in_image, most_tiles) + 1;
    while (high - low > 1) {
      const std::uint64_t middle = (low + high) / 2;
      (strip_bytes(tiles, middle) <= strip ? low : high) = middle;
    }
    if (low == 0) return;
    tiles.strip_tiles = narrow(divided_up(rows_in_image, divided_up(rows_in_image, low)));
    tiles.map_bytes = narrow(strip_bytes(tiles, tiles.strip_tiles));
    tiles.map_slots = 2;
    keep_with_weights(tiles, slots, outside, stay);
  }

  [[nodiscard]] std::uint64_t strip_bytes(const Conv2dTiles &tiles, std::uint64_t count) const {
    const bool cut = tiles.columns != 0;
    const std::uint64_t rows = problem_.rows_of(cut ? count : problem_.out_rows_of(count * tiles.tile));
    const std::uint64_t columns = cut ? problem_.columns_of(tiles.columns) : problem_.shape.width;
    return rows > kMostSide || columns > kMostSide ? kL1Bytes : rows * columns * problem_.shape.pixel_bytes();
  }

  /// Returns the smallest number of buffers for weights. Each buffer holds one chunk of a block. If only one tile uses a block, two buffers
  /// are used in turn. Otherwise all chunks of the block must be in L1 at once, and the next weights are loaded to one more buffer.
  [[nodiscard]] std::uint64_t least_weights(const Conv2dTiles &tiles, bool outside) const {
    const bool once = outside ? problem_.shape.batch * tiles.tiles_of_image(problem_.shape) == 1 : tiles.strip_tiles == 1;
    return once ? 2 : tiles.chunks(problem_.shape) + 1;
  }

  void keep_with_weights(Conv2dTiles tiles, std::uint64_t slots, bool outside, bool stay) {
    tiles.weight_slots = narrow(slots);
    tiles.weights_outside = outside;
    tiles.weights_stay = stay;
    tiles.weights_in_l0 = stay && can_stay_in_l0(tiles);
    keep(tiles);
  }

  [[nodiscard]] bool can_stay_in_l0(const Conv2dTiles &tiles) const {
    const std::uint64_t in_bank = (std::uint64_t{tiles.steps(problem_.shape)} + kBanks - 1) / kBanks;
    return tiles.blocks(problem_.shape) == 1 && in_bank * step_bytes_of_weights(problem_.shape, tiles) <= isa::cube::kL0BBytes / kBanks;
  }

  static constexpr std::uint32_t kMostStrips = 40, kMostBands = 50, kMostWeights = 48;
  static_assert(kMostBands + kMostWeights <= kMostLoadsAhead);

  const Conv2dProblem &problem_;
  Conv2dTiles best_;
};

/// Cuts `all` into parts of about equal size: as few as possible, and each at most `most`. Returns the size of a part.
std::uint32_t even(std::uint64_t all, std::uint64_t most) { return narrow(divided_up(all, divided_up(all, most))); }

Conv2dTiles taps(const Conv2dProblem &problem) {
  const Conv2dShape &shape = problem.shape;
  constexpr std::uint32_t kFractalsOfSide = 8;
  static_assert(kFractalsOfSide * kFractalRows <= most<"PadLeft">());
  constexpr std::uint32_t kMostChunkBytes = 1024;
  Conv2dTiles tiles;
  tiles.map = MapIn::taps;
  tiles.columns = tiles.tile = std::min(shape.out_width, kFractalsOfSide * kFractalRows);
  tiles.block = std::min(shape.group_outputs(), kFractalsOfSide * kFractalRows);
  tiles.step = kBankFractals / kFractalsOfSide / problem.unit_fractals * problem.unit;
  if (shape.group_channels() < tiles.step) tiles.step = narrow(divided_up(shape.group_channels(), problem.unit)) * problem.unit;
  const std::uint32_t most = narrow(std::uint64_t{kMostChunkBytes} * 8 / isa::cube::element_bits(shape.type));
  tiles.chunk =
      std::max<std::uint32_t>(1, std::min(most, narrow(divided_up(shape.group_channels(), tiles.step)) * tiles.step) / tiles.step) *
      tiles.step;
  tiles.map_slots = 2;
  tiles.map_bytes = tiles.columns * narrow(shape.bytes_of(tiles.chunk));
  tiles.weight_bytes = fractals(tiles.block, kFractalRows) * k_fractals(tiles.chunk, shape.type, false) * kFractalBytes;
  tiles.weight_slots = 2;
  set_residual(shape, tiles);
  return tiles;
}

}  // namespace

std::uint32_t Conv2dTiles::chunks(const Conv2dShape &shape) const {
  if (map != MapIn::taps) return narrow(divided_up(shape.depth(), chunk));
  return narrow(std::uint64_t{shape.kernel_height} * shape.kernel_width * divided_up(shape.group_channels(), chunk));
}

std::uint32_t Conv2dTiles::steps(const Conv2dShape &shape) const {
  if (map != MapIn::taps) return narrow(divided_up(shape.depth(), step));
  return narrow(std::uint64_t{shape.kernel_height} * shape.kernel_width * divided_up(shape.group_channels(), step));
}

std::uint64_t Conv2dTiles::tiles_of_image(const Conv2dShape &shape) const {
  return columns == 0 ? divided_up(shape.places(), tile) : divided_up(shape.out_width, columns) * shape.out_height;
}

std::uint32_t Conv2dTiles::strips(const Conv2dShape &shape) const {
  if (columns == 0) return narrow(divided_up(tiles_of_image(shape), strip_tiles));
  return narrow(divided_up(shape.out_width, columns) * divided_up(shape.out_height, strip_tiles));
}

std::uint32_t step_bytes_of_weights(const Conv2dShape &shape, const Conv2dTiles &tiles) {
  return fractals(tiles.block, kFractalRows) * k_fractals(tiles.step, shape.type, false) * kFractalBytes;
}

Conv2dPlaces places_in_l1(const Conv2dShape &shape, const Conv2dTiles &tiles) {
  constexpr std::uint32_t kTableBytes = 4;
  Conv2dPlaces places;
  places.factors = shape.tables < 2 ? 0 : shape.outputs * kTableBytes;
  places.residual = shape.tables * shape.outputs * kTableBytes;
  places.weights = fractals(places.residual + tiles.residual_slots * tiles.residual_bytes, kFractalBytes) * kFractalBytes;
  places.map = places.weights + tiles.weight_slots * tiles.weight_bytes;
  places.end = places.map + tiles.map_slots * tiles.map_bytes;
  return places;
}

Conv2dTiles choose_conv2d_tiles(const Conv2dShape &shape) {
  const Conv2dProblem problem(shape);
  if (!fits_fields(shape)) return taps(problem);
  Choice choice(problem);
  const std::uint32_t all_n = fractals(shape.group_outputs(), kFractalRows);
  const bool whole_rows = shape.out_width <= kMostSide && shape.width <= kMostSide && problem.row_bytes < kL1Bytes;
  const std::uint32_t most_side = kBankFractals / problem.unit_fractals;
  for (std::uint32_t n = 1; n <= most_side; n *= 2) {
    Conv2dTiles tiles;
    const std::uint32_t n_fractals = even(all_n, n);
    tiles.block = std::min(n_fractals * kFractalRows, shape.group_outputs());
    for (std::uint32_t m = 1; m <= most_side && m * n_fractals <= kTileFractals; m *= 2) {
      if (m * n_fractals < 8 && (m < most_side / 2 && std::uint64_t{m} * kFractalRows < problem.places))
        continue;  // with tiles this small, the array would wait for the moves
      if (whole_rows) {
        tiles.tile = even(divided_up(problem.places, kFractalRows), m) * kFractalRows;
        tiles.columns = 0;
        choice.consider(tiles);
      }
      if (!whole_rows || !choice.found()) {
        tiles.columns = tiles.tile = even(shape.out_width, std::uint64_t{m} * kFractalRows);
        choice.consider(tiles);
      }
    }
    if (n >= all_n) break;
  }
  return choice.found() ? choice.best() : taps(problem);
}

}  // namespace cox::kernels::cube
