// SPDX-License-Identifier: MIT
#include "tools/json/parse.h"

#include <algorithm>
#include <string_view>

#include "tools/file/error.h"

namespace cox::tools {
namespace {

std::string place(std::string_view text, std::size_t at, const std::string &file) {
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::ranges::count(before, '\n');
  const std::size_t column = at - (before.find_last_of('\n') + 1) + 1;
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string reason(std::string_view text, std::size_t at) {
  if (at >= text.size()) return "it ends before its last value does";
  const char found = text[at];
  if (found == '\n') return "a line ends inside of a text";
  if (found >= ' ' && found <= '~') return std::string("\"") + found + "\" is not expected here";
  return "byte " + std::to_string(static_cast<unsigned char>(found)) + " is not expected here";
}

}  // namespace

nlohmann::json parse_json(std::span<const std::uint8_t> bytes, const std::string &file, const nlohmann::json::parser_callback_t &callback) {
  const std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  try {
    return nlohmann::json::parse(text, callback);
  } catch (const nlohmann::json::parse_error &error) {
    // error.byte counts the characters that the library has read, including the refused one.
    const std::size_t at = std::min(error.byte == 0 ? 0 : error.byte - 1, text.size());
    throw FileError(place(text, at, file) + ": this is not JSON: " + reason(text, at));
  } catch (const nlohmann::json::out_of_range &) {
    throw FileError(file + ": a number is too large for any field");
  }
}

}  // namespace cox::tools
