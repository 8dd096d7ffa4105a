// SPDX-License-Identifier: MIT
// Makes docs/isa/pim.md from its prose and the instruction table.
#pragma once

#include <string>

namespace cox::tools::pim {

/// Returns the whole page: `prose` with tables in place of these lines:
/// - `<!-- opcodes -->`: all instructions;
/// - `<!-- fields of NAME -->`: the fields of that instruction, and of all instructions that have the same fields;
/// - `<!-- enumerations -->`: all enumerations.
/// The result is empty if one of these lines is missing. One line is enough for instructions with the same fields.
[[nodiscard]] std::string page(const std::string &prose);

}  // namespace cox::tools::pim
