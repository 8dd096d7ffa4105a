// SPDX-License-Identifier: MIT
// A file of the fuzzer's bytes, for readers that take a path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cox::fuzz {

/// Writes the bytes to a file of this process alone, the same one each time, in memory; its path.
const std::string &scratch_file(const std::uint8_t *data, std::size_t size);

}  // namespace cox::fuzz
