// SPDX-License-Identifier: MIT
// The MX9 block (docs/mx9.md): 16 elements in 18 bytes. An element is v = (-1)^s * 2^(E - 127) * 2^(-D) * M / 64. E is the exponent of the
// block, D is one bit for each pair of elements, and M has seven bits without a hidden one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cox::isa::mx {

inline constexpr std::uint32_t kBlockElements = 16;
inline constexpr std::uint32_t kBlockBytes = 18;
inline constexpr std::uint32_t kPairs = kBlockElements / 2;
inline constexpr std::uint8_t kNanExponent = 255;  ///< all elements are NaN; the rest of the block is zero

/// The block's exponent E, the shift D of pair i in bit i of `pair_shift`, and elements with the sign in bit 7 and the mantissa M below it.
struct Block {
  std::uint8_t exponent = 0;
  std::uint8_t pair_shift = 0;
  std::array<std::uint8_t, kBlockElements> elements{};

  friend constexpr bool operator==(const Block &, const Block &) = default;
};
static_assert(sizeof(Block) == kBlockBytes && alignof(Block) == 1);

/// Converts FP32 to MX9 without a floating-point instruction. E is the exponent of the largest magnitude. M is rounded half to even and
/// saturates at 127. FP32 subnormals count as zero. An infinity or NaN makes the whole block NaN. A pair of zeros has D = 1, an element
/// that rounds to zero has sign 0, and a block of zeros has E = 0 and zeros everywhere else.
[[nodiscard]] Block quantise(std::span<const float, kBlockElements> values);

/// Converts MX9 to FP32 exactly; results may be subnormal. If E is 0, all values are 0; if E is 255, all are the quiet NaN 0x7FC00000.
void dequantise(const Block &block, std::span<float, kBlockElements> values);

/// Number of blocks that hold `elements` channels.
constexpr std::uint32_t blocks_of(std::uint32_t elements) { return elements / kBlockElements + (elements % kBlockElements == 0 ? 0 : 1); }

}  // namespace cox::isa::mx
