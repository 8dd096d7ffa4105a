// SPDX-License-Identifier: MIT
// ELE_ADD and ELE_SUB of integers.
#include <algorithm>

#include "sim/model/unity/arithmetic/fast.h"
#include "sim/model/unity/arithmetic/fast_blocks.h"
#include "sim/model/unity/arithmetic/fixed_point.h"

namespace cox::model::unity::fast {
namespace {

using isa::unity::QuantisedAdd;

/// Bounds of a result within its unit.
Range bounds(const QuantisedAdd &operation) {
  const Range range = range_of(operation.result.unit);
  const isa::unity::Clip &clip = operation.clip;
  if (!clip.on) return range;
  return {std::clamp<std::int64_t>(clip.minimum, range.low, range.high), std::clamp<std::int64_t>(clip.maximum, range.low, range.high)};
}

bool is_q31(const QuantisedAdd &operation) { return operation.has_multiplier && operation.multiplier_unit == Unit::s32; }

/// TensorFlow Lite's ADD and SUB on s8, by the kernels.
bool add_bytes(const QuantisedAdd &operation, Memory &memory, const Kernels &kernels) {
  const auto &[first, second] = operation.source;
  const bool bytes = first.unit == Unit::s8 && second.unit == Unit::s8 && operation.result.unit == Unit::s8;
  const bool plain = operation.second.repeat == 1 && operation.second.period == operation.result.elements;
  if (!bytes || !plain || operation.left_shift == 0 || !is_q31(operation)) return false;
  const Range range = bounds(operation);
  const ScaledAdd add{
      .first = reinterpret_cast<const std::int8_t *>(read(memory, first)),
      .second = reinterpret_cast<const std::int8_t *>(read(memory, second)),
      .first_zero = operation.input_zero[0],
      .second_zero = operation.input_zero[1],
      .left_shift = operation.left_shift,
      .first_multiplier = operation.input_multiplier[0],
      .first_shift = operation.input_shift[0],
      .second_multiplier = operation.input_multiplier[1],
      .second_shift = operation.input_shift[1],
      .subtract = operation.op == isa::unity::Opcode::ELE_SUB,
      .multiplier = static_cast<std::int32_t>(operation.multiplier),
      .shift = operation.shift,
      .zero = operation.output_zero,
      .low = static_cast<std::int32_t>(range.low),
      .high = static_cast<std::int32_t>(range.high),
  };
  kernels.add(add, operation.result.elements, reinterpret_cast<std::int8_t *>(write(memory, operation.result)));
  return true;
}

/// The low 32 bits.
std::int32_t low_word(std::int64_t x) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(x)); }

/// Sums of a block: from sources without their zero points to results without bounds.
void add_block(const QuantisedAdd &operation, std::size_t count, Block<std::int64_t> &a, Block<std::int64_t> &b) {
  if (operation.left_shift != 0) {
    const auto scale = [&](Block<std::int64_t> &block, unsigned source) {
      const std::int32_t multiplier = operation.input_multiplier[source], shift = operation.input_shift[source];
      for (std::size_t i = 0; i < count; ++i)
        block[i] = requantised(wrapped_shift(low_word(block[i]), operation.left_shift), multiplier, shift);
    };
    scale(a, 0);
    scale(b, 1);
  }
  const bool subtract = operation.op == isa::unity::Opcode::ELE_SUB;
  for (std::size_t i = 0; i < count; ++i) a[i] = subtract ? a[i] - b[i] : a[i] + b[i];
  if (operation.left_shift != 0) {
    for (std::size_t i = 0; i < count; ++i) a[i] = low_word(a[i]);
  }
  if (is_q31(operation)) {
    const auto multiplier = static_cast<std::int32_t>(operation.multiplier);
    for (std::size_t i = 0; i < count; ++i) a[i] = requantised(low_word(a[i]), multiplier, operation.shift);
  }
}

}  // namespace

bool quantised_add(const QuantisedAdd &operation, Memory &memory, const Kernels &kernels) {
  const auto &[first, second] = operation.source;
  const bool small = is_small(first.unit) && is_small(second.unit) && is_small(operation.result.unit);
  if (!small || operation.clip.minimum > operation.clip.maximum || operation.has_multiplier != is_q31(operation)) return false;
  if (add_bytes(operation, memory, kernels)) return true;
  const std::byte *first_bytes = read(memory, first), *second_bytes = read(memory, second);
  std::byte *result = write(memory, operation.result);
  const auto [low, high] = bounds(operation);
  const bool plain = operation.second.repeat == 1 && operation.second.period == operation.result.elements;
  Block<std::int64_t> a, b;
  for (std::uint64_t at = 0; at < operation.result.elements; at += kBlock) {
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(kBlock, operation.result.elements - at));
    load(first_bytes, first.unit, at, count, a.data());
    if (plain) {
      load(second_bytes, second.unit, at, count, b.data());
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        b[i] = isa::unity::integer_of(second.unit, load_bits(second_bytes, second.unit, operation.second.index(at + i)));
      }
    }
    for (std::size_t i = 0; i < count; ++i) a[i] -= operation.input_zero[0];
    for (std::size_t i = 0; i < count; ++i) b[i] -= operation.input_zero[1];
    add_block(operation, count, a, b);
    for (std::size_t i = 0; i < count; ++i) a[i] = std::clamp(a[i] + operation.output_zero, low, high);
    store(result, operation.result.unit, at, count, a.data());
  }
  clear_spare(result, operation.result.unit, operation.result.elements);
  return true;
}

}  // namespace cox::model::unity::fast
