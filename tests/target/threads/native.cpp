// SPDX-License-Identifier: MIT
// The program in a host process: preemption copy.cxt [FAULTS] puts the image into DRAM and runs the program, with a plan of faults
// (docs/faults.md). Here threads are preempted when they unmask interrupts. Handlers never nest.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "boards/native/native_board.h"
#include "examples/threads/kernel.h"
#include "tests/target/threads/preemption.h"

namespace {

cox::board::NativeBoard *board_of_process = nullptr;
unsigned long count = 0;
bool has_begun = false;

/// Preempts at every third place, so that a thread does not always lose the core at the same ones.
void preempt() {
  constexpr unsigned kEvery = 3;
  static unsigned places = 0;
  if (!has_begun || ++places % kEvery != 0) return;
  ++count;
  taskYIELD();
}

}  // namespace

unsigned long preemptions() { return count; }
unsigned long nested_ticks() { return 0; }
void let_others_run() {
  constexpr std::uint64_t kCycles = 500;
  board_of_process->advance(kCycles);
  taskYIELD();
}
int begin_preemption() {
  has_begun = true;
  return 0;
}

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
  const std::vector<char> image{std::istreambuf_iterator<char>(file), {}};
  cox::board::NativeBoardSettings settings;
  settings.on_unmask = preempt;
  settings.log = [](int, std::string_view) {};
  if (argc > 2) settings.model_options = R"({"faults": ")" + std::string(argv[2]) + R"("})";
  std::string error = "usage: preemption copy.cxt [FAULTS]";
  const auto board = image.empty() ? nullptr : cox::board::NativeBoard::create(std::move(settings), error);
  if (board == nullptr || image.size() > board->core_dram().size()) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 2;
  }
  board_of_process = board.get();
  std::transform(image.begin(), image.end(), board->core_dram().begin(), [](char each) { return static_cast<std::byte>(each); });
  return preemption();
}
