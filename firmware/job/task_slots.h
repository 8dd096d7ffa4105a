// SPDX-License-Identifier: MIT
// The loaded tasks and the memory that they use. No window of a run, read_trace or read_faults job may overlap this memory
// (docs/jobs.md, Owners).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/firmware/image/loader.h"
#include "coxswain/firmware/job/job_queue.h"
#include "coxswain/firmware/load/load.h"
#include "coxswain/firmware/schedule/bindings.h"

namespace cox::firmware::job {

/// A slot that a load job fills. It has a task and the submitter's memory that the task refers to.
struct TaskSlot {
  image::LoadedTask task;
  schedule::MemoryRange image;
  schedule::MemoryRange workspace;  ///< whole blocks (kBlock)
  schedule::MemoryRange own;        ///< copy of the image, and the real workspace, in protected memory; empty without them
  std::uint64_t last_cycles = 0;    ///< device cycles of the task's last run, multiplied by its number of tile cores
  std::uint32_t runs = 0;
  std::uint32_t failures = 0;
  std::uint8_t owner = 0;  ///< valid while the slot holds a task
  bool loading = false;    ///< the image is being checked; its memory is already in use

  [[nodiscard]] bool holds_memory() const { return task.valid() || loading; }
};

class TaskSlots {
 public:
  explicit TaskSlots(const schedule::MemoryRange &dram) : dram_(dram) { list_reserved(); }

  /// `number` < kTaskSlots.
  [[nodiscard]] TaskSlot &slot(unsigned number) { return slots_[number]; }
  [[nodiscard]] const TaskSlot &slot(unsigned number) const { return slots_[number]; }
  /// Error: not_owner if the slot holds another owner's task.
  [[nodiscard]] Status check_owner(unsigned number, unsigned owner) const {
    const TaskSlot &slot = slots_[number];
    if (slot.task.valid() && slot.owner != owner) return {ErrorCode::not_owner, "task_slot", -1, number, slot.owner};
    return {};
  }

  /// Checks addresses and sizes of a load job's image and workspace: they must be in DRAM, aligned, and must not overlap the ring, each
  /// other or the memory of other tasks. Exceptions: images may overlap, and the memory of the task in the job's own slot does not count.
  [[nodiscard]] Status check_memory(const Request &job, const schedule::MemoryRange &ring) const;
  /// Begins a load into an empty slot, and reserves the memory of the job. No other load may be in progress. Errors, with nothing begun:
  /// no_room ("protected memory") if the image and its workspace do not fit there; window_outside_dram ("protected memory").
  [[nodiscard]] Status begin_load(const Request &job, unsigned number, unsigned owner, const image::DeviceGeometry &geometry,
                                  load::ProgramLoad *programs);
  /// Does a step of the load (load::kStepInstructions). Returns true if the load needs another step.
  [[nodiscard]] bool step_load();
  /// Ends the load. Keeps the task in its slot if the last step has completed the load. Otherwise, and if the image is refused, the slot is
  /// empty afterwards. Returns the error of the image.
  Status end_load();
  /// Empties the slot. Afterwards the cache holds no changes to the workspace, so the submitter may reuse it.
  void unload(unsigned number);
  void unload_all();

  /// Returns the memory that no window may overlap: the ring, protected memory, and image and workspace of each task that is loaded or
  /// being checked. The result is valid until a slot changes.
  [[nodiscard]] std::span<const schedule::MemoryRange> reserved(const schedule::MemoryRange &ring) {
    reserved_[0] = ring;
    return std::span(reserved_).first(reserved_count_);
  }

 private:
  /// Empties the slot; see unload().
  void empty(TaskSlot &slot);
  /// Finds room in protected memory for a copy of the job's image and for its workspace. Without protected memory, the result is empty.
  [[nodiscard]] Result<schedule::MemoryRange> find_own_memory(const Request &job) const;
  void list_reserved();

  schedule::MemoryRange dram_;
  std::array<TaskSlot, kTaskSlots> slots_;
  std::array<schedule::MemoryRange, 2 + 2 * kTaskSlots> reserved_{};
  unsigned reserved_count_ = 1;
  load::Load load_;
  TaskSlot *loading_ = nullptr;  ///< the slot that the load fills
  std::size_t invalidated_ = 0;  ///< bytes of the image, from its beginning, whose cache lines are invalidated
  // Arguments of begin_load().
  std::size_t workspace_bytes_ = 0;
  image::DeviceGeometry geometry_;
  load::ProgramLoad *programs_ = nullptr;
};

/// Checks a range of a descriptor: it must not be empty, must lie in `dram` and must be aligned. `what` names the range in errors.
[[nodiscard]] Status check_range(const schedule::MemoryRange &range, const schedule::MemoryRange &dram, std::uint64_t alignment,
                                 const char *what);

}  // namespace cox::firmware::job
