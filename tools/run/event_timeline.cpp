// SPDX-License-Identifier: MIT
#include "tools/run/event_timeline.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "isa/tile/table.h"
#include "sim/model/event_log.h"
#include "tools/command/failure.h"

namespace cox::tools::run {
namespace {

using isa::tile::kClasses;
using model::EventKind;
using model::EventRecord;

using Program = std::array<std::vector<const EventRecord *>, kClasses>;

// A run begins when its context is reset, and the next run resets it again.
Program first_run(const std::vector<EventRecord> &records) {
  Program program;
  int context = -1;
  for (const EventRecord &record : records) {
    if (record.kind == EventKind::instruction && record.queue < kClasses && (context < 0 || context == record.context)) {
      context = record.context;
      std::vector<const EventRecord *> &queue = program.at(record.queue);
      if (record.ordinal >= queue.size()) queue.resize(record.ordinal + 1, nullptr);
      queue[record.ordinal] = &record;
    }
    if (record.kind == EventKind::context_reset && record.context == context) break;
  }
  return program;
}

TimedInstruction timed(const task::Instruction &instruction, const EventRecord &record, std::uint64_t start_cycle) {
  const isa::tile::Instruction &entry = *isa::tile::find_instruction(isa::tile::opcode_of(instruction.code));
  TimedInstruction timed;
  timed.core = record.core;
  timed.queue = entry.queue;
  timed.name = entry.name;
  timed.start = record.start - start_cycle;
  timed.end = record.end - start_cycle;
  timed.previous = isa::tile::previous_of(instruction.code);
  timed.next = isa::tile::next_of(instruction.code);
  timed.bytes = record.bytes;
  timed.layer = instruction.mapping.slyr;
  timed.workload = instruction.mapping.wkl;
  timed.tile = instruction.mapping.tile;
  return timed;
}

}  // namespace

Timeline read_timeline(const std::string &path, const task::Task &task, std::uint64_t start_cycle) {
  std::vector<EventRecord> records;
  std::string error;
  if (!model::read_event_log(path, records, error)) throw Failure(ExitCode::failed, error);
  const Program program = first_run(records);
  std::array<std::size_t, kClasses> position{};
  Timeline timeline;
  timeline.title = task.name;
  for (std::size_t i = 0; i < task.instructions.size(); ++i) {
    const isa::tile::Instruction *entry = isa::tile::find_instruction(isa::tile::opcode_of(task.instructions[i].code));
    if (entry == nullptr) throw Failure(ExitCode::failed, fmt::format("instruction {} is unknown", i));
    const auto queue = static_cast<std::size_t>(entry->queue);
    const std::size_t ordinal = position.at(queue)++;
    const std::vector<const EventRecord *> &events = program.at(queue);
    if (ordinal >= events.size() || events[ordinal] == nullptr || events[ordinal]->opcode != static_cast<std::uint8_t>(entry->opcode)) {
      throw Failure(ExitCode::failed, fmt::format("the event log lacks instruction {} ({}) of the task's first run", i, entry->name));
    }
    timeline.instructions.push_back(timed(task.instructions[i], *events[ordinal], start_cycle));
    timeline.instructions.back().index = static_cast<std::uint32_t>(i);
  }
  return timeline;
}

}  // namespace cox::tools::run
