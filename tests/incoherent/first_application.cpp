// SPDX-License-Identifier: MIT
// README's first application in a host process.
#include <cstdio>
#include <string>

#include "boards/native/native_board.h"

extern "C" int first_application();  // the application's main()

int main() {
  std::string error;
  const auto board = cox::board::NativeBoard::create({}, error);
  if (board == nullptr) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 2;
  }
  return first_application();
}
