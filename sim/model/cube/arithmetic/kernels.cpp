// SPDX-License-Identifier: MIT
#include "sim/model/cube/arithmetic/kernels.h"

#include "sim/model/cube/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/kernel_sets.h"

namespace cox::model::cube::fast {

std::span<const Kernels *const> supported_kernels() {
#if defined(__x86_64__)
  static const arithmetic::KernelSets<Kernels> sets(kPortableKernels, kAvx2Kernels, kAvx512Kernels);
#else
  static const arithmetic::KernelSets<Kernels> sets(kPortableKernels);
#endif
  return sets.supported();
}

}  // namespace cox::model::cube::fast
