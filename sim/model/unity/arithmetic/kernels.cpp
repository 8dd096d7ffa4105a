// SPDX-License-Identifier: MIT
#include "sim/model/unity/arithmetic/kernels.h"

#include "sim/model/tile/arithmetic/kernel_sets.h"
#include "sim/model/unity/arithmetic/fast.h"

namespace cox::model::unity::fast {

std::span<const Kernels *const> supported_kernels() {
#if defined(__x86_64__)
  static const arithmetic::KernelSets<Kernels> sets(kPortableKernels, kAvx2Kernels, kAvx512Kernels);
#else
  static const arithmetic::KernelSets<Kernels> sets(kPortableKernels);
#endif
  return sets.supported();
}

const Kernels &best_kernels() {
  static const Kernels &best = *supported_kernels().back();
  return best;
}

}  // namespace cox::model::unity::fast
