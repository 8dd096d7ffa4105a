// SPDX-License-Identifier: MIT
// The program in a host process: three_engines_LANGUAGE copy.cxt [FILE.events] puts the image into DRAM and runs the program. The model
// writes its event log to FILE.events.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "examples/three_engines/three_engines.h"

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s copy.cxt [FILE.events]\n", argv[0]);
    return 2;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
  cox::board::NativeBoardSettings settings;
  if (argc > 2) settings.model_options = R"({"events": ")" + std::string(argv[2]) + R"("})";
  std::string error;
  const auto board = cox::board::NativeBoard::create(std::move(settings), error);
  if (board == nullptr || image.empty() || image.size() > board->dram().size()) {
    std::fprintf(stderr, "%s\n", board == nullptr ? error.c_str() : "the image is empty or too large");
    return 2;
  }
  std::transform(image.begin(), image.end(), board->core_dram().begin(), [](char each) { return static_cast<std::byte>(each); });
  return three_engines();
}
