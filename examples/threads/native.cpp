// SPDX-License-Identifier: MIT
// The program in a host process.
#include <cstdio>
#include <string>

#include "boards/native/native_board.h"
#include "examples/threads/threads.h"

int main() {
  std::string error;
  const auto board = cox::board::NativeBoard::create({}, error);
  if (board == nullptr) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 2;
  }
  return threads();
}
