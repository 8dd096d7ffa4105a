// SPDX-License-Identifier: MIT
// The reference part of docs/isa/tile.md, from the instruction table.
#pragma once

#include <string>

namespace cox::tools {

/// Returns Markdown: each class with its instructions and their fields (bits, values, meaning), and the enumerations.
[[nodiscard]] std::string tile_reference();

/// Returns the whole page: `prose`, with its line `<!-- reference -->` replaced by tile_reference(). The result is empty if there is no
/// such line.
[[nodiscard]] std::string tile_page(const std::string &prose);

}  // namespace cox::tools
