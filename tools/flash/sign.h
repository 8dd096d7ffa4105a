// SPDX-License-Identifier: MIT
// Writes signed images for MCUboot, in the format of its imgtool (docs/flashing.md, MCUboot).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tools/flash/image_version.h"
#include "tools/flash/key.h"

namespace cox::tools::flash {

struct SignRequest {
  std::uint16_t header_bytes = 0;  ///< bytes from the header's start to the vectors
  SignedVersion version;
  std::optional<std::uint32_t> security_counter;
  std::uint32_t slot_bytes = 0;  ///< 0: not known
  bool pad = false;              ///< fill the slot, with the trailer that asks MCUboot to swap
  bool confirm = false;          ///< the trailer also says that the image need not confirm itself
  unsigned write_bytes = 1;      ///< least bytes that the flash writes at a time: 1, 2, 4, 8, 16 or 32
};

/// Returns header, image, TLVs and, if asked, padding. Throws Failure(bad_task) if they do not fit the slot.
[[nodiscard]] std::vector<std::uint8_t> sign(std::span<const std::uint8_t> image, const Key &key, const SignRequest &request);

}  // namespace cox::tools::flash
