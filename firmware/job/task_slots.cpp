// SPDX-License-Identifier: MIT
#include "firmware/job/task_slots.h"

#include "firmware/job/ring.h"
#include "hal/cache.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

Status check_range(const MemoryRange &range, const MemoryRange &dram, std::uint64_t alignment, const char *what) {
  if (range.size == 0) return {ErrorCode::invalid_argument, what, -1, 0};
  if (!dram.contains(range)) return {ErrorCode::window_outside_dram, what, -1, signed_of(range.address), signed_of(dram.address)};
  if (range.address % alignment != 0) return {ErrorCode::misaligned_address, what, -1, signed_of(range.address), signed_of(alignment)};
  return {};
}

Status TaskSlots::check_owner(unsigned number, unsigned owner) const {
  const TaskSlot &slot = slots_[number];
  if (slot.task.valid() && slot.owner != owner) return {ErrorCode::not_owner, "task_slot", -1, number, slot.owner};
  return {};
}

std::span<const MemoryRange> TaskSlots::reserved(const MemoryRange &ring, Ranges &ranges, unsigned except) const {
  unsigned count = 0;
  ranges[count++] = ring;
  for (unsigned i = 0; i < kTaskSlots; ++i) {
    if (i == except || !slots_[i].holds_memory()) continue;
    ranges[count++] = slots_[i].image;
    ranges[count++] = slots_[i].workspace;
  }
  return std::span(ranges).first(count);
}

Status TaskSlots::check_memory(const Descriptor &job, const MemoryRange &ring) const {
  const MemoryRange image{job.image_address, job.image_bytes};
  const MemoryRange workspace{job.workspace_address, job.workspace_bytes};
  if (Status status = check_range(image, dram_, image::kImageAlignment, "image_address"); !status.ok()) return status;
  if (Status status = check_range(workspace, dram_, image::kWorkspaceAlignment, "workspace_address"); !status.ok()) return status;
  if (image.overlaps(ring)) return {ErrorCode::window_overlap, "image_address", -1, signed_of(image.address)};
  if (workspace.overlaps(image)) return {ErrorCode::window_overlap, "workspace_address", -1, signed_of(workspace.address)};
  Ranges ranges;
  for (const MemoryRange &range : reserved(ring, ranges, job.task_slot)) {
    if (workspace.overlaps(range)) return {ErrorCode::window_overlap, "workspace_address", -1, signed_of(workspace.address)};
  }
  // Two tasks may share an image, but no image may lie in the workspace of another task.
  for (unsigned i = 0; i < kTaskSlots; ++i) {
    const TaskSlot &other = slots_[i];
    if (i != job.task_slot && other.task.valid() && image.overlaps(other.workspace)) {
      return {ErrorCode::window_overlap, "image_address", -1, signed_of(image.address)};
    }
  }
  return {};
}

Status TaskSlots::load(const Descriptor &job, unsigned number, unsigned owner, const image::DeviceGeometry &geometry,
                       verify::Pause &pause) {
  TaskSlot &slot = slots_[number];
  slot = TaskSlot{};  // removes the slot's previous task, so the submitter may reuse the task's memory
  slot.image = {job.image_address, job.image_bytes};
  slot.workspace = {job.workspace_address, job.workspace_bytes};
  slot.owner = static_cast<std::uint8_t>(owner);
  slot.loading = true;
  const std::span image(at<std::byte>(slot.image.address), static_cast<std::size_t>(slot.image.size));
  const std::span workspace(at<std::byte>(slot.workspace.address), static_cast<std::size_t>(slot.workspace.size));
  // The first and the last cache line of the image may also hold other memory, whose changes must not be lost.
  hal::clean_cache(image.data(), 1);
  hal::clean_cache(&image.back(), 1);
  constexpr std::size_t kPiece = 64 << 10;
  for (std::size_t from = 0; from < image.size(); from += kPiece) {
    hal::invalidate_cache(&image[from], std::min(kPiece, image.size() - from));
    if (!pause.after(kPiece / 4)) break;  // a cache line of 32 bytes costs about 8 instructions of the control core
  }
  const Result<image::LoadedTask> loaded = image::load(image, geometry, workspace, nullptr, pause);
  slot.loading = false;
  if (!loaded) {
    slot = TaskSlot{};
    return loaded.status();
  }
  slot.task = loaded.value();
  return {};
}

}  // namespace cox::firmware::job
