// SPDX-License-Identifier: MIT
// Reads and writes whole files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cox::yolov5s {

/// Throws FileError.
std::vector<std::byte> read_file(const std::string &path);
/// Throws OutputError.
void write_file(const std::string &path, std::span<const std::byte> bytes);

}  // namespace cox::yolov5s
