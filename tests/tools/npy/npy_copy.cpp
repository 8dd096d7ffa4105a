// SPDX-License-Identifier: MIT
// npy_copy FROM TO: reads a .npy file and writes it again.
#include <cstdio>

#include "tools/file/error.h"
#include "tools/file/file.h"
#include "tools/npy/npy.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  try {
    cox::tools::write_file(argv[2], cox::tools::npy_file(cox::tools::read_npy(argv[1])));
  } catch (const cox::tools::FileError &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
  return 0;
}
