// SPDX-License-Identifier: MIT
// Changes to task images that keep them images: one field, one dependency, one place of an instruction at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cox::fuzz {

/// Changes the instructions of the image in `data` in place, and seals it. Returns its size, or 0 where `data` holds no image.
std::size_t mutate_task(std::uint8_t *data, std::size_t size, unsigned seed);

}  // namespace cox::fuzz
