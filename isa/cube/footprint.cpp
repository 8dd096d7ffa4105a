// SPDX-License-Identifier: MIT
#include "coxswain/isa/cube/operation.h"

namespace cox::isa::cube {
namespace {

/// An access of `count` runs, `stride` bytes apart. Runs without a gap between them become one run.
Access access_of(Memory memory, bool write, const char *field, std::uint64_t start, std::uint64_t run, std::uint32_t count = 1,
                 std::uint64_t stride = 0) {
  if (stride == run) {
    run *= count;
    count = 1;
  }
  return Access{memory, write, start, run, {count, 1}, {count == 1 ? 0 : stride, 0}, field};
}

/// An access to a matrix in fractals. A row of the matrix has `row_bytes` bytes and lies in several columns of fractals, 32 bytes in each.
/// The access has one run for each of these columns, and each run has `rows` times 32 bytes.
Access fractal_columns(bool write, const char *field, std::uint64_t start, std::uint32_t rows, std::uint32_t row_bytes,
                       std::uint32_t pitch) {
  return access_of(Memory::l1, write, field, start, std::uint64_t{rows} * kFractalRowBytes, fractals(row_bytes, kFractalRowBytes),
                   std::uint64_t{pitch} * kFractalBytes);
}

/// The write of a matrix in fractals. It writes whole fractals, so it rounds `rows` up to a multiple of 16.
Access whole_fractal_columns(const char *field, std::uint64_t start, std::uint32_t rows, std::uint32_t row_bytes, std::uint32_t pitch) {
  return fractal_columns(true, field, start, fractals(rows, kFractalRows) * kFractalRows, row_bytes, pitch);
}

void add(Footprint &footprint, const Access &access) { footprint.accesses[footprint.count++] = access; }

void add_to(Footprint &, const Nothing &) {}
void add_to(Footprint &, const Barrier &) {}
void add_to(Footprint &, const Im2col &) {}
void add_to(Footprint &, const OutputConfiguration &) {}

void add_to(Footprint &result, const DramToL1 &op) {
  const std::uint32_t rows = op.source_pitch == 0 ? 1 : op.rows;  // with a pitch of 0, every row is read from the same bytes
  add(result, access_of(Memory::dram, false, "Source", op.source, op.row_bytes, rows, op.source_pitch));
  add(result, op.format == Format::fractal
                  ? whole_fractal_columns("Destination", op.destination, op.rows, op.row_bytes, op.destination_pitch)
                  : access_of(Memory::l1, true, "Destination", op.destination, op.row_bytes, op.rows, op.destination_pitch));
}

void add_to(Footprint &result, const L1ToL0 &op) {
  // In L1, the left operand is a matrix of m x k and the right operand one of n x k. With `transpose` they are k x m and k x n. `op.rows`
  // and `op.columns` are m and k for the left operand, k and n for the right one.
  const bool as_it_is = op.right == op.transpose;
  const std::uint32_t rows = as_it_is ? op.rows : op.columns;
  const std::uint32_t columns = as_it_is ? op.columns : op.rows;
  add(result, fractal_columns(false, "Source", op.source, rows, packed_bytes(columns, op.type), op.source_pitch));
  add(result, access_of(op.right ? Memory::l0b : Memory::l0a, true, "Destination", op.destination, op.bytes()));
}

void add_to(Footprint &result, const Im2colToL0A &op) {
  Access map =
      access_of(Memory::l1, false, "Source", op.source, packed_bytes(op.map.channels, op.map.type), op.map.width, op.map.pixel_pitch);
  if (map.count[0] == 1) {
    map = access_of(Memory::l1, false, "Source", op.source, map.run, op.map.height, op.map.row_pitch);
  } else {
    map.count[1] = op.map.height;
    map.stride[1] = op.map.height == 1 ? 0 : op.map.row_pitch;
  }
  add(result, map);
  add(result, access_of(Memory::l0a, true, "Destination", op.destination, op.bytes()));
}

void add_to(Footprint &result, const L1ToBt &op) {
  add(result, access_of(Memory::l1, false, "Source", op.source, op.bytes));
  add(result, access_of(Memory::bias_table, true, "Destination", op.destination, op.bytes));
}

void add_biases(Footprint &result, const Mad &op) {
  const std::uint32_t bytes = op.n * kAccumulatorBytes, first = op.bias_address % kBiasTableBytes;
  const auto read = [&](std::uint64_t start, std::uint64_t run) {
    add(result, access_of(Memory::bias_table, false, "BiasAddress", start, run));
  };
  if (first + bytes <= kBiasTableBytes) return read(first, bytes);
  if (bytes >= kBiasTableBytes) return read(0, kBiasTableBytes);
  read(first, kBiasTableBytes - first);
  read(0, first + bytes - kBiasTableBytes);
}

void add_to(Footprint &result, const Mad &op) {
  if (op.empty()) return;
  const std::uint64_t left = std::uint64_t{op.m_count()} * op.k_count() * kFractalBytes;
  const std::uint64_t right = std::uint64_t{op.k_count()} * op.n_count() * kFractalBytes;
  const std::uint64_t destination = std::uint64_t{op.m_count()} * op.n_count() * kAccumulatorFractalBytes;
  add(result, access_of(Memory::l0a, false, "Left", op.left, left));
  add(result, access_of(Memory::l0b, false, "Right", op.right, right));
  if (op.start == Start::bias_table) add_biases(result, op);
  if (op.start == Start::accumulator) add(result, access_of(Memory::l0c, false, "Destination", op.destination, destination));
  add(result, access_of(Memory::l0c, true, "Destination", op.destination, destination));
}

void add_to(Footprint &result, const Output &op) {
  const OutputConfiguration &set = op.configuration;
  const std::uint32_t row_bytes = op.columns * element_bytes(op.to);
  add(result, access_of(Memory::l0c, false, "Source", op.source, std::uint64_t{op.rows} * kFractalRows * kAccumulatorBytes,
                        fractals(op.columns, kFractalRows), std::uint64_t{op.source_pitch} * kAccumulatorFractalBytes));
  const auto add_channels = [&](const char *field, std::uint64_t table) {
    add(result,
        access_of(Memory::l1, false, field, table + std::uint64_t{op.channel} * kChannelBytes, std::uint64_t{op.columns} * kChannelBytes));
  };
  if (set.scale_mode == ScaleMode::channel) add_channels("ScaleAddress", set.scale_address);
  if (set.bias) add_channels("BiasAddress", set.bias_address);
  if (set.residual) {
    const std::uint32_t rows = set.residual_pitch == 0 ? 1 : op.rows;
    add(result, access_of(Memory::l1, false, "ResidualAddress", op.residual_address, row_bytes, rows, set.residual_pitch));
  }
  add(result, op.format == Format::fractal ? whole_fractal_columns("Destination", op.destination, op.rows, row_bytes, op.destination_pitch)
                                           : access_of(op.to_l1 ? Memory::l1 : Memory::dram, true, "Destination", op.destination, row_bytes,
                                                       op.rows, op.destination_pitch));
}

}  // namespace

Footprint footprint(const Operation &operation) {
  Footprint result;
  std::visit([&result](const auto &op) { add_to(result, op); }, operation);
  return result;
}

Status check_windows(const Footprint &footprint, std::span<const Window> windows) {
  for (unsigned i = 0; i < footprint.count; ++i) {
    const Access &access = footprint.accesses[i];
    if (access.memory != Memory::dram) continue;
    if (const Status status = isa::check_windows(access, windows); !status) return status;
  }
  return {};
}

}  // namespace cox::isa::cube
