// SPDX-License-Identifier: MIT
// The main program of an application in a host process: APPLICATION DRAM.bin runs it with a copy of the file as its DRAM, and writes DRAM
// back to the file.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "boards/native/native_board.h"
#include "examples/machine/mx_application.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DRAM.bin\n", argv[0]);
    return 2;
  }
  std::fstream file(argv[1], std::ios::in | std::ios::out | std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  cox::board::NativeBoardSettings settings;
  settings.dram_bytes = bytes.size();
  std::string error;
  const auto board = cox::board::NativeBoard::create(std::move(settings), error);
  if (board == nullptr) {
    std::fprintf(stderr, "%s: %s\n", argv[1], error.c_str());
    return 2;
  }
  // The board's memory is no buffer for system calls (docs/hal.md, Memory that is not coherent).
  std::transform(bytes.begin(), bytes.end(), board->dram().begin(), [](char each) { return static_cast<std::byte>(each); });
  const int status = cox::machine::run_application();
  std::transform(board->dram().begin(), board->dram().end(), bytes.begin(), [](std::byte each) { return static_cast<char>(each); });
  file.seekp(0);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file.flush() ? status : 2;
}
