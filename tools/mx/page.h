// SPDX-License-Identifier: MIT
// Makes docs/isa/mx.md from its prose and the instruction table.
#pragma once

#include <string>

namespace cox::tools {

/// Returns the whole page: `prose`, with the line `<!-- fields of NAME -->` replaced by the fields of each instruction, `<!-- opcodes -->`
/// by the list of all, and `<!-- enumerations -->`. Empty if one of these lines is missing.
[[nodiscard]] std::string mx_page(const std::string &prose);

}  // namespace cox::tools
