// SPDX-License-Identifier: MIT
#include "sim/model/arithmetic/kernels.h"

#include <array>

#include "sim/model/arithmetic/fast.h"
#include "sim/model/arithmetic/host_instructions.h"

namespace cox::model::arithmetic::fast {
namespace {

struct Supported {
  std::array<const Kernels *, 3> sets{&kPortableKernels};
  std::size_t count = 1;

  Supported() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (has_avx2()) sets[count++] = &kAvx2Kernels;
    if (has_avx512()) sets[count++] = &kAvx512Kernels;
#endif
  }
};

}  // namespace

std::span<const Kernels *const> supported_kernels() {
  static const Supported supported;
  return {supported.sets.data(), supported.count};
}

}  // namespace cox::model::arithmetic::fast
