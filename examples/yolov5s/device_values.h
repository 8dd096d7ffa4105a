// SPDX-License-Identifier: MIT
// Head outputs as the device leaves them: reads elements of MX9 blocks, and compares elements with a limit without converting them.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "coxswain/isa/numbers/mx9_block.h"

namespace cox::yolov5s {

/// A limit of scores, and for each exponent and D bit of a block the least mantissa of a value above the limit.
class ScoreLimit {
 public:
  static constexpr std::uint8_t kNoMantissa = 128;  ///< larger than every mantissa

  ScoreLimit() : ScoreLimit(0.0F) {}
  explicit ScoreLimit(float value) : value_(value) {
    for (auto &pair : least_) pair.fill(kNoMantissa);
    if (!fits_elements()) return;
    for (std::uint32_t exponent = kLeastExponent; exponent < isa::mx::kNanExponent; ++exponent) {
      for (std::uint32_t shift = 0; shift < 2; ++shift) {
        // All elements with this exponent and shift are below 128 units.
        const auto unit = std::bit_cast<float>((exponent - shift - kMantissaBits) << kFractionBits);
        const auto end = std::bit_cast<float>((exponent - shift + 1) << kFractionBits);
        if (value < end) least_[exponent][shift] = static_cast<std::uint8_t>(static_cast<std::uint32_t>(value / unit) + 1);
      }
    }
  }

  [[nodiscard]] float value() const { return value_; }
  /// Returns true if no value above the limit is negative. Only then least() can be used.
  [[nodiscard]] bool fits_elements() const { return value_ >= 0.0F; }
  [[nodiscard]] std::uint8_t least(std::uint32_t exponent, std::uint32_t shift) const { return least_[exponent][shift]; }

  static constexpr unsigned kFractionBits = 23;
  static constexpr unsigned kMantissaBits = 6;
  static constexpr std::uint32_t kLeastExponent = kMantissaBits + 2;  ///< blocks with a smaller exponent count as zeros

 private:
  float value_;
  std::array<std::array<std::uint8_t, 2>, 256> least_;
};

struct BestChannel {
  float value = -1.0F;
  std::uint32_t number = 0;  ///< counted from the first of the channels that were compared
};

/// The device's format: MX9 blocks, [channel block][pixel]. A block with an exponent of 7 or less counts as zeros, because its
/// magnitudes are below 2^-119.
struct DeviceValues {
  const isa::mx::Block *blocks = nullptr;
  std::uint32_t pixels = 0;  ///< height * width

  float operator()(std::uint32_t channel, std::uint32_t pixel) const {
    const std::uint32_t element = channel % isa::mx::kBlockElements;
    const isa::mx::Block &block = block_of(channel, pixel);
    const std::uint32_t bits = block.elements[element];
    const std::uint32_t shift = shift_of(block, element);
    if (block.exponent == isa::mx::kNanExponent) return std::bit_cast<float>(0x7FC00000U);
    if (block.exponent < ScoreLimit::kLeastExponent) return 0.0F;
    const auto unit = std::bit_cast<float>((block.exponent - ScoreLimit::kMantissaBits - shift) << ScoreLimit::kFractionBits);
    const float magnitude = static_cast<float>(bits & 0x7FU) * unit;
    return (bits & 0x80U) != 0 ? -magnitude : magnitude;
  }

  /// Returns the first pixel from `pixel` on whose value exceeds the limit, or `pixels`. The limit fits elements.
  [[nodiscard]] std::uint32_t next_above(std::uint32_t channel, std::uint32_t pixel, const ScoreLimit &limit) const {
    const std::uint32_t element = channel % isa::mx::kBlockElements;
    const isa::mx::Block *const first = &block_of(channel, 0);
    const isa::mx::Block *const end = first + pixels;
    const isa::mx::Block *block = first + pixel;
    while (block != end && signed_element(*block, element) < limit.least(block->exponent, shift_of(*block, element))) ++block;
    return static_cast<std::uint32_t>(block - first);
  }

  /// Returns the largest of `count` values from channel `first` on, the first one if several are equal. Leaves out values that are not
  /// positive, and blocks whose values, multiplied by `factor`, do not exceed the limit. `factor` is positive, and the limit fits elements.
  [[nodiscard]] BestChannel best_channel(std::uint32_t first, std::uint32_t count, std::uint32_t pixel, float factor,
                                         const ScoreLimit &limit) const {
    BestChannel best;
    for (std::uint32_t channel = first; channel < first + count;) {
      const isa::mx::Block &block = block_of(channel, pixel);
      const std::uint32_t element = channel % isa::mx::kBlockElements;
      const std::uint32_t end = std::min(isa::mx::kBlockElements, element + first + count - channel);
      const std::uint32_t block_channel = channel - element;
      channel = block_channel + end;
      if (block.exponent < ScoreLimit::kLeastExponent || block.exponent == isa::mx::kNanExponent) continue;
      const auto bound = std::bit_cast<float>((block.exponent + 1U) << ScoreLimit::kFractionBits);  // all values of the block are below it
      if (bound <= best.value || factor * bound <= limit.value()) continue;
      // Compares the elements in half units, of which an element with D = 0 has two for each unit of its mantissa.
      std::int32_t most = 0;
      std::uint32_t found = 0;
      for (std::uint32_t i = element; i < end; ++i) {
        const std::int32_t halves = signed_element(block, i) * (shift_of(block, i) != 0 ? 1 : 2);
        if (halves > most) most = halves, found = i;
      }
      const auto half_unit = std::bit_cast<float>((block.exponent - ScoreLimit::kMantissaBits - 1U) << ScoreLimit::kFractionBits);
      const float value = static_cast<float>(most) * half_unit;
      if (most != 0 && value > best.value) best = {value, block_channel + found - first};
    }
    return best;
  }

 private:
  [[nodiscard]] const isa::mx::Block &block_of(std::uint32_t channel, std::uint32_t pixel) const {
    return blocks[std::size_t{channel / isa::mx::kBlockElements} * pixels + pixel];
  }
  static std::uint32_t shift_of(const isa::mx::Block &block, std::uint32_t element) {
    return static_cast<std::uint32_t>(block.pair_shift) >> (element / 2) & 1U;
  }
  /// Returns the mantissa of a positive element, and a negative number for a negative one. The sign is in the bit that is also that of
  /// std::int8_t, but the mantissa is not in two's complement.
  static std::int32_t signed_element(const isa::mx::Block &block, std::uint32_t element) {
    return static_cast<std::int8_t>(block.elements[element]);
  }
};

}  // namespace cox::yolov5s
