// SPDX-License-Identifier: MIT
// Whole files. A path of "-" is standard input or output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cox::tools {

/// Throws FileError with the reason of the system.
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::string &path);

/// Throws OutputError where write_file() would fail for the folder or the kind of file; for those whose results take long to compute.
void check_writable(const std::string &path);

/// Written beside the target and renamed, so that a failure leaves the old file as it was. Throws OutputError.
void write_file(const std::string &path, std::span<const std::uint8_t> bytes);
void write_file(const std::string &path, std::string_view text);

}  // namespace cox::tools
