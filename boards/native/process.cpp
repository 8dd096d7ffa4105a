// SPDX-License-Identifier: MIT
// A board for a program that knows nothing of boards: it exists from before main() to the end of the process. So the same sources run on
// the control core and in a host process (docs/integration.md). The environment variable COX_MODEL_OPTIONS has options of the model.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "boards/native/native_board.h"

namespace {

std::unique_ptr<cox::board::NativeBoard> process_board;

// Before the constructors of the program, which may use the board.
[[gnu::constructor(101)]] void create() {
  cox::board::NativeBoardSettings settings;
  if (const char *const options = std::getenv("COX_MODEL_OPTIONS")) settings.model_options = options;
  std::string error;
  process_board = cox::board::NativeBoard::create(std::move(settings), error);
  if (process_board == nullptr) {
    std::fprintf(stderr, "coxswain: there is no board in this process: %s\n", error.c_str());
    std::exit(2);
  }
}

}  // namespace
