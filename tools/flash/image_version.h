// SPDX-License-Identifier: MIT
// The version in the header of a signed image: 1.2.3, or 1.2.3+45 with a build number.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace cox::tools::flash {

struct SignedVersion {
  std::uint8_t major = 0, minor = 0;
  std::uint16_t revision = 0;
  std::uint32_t build = 0;

  auto operator<=>(const SignedVersion &) const = default;
  [[nodiscard]] std::string text() const;
  /// Throws Failure(usage) with the name of the option.
  [[nodiscard]] static SignedVersion parse(const std::string &text, const char *option);
};

}  // namespace cox::tools::flash
