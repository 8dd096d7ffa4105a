// SPDX-License-Identifier: MIT
// Tasks that are loaded, and memory that is in use: what load, unload and run jobs must respect (docs/jobs.md, Owners).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "firmware/image/loader.h"
#include "firmware/job/job_queue.h"
#include "firmware/schedule/bindings.h"

namespace cox::firmware::job {

/// A place that a load job fills: a task, and the memory of the submitter that it refers to.
struct TaskSlot {
  image::LoadedTask task;
  schedule::MemoryRange image;
  schedule::MemoryRange workspace;
  std::uint64_t last_cycles = 0;  ///< device cycles of its last run, times cores
  std::uint32_t runs = 0;
  std::uint32_t failures = 0;
  std::uint8_t owner = 0;  ///< while it holds a task
  bool loading = false;    ///< the task is being checked: nobody else may write image and workspace already

  [[nodiscard]] bool holds_memory() const { return task.valid() || loading; }
};

class TaskSlots {
 public:
  explicit TaskSlots(const schedule::MemoryRange &dram) : dram_(dram) {}

  /// `number` < kTaskSlots.
  [[nodiscard]] TaskSlot &slot(unsigned number) { return slots_[number]; }
  [[nodiscard]] const TaskSlot &slot(unsigned number) const { return slots_[number]; }
  /// not_owner: the slot holds another owner's task.
  [[nodiscard]] Status check_owner(unsigned number, unsigned owner) const;

  /// Image and workspace of a load job, of which nothing is read: in DRAM, aligned, and where the ring and other tasks are not. The slot's
  /// own memory may be used again.
  [[nodiscard]] Status check_memory(const Descriptor &job, const schedule::MemoryRange &ring) const;
  /// Checks the image from front to back, with pauses, and keeps it. The slot is empty where it fails, or is given up.
  Status load(const Descriptor &job, unsigned number, unsigned owner, const image::DeviceGeometry &geometry, verify::Pause &pause);
  void unload(unsigned number) { slots_[number] = TaskSlot{}; }

  using Ranges = std::array<schedule::MemoryRange, 1 + 2 * kTaskSlots>;
  /// Memory of the ring and of all tasks, loaded or being checked, but that in `except`, which the accelerator must not write.
  std::span<const schedule::MemoryRange> reserved(const schedule::MemoryRange &ring, Ranges &ranges, unsigned except = kTaskSlots) const;

 private:
  schedule::MemoryRange dram_;
  std::array<TaskSlot, kTaskSlots> slots_;
};

/// `what` names a range of a descriptor: not empty, in `dram`, aligned.
[[nodiscard]] Status check_range(const schedule::MemoryRange &range, const schedule::MemoryRange &dram, std::uint64_t alignment,
                                 const char *what);

}  // namespace cox::firmware::job
