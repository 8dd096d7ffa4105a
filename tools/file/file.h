// SPDX-License-Identifier: MIT
// Reads and writes whole files. A path of "-" is standard input or output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cox::tools {

/// Reads a whole file. Throws FileError with the system's reason.
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::string &path);

/// Throws OutputError if write_file() would fail because of the folder or the kind of file. A command whose results take long to compute
/// calls check_writable() before it computes.
void check_writable(const std::string &path);

/// Writes a temporary file beside the target and renames it, so that a failure keeps the old file. Throws OutputError.
void write_file(const std::string &path, std::span<const std::uint8_t> bytes);
void write_file(const std::string &path, std::string_view text);

}  // namespace cox::tools
