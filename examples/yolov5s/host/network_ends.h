// SPDX-License-Identifier: MIT
// The work before and after the network, which makes its input from a picture and finds boxes in its outputs, on the host. The bytes are
// those of the control core.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/isa/numbers/mx9_block.h"
#include "examples/yolov5s/machine_data.h"
#include "examples/yolov5s/network.h"

namespace cox::yolov5s {

/// Writes the space-to-depth map of a picture (Picture::pixels) to `map`. Throws FileError if `map` has another size.
void pack_picture(std::span<const std::uint8_t> pixels, std::uint32_t height, std::uint32_t width, std::span<isa::mx::Block> map);

/// The head's outputs after the sigmoid, one for each scale.
using HeadBlocks = std::array<const isa::mx::Block *, kScales>;
/// Finds the boxes of a picture of `height` and `width`, in pixels of the network's input. The limits are those of MachineData.
Detection find_boxes(const HeadBlocks &values, std::uint32_t height, std::uint32_t width, float least_score, float most_overlap);

}  // namespace cox::yolov5s
