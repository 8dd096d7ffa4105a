// SPDX-License-Identifier: MIT
// An access as runs of bytes.
#pragma once

#include <cstdint>
#include <utility>

#include "isa/cube/operation.h"

namespace cox::model::cube {

/// The same bytes in as few runs as its pattern allows: those that touch or repeat each other are one.
constexpr isa::cube::Access merged(isa::cube::Access access) {
  for (std::size_t i = 0; i < access.count.size(); ++i) {
    if (access.count[i] > 1 && access.stride[i] > access.run) continue;
    access.run += (access.count[i] - 1) * access.stride[i];
    access.count[i] = 1;
  }
  return access;
}

/// Calls `visit(first, bytes)` for each run.
template <typename Visit>
void for_each_run(const isa::cube::Access &access, const Visit &visit) {
  const isa::cube::Access pattern = merged(access);
  for (std::uint32_t i = 0; i < pattern.count[1]; ++i) {
    for (std::uint32_t j = 0; j < pattern.count[0]; ++j) visit(pattern.start + i * pattern.stride[1] + j * pattern.stride[0], pattern.run);
  }
}

}  // namespace cox::model::cube
