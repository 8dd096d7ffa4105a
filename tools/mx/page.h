// SPDX-License-Identifier: MIT
// Makes docs/isa/mx.md from its prose and the instruction table.
#pragma once

#include <string>

namespace cox::tools {

/// Returns the whole page: `prose` with tables in place of these lines:
/// - `<!-- fields of NAME -->`: the fields of that instruction;
/// - `<!-- opcodes -->`: all instructions;
/// - `<!-- enumerations -->`: all enumerations.
/// The result is empty if one of these lines is missing.
[[nodiscard]] std::string mx_page(const std::string &prose);

}  // namespace cox::tools
