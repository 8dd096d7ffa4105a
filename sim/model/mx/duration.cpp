// SPDX-License-Identifier: MIT
#include "sim/model/mx/duration.h"

#include <algorithm>
#include <variant>

namespace cox::model::mx {
namespace {

constexpr Cycle divided_up(std::uint64_t dividend, std::uint64_t divisor) { return (dividend + divisor - 1) / divisor; }

/// Blocks that the lanes compute. A lane computes one block a cycle.
std::uint64_t block_operations(const isa::mx::Operation &operation) {
  if (const auto *elementwise = std::get_if<isa::mx::Elementwise>(&operation)) return elementwise->blocks;
  if (const auto *pool = std::get_if<isa::mx::Pool>(&operation)) return pool->output.count() * pool->kernel * pool->kernel;
  if (const auto *move = std::get_if<isa::mx::Move>(&operation)) return std::uint64_t{move->run} * move->count * move->repeat;
  return 0;
}

/// Number of distinct bytes in the runs of an access. The runs may overlap.
std::uint64_t bytes_of(const isa::mx::Access &access) { return (access.count - 1) * std::min(access.run, access.stride) + access.run; }

}  // namespace

Cost cost_of(const isa::mx::Operation &operation, const Geometry &geometry) {
  Cost cost;
  const isa::mx::Footprint footprint = isa::mx::footprint(operation);
  for (unsigned i = 0; i < footprint.count; ++i) cost.bytes += bytes_of(footprint.accesses[i]);
  if (const auto *convolution = std::get_if<isa::mx::ConvAct>(&operation)) {
    cost.compute = divided_up(isa::mx::multiply_accumulates(operation), geometry.mx_macs_per_cycle());
    cost.fill_bytes = isa::mx::weight_bytes(convolution->kernel, convolution->input.blocks, 1);
  } else {
    cost.compute = divided_up(block_operations(operation), geometry.mx_lanes);
  }
  return cost;
}

}  // namespace cox::model::mx
