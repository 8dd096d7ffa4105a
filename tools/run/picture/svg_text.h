// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cox::tools::run {

/// Returns the text with the characters replaced that have a meaning in SVG.
inline std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace cox::tools::run
