// SPDX-License-Identifier: MIT
// Changes to task images that leave them valid images: a field, a dependency or the position of an instruction.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cox::fuzz {

/// Changes the instructions of the image in `data` in place and seals it. Returns its size, or 0 if `data` holds no image.
std::size_t mutate_task(std::uint8_t *data, std::size_t size, unsigned seed);

}  // namespace cox::fuzz
