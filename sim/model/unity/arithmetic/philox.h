// SPDX-License-Identifier: MIT
// Random numbers of the Unity units: Philox4x32-10 of Random123 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
#pragma once

#include <array>
#include <cstdint>

namespace cox::model::unity {

using PhiloxBlock = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// The block of four words that belongs to a counter.
[[nodiscard]] constexpr PhiloxBlock philox4x32(PhiloxBlock counter, PhiloxKey key) {
  constexpr unsigned kRounds = 10;
  constexpr std::uint64_t kFactors[] = {0xD2511F53, 0xCD9E8D57};
  constexpr std::uint32_t kWeyl[] = {0x9E3779B9, 0xBB67AE85};
  for (unsigned round = 0; round < kRounds; ++round) {
    const std::uint64_t a = kFactors[0] * counter[0], b = kFactors[1] * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += kWeyl[0];
    key[1] += kWeyl[1];
  }
  return counter;
}

/// The words of a seed, which is the key. Word i is word i mod 4 of the block whose counter is i / 4.
class RandomWords {
 public:
  explicit constexpr RandomWords(std::uint64_t seed) : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)} {
    next_block(0);
  }

  [[nodiscard]] constexpr std::uint32_t word(std::uint64_t i) {
    if (i / 4 != number_) next_block(i / 4);
    return block_[i % 4];
  }
  /// Word i as a number from 0 to 1 - 2^-24.
  [[nodiscard]] constexpr float uniform(std::uint64_t i) { return static_cast<float>(word(i) >> 8) * 0x1p-24F; }

 private:
  constexpr void next_block(std::uint64_t number) {
    number_ = number;
    block_ = philox4x32({static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32), 0, 0}, key_);
  }

  PhiloxKey key_;
  std::uint64_t number_ = 0;
  PhiloxBlock block_{};
};

}  // namespace cox::model::unity
