// SPDX-License-Identifier: MIT
#include "isa/tile/get.h"
#include "isa/tile/layout.h"
#include "isa/tile/operation.h"

namespace cox::isa::tile {
namespace {

/// A box of `batch` images, rows [row, row + height), columns [column, column + width), `channels` from channel 0.
Access box(const Map &map, bool write, std::int64_t batch, std::int64_t row, std::int64_t height, std::int64_t column, std::int64_t width,
           std::int64_t channels, const char *field) {
  Access access;
  access.space = map.space;
  access.write = write;
  access.selector = map.selector;
  access.origin = map.base;
  access.start = map.base + row * map.row_bytes + column * map.pixel_bytes;
  access.field = field;
  const std::int64_t pixel = map.bytes_of(channels);
  access.run = pixel;
  access.count = {width, height, batch};
  access.stride = {map.pixel_bytes, map.row_bytes, map.image_bytes};
  // Runs that touch one another are one run: the fewer dimensions, the less work for whoever walks them.
  if (pixel == map.pixel_bytes) {
    access.run = width * pixel;
    access.count[0] = 1;
    if (access.run == map.row_bytes) {
      access.run *= height;
      access.count[1] = 1;
      if (access.run == map.image_bytes) {
        access.run *= batch;
        access.count[2] = 1;
      }
    }
  }
  return access;
}

Access run(Space space, std::uint8_t selector, bool write, std::int64_t start, std::int64_t bytes, const char *field) {
  Access access;
  access.space = space;
  access.write = write;
  access.selector = selector;
  access.start = access.origin = start;
  access.run = bytes;
  access.field = field;
  return access;
}

void add(Footprint &footprint, const Access &access) { footprint.accesses[footprint.count++] = access; }

/// The part of `map` under a sliding window; nothing where all of it is padding.
void add_window(Footprint &footprint, const Map &map, std::int64_t batch, Interval rows, Interval columns, std::int64_t channels,
                const char *field) {
  if (rows.length > 0 && columns.length > 0) {
    add(footprint, box(map, false, batch, rows.first, rows.length, columns.first, columns.length, channels, field));
  }
}

Footprint footprint_of(const Control &) { return {}; }

Footprint footprint_of(const Move &op) {
  Footprint result;
  add(result, box(op.from, false, op.batch, 0, op.height, 0, op.width, op.channels, "STaddr"));
  add(result, box(op.to, true, op.batch, 0, op.height, 0, op.width, op.channels, "DTaddr"));
  return result;
}

Footprint footprint_of(const Transform &) { return {}; }

Footprint footprint_of(const WeightMove &op) {
  Footprint result;
  add(result, run(op.from_space, op.from_selector, false, op.from, op.bytes, "STaddr"));
  add(result, run(op.to_space, op.to_selector, true, op.to, op.bytes, "DTaddr"));
  return result;
}

Footprint footprint_of(const Convolution &op) {
  Footprint result;
  add_window(result, op.source, op.batch, covered(op.first_row, op.height, op.stride_height, op.kernel_height, op.source.height),
             covered(op.first_column, op.width, op.stride_width, op.kernel_width, op.source.width), op.channels, "STaddr");
  add(result, run(Space::wl0, 0, false, op.weights, std::int64_t{op.record_bytes} * op.kernels, "SWaddr"));
  add(result, box(op.destination, true, op.batch, 0, op.height, 0, op.width, op.kernels, "DTaddr"));
  return result;
}

Footprint footprint_of(const Vector &op) {
  Footprint result;
  if (op.is_pool()) {
    add_window(result, op.source, 1, covered(op.first_row, op.height, op.stride_height, op.kernel_height, op.source.height),
               covered(op.first_column, op.width, op.stride_width, op.kernel_width, op.source.width), op.channels, "STaddr");
  } else {
    add(result, box(op.source, false, 1, 0, op.height, 0, op.width, op.channels, "STaddr"));
  }
  if (op.two_tensors) add(result, box(op.source1, false, 1, 0, op.height, 0, op.width, op.channels, "STaddr1"));
  add(result, box(op.destination, true, 1, 0, op.height, 0, op.width, op.channels, "DTaddr"));
  return result;
}

}  // namespace

Footprint footprint(const Operation &operation) {
  return std::visit([](const auto &op) { return footprint_of(op); }, operation);
}

Status check_region(const Access &access, const Region &region) {
  if (region.blocks == 0) return Status(ErrorCode::address_outside_cut, access.field, -1, access.origin, 0);
  if (!region.contains(access.origin)) {
    const std::int64_t limit = access.origin < region.first_byte() ? region.first_byte() : region.first_byte() + region.bytes() - 1;
    return Status(ErrorCode::address_outside_cut, access.field, -1, access.origin, limit);
  }
  // A map may run past the region's end, where it goes on at the beginning, but not into itself.
  const std::int64_t length = access.end() - access.start;
  if (length > region.bytes()) return Status(ErrorCode::address_outside_cut, access.field, -1, length, region.bytes());
  return {};
}

Status check_window(const Access &access, std::uint64_t size, bool readable, bool writable) {
  if (access.start < 0) return Status(ErrorCode::address_outside_window, access.field, -1, access.start, 0);
  if (static_cast<std::uint64_t>(access.end()) > size) {
    return Status(ErrorCode::address_outside_window, access.field, -1, access.end(), static_cast<std::int64_t>(size));
  }
  if (access.write ? !writable : !readable) return Status(ErrorCode::address_outside_window, access.field, -1, access.start, 0);
  return {};
}

Status check_remote(const Access &access, std::uint32_t first_block, std::uint32_t last_block) {
  const std::int64_t first = std::int64_t{first_block} * kBlockBytes;
  const std::int64_t end = (std::int64_t{last_block} + 1) * kBlockBytes;
  if (access.start < first) return Status(ErrorCode::address_outside_cut, access.field, -1, access.start, first);
  if (access.end() > end) return Status(ErrorCode::address_outside_cut, access.field, -1, access.end(), end);
  return {};
}

CoreTokens core_tokens(const MachineCode &code) {
  switch (opcode_of(code)) {
    case Opcode::si_mov:
    case Opcode::si_sync:
    case Opcode::so_mov:
    case Opcode::so_sync: break;
    default: return {};
  }
  // The same bits in all four (isa/tile/table.h).
  return {static_cast<std::uint8_t>(get<Opcode::si_mov, "Prev_Cores">(code)),
          static_cast<std::uint8_t>(get<Opcode::si_mov, "Next_Cores">(code))};
}

std::int64_t multiply_accumulates(const Operation &operation) {
  const auto *op = std::get_if<Convolution>(&operation);
  if (op == nullptr) return 0;
  return std::int64_t{op->batch} * op->kernels * op->channels * op->height * op->width * op->kernel_height * op->kernel_width;
}

}  // namespace cox::isa::tile
