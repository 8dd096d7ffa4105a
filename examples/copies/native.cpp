// SPDX-License-Identifier: MIT
// The program in a host process: copies [FAULTS] runs it with a plan of faults (docs/faults.md).
#include <cstdio>
#include <string>

#include "boards/native/native_board.h"
#include "examples/copies/copies.h"

int main(int argc, char **argv) {
  cox::board::NativeBoardSettings settings;
  if (argc > 1) settings.model_options = R"({"faults": ")" + std::string(argv[1]) + R"("})";
  std::string error;
  const auto board = cox::board::NativeBoard::create(std::move(settings), error);
  if (board == nullptr) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 2;
  }
  return copies();
}
