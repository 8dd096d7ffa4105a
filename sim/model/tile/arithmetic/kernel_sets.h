// SPDX-License-Identifier: MIT
// The sets of kernels that this host can run. There is one set for each instruction set for which kernels are built.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sim/model/tile/arithmetic/host_instructions.h"

namespace cox::model::arithmetic {

template <typename Kernels>
class KernelSets {
 public:
#if defined(__x86_64__)
  KernelSets(const Kernels &portable, const Kernels &avx2, const Kernels &avx512) : sets_{&portable} {
    __builtin_cpu_init();
    if (has_avx2()) sets_[count_++] = &avx2;
    if (has_avx512()) sets_[count_++] = &avx512;
  }
#else
  explicit KernelSets(const Kernels &portable) : sets_{&portable} {}
#endif

  /// The best set is last.
  [[nodiscard]] std::span<const Kernels *const> supported() const { return {sets_.data(), count_}; }

 private:
  std::array<const Kernels *, 3> sets_;
  std::size_t count_ = 1;
};

}  // namespace cox::model::arithmetic
