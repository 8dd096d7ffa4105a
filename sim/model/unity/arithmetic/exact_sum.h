// SPDX-License-Identifier: MIT
// Sums of multiples of FP32 numbers without rounding, for RANGE and LINSPACE.
#pragma once

#include <array>
#include <cmath>

#include "sim/model/unity/arithmetic/elements.h"

namespace cox::model::unity {

/// A whole multiple of 2^-277, below 2^234. FP32 numbers times whole numbers below 2^58 are such multiples, and still are when they are
/// divided by one, but for a rest that is too small to change more than the decision of a tie.
class ExactSum {
 public:
  /// Adds value * factor. The value is finite; factors are below 2^58.
  void add(float value, std::uint64_t factor) {
    constexpr int kFractionBits = 24;
    int exponent = 0;
    const auto fraction = static_cast<std::uint64_t>(std::ldexp(std::fabs(std::frexp(value, &exponent)), kFractionBits));
    if (fraction == 0) return;
    const Magnitude product = Magnitude{fraction} * factor;
    add_at(static_cast<unsigned>(exponent - kFractionBits + kScale), product, std::signbit(value));
  }

  /// The sum over a divisor from 1 to 2^58, rounded once to a float unit. 0 is +0.
  [[nodiscard]] std::uint64_t bits_of_quotient(std::uint64_t divisor, Unit unit) const {
    const bool negative = words_.back() >> 63 != 0;
    const Words quotient = divide(negative ? negated(words_) : words_, divisor);
    std::size_t top = kWords;
    while (top > 0 && quotient[top - 1] == 0) --top;
    if (top == 0) return 0;
    // The 64 highest bits; the last one is set if any bit behind them is.
    const auto zeros = static_cast<unsigned>(std::countl_zero(quotient[top - 1]));
    std::uint64_t bits = quotient[top - 1] << zeros;
    std::uint64_t rest = 0;
    if (top > 1) {
      if (zeros != 0) bits |= quotient[top - 2] >> (64 - zeros);
      rest = quotient[top - 2] << zeros;
    }
    for (std::size_t i = 0; i + 2 < top; ++i) rest |= quotient[i];
    bits |= rest != 0 ? 1 : 0;
    // FP16 and FP32 round a number of 53 bits whose last bit stands for all that follow.
    constexpr std::uint64_t kDropped = 0x7FF;
    if (unit != Unit::fp64) bits = (bits & ~kDropped) | ((bits & kDropped) != 0 ? kDropped + 1 : 0);
    const double magnitude = std::ldexp(static_cast<double>(bits), 64 * (static_cast<int>(top) - 1) - static_cast<int>(zeros) - kScale);
    return bits_of_real(negative ? -magnitude : magnitude, unit);
  }

 private:
  static constexpr int kScale = 277;
  static constexpr std::size_t kWords = 8;
  using Words = std::array<std::uint64_t, kWords>;  ///< two's complement, lowest first

  void add_at(unsigned bit, Magnitude value, bool negative) {
    Words addend{};
    const std::size_t word = bit / 64;
    const unsigned shift = bit % 64;
    addend[word] = static_cast<std::uint64_t>(value << shift);
    addend[word + 1] = static_cast<std::uint64_t>(value >> (64 - shift));  // a shift by 64 is one of 128 bits
    addend[word + 2] = shift == 0 ? 0 : static_cast<std::uint64_t>(value >> 64 >> (64 - shift));
    if (negative) addend = negated(addend);
    Magnitude carry = 0;
    for (std::size_t i = 0; i < kWords; ++i) {
      carry += Magnitude{words_[i]} + addend[i];
      words_[i] = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
  }
  [[nodiscard]] static Words negated(Words words) {
    Magnitude carry = 1;
    for (std::uint64_t &word : words) {
      carry += Magnitude{~word};
      word = static_cast<std::uint64_t>(carry);
      carry >>= 64;
    }
    return words;
  }
  /// Rounds toward zero, but to an odd number if there is a rest.
  [[nodiscard]] static Words divide(Words words, std::uint64_t divisor) {
    Magnitude rest = 0;
    for (std::size_t i = kWords; i-- > 0;) {
      rest = rest << 64 | words[i];
      words[i] = static_cast<std::uint64_t>(rest / divisor);
      rest %= divisor;
    }
    words[0] |= rest != 0 ? 1 : 0;
    return words;
  }

  Words words_{};
};

}  // namespace cox::model::unity
