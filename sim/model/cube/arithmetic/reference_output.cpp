// SPDX-License-Identifier: MIT
#include <bit>
#include <cmath>

#include "sim/model/cube/arithmetic/element.h"
#include "sim/model/cube/arithmetic/reference.h"

namespace cox::model::cube::reference {
namespace {

using isa::cube::Activation;
using isa::cube::Output;
using isa::cube::OutputConfiguration;
using isa::cube::OutputType;
using isa::cube::ScaleMode;

/// Returns the address of a channel's factor or bias. In L1, the words of all channels form an array at `address`.
const std::byte *of_channel(const Buffers &buffers, std::uint32_t address, std::uint32_t channel) {
  return buffers.l1.data() + address + std::size_t{channel} * sizeof(std::uint32_t);
}

float widened(const std::byte *at, OutputType type) {
  switch (type) {
    case OutputType::half: return real_of(read<std::uint16_t>(at), isa::cube::Type::half);
    case OutputType::bfloat16: return real_of(read<std::uint16_t>(at), isa::cube::Type::bfloat16);
    case OutputType::int8: return read<std::int8_t>(at);
    default: return read<float>(at);
  }
}

float activated(float value, const OutputConfiguration &configuration) {
  const float parameter = configuration.activation_parameter;
  switch (configuration.activation) {
    case Activation::ReLU: return value < 0 ? 0.0F : value;
    case Activation::LeakyReLU: return value < 0 ? value * parameter : value;
    case Activation::Clip: {
      const float positive = value < 0 ? 0.0F : value;
      return positive > parameter ? parameter : positive;
    }
    default: return value;
  }
}

std::int8_t quantised(float value, std::int32_t zero_point) {
  if (std::isnan(value)) value = 0;
  const float rounded = std::nearbyint(value);
  // A double holds the sum exactly, unless the sum is far outside INT8 and saturates anyway.
  const double sum = static_cast<double>(rounded) + zero_point;
  return static_cast<std::int8_t>(sum < -128 ? -128 : sum > 127 ? 127 : sum);
}

void convert(std::byte *at, float value, OutputType type, std::int32_t zero_point) {
  switch (type) {
    case OutputType::half: return write(at, isa::numbers::float_to_half(value));
    case OutputType::bfloat16: return write(at, std::isnan(value) ? kBfloat16Nan : isa::numbers::bfloat16_from_float(value));
    case OutputType::int8: return write(at, quantised(value, zero_point));
    default: return write(at, float_bits(value));
  }
}

/// Adds the bias, and applies ReLU if the result stays INT32.
std::uint32_t integer_sum(const Output &op, const Buffers &buffers, std::uint32_t sum, std::uint32_t column) {
  const OutputConfiguration &set = op.configuration;
  if (set.bias) sum += read<std::uint32_t>(of_channel(buffers, set.bias_address, op.channel + column));
  const bool negative = static_cast<std::int32_t>(sum) < 0;
  return op.to == OutputType::int32 && set.activation == Activation::ReLU && negative ? 0 : sum;
}

float finished(const Output &op, const Buffers &buffers, float value, std::uint32_t row, std::uint32_t column) {
  const OutputConfiguration &set = op.configuration;
  if (set.scale_mode == ScaleMode::tensor) value = value * set.scale;
  if (set.scale_mode == ScaleMode::channel) value = value * read<float>(of_channel(buffers, set.scale_address, op.channel + column));
  if (set.residual) {
    const std::byte *residual = buffers.l1.data() + op.residual_address + std::size_t{row} * set.residual_pitch +
                                std::size_t{column} * isa::cube::element_bytes(op.to);
    value = std::fma(set.beta, widened(residual, op.to), value);
  }
  if (set.bias && !op.integer) value = value + read<float>(of_channel(buffers, set.bias_address, op.channel + column));
  return activated(value, set);
}

void clear_fractals(const Output &op, std::byte *out, std::uint32_t bits) {
  const std::uint32_t width = isa::cube::kFractalRowBytes * 8 / bits;
  const std::uint32_t rows = isa::cube::fractals(op.rows, isa::cube::kFractalRows) * isa::cube::kFractalRows;
  const std::uint32_t columns = isa::cube::fractals(op.columns, width) * width;
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      set_element(out, isa::cube::l1_bit(row, column, bits, op.destination_pitch), bits, 0);
    }
  }
}

}  // namespace

void output(const Output &op, Buffers &buffers, std::byte *dram) {
  std::byte *out = op.to_l1 ? buffers.l1.data() + op.destination : dram;
  const std::uint32_t bytes = isa::cube::element_bytes(op.to);
  const bool fractal = op.format == isa::cube::Format::fractal;
  if (fractal) clear_fractals(op, out, bytes * 8);
  for (std::uint32_t row = 0; row < op.rows; ++row) {
    for (std::uint32_t column = 0; column < op.columns; ++column) {
      std::byte *at = out + (fractal ? isa::cube::l1_bit(row, column, bytes * 8, op.destination_pitch) / 8
                                     : std::uint64_t{row} * op.destination_pitch + std::uint64_t{column} * bytes);
      const auto accumulator = read<std::uint32_t>(buffers.l0c.data() + op.source + isa::cube::l0c_byte(row, column, op.source_pitch));
      const std::uint32_t sum = op.integer ? integer_sum(op, buffers, accumulator, column) : accumulator;
      if (op.to == OutputType::int32) {
        write(at, sum);
        continue;
      }
      const float value = op.integer ? static_cast<float>(static_cast<std::int32_t>(sum)) : std::bit_cast<float>(sum);
      convert(at, finished(op, buffers, value, row, column), op.to, op.configuration.zero_point);
    }
  }
}

}  // namespace cox::model::cube::reference
