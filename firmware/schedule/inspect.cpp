// SPDX-License-Identifier: MIT
// Walks over rings and plans.
#include "coxswain/firmware/schedule/inspect.h"

#include <limits>

#include "coxswain/isa/tile/configuration.h"
#include "coxswain/isa/tile/lane.h"

namespace cox::firmware::schedule {

using isa::tile::kClasses;
using isa::tile::MachineCode;

std::size_t dispatched(const TaskRun &run, unsigned lane) {
  return static_cast<std::size_t>(run.lane(lane).code - run.task->plan().lanes[lane].code.data());
}

// The queue's ring does not hold the index in the task, so the function counts back from the task's last dispatched instruction.
std::int32_t instruction_index(const CoreBank &cores, const TaskRun &run, unsigned queue, std::uint32_t tag) {
  const hal::tile::SubmissionQueue &ring = cores.queue(queue).ring;
  std::size_t back = 1;
  for (std::uint32_t index = tag + 1; index != ring.tail(); ++index) {
    if (isa::tile::context_of(ring.slot(index)) == run.context) ++back;
  }
  const unsigned lane = queue - run.first_lane;
  const std::size_t count = dispatched(run, lane);
  if (back > count) return -1;
  return static_cast<std::int32_t>(run.task->plan().lanes[lane].indices[count - back]);
}

std::uint32_t last_of(const CoreBank &cores, const TaskRun &run, unsigned queue) {
  const hal::tile::SubmissionQueue &ring = cores.queue(queue).ring;
  std::uint32_t last = ring.tail();
  while (last != ring.head() && isa::tile::context_of(ring.slot(last - 1)) != run.context) --last;
  return last;
}

Status describe_delay(const CoreBank &cores, const TaskRun &run) {
  Status oldest(ErrorCode::time_limit, "completion", -1, run.time_limit, run.time_limit);
  std::int32_t earliest = std::numeric_limits<std::int32_t>::max();
  for (unsigned lane = 0; lane < run.lane_count(); ++lane) {
    const unsigned number = run.first_lane + lane;
    const hal::tile::SubmissionQueue &ring = cores.queue(number).ring;
    const std::uint32_t head = ring.device_head();
    for (std::uint32_t index = ring.head(); index != ring.tail(); ++index) {
      if (is_behind(index, head) || isa::tile::context_of(ring.slot(index)) != run.context) continue;
      const std::int32_t at = instruction_index(cores, run, number, index);
      if (at >= 0 && at < earliest) {
        earliest = at;
        oldest = Status(ErrorCode::time_limit, isa::tile::kClassNames[isa::tile::class_of_lane(lane)], at, run.time_limit, run.time_limit);
      }
      break;
    }
  }
  return oldest;
}

unsigned count_tokens(const TaskRun &run, unsigned from, unsigned to) {
  if (run.state != RunState::running || from >= run.lane_count() || to >= run.lane_count()) return 0;
  const Plan &plan = run.task->plan();
  unsigned count = 0;
  for (const Wake *wake = plan.lanes[from].wakes.data(); wake != run.lane(from).wakes; ++wake) count += wake->to() == to ? 1 : 0;
  const bool same_core = isa::tile::core_of_lane(from) == isa::tile::core_of_lane(to);
  const unsigned port = same_core ? isa::tile::class_of_lane(from) : kClasses + isa::tile::core_of_lane(from);
  for (const MachineCode *code = plan.lanes[to].code.data(); code != run.lane(to).code; ++code) {
    count -= isa::tile::taken_ports(*code) >> port & 1;
  }
  return count;
}

}  // namespace cox::firmware::schedule
