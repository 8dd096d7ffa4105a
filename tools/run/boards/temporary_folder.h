// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace cox::tools::run {

/// A folder of our own for files that the model reads and writes; gone with the object. Throws Failure(failed).
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
