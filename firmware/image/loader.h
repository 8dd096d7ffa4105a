// SPDX-License-Identifier: MIT
// Checks a task image where it lies in memory and makes it ready to run. The target, the native board and `cox check` run this same code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "firmware/image/loaded_task.h"
#include "firmware/plan/plan.h"
#include "firmware/verify/pause.h"
#include "firmware/verify/verifier.h"

namespace cox::firmware::image {

/// What a device has to offer.
struct DeviceGeometry {
  std::uint64_t l2_bytes = 0;   ///< of each core's L2 buffer
  std::uint64_t wl0_bytes = 0;  ///< of each core's weight buffer
  std::uint32_t tile_cores = 0;
};

/// The geometry that the instruction set is written down for: the tools check against it.
[[nodiscard]] DeviceGeometry reference_geometry();

inline constexpr std::size_t kImageAlignment = 16;  ///< of the image in memory
inline constexpr std::size_t kWorkspaceAlignment = plan::kPlanAlignment;

/// Memory that a loaded task of so many instructions on so many cores needs beside its image, in bytes; aligned to kWorkspaceAlignment.
[[nodiscard]] constexpr std::size_t workspace_bytes(std::size_t instructions, unsigned cores = 1) {
  return plan::plan_bytes(instructions, cores);
}

/// The same of an image, from header and FlatBuffer alone. Errors as of load(), up to the FlatBuffer; image_geometry (`tile_cores`).
[[nodiscard]] Result<std::size_t> workspace_bytes(std::span<const std::byte> image);

/// The image's instruction count, likewise.
[[nodiscard]] Result<std::size_t> instruction_count(std::span<const std::byte> image);

/// The image in `image` (aligned to kImageAlignment), checked from front to back; nothing is copied, and the result refers to both
/// arguments.
/// - invalid_argument: `image` or `workspace` misaligned; no_room: `workspace` too small (`limit` is what it takes);
/// - image_truncated, image_magic, image_version, image_checksum: the header; `value` what stands there, `limit` what should;
/// - image_malformed: the FlatBuffer does not verify, or a part of it is inconsistent (`what`, `index` in its list);
/// - image_geometry: `what` the quantity, `value` needed, `limit` there;
/// - tensor_size: a tensor's size is not that of its shape (`value`, `limit`), or it leaves its window;
/// - and all that firmware/verify/verifier.h refuses, `*waiting` as there;
/// - cancelled: `pause`, which is taken now and then, gave up.
[[nodiscard]] Result<LoadedTask> load(std::span<const std::byte> image, const DeviceGeometry &geometry, std::span<std::byte> workspace,
                                      verify::Deadlock *waiting, verify::Pause &pause);
[[nodiscard]] inline Result<LoadedTask> load(std::span<const std::byte> image, const DeviceGeometry &geometry,
                                             std::span<std::byte> workspace, verify::Deadlock *waiting = nullptr) {
  verify::Pause none;
  return load(image, geometry, workspace, waiting, none);
}

}  // namespace cox::firmware::image
