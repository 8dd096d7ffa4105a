// SPDX-License-Identifier: MIT
// The number of cores that an image asks for.
#pragma once

#include <algorithm>
#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/firmware/image/flatbuffer.h"
#include "coxswain/isa/tile/header.h"

namespace cox::firmware::load {

/// Returns the number of cores that the task runs on.
inline unsigned cores_of(const image::Geometry &needed) { return std::max<std::uint32_t>(needed.tile_cores(), 1U); }

/// Error: image_geometry if the task needs more than `there` cores, or more than a task can have.
[[nodiscard]] inline Status check_cores(const image::Geometry &needed, std::uint32_t there) {
  const std::uint32_t most = std::min<std::uint32_t>(there, isa::tile::kMostCores);
  if (cores_of(needed) > most) return {ErrorCode::image_geometry, "tile_cores", -1, cores_of(needed), most};
  return {};
}

}  // namespace cox::firmware::load
