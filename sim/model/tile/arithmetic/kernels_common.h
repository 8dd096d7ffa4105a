// SPDX-License-Identifier: MIT
// Loops that compilers vectorise well. Each instruction set has one source file that includes this; the loops have internal linkage there
// and use nothing of the standard library. Otherwise the linker could give all callers the same copy of a function, perhaps the one that
// was built with AVX-512. Built without contraction: each multiply and each add rounds on its own.
#pragma once

#include "sim/model/tile/arithmetic/kernels.h"

namespace cox::model::arithmetic {
namespace {

/// The 4 input channels at `bytes`, which need not be aligned.
[[maybe_unused]] std::int32_t load_group(const std::uint8_t *bytes) {
  std::int32_t group;
  __builtin_memcpy(&group, bytes, sizeof group);
  return group;
}

}  // namespace
}  // namespace cox::model::arithmetic
