// SPDX-License-Identifier: MIT
#include "firmware/console/console.h"

#include "firmware/console/text.h"
#include "hal/board.h"

namespace cox::firmware::console {

namespace {

constexpr std::string_view kPrompt = "> ";

}  // namespace

void Console::poll() {
  for (unsigned i = 0; i < kCharactersPerPoll; ++i) {
    const int character = board::console_read_char();
    if (character < 0) return;
    take(static_cast<char>(character));
  }
}

void Console::take(char character) {
  constexpr std::string_view kEndOfLine = "\r\n";
  constexpr std::string_view kRubOut = "\b \b";
  constexpr char kDelete = 0x7F;
  if (character == '\r' || character == '\n') {
    board::console_write(kEndOfLine);
    answer({line_.data(), length_});
    length_ = 0;
    board::console_write(kPrompt);
  } else if (character == '\b' || character == kDelete) {
    if (length_ == 0) return;
    --length_;
    board::console_write(kRubOut);
  } else if (character >= ' ' && character < kDelete && length_ < kLine) {
    line_[length_++] = character;
    board::console_write({&character, 1});
  }
}

const Console::Command Console::kCommands[] = {
    {"help", "this list", &Console::print_help},
    {"tasks", "task slots: name, owner, instructions, runs, failures", &Console::print_tasks},
    {"queues", "submission queues: in flight, and what they did since the core was reset", &Console::print_queues},
    {"tokens", "token counters that are not 0, of tasks that run", &Console::print_tokens},
    {"jobs", "jobs that wait or run", &Console::print_jobs},
    {"owners", "shares, jobs, device time", &Console::print_owners},
    {"faults", "the last faults, and what the boot before this one did last", &Console::print_faults},
    {"clocks", "tile cores and engines that have their clock", &Console::print_clocks},
    {"stats", "jobs, runs, failures, executed instructions, time asleep", &Console::print_statistics},
};

void Console::answer(std::string_view line) const {
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  if (line.empty()) return;
  for (const Command &command : kCommands) {
    if (line != command.name) continue;
    (this->*command.print)();
    return;
  }
  print(Text() << "unknown command: " << line << " (help lists what there is)");
}

void Console::print_help() const {
  for (const Command &command : kCommands) print((Text() << command.name).pad_to(8) << command.help);
}

}  // namespace cox::firmware::console
