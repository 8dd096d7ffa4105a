// SPDX-License-Identifier: MIT
// The exception that ends a subcommand early: main() prints the message on standard error and exits with the code.
#pragma once

#include <stdexcept>
#include <string>

#include "tools/command/exit_codes.h"

namespace cox::tools {

class Failure : public std::runtime_error {
 public:
  /// Pass an empty message if the subcommand has already printed its messages.
  Failure(ExitCode code, const std::string &message) : std::runtime_error(message), code_(code) {}

  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace cox::tools
