// SPDX-License-Identifier: MIT
// What the tests of the assembler share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/file/error.h"
#include "tools/pim/assemble.h"

namespace cox::tools::pim::test {

/// The words of core 0.
inline std::vector<std::uint32_t> words(const std::string &text) {
  const Assembled assembled = assemble_program(text, "test.pim");
  return assembled.parts.codes.empty() ? Code() : assembled.parts.codes.front();
}

/// The message of the error, or "no error".
inline std::string message(const std::string &text) {
  try {
    static_cast<void>(assemble_program(text, "test.pim"));
  } catch (const FileError &error) {
    return error.what();
  }
  return "no error";
}

}  // namespace cox::tools::pim::test
