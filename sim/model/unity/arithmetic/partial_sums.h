// SPDX-License-Identifier: MIT
// Sums of reals in a defined order that vectors can follow (docs/unity-arithmetic.md, Numbers).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cox::model::unity {

inline constexpr std::size_t kPartialSums = 32;

/// Partial sums from 0. Term i is added to partial sum i % 32, then the upper half of the sums to the lower half until one is left.
template <typename Wide>
class PartialSums {
 public:
  void add(Wide term) { sums_[terms_++ % kPartialSums] += term; }
  /// The partial sums, for kernels that add terms to them.
  [[nodiscard]] Wide *data() { return sums_.data(); }
  [[nodiscard]] Wide total() const {
    std::array<Wide, kPartialSums> sums = sums_;
    for (std::size_t half = kPartialSums / 2; half > 0; half /= 2) {
      for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
    }
    return sums[0];
  }

 private:
  std::array<Wide, kPartialSums> sums_{};
  std::uint64_t terms_ = 0;
};

}  // namespace cox::model::unity
