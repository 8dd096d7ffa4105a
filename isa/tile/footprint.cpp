// SPDX-License-Identifier: MIT
#include "coxswain/isa/tile/footprint.h"

#include <limits>

namespace cox::isa::tile {
namespace detail {

void add_box(Footprint &footprint, const Map &map, bool write, const Box &box, AddressField field) {
  if (box.rows.length <= 0 || box.columns.length <= 0) return;
  Access &access = append(footprint, map.space, map.selector, write, field);
  access.origin = map.base;
  access.start = map.base + box.rows.first * map.row_bytes + box.columns.first * map.pixel_bytes;
  const std::int64_t pixel = map.bytes_of(box.channels);
  access.run = pixel;
  access.count = {box.columns.length, box.rows.length, box.batch};
  access.stride = {map.pixel_bytes, map.row_bytes, map.image_bytes};
  // Runs without a gap between them become one run, so that loops over the access have fewer dimensions.
  if (pixel == map.pixel_bytes) {
    access.run = box.columns.length * pixel;
    access.count[0] = 1;
    if (access.run == map.row_bytes) {
      access.run *= box.rows.length;
      access.count[1] = 1;
      if (access.run == map.image_bytes) {
        access.run *= box.batch;
        access.count[2] = 1;
      }
    }
  }
}

void add_run(Footprint &footprint, Space space, std::uint8_t selector, bool write, std::int64_t start, std::int64_t bytes,
             AddressField field) {
  Access &access = append(footprint, space, selector, write, field);
  access.start = access.origin = start;
  access.run = bytes;
  access.count = {1, 1, 1};
  access.stride = {};
}

void add_table(Footprint &footprint, const Table &table) {
  constexpr std::int64_t kEntryBytes = 4;
  if (table.segments == 0) return;
  add_run(footprint, Space::l2, table.selector, false, table.base, (std::int64_t{table.segments} + 1) * kEntryBytes, {"Taddr", 0});
}

namespace {

/// The interval of rows or columns of a map of `size` that lie under a kernel with `taps` taps. Before the kernel slides over the map,
/// upsampling puts `upsample` - 1 rows or columns of padding between neighbouring rows or columns.
Interval under_kernel(std::int64_t first, std::int64_t steps, std::int64_t stride, std::int64_t taps, std::int64_t dilation,
                      std::int64_t upsample, std::int64_t size) {
  const Interval spread = covered(first, steps, stride, (taps - 1) * dilation + 1, (size - 1) * upsample + 1);
  if (spread.length == 0 || upsample == 1) return spread;
  const std::int64_t begin = (spread.first + upsample - 1) / upsample;
  return {begin, (spread.first + spread.length - 1) / upsample + 1 - begin};
}

// All instructions of a kind have these fields in the same words.
static_assert(word_of<Opcode::lda_mov, "STaddr">() == word_of<Opcode::sta_mov, "STaddr">());
static_assert(word_of<Opcode::lda_mov, "DTaddr">() == word_of<Opcode::sta_mov, "DTaddr">());
static_assert(word_of<Opcode::lda_mov, "STaddr">() == word_of<Opcode::dt_cal, "STaddr">());
static_assert(word_of<Opcode::lda_mov, "DTaddr">() == word_of<Opcode::dt_cal, "DTaddr">());
static_assert(word_of<Opcode::lda_mov, "STaddr">() == word_of<Opcode::si_mov, "STaddr">());
static_assert(word_of<Opcode::lda_mov, "DTaddr">() == word_of<Opcode::si_mov, "DTaddr">());
static_assert(word_of<Opcode::lda_mov, "STaddr">() == word_of<Opcode::so_mov, "STaddr">());
static_assert(word_of<Opcode::lda_mov, "DTaddr">() == word_of<Opcode::so_mov, "DTaddr">());
static_assert(word_of<Opcode::lw_mov, "STaddr">() == word_of<Opcode::ldw_mov, "STaddr">());
static_assert(word_of<Opcode::lw_mov, "DTaddr">() == word_of<Opcode::ldw_mov, "DTaddr">());

void add_move(Footprint &footprint, const Move &op) {
  const Box box{{0, op.height}, {0, op.width}, op.channels, op.batch};
  add_box(footprint, op.from, false, box, address_field<Opcode::lda_mov, "STaddr">());
  add_box(footprint, op.to, true, box, address_field<Opcode::lda_mov, "DTaddr">());
}

void add_weights(Footprint &footprint, const WeightMove &op) {
  // Without op.whole, the instruction may copy only a part of each source record. The footprint has the whole records even then. If
  // the source is a feature map, a record is a pixel.
  const std::int64_t source = op.whole ? op.bytes : std::int64_t{op.source_record_bytes} * op.kernels;
  add_run(footprint, op.from_space, op.from_selector, false, op.from, source, address_field<Opcode::lw_mov, "STaddr">());
  add_run(footprint, op.to_space, op.to_selector, true, op.to, op.bytes, address_field<Opcode::lw_mov, "DTaddr">());
}

void add_convolution(Footprint &footprint, const Convolution &op) {
  constexpr auto kOp = Opcode::pe_conv;
  const Interval rows =
      under_kernel(op.first_row, op.height, op.stride_height, op.kernel_height, op.dilation_height, op.upsample_height, op.source.height);
  const Interval columns =
      under_kernel(op.first_column, op.width, op.stride_width, op.kernel_width, op.dilation_width, op.upsample_width, op.source.width);
  const Box output{{0, op.height}, {0, op.width}, op.kernels, op.batch};
  add_box(footprint, op.source, false, {rows, columns, std::int64_t{op.groups} * op.channels, op.batch}, address_field<kOp, "STaddr">());
  if (op.accumulate) add_box(footprint, op.partial, false, output, address_field<kOp, "PTaddr">());
  add_run(footprint, Space::wl0, 0, false, op.weights, std::int64_t{op.record_bytes} * op.kernels, address_field<kOp, "SWaddr">());
  add_table(footprint, op.table);
  add_box(footprint, op.destination, true, output, address_field<kOp, "DTaddr">());
}

}  // namespace
}  // namespace detail

void footprint(const Operation &operation, Footprint &result) {
  result.count = 0;
  if (const auto *move = std::get_if<Move>(&operation)) detail::add_move(result, *move);
  if (const auto *transform = std::get_if<Transform>(&operation)) detail::add_transform(result, *transform);
  if (const auto *weights = std::get_if<WeightMove>(&operation)) detail::add_weights(result, *weights);
  if (const auto *convolution = std::get_if<Convolution>(&operation)) detail::add_convolution(result, *convolution);
  if (const auto *vector = std::get_if<Vector>(&operation)) detail::add_vector(result, *vector);
}

Footprint footprint(const Operation &operation) {
  Footprint result;
  footprint(operation, result);
  return result;
}

std::int64_t multiply_accumulates(const Operation &operation) {
  const auto *op = std::get_if<Convolution>(&operation);
  if (op == nullptr) return 0;
  // Only the multiplication by the batch can overflow. resolve() limits the weights to kMaxWeightBytes and the output map of one image to
  // 4 GiB, so the product for one image fits into 64 bits. It does not limit the size of the whole batch.
  const std::int64_t weights = std::int64_t{op->kernels} * op->channels * op->kernel_height * op->kernel_width;
  const std::int64_t image = weights * (std::int64_t{op->height} * op->width);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return op->batch != 0 && image > most / op->batch ? most : image * op->batch;
}

}  // namespace cox::isa::tile
