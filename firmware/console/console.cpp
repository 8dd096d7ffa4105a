// SPDX-License-Identifier: MIT
#include "coxswain/firmware/console/console.h"

#include "coxswain/firmware/boot/boot_record.h"
#include "coxswain/firmware/console/text.h"
#include "coxswain/hal/board.h"

namespace cox::firmware::console {

namespace {

constexpr std::string_view kPrompt = "> ";

// This is an enumeration, not a table of pointers to functions, because toolchain/stack-use follows calls by name, not through pointers.
enum class Command : std::uint8_t { help, tasks, queues, tokens, jobs, owners, faults, clocks, engines, stats, version };

/// Whether a command works on a board without an accelerator.
enum class Needs : std::uint8_t { nothing, accelerator };

struct Entry {
  std::string_view name;
  Command command;
  Needs needs;
  std::string_view help;
};

constexpr Entry kCommands[] = {
    {"help", Command::help, Needs::nothing, "this list"},
    {"tasks", Command::tasks, Needs::accelerator, "task slots: name, owner, instructions, runs, failures"},
    {"queues", Command::queues, Needs::accelerator, "submission queues: in flight, and what they did since the core was reset"},
    {"tokens", Command::tokens, Needs::accelerator, "token counters that are not 0, of tasks that run"},
    {"jobs", Command::jobs, Needs::accelerator, "jobs that wait or run"},
    {"owners", Command::owners, Needs::accelerator, "shares, jobs, device time"},
    {"faults", Command::faults, Needs::nothing, "the last faults, and what the boot before this one did last"},
    {"clocks", Command::clocks, Needs::accelerator, "cores and engines that have their clock"},
    {"engines", Command::engines, Needs::accelerator, "engines that the device has: queues, streams in flight, warnings"},
    {"stats", Command::stats, Needs::accelerator, "jobs, runs, failures, executed instructions, time asleep"},
    {"version", Command::version, Needs::nothing, "what the image is: version, revision of its sources, board, build id, features"},
};

}  // namespace

void Console::poll() {
  for (unsigned i = 0; i < kCharactersPerPoll; ++i) {
    const int character = board::console_read_char();
    if (character < 0) return;
    boot_record::enter(boot_record::Phase::console);
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

void Console::answer(std::string_view line) const {
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  if (line.empty()) return;
  for (const Entry &entry : kCommands) {
    if (line != entry.name) continue;
    if (entry.needs == Needs::accelerator && !has_accelerator_)
      return print(Text() << line << " needs the accelerator, which this board does not have");
    switch (entry.command) {
      case Command::help: return print_help();
      case Command::tasks: return print_tasks();
      case Command::queues: return print_queues();
      case Command::tokens: return print_tokens();
      case Command::jobs: return print_jobs();
      case Command::owners: return print_owners();
      case Command::faults: return print_faults();
      case Command::clocks: return print_clocks();
      case Command::engines: return print_engines();
      case Command::stats: return print_statistics();
      case Command::version: return print_version("");
    }
  }
  print(Text() << "unknown command: " << line << " (help lists what there is)");
}

void Console::print_help() const {
  for (const Entry &entry : kCommands) {
    if (entry.needs == Needs::nothing || has_accelerator_) print((Text() << entry.name).pad_to(8) << entry.help);
  }
}

}  // namespace cox::firmware::console
