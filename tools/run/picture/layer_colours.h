// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace cox::tools::run {

/// "#rrggbb" for a layer: any two neighbours differ plainly, all are light enough for dark text. Grey for layer -1.
std::string layer_colour(std::int32_t layer);

}  // namespace cox::tools::run
