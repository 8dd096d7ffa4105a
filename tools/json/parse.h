// SPDX-License-Identifier: MIT
// Parses JSON files of users, with our own messages.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace cox::tools {

/// Parses a whole file. `callback` sees each event (nlohmann::json::parser_callback_t). Throws FileError: `jobs.json:3:7: this is not JSON:
/// "}" is not expected here`, with line and column from 1.
[[nodiscard]] nlohmann::json parse_json(std::span<const std::uint8_t> bytes, const std::string &file,
                                        const nlohmann::json::parser_callback_t &callback = nullptr);

}  // namespace cox::tools
