// SPDX-License-Identifier: MIT
#include "sim/model/cube/duration.h"

#include <algorithm>
#include <numeric>
#include <variant>

namespace cox::model::cube {
namespace {

constexpr std::uint64_t kBurstBytes = 32;

constexpr Cycle divided_up(std::uint64_t dividend, std::uint64_t divisor) { return (dividend + divisor - 1) / divisor; }

constexpr std::uint64_t bursts(std::uint64_t start, std::uint64_t bytes) {
  return (start + bytes - 1) / kBurstBytes - start / kBurstBytes + 1;
}

struct CostOf {
  const Geometry &geometry;

  Cost operator()(const isa::cube::Nothing & /*flag*/) const { return {}; }
  Cost operator()(const isa::cube::Barrier & /*barrier*/) const { return {}; }
  Cost operator()(const isa::cube::Im2col & /*set*/) const { return {}; }
  Cost operator()(const isa::cube::OutputConfiguration & /*set*/) const { return {}; }
  Cost operator()(const isa::cube::DramToL1 &load) const {
    return {0, burst_bytes(load.source, load.rows, load.row_bytes, load.source_pitch)};
  }
  Cost operator()(const isa::cube::L1ToL0 &move) const { return {divided_up(move.bytes(), geometry.cube_l1_bytes_per_cycle), 0}; }
  Cost operator()(const isa::cube::Im2colToL0A &move) const {
    return {divided_up(im2col_accesses(move) * isa::cube::kFractalRowBytes, geometry.cube_l1_bytes_per_cycle), 0};
  }
  Cost operator()(const isa::cube::L1ToBt &move) const { return {divided_up(move.bytes, geometry.cube_l1_bytes_per_cycle), 0}; }
  Cost operator()(const isa::cube::Mad &mad) const { return {mad.empty() ? 1 : mad.fractal_products(), 0}; }
  Cost operator()(const isa::cube::Output &output) const {
    const std::uint64_t accumulators = std::uint64_t{output.rows} * output.columns * isa::cube::kAccumulatorBytes;
    Cost cost{divided_up(accumulators, geometry.cube_out_bytes_per_cycle), 0};
    if (!output.to_l1) {
      cost.dram_bytes =
          burst_bytes(output.destination, output.rows, std::uint64_t{output.columns} * element_bytes(output.to), output.destination_pitch);
    }
    return cost;
  }
};

}  // namespace

Cost cost_of(const isa::cube::Operation &operation, const Geometry &geometry) { return std::visit(CostOf{geometry}, operation); }

std::uint64_t burst_bytes(std::uint64_t start, std::uint64_t rows, std::uint64_t row_bytes, std::uint64_t pitch) {
  if (pitch == row_bytes) return bursts(start, rows * row_bytes) * kBurstBytes;
  // Rows begin at different offsets in a burst. These offsets repeat after `period` rows.
  const std::uint64_t period = std::min(rows, kBurstBytes / std::gcd(kBurstBytes, pitch));
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < period; ++i) {
    const std::uint64_t alike = (rows - i + period - 1) / period;
    count += alike * bursts(start + i * pitch, row_bytes);
  }
  return count * kBurstBytes;
}

std::uint64_t im2col_accesses(const isa::cube::Im2colToL0A &operation) {
  const isa::cube::Im2col &map = operation.map;
  const std::uint64_t width = isa::cube::fractal_width(map.type);
  // The unit reads runs of adjacent elements from L1. A run is a pixel, or the pixels under a row of the kernel if they are contiguous.
  const bool whole_rows = map.dilation_x == 1 && std::uint64_t{map.pixel_pitch} * 8 == std::uint64_t{map.channels} * element_bits(map.type);
  const std::uint64_t run = whole_rows ? std::uint64_t{map.kernel_width} * map.channels : map.channels;
  const std::uint64_t end = std::min<std::uint64_t>(std::uint64_t{operation.first_column} + operation.columns, map.depth());
  std::uint64_t boundaries = 0;
  for (std::uint64_t at = (operation.first_column / run + 1) * run; at < end; at += run) {
    if (at % width != 0) ++boundaries;  // a run that begins inside a fractal's row costs one more access
  }
  return operation.bytes() / isa::cube::kFractalRowBytes + operation.rows * boundaries;
}

}  // namespace cox::model::cube
