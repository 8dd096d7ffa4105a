// SPDX-License-Identifier: MIT
// A string literal as a template argument, for example the name of an instruction's field.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace cox::isa {

template <std::size_t Size>
struct FixedString {
  char text[Size]{};
  consteval FixedString(const char (&literal)[Size]) { std::copy_n(literal, Size, text); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] constexpr std::string_view view() const { return {text, Size - 1}; }
};

}  // namespace cox::isa
