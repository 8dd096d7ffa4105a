// SPDX-License-Identifier: MIT
#include "coxswain/kernels/mx/byte_conversion.h"

#include <algorithm>
#include <bit>

#include "coxswain/isa/numbers/mx9_block.h"
#include "coxswain/kernels/mx/block_conversion.h"

namespace cox::kernels::mx {

using isa::mx::Block;
using isa::mx::kBlockElements;

namespace {

constexpr unsigned kFractionBits = 23;
constexpr std::uint32_t kInfinity = 0xFF;  ///< the exponent of infinities and NaNs

using Numbers = std::array<float, ByteTables::kBytes>;
using Codes = std::array<std::uint8_t, ByteTables::kBytes>;

std::uint32_t exponent_of(float number) { return std::bit_cast<std::uint32_t>(number) >> kFractionBits & 0xFF; }

/// Packs all numbers whose exponent is at most `most`, in blocks with the exponent `exponent`. An element of a block is a number if its
/// index is a multiple of `step` away from `first`; the other elements are `filler`, except the first one. The first element gives the
/// block its exponent.
void pack_codes(const Numbers &numbers, std::uint32_t exponent, std::uint32_t most, std::size_t first, std::size_t step, float filler,
                Codes &codes) {
  std::array<float, kBlockElements> values{};
  Block block;
  for (std::size_t byte = 0; byte < numbers.size();) {
    values.fill(filler);
    values[0] = std::bit_cast<float>(exponent << kFractionBits);
    const std::size_t first_byte = byte;
    for (std::size_t i = first; i < kBlockElements && byte < numbers.size(); i += step, ++byte) {
      values[i] = exponent_of(numbers[byte]) <= most ? numbers[byte] : 0.0F;
    }
    pack_blocks(values.data(), {&block, 1});
    for (std::size_t i = first, packed = first_byte; packed < byte; i += step, ++packed) codes[packed] = block.elements[i];
  }
}

}  // namespace

Status ByteConversion::init(float scale, float offset) {
  ready_ = false;
  Numbers numbers;
  std::array<bool, kInfinity + 1> present{};
  for (std::size_t byte = 0; byte < numbers.size(); ++byte) {
    const float product = static_cast<float>(byte) * scale;
    if (exponent_of(product) == kInfinity) return {ErrorCode::invalid_argument, "scale"};
    numbers[byte] = product + offset;
    if (exponent_of(numbers[byte]) == kInfinity) return {ErrorCode::invalid_argument, "offset"};
    present[exponent_of(numbers[byte])] = true;
  }

  tables_ = ByteTables();
  std::array<std::uint8_t, kInfinity + 1> rank_of{};
  std::size_t rank = 0;
  for (std::uint32_t exponent = 1; exponent < kInfinity; ++exponent) {
    if (!present[exponent]) continue;
    if (++rank == ByteTables::kRanks) return {ErrorCode::invalid_argument, "scale"};
    rank_of[exponent] = static_cast<std::uint8_t>(rank);
    tables_.exponents[rank] = static_cast<std::uint8_t>(exponent);
    // With the first element's exponent in each pair, every D is 0. Otherwise all pairs but the first have D = 1.
    const float largest = std::bit_cast<float>(exponent << kFractionBits);
    pack_codes(numbers, exponent, exponent, 1, 2, largest, tables_.codes[rank][0]);
    pack_codes(numbers, exponent, exponent - 1, 2, 1, 0.0F, tables_.codes[rank][1]);
  }
  for (std::size_t byte = 0; byte < numbers.size(); ++byte) tables_.ranks[byte] = rank_of[exponent_of(numbers[byte])];
  ready_ = true;
  return {};
}

}  // namespace cox::kernels::mx
