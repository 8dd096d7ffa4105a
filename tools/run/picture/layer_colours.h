// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace cox::tools::run {

/// Returns "#rrggbb" for a layer. Neighbouring layers have clearly different colours, and all colours are light enough for dark text. Layer
/// -1 is grey.
std::string layer_colour(std::int32_t layer);

}  // namespace cox::tools::run
