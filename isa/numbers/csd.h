// SPDX-License-Identifier: MIT
// INT8 weights in canonical signed digits, as the columns of bit-sparse arrays hold them (docs/isa/pim.md, Bit sparsity). The eight digits
// of a weight, -1, 0 or 1 each, are four pairs. Canonical means that no two digits beside each other are different from 0, so a pair is
// 0, ±1 or ±2. A column holds one pair that is not 0.
#pragma once

#include <array>
#include <cstdint>

namespace cox::isa::numbers {

/// A pair that is not 0: its value is (-1)^negative * (1 + cell) * 4^place.
struct SignedPair {
  bool negative = false;
  bool cell = false;
  std::uint8_t place = 0;  ///< p: 0 to 3

  [[nodiscard]] constexpr int value() const { return (negative ? -1 : 1) * ((cell ? 2 : 1) << (2 * place)); }
  /// The three bits of meta data, bit 0 the first of them: the sign, the high bit of the place, the low bit of the place.
  [[nodiscard]] constexpr unsigned meta() const { return (negative ? 1U : 0U) | (place & 2U) | (place & 1U) << 2; }

  friend constexpr bool operator==(const SignedPair &, const SignedPair &) = default;
};

/// The pairs of a number that are not 0, the highest first.
struct SignedPairs {
  unsigned count = 0;
  std::array<SignedPair, 4> pairs{};

  [[nodiscard]] constexpr int value() const {
    int sum = 0;
    for (unsigned i = 0; i < count; ++i) sum += pairs[i].value();
    return sum;
  }
};

/// The canonical form of a number from -170 to 170, the range of eight canonical digits.
[[nodiscard]] constexpr SignedPairs canonical_pairs(int number) {
  SignedPairs result;
  // Digits from the lowest: a digit of an odd rest is the one that makes the rest divisible by 4, so that the next digit is 0.
  std::array<int, 8> digits{};
  for (int &digit : digits) {
    if (number % 2 != 0) digit = 2 - (number % 4 + 4) % 4;
    number = (number - digit) / 2;
  }
  for (std::size_t place = 4; place-- > 0;) {
    const int pair = 2 * digits[2 * place + 1] + digits[2 * place];
    if (pair == 0) continue;
    result.pairs[result.count++] = {pair < 0, pair == 2 || pair == -2, static_cast<std::uint8_t>(place)};
  }
  return result;
}

/// The number nearest to `weight` that `columns` columns (1 or 2) can hold. `weight` is -128 to 127; the result is -128 to 128. Of two that
/// are equally near, the one with the smaller magnitude. One column cannot hold 0: for weight 0 the result is then 1.
[[nodiscard]] constexpr int nearest_weight(int weight, unsigned columns) {
  const int sign = weight < 0 ? -1 : 1, magnitude = weight * sign;
  const int least = columns == 1 ? 1 : 0;
  if (magnitude <= least) return least == 0 ? weight : sign;
  for (int distance = 0;; ++distance) {
    if (canonical_pairs(magnitude - distance).count <= columns) return sign * (magnitude - distance);
    if (canonical_pairs(magnitude + distance).count <= columns) return sign * (magnitude + distance);
  }
}

/// The columns of nearest_weight(weight, 1).
[[nodiscard]] constexpr SignedPair one_column(int weight) { return canonical_pairs(nearest_weight(weight, 1)).pairs[0]; }

/// The columns of nearest_weight(weight, 2), the higher pair first. A number with fewer pairs is the sum of two at one place: 2 is 1 + 1,
/// 1 is 2 - 1, and 0 is 1 - 1, each times 4^place.
[[nodiscard]] constexpr std::array<SignedPair, 2> two_columns(int weight) {
  const SignedPairs pairs = canonical_pairs(nearest_weight(weight, 2));
  if (pairs.count == 2) return {pairs.pairs[0], pairs.pairs[1]};
  const auto [negative, cell, place] = pairs.pairs[0];
  if (pairs.count == 0) return {SignedPair{false, false, 0}, SignedPair{true, false, 0}};
  if (cell) return {SignedPair{negative, false, place}, SignedPair{negative, false, place}};
  return {SignedPair{negative, true, place}, SignedPair{!negative, false, place}};
}

}  // namespace cox::isa::numbers
