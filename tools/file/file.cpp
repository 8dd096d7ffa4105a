// SPDX-License-Identifier: MIT
#include "tools/file/file.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "tools/file/error.h"

namespace cox::tools {
namespace {

struct Close {
  void operator()(std::FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

// Limit of the size of a file that is read. It is needed because some files (devices) never end.
constexpr std::size_t kMostBytes = std::size_t{1} << 31;

std::string reason(int error) { return std::strerror(error); }

std::vector<std::uint8_t> read_all(std::FILE *file, const std::string &path) {
  std::vector<std::uint8_t> bytes;
  std::uint8_t buffer[65536];
  while (const std::size_t got = std::fread(buffer, 1, sizeof(buffer), file)) {
    bytes.insert(bytes.end(), buffer, buffer + got);
    if (bytes.size() > kMostBytes) throw FileError(path + ": is larger than 2 GiB");
  }
  if (std::ferror(file) != 0) throw FileError(path + ": cannot be read: " + reason(errno));
  return bytes;
}

void write_all(std::FILE *file, std::span<const std::uint8_t> bytes, const std::string &path) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fflush(file) != 0) {
    throw OutputError(path + ": cannot be written: " + reason(errno));
  }
}

}  // namespace

std::vector<std::uint8_t> read_file(const std::string &path) {
  if (path == "-") return read_all(stdin, "standard input");
  if (std::error_code error; std::filesystem::is_directory(path, error)) throw FileError(path + ": is a directory");
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) throw FileError(path + ": " + reason(errno));
  return read_all(file.get(), path);
}

void check_writable(const std::string &path) {
  if (path == "-") return;
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) throw OutputError(path + ": " + reason(EISDIR));
  const bool in_place = std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path() / ".";
  if (!std::filesystem::is_directory(folder, error))
    throw OutputError(path + ": there is no folder '" + std::filesystem::path(path).parent_path().string() + "'");
  if (access(in_place ? path.c_str() : folder.c_str(), W_OK) != 0) throw OutputError(path + ": " + reason(errno));
}

void write_file(const std::string &path, std::span<const std::uint8_t> bytes) {
  if (path == "-") {
    write_all(stdout, bytes, "standard output");
    return;
  }
  // Write directly to a device or a pipe; renaming would replace it.
  if (std::error_code error; std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    const File file(std::fopen(path.c_str(), "wb"));
    if (file == nullptr) throw OutputError(path + ": " + reason(errno));
    write_all(file.get(), bytes, path);
    return;
  }
  const std::string unfinished = path + ".unfinished";
  {
    const File file(std::fopen(unfinished.c_str(), "wb"));
    if (file == nullptr) throw OutputError(path + ": " + reason(errno));
    try {
      write_all(file.get(), bytes, path);
    } catch (const OutputError &) {
      std::remove(unfinished.c_str());
      throw;
    }
  }
  if (std::rename(unfinished.c_str(), path.c_str()) != 0) {
    const std::string why = reason(errno);
    std::remove(unfinished.c_str());
    throw OutputError(path + ": " + why);
  }
}

void write_file(const std::string &path, std::string_view text) {
  write_file(path, std::span(reinterpret_cast<const std::uint8_t *>(text.data()), text.size()));
}

}  // namespace cox::tools
