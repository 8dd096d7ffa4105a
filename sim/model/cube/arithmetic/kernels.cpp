// SPDX-License-Identifier: MIT
#include "sim/model/cube/arithmetic/kernels.h"

#include <array>

#include "sim/model/arithmetic/host_instructions.h"
#include "sim/model/cube/arithmetic/fast.h"

namespace cox::model::cube::fast {
namespace {

struct Supported {
  std::array<const Kernels *, 3> sets{&kPortableKernels};
  std::size_t count = 1;

  Supported() {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (arithmetic::has_avx2() && __builtin_cpu_supports("fma")) sets[count++] = &kAvx2Kernels;
    if (arithmetic::has_avx512()) sets[count++] = &kAvx512Kernels;
#endif
  }
};

}  // namespace

std::span<const Kernels *const> supported_kernels() {
  static const Supported supported;
  return {supported.sets.data(), supported.count};
}

}  // namespace cox::model::cube::fast
