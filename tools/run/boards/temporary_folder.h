// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cox::tools::run {

/// A temporary folder for files that the model reads and writes. The destructor removes it. The constructor throws Failure(failed).
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder();

  [[nodiscard]] const std::string &path() const { return path_; }
  [[nodiscard]] std::string file(const char *name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace cox::tools::run
