// SPDX-License-Identifier: MIT
// SOFTMAX and LOGSOFTMAX.
#include "sim/model/unity/arithmetic/number.h"
#include "sim/model/unity/arithmetic/partial_sums.h"
#include "sim/model/unity/arithmetic/real_functions.h"
#include "sim/model/unity/arithmetic/reference.h"
#include "sim/model/unity/arithmetic/softmax_numbers.h"

namespace cox::model::unity::reference {
namespace {

using isa::unity::Softmax;

/// The elements whose probabilities add up to 1.
struct Line {
  const Softmax &operation;
  const std::byte *source;
  std::byte *result;
  std::uint64_t first;  ///< index of the first element

  [[nodiscard]] std::uint64_t index(std::uint64_t i) const { return first + i * operation.inner; }
};

template <typename Wide>
void real_line(const Line &line) {
  const Unit unit = line.operation.source.unit;
  const std::uint64_t count = line.operation.extent;
  const auto value = [&](std::uint64_t i) { return static_cast<Wide>(real_of_bits(load_bits(line.source, unit, line.index(i)), unit)); };
  Wide largest = value(0);
  for (std::uint64_t i = 1; i < count; ++i) largest = std::isnan(value(i)) || value(i) > largest ? value(i) : largest;
  PartialSums<Wide> sums;
  for (std::uint64_t i = 0; i < count; ++i) sums.add(exponential(value(i) - largest));
  const Wide sum = sums.total(), factor = 1 / sum;
  const bool logarithm = line.operation.op == isa::unity::Opcode::LOGSOFTMAX;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Wide x = value(i) - largest;
    store_bits(line.result, unit, line.index(i), bits_of_wide(logarithm ? x - std::log(sum) : exponential(x) * factor, unit));
  }
}

/// The numbers of TensorFlow Lite.
void s8_line(const Line &line) {
  const Softmax &operation = line.operation;
  const auto value = [&](std::uint64_t i) { return static_cast<std::int32_t>(static_cast<std::int8_t>(line.source[line.index(i)])); };
  std::int32_t largest = value(0);
  for (std::uint64_t i = 1; i < operation.extent; ++i) largest = std::max(largest, value(i));
  const auto exponential_of = [&](std::int32_t difference) {
    return exponential(high_product(wrapped_shift(difference, static_cast<unsigned>(operation.left_shift)), operation.multiplier));
  };
  std::int32_t sum = 0;
  for (std::uint64_t i = 0; i < operation.extent; ++i) {
    const std::int32_t difference = value(i) - largest;
    if (difference >= operation.smallest_difference) sum += rounded_shift(exponential_of(difference), kSumBits);
  }
  const Reciprocal of_sum = reciprocal(sum);
  for (std::uint64_t i = 0; i < operation.extent; ++i) {
    const std::int32_t difference = value(i) - largest;
    const std::int8_t y = difference >= operation.smallest_difference ? probability(exponential_of(difference), of_sum) : std::int8_t{-128};
    line.result[line.index(i)] = static_cast<std::byte>(y);
  }
}

}  // namespace

void softmax(const Softmax &operation, Memory &memory) {
  const std::byte *source = read(memory, operation.source);
  std::byte *result = write(memory, operation.result);
  for (std::uint64_t o = 0; o < operation.outer; ++o) {
    for (std::uint64_t i = 0; i < operation.inner; ++i) {
      const Line line{operation, source, result, o * operation.extent * operation.inner + i};
      if (operation.source.unit == Unit::s8) {
        s8_line(line);
      } else {
        in_wider(operation.source.unit, [&](auto wide) { real_line<decltype(wide)>(line); });
      }
    }
  }
}

}  // namespace cox::model::unity::reference
