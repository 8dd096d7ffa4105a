// SPDX-License-Identifier: MIT
#include "sim/model/tile/duration.h"

#include <algorithm>

#include "coxswain/isa/tile/layout.h"
#include "coxswain/isa/tile/table.h"

namespace cox::model {

using isa::tile::Convolution;
using isa::tile::covered;
using isa::tile::CutMode;
using isa::tile::DataFmt;
using isa::tile::Move;
using isa::tile::Opcode;
using isa::tile::Space;
using isa::tile::Transform;
using isa::tile::Vector;
using isa::tile::VectorFunction;
using isa::tile::WeightMove;

namespace {

constexpr std::uint64_t divide_up(std::uint64_t value, std::uint64_t divisor) { return (value + divisor - 1) / divisor; }

/// Bytes that a box of a map occupies, with the padding of its pixels.
std::uint64_t occupied_bytes(const Move &operation, const isa::tile::Map &map) {
  const bool dense = map.pixel_bytes == map.bytes_of(map.channels);
  const std::int64_t pixel = map.bytes_of(operation.channels);
  const auto occupied = static_cast<std::uint64_t>(dense ? pixel : isa::tile::padded_pixel(pixel));
  return std::uint64_t{operation.batch} * operation.height * operation.width * occupied;
}

Duration copy_in_l2(std::uint64_t bytes, Cycle setup, const TileGeometry &geometry) {
  return {setup + divide_up(bytes, geometry.l2_bytes_per_cycle), 0, 0};
}

bool is_remote(const isa::tile::Map &map) { return map.space == Space::remote_l2; }

Duration of(const Move &operation, const TileGeometry &geometry) {
  const std::uint64_t from = occupied_bytes(operation, operation.from);
  const std::uint64_t to = occupied_bytes(operation, operation.to);
  const std::uint64_t wider = std::max(from, to);
  if (operation.from.space == Space::dram) return {geometry.load_setup_cycles, wider, from};
  if (operation.to.space == Space::dram) return {geometry.store_setup_cycles, wider, to};
  if (is_remote(operation.from) || is_remote(operation.to)) {
    return {geometry.load_setup_cycles + divide_up(wider, geometry.link_bytes_per_cycle), 0, 0};
  }
  return copy_in_l2(wider, geometry.load_setup_cycles, geometry);
}

/// The model assumes that a change of layout reaches a quarter of the bandwidth of L2, for elements of any size.
Duration of(const Transform &operation, const TileGeometry &geometry) {
  constexpr std::uint64_t kPartOfUse = 4;
  const std::uint64_t elements = std::uint64_t{operation.batch} * operation.channels * operation.height * operation.width;
  const std::uint64_t bytes = divide_up(elements * operation.element_bits, 8);
  return copy_in_l2(bytes * kPartOfUse, geometry.load_setup_cycles, geometry);
}

Duration of(const WeightMove &operation, const TileGeometry &geometry) {
  const auto written = static_cast<std::uint64_t>(operation.bytes);
  const std::uint64_t read = operation.whole ? written : std::uint64_t{operation.kernels} * operation.source_record_bytes;
  const std::uint64_t more = std::max(read, written);
  if (operation.from_space == Space::dram) return {geometry.load_setup_cycles, more, read};
  return copy_in_l2(more, geometry.load_setup_cycles, geometry);
}

/// Number of times that all pixels go through the unit.
std::uint64_t passes(VectorFunction function) {
  switch (function) {
    case VectorFunction::softmax:     // one pass each: the maximum; exponentials and their sum; the quotients
    case VectorFunction::layer_norm:  // one pass each: the mean; the variance; the quotients
      return 3;
    case VectorFunction::bilinear:  // one pass interpolates between columns, one between rows
      return 2;
    default: return 1;
  }
}

/// Returns the number of source pixels that a pool reads, and 0 for all other functions.
std::uint64_t pixels_read(const Vector &operation) {
  if (!operation.is_pool()) return 0;
  const isa::tile::Interval rows =
      covered(operation.first_row, operation.height, operation.stride_height, operation.kernel_height, operation.source.height);
  const isa::tile::Interval columns =
      covered(operation.first_column, operation.width, operation.stride_width, operation.kernel_width, operation.source.width);
  return static_cast<std::uint64_t>(rows.length * columns.length);
}

Duration of(const Vector &operation, const TileGeometry &geometry) {
  const std::uint64_t pixels = std::max(std::uint64_t{operation.height} * operation.width, pixels_read(operation));
  const std::uint64_t element = std::max(operation.source.element_bits, operation.destination.element_bits);
  const std::uint64_t cycles_a_pixel = divide_up(operation.channels * element, std::uint64_t{8} * geometry.vector_bytes_per_cycle);
  // The N images of a batch share the lanes of the vector processor. Each image's instruction takes the full start-up time and an N-th of
  // the remaining time.
  const std::uint64_t start = std::min(geometry.vector_start_cycles, geometry.vector_setup_cycles);
  const std::uint64_t shared = geometry.vector_setup_cycles - start + passes(operation.function) * pixels * cycles_a_pixel;
  return {start + divide_up(shared, operation.images), 0, 0};
}

/// Cycles that an element of the grid needs for a step that takes one cycle with INT8.
std::uint64_t cycles_a_step(const Convolution &operation) {
  switch (operation.source.format.format) {
    case DataFmt::FP16:
    case DataFmt::BF16: return 4;
    case DataFmt::FP32: return 8;
    default: return operation.is_wide() ? 2 : 1;
  }
}

/// Bytes of a weight as it travels to an element of the grid. An INT4 weight travels as a byte.
std::uint64_t weight_bytes(const Convolution &operation) {
  switch (operation.weight_format.format) {
    case DataFmt::INT16:
    case DataFmt::FP16:
    case DataFmt::BF16: return 2;
    case DataFmt::INT32:
    case DataFmt::FP32: return 4;
    case DataFmt::INT4:
    case DataFmt::INT8: break;
  }
  return 1;
}

/// Number of results that pass between the grid and L2: the outputs, and the partial sums that the grid reads. A 64-bit sum counts as two.
std::uint64_t results(const Convolution &operation) {
  const std::uint64_t outputs = std::uint64_t{operation.batch} * operation.kernels * operation.height * operation.width;
  const std::uint64_t sum = operation.is_wide() ? 2 : 1;
  return outputs * ((operation.store_accumulators ? sum : 1) + (operation.accumulate ? sum : 0));
}

/// The work is divided along dimension `x` among the columns of the grid, and along `y` among its rows (field XYmode).
Duration of(const Convolution &operation, CutMode x, CutMode y, const TileGeometry &geometry) {
  // Number of parts into which a dimension is cut.
  const auto parts = [&](CutMode dimension) {
    return std::uint64_t{x == dimension ? geometry.pe_columns : 1} * (y == dimension ? geometry.pe_rows : 1);
  };
  // Work of the busiest element of the grid. It takes positions one after another, and kernels and channels eight at a time.
  const std::uint64_t positions = divide_up(operation.width, parts(CutMode::CUT_W)) * divide_up(operation.height, parts(CutMode::CUT_H)) *
                                  divide_up(operation.batch, parts(CutMode::CUT_N));
  // A processing element takes kernels of only one group at a time.
  const std::uint64_t steps_of_kernels = operation.groups * divide_up(divide_up(operation.kernels, operation.groups), kElementLanes);
  const std::uint64_t weights = std::uint64_t{operation.kernel_height} * operation.kernel_width *
                                divide_up(steps_of_kernels, parts(CutMode::CUT_K)) *
                                divide_up(divide_up(operation.channels, parts(CutMode::CUT_C)), kElementLanes);
  const std::uint64_t compute = positions * weights * cycles_a_step(operation);
  // If channels are cut, each processing element has its own weights, which come through its own port.
  const bool own_weights = x == CutMode::CUT_C || y == CutMode::CUT_C;
  const std::uint64_t fetch =
      own_weights ? weights * kElementLanes * kElementLanes * weight_bytes(operation) * geometry.pe_weight_cycles_per_byte : 0;
  const std::uint64_t drain = divide_up(results(operation) * 1024, geometry.pe_outputs_per_1024_cycles);
  return {std::max(std::max(compute, fetch) + geometry.pe_setup_cycles, drain), 0, 0};
}

}  // namespace

Duration duration_of(const Convolution &operation, CutMode x, CutMode y, const TileGeometry &geometry) {
  return of(operation, x, y, geometry);
}

Duration duration_of(const isa::tile::MachineCode &code, const isa::tile::Operation &operation,
                     const isa::tile::Configuration &configuration, const TileGeometry &geometry) {
  if (const auto *move = std::get_if<Move>(&operation)) return of(*move, geometry);
  if (const auto *transform = std::get_if<Transform>(&operation)) return of(*transform, geometry);
  if (const auto *weights = std::get_if<WeightMove>(&operation)) return of(*weights, geometry);
  if (const auto *vector = std::get_if<Vector>(&operation)) return of(*vector, geometry);
  if (const auto *convolution = std::get_if<Convolution>(&operation)) {
    const isa::tile::MachineCode &parameters = *configuration.find(Opcode::pe_cfg_pm);
    const auto x = static_cast<CutMode>(isa::tile::get<Opcode::pe_cfg_pm, "XYmode", 0>(parameters));
    const auto y = static_cast<CutMode>(isa::tile::get<Opcode::pe_cfg_pm, "XYmode", 1>(parameters));
    return of(*convolution, x, y, geometry);
  }
  const bool is_configuration = isa::tile::find_instruction(isa::tile::opcode_of(code))->configuration;
  return {is_configuration ? geometry.configuration_cycles : geometry.control_cycles, 0, 0};
}

}  // namespace cox::model
