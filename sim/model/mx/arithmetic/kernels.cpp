// SPDX-License-Identifier: MIT
#include "sim/model/mx/arithmetic/kernels.h"

#include "sim/model/mx/arithmetic/fast.h"
#include "sim/model/tile/arithmetic/kernel_sets.h"

namespace cox::model::mx::fast {

std::span<const Kernels *const> supported_kernels() {
#if defined(__x86_64__)
  static const arithmetic::KernelSets<Kernels> sets(kPortableKernels, kAvx2Kernels, kAvx512Kernels);
#else
  static const arithmetic::KernelSets<Kernels> sets(kPortableKernels);
#endif
  return sets.supported();
}

}  // namespace cox::model::mx::fast
