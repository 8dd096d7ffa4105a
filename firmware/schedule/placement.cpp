// SPDX-License-Identifier: MIT
// Checks that tasks do not share windows, L2 blocks or WL0 units.
#include "coxswain/firmware/schedule/placement.h"

#include <bit>

#include "coxswain/base/bits.h"
#include "coxswain/firmware/schedule/bindings.h"

namespace cox::firmware::schedule {

namespace {

/// True if `cores` contains `count` neighbouring cores.
bool has_neighbours(std::uint32_t cores, unsigned count) {
  while (--count != 0) cores &= cores >> 1;
  return cores != 0;
}

/// Checks whether the task has room on the cores from `first_core` on. Returns no_room if another task on one of these cores has L2 blocks
/// or WL0 units that the task needs.
Status check_place(const UsedRuns &runs, const image::LoadedTask &task, unsigned first_core) {
  const verify::TaskNeeds &ours = task.needs();
  for (std::uint32_t used = runs.used; used != 0;) {
    const TaskRun &running = runs.runs[take_lowest(used)];
    if (!holds_place(running) || (running.cores & cores_from(first_core, ours.cores)) == 0) continue;
    const verify::TaskNeeds &theirs = running.task->needs();
    if (theirs.blocks.overlaps(ours.blocks)) return {ErrorCode::no_room, "L2", -1, ours.blocks.first, theirs.blocks.last};
    if (theirs.weights.overlaps(ours.weights)) return {ErrorCode::no_room, "WL0", -1, ours.weights.first, theirs.weights.last};
  }
  return {};
}

}  // namespace

Status check_windows(const UsedRuns &runs, const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) {
  for (std::uint32_t used = runs.used; used != 0;) {
    const TaskRun &running = runs.runs[take_lowest(used)];
    if (!holds_place(running)) continue;
    if (running.task->plan().groups.data() == task.plan().groups.data()) return {ErrorCode::no_room, "task"};
    const std::span<const hal::Window, hal::kWindows> others = running.configuration.windows;
    for (unsigned own = 0; own < hal::kWindows; ++own) {
      for (unsigned other = 0; other < hal::kWindows; ++other) {
        if (!windows[own].range().overlaps(others[other].range())) continue;
        if (!is_written(task, windows, own) && !is_written(*running.task, others, other)) continue;
        return {ErrorCode::window_overlap, "windows", static_cast<std::int32_t>(own), signed_of(windows[own].base),
                signed_of(others[other].base)};
      }
    }
  }
  return {};
}

Result<unsigned> choose_cores(const CoreBank &bank, const UsedRuns &runs, const image::LoadedTask &task, std::uint32_t allowed) {
  const unsigned wanted = task.needs().cores;
  const unsigned count = bank.geometry().cores;
  std::uint32_t working = 0;
  std::uint32_t lost = 0;
  for (unsigned core = 0; core < count; ++core) {
    if ((bank.lent() >> core & 1) != 0) continue;
    working |= bank.core(core).ready ? 1U << core : 0;
    lost |= bank.core(core).lost ? 1U << core : 0;
  }
  if (working == 0 && bank.lent() != 0) return Status(ErrorCode::no_room, "cores", -1, wanted, 0);
  if (working == 0) return Status{ErrorCode::not_ready, "tile core"};
  allowed &= working;
  // On a lost core, instructions have twice not ended (TileCore::lost), so this task might not end there either. If enough cores
  // that lie side by side are not lost, the function considers only cores that are not lost, even if they have no room now.
  if (has_neighbours(allowed & ~lost, wanted)) allowed &= ~lost;
  Status refusal;
  unsigned best = count;
  int fewest = 0;
  for (unsigned first = 0; first + wanted <= count; ++first) {
    const std::uint32_t cores = cores_from(first, wanted);
    if ((cores & ~allowed) != 0) continue;
    if (const Status status = check_place(runs, task, first); !status.ok()) {
      if (refusal.ok()) refusal = status;
      continue;
    }
    // A suspect core may be stuck for good. It counts as having kMany more tasks, so that it is the last choice.
    constexpr int kMany = 1 << 8;
    int tasks = 0;
    for (unsigned core = first; core < first + wanted; ++core)
      tasks += std::popcount(bank.core(core).runs) + (bank.core(core).suspect ? kMany : 0);
    if (best != count && tasks >= fewest) continue;
    best = first;
    fewest = tasks;
    if (fewest == 0) break;
  }
  if (best != count) return best;
  if (!refusal.ok()) return refusal;
  return Status(ErrorCode::no_room, "cores", -1, wanted, std::popcount(allowed));
}

}  // namespace cox::firmware::schedule
