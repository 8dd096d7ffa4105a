// SPDX-License-Identifier: MIT
// The loops that compilers vectorise well by themselves. Included by one source file for each instruction set and kept local to it:
// a function with external linkage, built with AVX-512, could end up as the one that all others call. For the same reason nothing
// of the standard library is used here. Built without contraction: each multiply and each add rounds on its own.
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
