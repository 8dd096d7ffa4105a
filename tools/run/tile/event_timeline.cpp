// SPDX-License-Identifier: MIT
#include "tools/run/tile/event_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "coxswain/isa/tile/lane.h"
#include "coxswain/isa/tile/table.h"
#include "sim/model/observers/event_log.h"
#include "tools/command/failure.h"

namespace cox::tools::run {
namespace {

using isa::tile::kMostLanes;
using model::EventKind;
using model::EventRecord;

/// The records of each lane of the task. The n-th record of a lane belongs to the lane's n-th instruction.
struct Program {
  std::array<std::vector<const EventRecord *>, kMostLanes> lanes;
  std::size_t instructions = 0;
};

// Returns the records of the first run that starts at `place` or later. A run begins when its context is reset; the next run, or the next
// attempt, resets it again.
Program first_run(const std::vector<EventRecord> &records, const RunPlace &place, std::size_t instructions) {
  Program program;
  int context = -1;
  for (const EventRecord &record : records) {
    if (record.kind == EventKind::instruction && record.start < place.start_cycle) continue;  // of an earlier run
    if (record.kind == EventKind::instruction && record.core >= place.first_core && (context < 0 || context == record.context)) {
      const std::size_t lane = isa::tile::lane_of(record.core - place.first_core, record.queue);
      if (record.queue >= isa::tile::kClasses || lane >= kMostLanes) continue;
      context = record.context;
      std::vector<const EventRecord *> &queue = program.lanes.at(lane);
      if (record.ordinal >= queue.size()) queue.resize(record.ordinal + 1, nullptr);
      queue[record.ordinal] = &record;
      ++program.instructions;
    }
    if (record.kind == EventKind::context_reset && record.context == context) {
      if (program.instructions >= instructions) break;
      program = {};
    }
  }
  return program;
}

TimedInstruction timed(const task::Instruction &instruction, const EventRecord &record, std::uint64_t start_cycle) {
  const isa::tile::Instruction &entry = *isa::tile::find_instruction(isa::tile::opcode_of(instruction.code));
  TimedInstruction timed;
  timed.core = isa::tile::core_of(instruction.code);
  timed.queue = entry.queue;
  timed.name = entry.name;
  timed.start = record.start - start_cycle;
  timed.end = record.end - start_cycle;
  timed.doorbell = std::max(record.doorbell, start_cycle) - start_cycle;
  timed.stalled = record.stalled;
  timed.previous = isa::tile::taken_ports(instruction.code);
  timed.next = isa::tile::given_ports(instruction.code);
  timed.bytes = record.bytes;
  timed.layer = instruction.mapping.slyr;
  timed.workload = instruction.mapping.wkl;
  timed.tile = instruction.mapping.tile;
  return timed;
}

// Adds the times, within the run, in which one of the two interrupt lines was high.
void add_interrupts(Timeline &timeline, const std::vector<EventRecord> &records, std::uint64_t start_cycle) {
  const std::uint64_t end = timeline.end_cycle();
  std::array<std::uint64_t, 2> risen{};
  for (const EventRecord &record : records) {
    if (record.kind != EventKind::interrupt || record.queue >= risen.size()) continue;
    std::uint64_t &rise = risen.at(record.queue);
    if (record.status != 0) {
      rise = record.end;
    } else if (record.end >= start_cycle && rise <= start_cycle + end) {
      timeline.interrupts.push_back({record.queue, {std::max(rise, start_cycle) - start_cycle, std::min(record.end - start_cycle, end)}});
    }
  }
  std::ranges::stable_sort(timeline.interrupts, {}, [](const Interrupt &interrupt) { return interrupt.high.from; });
}

// Adds the control core's activity: from each interrupt until the last doorbell before the next interrupt.
void add_service(Timeline &timeline) {
  timeline.control_source = ControlSource::device;
  std::vector<std::uint64_t> doorbells;
  for (const TimedInstruction &instruction : timeline.instructions) doorbells.push_back(instruction.doorbell);
  std::ranges::sort(doorbells);
  std::vector<Span> spans{{0, 0}};
  for (const Interrupt &interrupt : timeline.interrupts) spans.push_back(interrupt.high);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::uint64_t next = i + 1 < spans.size() ? spans[i + 1].from : timeline.end_cycle() + 1;
    const auto after = std::ranges::lower_bound(doorbells, next);
    if (after != doorbells.begin() && *std::prev(after) >= spans[i].from) spans[i].to = std::max(spans[i].to, *std::prev(after));
    if (!timeline.active.empty() && spans[i].from <= timeline.active.back().to) {
      timeline.active.back().to = std::max(timeline.active.back().to, spans[i].to);
    } else {
      timeline.active.push_back(spans[i]);
    }
  }
}

}  // namespace

Timeline read_timeline(const std::string &path, const task::Task &task, const RunPlace &place) {
  std::vector<EventRecord> records;
  std::string error;
  if (!model::read_event_log(path, records, error)) throw Failure(ExitCode::failed, error);
  const Program program = first_run(records, place, task.instructions.size());
  std::array<std::size_t, kMostLanes> position{};
  Timeline timeline;
  timeline.title = task.name;
  for (std::size_t i = 0; i < task.instructions.size(); ++i) {
    const isa::tile::Instruction *entry = isa::tile::find_instruction(isa::tile::opcode_of(task.instructions[i].code));
    if (entry == nullptr) throw Failure(ExitCode::failed, fmt::format("instruction {} is unknown", i));
    const std::size_t lane = isa::tile::lane_of(task.instructions[i].code);
    const std::size_t ordinal = position.at(lane)++;
    const std::vector<const EventRecord *> &events = program.lanes.at(lane);
    if (ordinal >= events.size() || events[ordinal] == nullptr || events[ordinal]->opcode != static_cast<std::uint8_t>(entry->opcode)) {
      throw Failure(ExitCode::failed, fmt::format("the event log lacks instruction {} ({}) of the task's first run", i, entry->name));
    }
    timeline.instructions.push_back(timed(task.instructions[i], *events[ordinal], place.start_cycle));
    timeline.instructions.back().index = static_cast<std::uint32_t>(i);
  }
  add_interrupts(timeline, records, place.start_cycle);
  add_service(timeline);
  return timeline;
}

}  // namespace cox::tools::run
