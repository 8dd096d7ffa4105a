// SPDX-License-Identifier: MIT
// ELE_ADD and ELE_SUB.
#include "sim/model/unity/arithmetic/reference.h"
#include "sim/model/unity/arithmetic/requantisation.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::QuantisedAdd;

bool subtracts(const QuantisedAdd &operation) { return operation.op == isa::unity::Opcode::ELE_SUB; }

/// TensorFlow Lite: both inputs are requantised before the sum is. All numbers have 32 bits.
std::uint64_t of_scaled(const QuantisedAdd &operation, const std::array<std::int64_t, 2> &in) {
  std::array<std::uint32_t, 2> scaled{};
  for (unsigned i = 0; i < 2; ++i) {
    const auto x =
        static_cast<std::int32_t>(static_cast<std::uint64_t>(in[i]) - static_cast<std::uint64_t>(std::int64_t{operation.input_zero[i]}));
    scaled[i] = static_cast<std::uint32_t>(
        requantised(wrapped_shift(x, operation.left_shift), operation.input_multiplier[i], operation.input_shift[i]));
  }
  const std::uint32_t sum = subtracts(operation) ? scaled[0] - scaled[1] : scaled[0] + scaled[1];
  const auto total = std::int64_t{static_cast<std::int32_t>(sum)};
  const Whole zero = whole_of(operation.output_zero);
  if (!operation.has_multiplier) return finished(whole_of(total) + zero, operation.clip, operation.result.unit);
  const auto multiplier = static_cast<std::int32_t>(operation.multiplier);
  return finished(requantised_sum(total, multiplier, operation.shift, zero), operation.clip, operation.result.unit);
}

std::uint64_t of_wholes(const QuantisedAdd &operation, Whole a, Whole b) {
  const Whole first = a - whole_of(operation.input_zero[0]), second = b - whole_of(operation.input_zero[1]);
  const Whole sum = subtracts(operation) ? first - second : first + second;
  const Whole zero = whole_of(operation.output_zero);
  const Unit unit = operation.result.unit;
  if (!operation.has_multiplier) return finished(sum + zero, operation.clip, unit);
  if (is_float(operation.multiplier_unit)) {
    const double multiplier = real_of_bits(operation.multiplier, operation.multiplier_unit);
    return finished(scaled_sum(sum, multiplier, zero), operation.clip, unit);
  }
  const auto low = static_cast<std::int64_t>(static_cast<std::int32_t>(bits_of_whole(sum, Unit::s32, false)));
  const auto multiplier = static_cast<std::int32_t>(operation.multiplier);
  return finished(requantised_sum(low, multiplier, operation.shift, zero), operation.clip, unit);
}

std::uint64_t of_reals(const QuantisedAdd &operation, Unit real, double a, double b) {
  double sum = rounded_to(subtracts(operation) ? a - b : a + b, real);
  if (operation.has_multiplier) sum = rounded_to(sum * real_in(operation.multiplier, operation.multiplier_unit, real), real);
  return finished(sum, operation.clip, operation.result.unit);
}

}  // namespace

void quantised_add(const QuantisedAdd &operation, Memory &memory) {
  const std::array<const std::byte *, 2> sources{read(memory, operation.source[0]), read(memory, operation.source[1])};
  std::byte *result = write(memory, operation.result);
  const Unit first = operation.source[0].unit, second = operation.source[1].unit, to = operation.result.unit;
  WidestFloat widest{first, second, to};
  if (widest && operation.has_multiplier) widest.include(operation.multiplier_unit);
  for (std::uint64_t i = 0; i < operation.result.elements; ++i) {
    const std::uint64_t a = load_bits(sources[0], first, i), b = load_bits(sources[1], second, operation.second.index(i));
    std::uint64_t y = 0;
    if (operation.left_shift != 0) {
      y = of_scaled(operation, {isa::unity::integer_of(first, a), isa::unity::integer_of(second, b)});
    } else if (widest) {
      y = of_reals(operation, *widest, real_in(a, first, *widest), real_in(b, second, *widest));
    } else {
      y = of_wholes(operation, whole_of_bits(a, first), whole_of_bits(b, second));
    }
    store_bits(result, to, i, y);
  }
  clear_spare(result, to, operation.result.elements);
}

}  // namespace cox::model::unity::reference
