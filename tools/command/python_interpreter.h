// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <string>

namespace cox::tools {

inline constexpr const char *kInterpreterVariable = "COX_PYTHON";

/// Returns the interpreter for the Python package: what COX_PYTHON names, else the distribution's, which has the distribution's packages.
[[nodiscard]] inline std::string python_interpreter() {
  const char *given = std::getenv(kInterpreterVariable);
  return given == nullptr || *given == '\0' ? "/usr/bin/python3" : given;
}

}  // namespace cox::tools
