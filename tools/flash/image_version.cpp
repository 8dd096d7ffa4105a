// SPDX-License-Identifier: MIT
#include "tools/flash/image_version.h"

#include <fmt/format.h>

#include <charconv>

#include "tools/command/failure.h"

namespace cox::tools::flash {
namespace {

/// Reads a number and the character behind it, if there is one, from the front of `text`.
template <typename Number>
bool take(std::string_view &text, Number &number, char before) {
  if (before != '\0') {
    if (!text.starts_with(before)) return false;
    text.remove_prefix(1);
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string SignedVersion::text() const {
  const std::string text = fmt::format("{}.{}.{}", major, minor, revision);
  return build == 0 ? text : fmt::format("{}+{}", text, build);
}

SignedVersion SignedVersion::parse(const std::string &text, const char *option) {
  SignedVersion version;
  std::string_view rest = text;
  bool right = take(rest, version.major, '\0') && take(rest, version.minor, '.') && take(rest, version.revision, '.');
  if (right && !rest.empty()) right = take(rest, version.build, '+') && rest.empty();
  if (!right) {
    throw Failure(ExitCode::usage,
                  fmt::format("{}: '{}' is not a version, such as 1.2.3 or 1.2.3+45 (at most 255.255.65535+4294967295)", option, text));
  }
  return version;
}

}  // namespace cox::tools::flash
