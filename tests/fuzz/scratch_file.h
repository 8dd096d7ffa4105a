// SPDX-License-Identifier: MIT
// A file with the fuzzer's bytes, for readers that take a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cox::fuzz {

/// Writes the bytes to a file in memory that belongs to this process, and returns its path. Each call uses the same file.
const std::string &scratch_file(const std::uint8_t *data, std::size_t size);

}  // namespace cox::fuzz
