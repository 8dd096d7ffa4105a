// SPDX-License-Identifier: MIT
#include "tests/fuzz/scratch_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace cox::fuzz {

const std::string &scratch_file(const std::uint8_t *data, std::size_t size) {
  static const int file = memfd_create("fuzz", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  const bool written = file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size);
  if (!written) std::abort();
  return path;
}

}  // namespace cox::fuzz
