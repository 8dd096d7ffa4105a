// SPDX-License-Identifier: MIT
#include <cstring>

#include "sim/model/cube/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/scratch.h"

namespace cox::model::cube::fast {
namespace {

using isa::cube::kFractalBytes;
using isa::cube::kFractalRowBytes;
using isa::cube::kFractalRows;

/// Returns what all rows have in common: the configuration, and pointers to the factors and biases of the first column.
OutputRow row_of(const isa::cube::Output &op, const Buffers &buffers) {
  const isa::cube::OutputConfiguration &set = op.configuration;
  const std::byte *l1 = buffers.l1.data();
  const std::size_t channel = std::size_t{op.channel} * sizeof(std::uint32_t);
  OutputRow row;
  row.to = op.to;
  row.integer = op.integer;
  row.columns = op.columns;
  row.pitch = std::size_t{op.source_pitch} * isa::cube::kAccumulatorFractalBytes;
  row.scaled = set.scale_mode != isa::cube::ScaleMode::none;
  if (set.scale_mode == isa::cube::ScaleMode::channel) row.scales = l1 + set.scale_address + channel;
  row.scale = set.scale;
  if (set.bias) row.biases = l1 + set.bias_address + channel;
  row.beta = set.beta;
  row.activation = set.activation;
  row.activation_parameter = set.activation_parameter;
  row.zero_point = set.zero_point;
  return row;
}

}  // namespace

void output(const isa::cube::Output &op, Buffers &buffers, std::byte *dram, const Kernels &kernels) {
  OutputRow row = row_of(op, buffers);
  const bool fractal = op.format == isa::cube::Format::fractal;
  std::byte *out = op.to_l1 ? buffers.l1.data() + op.destination : dram;
  const std::uint32_t pieces = isa::cube::fractals(op.columns * isa::cube::element_bytes(op.to), kFractalRowBytes);
  const std::size_t line_bytes = std::size_t{pieces} * kFractalRowBytes;
  std::byte *line = nullptr;
  if (fractal) {
    line = arithmetic::scratch(arithmetic::ScratchUse::gather, static_cast<std::int64_t>(line_bytes));
    std::memset(line, 0, line_bytes);
  }
  const std::uint32_t rows = fractal ? isa::cube::fractals(op.rows, kFractalRows) * kFractalRows : op.rows;
  for (std::size_t i = 0; i < rows; ++i) {
    if (i < op.rows) {
      row.accumulators = buffers.l0c.data() + op.source + isa::cube::l0c_byte(static_cast<std::uint32_t>(i), 0, op.source_pitch);
      if (op.configuration.residual) {
        row.residual = buffers.l1.data() + op.residual_address + i * op.configuration.residual_pitch;
      }
      row.out = fractal ? line : out + i * op.destination_pitch;
      kernels.finish(row);
    } else {
      std::memset(line, 0, line_bytes);
    }
    for (std::size_t piece = 0; fractal && piece < pieces; ++piece) {
      std::memcpy(out + isa::cube::l1_bit(static_cast<std::uint32_t>(i), 0, 8, 0) / 8 + piece * op.destination_pitch * kFractalBytes,
                  line + piece * kFractalRowBytes, kFractalRowBytes);
    }
  }
}

}  // namespace cox::model::cube::fast
