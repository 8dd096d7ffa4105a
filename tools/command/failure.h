// SPDX-License-Identifier: MIT
// How a subcommand ends early: main() prints the message on standard error and exits with the code.
#pragma once

#include <stdexcept>
#include <string>

#include "tools/command/exit_codes.h"

namespace cox::tools {

class Failure : public std::runtime_error {
 public:
  /// An empty message prints nothing: the subcommand has said it all.
  Failure(ExitCode code, const std::string &message) : std::runtime_error(message), code_(code) {}

  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace cox::tools
