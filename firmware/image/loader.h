// SPDX-License-Identifier: MIT
// Checks a task image in place and makes it ready to run. The target, the native board and `cox check` all use this code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/firmware/image/loaded_task.h"
#include "coxswain/firmware/plan/plan.h"
#include "coxswain/firmware/verify/verifier.h"

namespace cox::firmware::load {
class ProgramLoad;
}

namespace cox::firmware::image {

/// The sizes of a device that decide whether a task can run on it.
struct DeviceGeometry {
  std::uint64_t l2_bytes = 0;   ///< size of each core's L2 buffer
  std::uint64_t wl0_bytes = 0;  ///< size of each core's weight buffer
  std::uint32_t cores = 0;
  std::uint32_t engines = 0;  ///< bit i: the device has engine i (device/engines.h)
};

/// The default device: the reset values of its registers (device/npu.svd).
[[nodiscard]] DeviceGeometry reference_geometry();

/// The largest device that instructions can address.
[[nodiscard]] DeviceGeometry largest_geometry();

inline constexpr std::size_t kImageAlignment = 16;  ///< alignment of the image in memory, in bytes
inline constexpr std::size_t kWorkspaceAlignment = plan::kPlanAlignment;

/// Returns the size, in bytes, of the workspace that a task of `instructions` instructions on `cores` cores needs besides its image. The
/// workspace is aligned to kWorkspaceAlignment.
[[nodiscard]] constexpr std::size_t workspace_bytes(std::size_t instructions, unsigned cores = 1) {
  return plan::plan_bytes(instructions, cores);
}

/// Returns workspace_bytes(), or stream_workspace_bytes(), for the task in an image. Checks only signature, header and FlatBuffer. The
/// errors are those of load() for these, and image_geometry (`what` "tile_cores").
[[nodiscard]] Result<std::size_t> workspace_bytes(std::span<const std::byte> image);

/// Returns the number of instructions of an image. Checks only signature, header and FlatBuffer, with the errors of load().
[[nodiscard]] Result<std::size_t> instruction_count(std::span<const std::byte> image);

/// Checks all of `image`, which is aligned to kImageAlignment. Copies nothing: the result refers to `image` and `workspace`. Errors:
/// - invalid_argument: `image` or `workspace` misaligned; no_room: `workspace` too small (`limit` is the required size);
/// - if a policy demands signatures, or the image is signed, nothing else is looked at before the signature (firmware/signature/): the
///   errors of signature::Verification; image_unsigned; rolled_back (`what` "version", `index` the key, `value` the image's version,
///   `limit` the key's minimum; or "minimum_version" if the application's counter did not take the version); unsupported ("signed images")
///   if the program has no policy; not_ready ("signature check") while another thread verifies an image;
/// - image_truncated, image_magic, image_version, image_checksum: the header is wrong, or does not fit the image. `value` is what the image
///   has, `limit` what it should have;
/// - image_malformed: the FlatBuffer does not verify, or a part of it is inconsistent (`what` names the part, `index` is its index in its
///   list);
/// - image_geometry: the device is too small; `what` is the quantity, `value` is what the task needs, `limit` what the device has;
/// - tensor_size: a tensor's size (`value`) differs from the size of its shape (`limit`), or the tensor leaves its window;
/// - all errors of verify() (firmware/verify/verifier.h); after a deadlock, `*waiting` has the stuck lanes;
/// - for a program of an engine that runs streams: unsupported if the device does not have the engine (`what` is the engine's name, or
///   "engine" if there is no such engine), or if `programs` does not know it ("jobs of the engine", `value` its number); image_malformed
///   ("program.code") for a stream of a wrong length or alignment; those of stream::ProgramKind.
/// load::Load (firmware/load/load.h) does the same in steps.
[[nodiscard]] Result<LoadedTask> load(std::span<const std::byte> image, const DeviceGeometry &geometry, std::span<std::byte> workspace,
                                      verify::Deadlock *waiting = nullptr, load::ProgramLoad *programs = nullptr);

}  // namespace cox::firmware::image
