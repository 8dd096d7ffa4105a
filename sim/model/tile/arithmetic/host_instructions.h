// SPDX-License-Identifier: MIT
// The instruction sets of this host for which kernels are built.
#pragma once

namespace cox::model::arithmetic {

#if defined(__x86_64__)
/// AVX2 with FMA. Every processor with AVX2 also has F16C.
inline bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

/// AVX-512 with VNNI.
inline bool has_avx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vnni");
}
#endif

}  // namespace cox::model::arithmetic
