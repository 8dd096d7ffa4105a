// SPDX-License-Identifier: MIT
// Weights and image as a Pipeline takes them, on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "examples/pim_networks/parameters.h"
#include "examples/pim_networks/pipeline.h"

namespace cox::pim_networks {

/// Writes an image with its border: Pipeline::image_map(). `packed` holds zeros.
void pack_image(std::span<const std::int8_t> image, std::span<std::byte> packed);

/// Writes the images of all arrays and the constants of all cores. They hold zeros.
void pack_weights(const Pipeline &pipeline, const isa::pim::Array &array, const Parameters &parameters, std::span<std::byte> arrays,
                  std::span<std::byte> constants);

}  // namespace cox::pim_networks
