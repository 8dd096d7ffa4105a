// SPDX-License-Identifier: MIT
// Errors of the host programs.
#pragma once

#include <stdexcept>

namespace cox::yolov5s {

/// A file that cannot be read, or whose contents are wrong. The message names the file or the tensor.
class FileError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file that cannot be written.
class OutputError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace cox::yolov5s
