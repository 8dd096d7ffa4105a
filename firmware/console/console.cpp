// SPDX-License-Identifier: MIT
#include "firmware/console/console.h"

#include "firmware/console/text.h"
#include "hal/board.h"

namespace cox::firmware::console {

using isa::tile::kClasses;
using isa::tile::kClassNames;
using schedule::RunState;

namespace {

constexpr std::string_view kPrompt = "> ";

const char *state_name(RunState state) {
  switch (state) {
    case RunState::idle: return "idle";
    case RunState::running: return "running";
    case RunState::stopping: return "stopping";
    case RunState::ended: return "ended";
  }
  return "unknown";
}

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

void Console::answer(std::string_view command) const {
  while (!command.empty() && command.front() == ' ') command.remove_prefix(1);
  while (!command.empty() && command.back() == ' ') command.remove_suffix(1);
  if (command.empty()) return;
  if (command == "help") {
    print(Text() << "help    this list");
    print(Text() << "tasks   task slots: name, instructions, runs, failures");
    print(Text() << "queues  submission queues: in flight, and what they did in the last run");
    print(Text() << "tokens  token counters that are not 0, of tasks that run");
    print(Text() << "stats   jobs, runs, failures, executed instructions");
  } else if (command == "tasks") {
    print_tasks();
  } else if (command == "queues") {
    print_queues();
  } else if (command == "tokens") {
    print_tokens();
  } else if (command == "stats") {
    print_statistics();
  } else {
    print(Text() << "unknown command: " << command << " (help lists what there is)");
  }
}

void Console::print_tasks() const {
  bool any = false;
  for (unsigned i = 0; i < job::kTaskSlots; ++i) {
    const job::TaskSlot &slot = jobs_.slot(i);
    if (!slot.task.valid()) continue;
    any = true;
    const std::string_view name = slot.task.name();
    print((Text() << "slot " << i << "  " << (name.empty() ? "(no name)" : name)).pad_to(32)
          << static_cast<std::uint64_t>(slot.task.instructions().size()) << " instructions, " << slot.runs << " runs, " << slot.failures
          << " failures");
  }
  if (!any) print(Text() << "no task is loaded");
}

void Console::print_queues() const {
  print(Text() << "queue  in flight  instructions  busy cycles  stalled cycles  bytes (last run)");
  for (unsigned i = 0; i < kClasses; ++i) {
    const hal::QueueCounters &last = jobs_.last_run().queues[i];
    Text text;
    (text << kClassNames[i]).pad_to(7) << scheduler_.queue(i).in_flight();
    text.pad_to(18) << last.instructions;
    text.pad_to(32) << last.busy_cycles;
    text.pad_to(45) << last.stalled_cycles;
    text.pad_to(61) << last.bytes;
    print(text);
  }
}

void Console::print_tokens() const {
  bool any = false;
  for (unsigned context = 0; context < schedule::kMaximumContexts; ++context) {
    const schedule::TaskRun &run = scheduler_.run(context);
    if (run.state == RunState::idle) continue;
    any = true;
    print(Text() << "context " << context << ": " << state_name(run.state));
    for (unsigned from = 0; from < kClasses; ++from) {
      for (unsigned to = 0; to < kClasses; ++to) {
        const unsigned tokens = scheduler_.tokens(run, from, to);
        if (tokens != 0) print(Text() << "  " << verify::pair_name(from, to) << " " << tokens);
      }
    }
  }
  if (!any) print(Text() << "no task runs");
}

void Console::print_statistics() const {
  const schedule::Scheduler::Totals &totals = scheduler_.totals();
  print(Text() << "jobs " << jobs_.jobs() << ", runs " << totals.runs << ", failures " << totals.failures);
  print(Text() << "accelerator instructions " << totals.instructions << ", core resets " << totals.core_resets << ", bad completions "
               << totals.bad_completions);
  const schedule::RunReport &last = jobs_.last_run();
  print(Text() << "last run: " << last.status);
  print(Text() << "  cycles " << (last.end_cycle - last.start_cycle) << ", accelerator instructions " << last.accelerator_instructions);
  if (last.control_instructions != UINT64_MAX) print(Text() << "  control instructions " << last.control_instructions);
}

}  // namespace cox::firmware::console
