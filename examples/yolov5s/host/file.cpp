// SPDX-License-Identifier: MIT
#include "examples/yolov5s/host/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "examples/yolov5s/host/error.h"

namespace cox::yolov5s {
namespace {

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

std::vector<std::byte> read_file(const std::string &path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw FileError(path + ": " + error.message());
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(path + ": " + std::strerror(errno));
  std::vector<std::byte> bytes(size);
  if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) throw FileError(path + ": cannot be read to its end");
  return bytes;
}

void write_file(const std::string &path, std::span<const std::byte> bytes) {
  File file(std::fopen(path.c_str(), "wb"));
  if (!file) throw OutputError(path + ": " + std::strerror(errno));
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  if (std::fclose(file.release()) != 0 || !written) throw OutputError(path + ": cannot be written: " + std::strerror(errno));
}

}  // namespace cox::yolov5s
