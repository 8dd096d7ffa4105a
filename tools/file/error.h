// SPDX-License-Identifier: MIT
// Exceptions for files that the tools refuse or cannot write.
#pragma once

#include <stdexcept>
#include <string>

#include "coxswain/base/status.h"

namespace cox::tools {

/// A file that cannot be read, or whose contents are wrong. The message names the file, and the line and column if known:
/// `digits.jsonl:12:40: pe_conv: SPHI: 40000 is out of range (-32768 to 32767)`.
class FileError : public std::runtime_error {
 public:
  explicit FileError(const std::string &message, ErrorCode code = ErrorCode::invalid_argument) : std::runtime_error(message), code_(code) {}

  /// Returns the error code of the failed check of a task image or an engine's stream; invalid_argument for other files.
  [[nodiscard]] ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

/// A file that cannot be written.
class OutputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace cox::tools
