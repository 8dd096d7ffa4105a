// SPDX-License-Identifier: MIT
// What `cox info` says of an image.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace cox::tools::flash {

/// Returns true if the file is an image: ELF, HEX, signed, or binary with a version record.
[[nodiscard]] bool is_image(std::span<const std::uint8_t> file, const std::string &name);

/// Returns the facts for a terminal, or as JSON. Throw FileError if the file is broken.
[[nodiscard]] std::string text_of(std::span<const std::uint8_t> file, const std::string &name);
[[nodiscard]] nlohmann::ordered_json json_of(std::span<const std::uint8_t> file, const std::string &name);

}  // namespace cox::tools::flash
