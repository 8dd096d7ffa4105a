// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace cox::test {

/// A file with a path that no other process uses, for tests that run side by side. The destructor removes the file.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string &name) : path_(::testing::TempDir() + "cox-" + std::to_string(getpid()) + "-" + name) {}
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() { static_cast<void>(std::remove(path_.c_str())); }

  [[nodiscard]] const std::string &path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace cox::test
