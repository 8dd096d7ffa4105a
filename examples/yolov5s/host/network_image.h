// SPDX-License-Identifier: MIT
// The network as a task image, which the firmware runs as a job. No part of the network is linked to the firmware.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cox::yolov5s {

/// Returns a task image with the stream of the kernels of all layers. `weights` are the packed weights. The image has these windows:
/// - 0, read-only: tensor `image`, the space-to-depth map of a picture;
/// - 1: the head's outputs, before the sigmoid (`model.24.m.0` for scale 0) and after it (`model.24.m.0.sigmoid`);
/// - 2, read-only: the weights, a constant of the image;
/// - 3: all other tensors, and scratch.
/// With `all_layers`, each layer's output is a tensor, with the layer's name. Throws FileError if the network cannot be built.
[[nodiscard]] std::vector<std::byte> network_image(std::uint32_t height, std::uint32_t width, std::span<const std::byte> weights,
                                                   bool all_layers);

}  // namespace cox::yolov5s
