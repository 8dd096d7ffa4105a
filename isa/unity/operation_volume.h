// SPDX-License-Identifier: MIT
// Volumes, and pools of sections: CONV3D, TRANS_CONV3D, POOL3D, ROI_POOL, ADAPTIVV_POOL*.
#pragma once

#include <cstdint>

#include "coxswain/isa/unity/instruction.h"
#include "coxswain/isa/unity/operation_map.h"

namespace cox::isa::unity {

/// The third direction of a volume, whose planes are maps. A FeatureMap `source` is plane 0 of the source; plane d begins d * source_step
/// nibbles behind it. Planes of a result follow one another without gaps, so that its FeatureMap has all their lines: line h of plane d is
/// d * (height / result) + h.
struct Depth {
  std::uint32_t source = 1, result = 1;  ///< planes
  std::uint32_t kernel = 1;              ///< planes of a kernel or of a window
  std::uint32_t front = 0, back = 0;     ///< planes of padding
  std::uint32_t stride = 1;
  std::uint32_t enlarge = 1;                       ///< TRANS_CONV3D; else 1
  std::uint64_t source_step = 0, kernel_step = 0;  ///< nibbles from a plane of the source, of the kernel, to the next one

  /// Lines of one plane of the result.
  [[nodiscard]] constexpr std::uint32_t lines(const FeatureMap &all) const { return all.height / result; }
};

/// CONV3D and TRANS_CONV3D: a Convolution that also sums over kd, the planes of its kernel. Plane d of the result needs the planes d *
/// stride + kd - front of the source, which is enlarged as in a Convolution. Groups and rates are 1, and the kernel's zero is 0.
struct VolumeConvolution {
  Convolution planes{};
  Depth depth{};
};

/// POOL3D: a Pool whose windows have depth.kernel planes.
struct VolumePool {
  Pool planes{};
  Depth depth{};
};

/// ROI_POOL and ADAPTIVV_POOL*. Every direction of the source, of extent e, is divided into as many sections as the result has elements in
/// that direction, o. Section i has the positions from floor(i * e / o) to ceil((i + 1) * e / o) - 1.
struct SectionPool {
  Opcode op{};
  Pool::Kind kind{};              ///< max for ROI_POOL
  FeatureMap source{}, result{};  ///< of the same unit and number of channels
  Depth depth{};                  ///< source, result and source_step are used; both depths are 1 but for ADAPTIVV_POOL3D
};

}  // namespace cox::isa::unity
