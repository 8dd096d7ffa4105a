// SPDX-License-Identifier: MIT
// Random numbers that are the same on every machine: they are computed exactly, without rounding.
#pragma once

#include <bit>
#include <cstdint>

namespace cox::yolov5s {

/// xoshiro256** (Blackman and Vigna), seeded with splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t &word : state_) {
      seed += 0x9E3779B97F4A7C15U;
      std::uint64_t z = seed;
      z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
      z = (z ^ z >> 27) * 0x94D049BB133111EBU;
      word = z ^ z >> 31;
    }
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Returns a number from 0 up to but not including 1, in steps of 2^-24.
  float uniform() { return static_cast<float>(next() >> 40) * 0x1p-24F; }

  /// Returns an approximately normal number with mean 0 and variance 1. The number is (s - m) / 2^16: s is the sum of twelve uniform 16-bit
  /// integers, and m is the mean of such sums. So the number lies between -6 and 6.
  float normal() {
    std::int32_t sum = 0;
    for (int word = 0; word < 3; ++word) {
      const std::uint64_t bits = next();
      for (unsigned part = 0; part < 4; ++part) sum += static_cast<std::int32_t>(bits >> 16 * part & 0xFFFF);
    }
    constexpr std::int32_t kMean = 12 * 65535 / 2;
    return static_cast<float>(sum - kMean) * 0x1p-16F;
  }

 private:
  std::uint64_t state_[4]{};
};

}  // namespace cox::yolov5s
