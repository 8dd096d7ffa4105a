// SPDX-License-Identifier: MIT
// Tables for a terminal.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace cox::tools::tflite {

/// Returns the number with separators: 1,234,567.
[[nodiscard]] std::string grouped(std::uint64_t value);

/// Aligns the columns of `rows`, those in `numbers` to the right. Leaves out columns that are empty in all rows.
[[nodiscard]] std::string table_of(const std::vector<std::vector<std::string>> &rows, const std::set<std::size_t> &numbers);

}  // namespace cox::tools::tflite
