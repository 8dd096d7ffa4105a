// SPDX-License-Identifier: MIT
// Whole files. A path of "-" is standard input or output.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cox::task {

/// Throws FileError with the reason of the system.
[[nodiscard]] std::vector<std::uint8_t> read_file(const std::string &path);

/// Written beside the target and renamed, so that a failure leaves the old file as it was. Throws OutputError.
void write_file(const std::string &path, std::span<const std::uint8_t> bytes);
void write_file(const std::string &path, std::string_view text);

}  // namespace cox::task
