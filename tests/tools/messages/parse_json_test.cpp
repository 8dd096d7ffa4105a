// SPDX-License-Identifier: MIT
// The message about a file that is not JSON has the position and the reason, without the text of the JSON library.
#include "tools/json/parse.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tools/file/error.h"

namespace cox::tools {
namespace {

std::string message(std::string_view text) {
  try {
    static_cast<void>(parse_json(std::span(reinterpret_cast<const std::uint8_t *>(text.data()), text.size()), "f.json"));
  } catch (const FileError &error) {
    return error.what();
  }
  return "";
}

TEST(ParseJson, TakesJson) {
  EXPECT_EQ(message("{\"a\": [1, 2.5, null]}\n"), "");
  EXPECT_EQ(message("3"), "");
}

TEST(ParseJson, SaysLineColumnAndReason) {
  EXPECT_EQ(message(""), "f.json:1:1: this is not JSON: it ends before its last value does");
  EXPECT_EQ(message("{\n  \"a\": 1,\n  }"), "f.json:3:3: this is not JSON: \"}\" is not expected here");
  EXPECT_EQ(message("[1, 2"), "f.json:1:6: this is not JSON: it ends before its last value does");
  EXPECT_EQ(message("[\n\n  x]"), "f.json:3:3: this is not JSON: \"x\" is not expected here");
  EXPECT_EQ(message("\x01"), "f.json:1:1: this is not JSON: byte 1 is not expected here");
  EXPECT_EQ(message("[1e400]"), "f.json: a number is too large for any field");
}

TEST(ParseJson, NoTextOfTheLibraryIsInTheMessage) {
  for (const char *text : {"", "{", "[1,]", "nul", "\"\xff\"", "{1: 2}", "[1e999]", "]", "\"\\q\"", "01"}) {
    const std::string said = message(text);
    EXPECT_NE(said, "") << text;
    for (const char *word : {"json.exception", "parse error", "syntax error", "last read"})
      EXPECT_EQ(said.find(word), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace cox::tools
