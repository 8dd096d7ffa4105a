// SPDX-License-Identifier: MIT
// Messages about wrong command lines. We write these messages ourselves, so that the user sees none of CLI11's.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>
#include <vector>

namespace cox::tools {

/// Returns, for example, `cox check: --strct is no option of it; did you mean "--strict"? cox check --help says more`.
[[nodiscard]] std::string usage_text(const CLI::App &app, const CLI::ParseError &error);

/// Accepts one of `names`.
[[nodiscard]] CLI::Validator one_of(const std::vector<std::string> &names);

/// Accepts a number from `least` to `most`.
template <typename Number>
[[nodiscard]] CLI::Validator in_range(Number least, Number most) {
  const std::string range = CLI::detail::to_string(least) + " to " + CLI::detail::to_string(most);
  const auto check = [=](const std::string &text) -> std::string {
    Number number{};
    const char *end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (stop == end && error == std::errc{} && number >= least && number <= most) return "";
    return "'" + text + "' is not a number from " + range;
  };
  return {check, "{" + range + "}"};
}

}  // namespace cox::tools
