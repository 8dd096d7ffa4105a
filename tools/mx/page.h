// SPDX-License-Identifier: MIT
// docs/isa/mx.md: prose, with what the instruction table says of each instruction in its place.
#pragma once

#include <string>

namespace cox::tools {

/// The whole page: `prose`, with the line `<!-- fields of NAME -->` replaced by what the table says of each instruction, `<!-- opcodes -->`
/// by the list of all, and `<!-- enumerations -->`. Empty where one of these lines is missing.
[[nodiscard]] std::string mx_page(const std::string &prose);

}  // namespace cox::tools
