// SPDX-License-Identifier: MIT
// Makes docs/isa/unity.md from its prose and the instruction table.
#pragma once

#include <string>

namespace cox::tools::unity {

/// Returns the whole page: `prose` with tables in place of these lines:
/// - `<!-- payload -->`: the fields of the payload;
/// - `<!-- operations -->`: all operations, each with its table, its status and its test;
/// - `<!-- tables -->`: all operand tables, each field with its bits at the three address spaces.
/// The result is empty if one of these lines is missing.
[[nodiscard]] std::string page(const std::string &prose);

}  // namespace cox::tools::unity
