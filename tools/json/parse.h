// SPDX-License-Identifier: MIT
// Parses the JSON files that users write, with our own messages.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace cox::tools {

/// Parses a whole file. `callback` sees each event (nlohmann::json::parser_callback_t). Throws FileError, for example `jobs.json:3:7: this
/// is not JSON: "}" is not expected here`; line and column count from 1.
[[nodiscard]] nlohmann::json parse_json(std::span<const std::uint8_t> bytes, const std::string &file,
                                        const nlohmann::json::parser_callback_t &callback = nullptr);

}  // namespace cox::tools
