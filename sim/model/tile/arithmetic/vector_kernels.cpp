// SPDX-License-Identifier: MIT
#include "sim/model/tile/arithmetic/vector_kernels.h"

#include "sim/model/tile/arithmetic/kernel_sets.h"

namespace cox::model::arithmetic::fast {

std::span<const VectorKernels *const> supported_vector_kernels() {
#if defined(__x86_64__)
  static const KernelSets<VectorKernels> sets(kPortableVectorKernels, kAvx2VectorKernels, kAvx512VectorKernels);
#else
  static const KernelSets<VectorKernels> sets(kPortableVectorKernels);
#endif
  return sets.supported();
}

}  // namespace cox::model::arithmetic::fast
