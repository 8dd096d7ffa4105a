// SPDX-License-Identifier: MIT
#include "coxswain/kernels/cube/conv2d_cost.h"

#include <array>

namespace cox::kernels::cube {
namespace {

using isa::cube::fractals;
using isa::cube::k_fractals;
using isa::cube::kFractalBytes;
using isa::cube::kFractalRows;

constexpr std::uint64_t kAccumulatorsPerCycle = kOutBytes / isa::cube::kAccumulatorBytes;

constexpr std::uint64_t bursts(std::uint64_t bytes) { return divided_up(bytes, kDramBurst) * kDramBurst; }

/// `count` parts of `fractals` fractals each. A part is a tile, or a block of output channels.
struct Parts {
  std::uint64_t fractals = 0, count = 0;
};
/// Cuts `all` into parts of `size`. The first entry has all parts except the last; the second entry has the last, which may be smaller.
std::array<Parts, 2> parts_of(std::uint64_t all, std::uint64_t size) {
  const std::uint64_t count = divided_up(all, size);
  return {{{fractals(narrow(size), kFractalRows), count - 1}, {fractals(narrow(all - (count - 1) * size), kFractalRows), 1}}};
}

/// Returns the cycles of a tile of m x n fractals. Each step takes the time of its MAD or of its moves to L0, whichever is longer.
std::uint64_t tile_cycles(const Conv2dProblem &problem, const Conv2dTiles &tiles, std::uint64_t m, std::uint64_t n) {
  const std::uint64_t units = tiles.step / problem.unit, steps = divided_up(problem.units, units);
  const auto step_cycles = [&](std::uint64_t step_units) {
    const std::uint64_t k = step_units * problem.unit_fractals;
    const std::uint64_t boundaries = m * kFractalRows * problem.boundaries * step_units / problem.units;
    const std::uint64_t moved = (tiles.weights_in_l0 ? m : m + n) * k * kFractalBytes + boundaries * isa::cube::kFractalRowBytes;
    return std::max(m * n * k + kIssueCycles, moved / kMoveBytes + std::uint64_t{2} * kIssueCycles);
  };
  return (steps - 1) * step_cycles(units) + step_cycles(problem.units - (steps - 1) * units);
}

/// Returns the cycles of all tiles, as tile_cycles() counts them.
std::uint64_t product_cycles(const Conv2dProblem &problem, const Conv2dTiles &tiles) {
  const Conv2dShape &shape = problem.shape;
  const bool cut = tiles.columns != 0;
  std::uint64_t cycles = 0;
  for (const Parts &m : parts_of(cut ? shape.out_width : problem.places, tiles.tile)) {
    for (const Parts &n : parts_of(shape.group_outputs(), tiles.block)) {
      if (m.count * n.count != 0) cycles += m.count * n.count * tile_cycles(problem, tiles, m.fractals, n.fractals);
    }
  }
  return cycles * shape.batch * shape.groups * (cut ? shape.out_height : 1);
}

}  // namespace

Conv2dProblem::Conv2dProblem(const Conv2dShape &given) : shape(given) {
  unit = k_unit(given.type);
  unit_fractals = unit / isa::cube::fractal_width(given.type);
  depth = given.depth();
  units = divided_up(depth, unit);
  places = given.places();
  row_bytes = std::uint64_t{given.width} * given.pixel_bytes();
  const std::uint64_t run = given.bytes_of(
      given.dilation_x == 1 && given.groups == 1 ? std::uint64_t{given.kernel_width} * given.group_channels() : given.group_channels());
  boundaries = run % isa::cube::kFractalRowBytes == 0 ? 0 : given.bytes_of(depth) / run;
}

std::uint64_t conv2d_cycles(const Conv2dProblem &problem, const Conv2dTiles &tiles) {
  const Conv2dShape &shape = problem.shape;
  const std::uint64_t batch = shape.batch, blocks = tiles.blocks(shape), strips = tiles.strips(shape);
  const std::uint64_t rounds = batch * tiles.tiles_of_image(shape) * blocks;
  const std::uint64_t out_bytes = std::uint64_t{shape.outputs} * shape.output_bytes;
  const std::uint64_t out = batch * problem.places * shape.outputs / kAccumulatorsPerCycle + rounds * kIssueCycles;

  const bool whole = tiles.map == MapIn::images;
  const std::uint64_t strip_columns = tiles.columns == 0 ? shape.width : problem.columns_of(tiles.columns);
  const std::uint64_t strip_rows =
      problem.rows_of(tiles.columns == 0 ? problem.out_rows_of(std::uint64_t{tiles.tile} * tiles.strip_tiles) : tiles.strip_tiles);
  const std::uint64_t strip_bytes = strip_rows * strip_columns * shape.pixel_bytes();
  const std::uint64_t map_times = tiles.weights_outside ? blocks : 1;
  const std::uint64_t map_bytes = whole ? batch * shape.height * problem.row_bytes : batch * strips * strip_bytes * map_times;
  const std::uint64_t weight_times = tiles.weights_stay || tiles.weights_outside ? 1 : batch * strips;
  const std::uint64_t weights = weight_times * shape.bytes_of(problem.depth) * shape.outputs;
  std::uint64_t port = map_bytes + weights + batch * problem.places * bursts(out_bytes / blocks) * blocks;
  if (shape.residual) port += batch * problem.places * out_bytes;
  const std::uint64_t dram = port / kDramBytes;

  // Three parts of the time overlap with nothing: before the first product, the last step, and the last tile's output.
  const std::uint64_t m = fractals(tiles.tile, kFractalRows), n = fractals(tiles.block, kFractalRows);
  const std::uint64_t steps = tiles.steps(shape), step = tile_cycles(problem, tiles, m, n) / steps;
  const std::uint64_t last_out = std::min<std::uint64_t>(problem.places, tiles.tile) * tiles.block / kAccumulatorsPerCycle;
  const std::uint64_t first = kDramLatency + (tiles.weight_bytes + strip_bytes) / kDramBytes +
                              (m + n) * k_fractals(tiles.step, shape.type, false) * kFractalBytes / kMoveBytes;
  return first + std::max({product_cycles(problem, tiles), out, dram}) + step + last_out;
}

}  // namespace cox::kernels::cube
