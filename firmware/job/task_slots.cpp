// SPDX-License-Identifier: MIT
#include "coxswain/firmware/job/task_slots.h"

#include <algorithm>

#include "coxswain/firmware/job/ring.h"
#include "coxswain/hal/cache.h"

namespace cox::firmware::job {

using schedule::MemoryRange;

Status check_range(const MemoryRange &range, const MemoryRange &dram, std::uint64_t alignment, const char *what) {
  if (range.size == 0) return {ErrorCode::invalid_argument, what, -1, 0};
  if (!dram.contains(range)) return {ErrorCode::window_outside_dram, what, -1, signed_of(range.address), signed_of(dram.address)};
  if (range.address % alignment != 0) return {ErrorCode::misaligned_address, what, -1, signed_of(range.address), signed_of(alignment)};
  return {};
}

namespace {

MemoryRange protected_memory() {
  const load::SignatureCheck *check = load::signature_check();
  if (check == nullptr) return {};
  const std::span<std::byte> memory = check->protected_memory();
  return {hal::bus_address(memory), memory.size()};
}

}  // namespace

void TaskSlots::list_reserved() {
  reserved_count_ = 1;
  if (const MemoryRange own = protected_memory(); own.size != 0) reserved_[reserved_count_++] = own;
  for (const TaskSlot &slot : slots_) {
    if (!slot.holds_memory()) continue;
    reserved_[reserved_count_++] = slot.image;
    reserved_[reserved_count_++] = slot.workspace;
  }
}

Status TaskSlots::check_memory(const Request &job, const MemoryRange &ring) const {
  const MemoryRange image{job.image_address, job.image_bytes};
  const MemoryRange given{job.workspace_address, job.workspace_bytes};
  if (Status status = check_range(image, dram_, image::kImageAlignment, "image_address"); !status.ok()) return status;
  if (Status status = check_range(given, dram_, image::kWorkspaceAlignment, "workspace_address"); !status.ok()) return status;
  const MemoryRange workspace = blocks_of(given);
  const MemoryRange own = protected_memory();
  if (image.overlaps(own)) return {ErrorCode::window_overlap, "image_address", -1, signed_of(image.address)};
  if (image.overlaps(ring)) return {ErrorCode::window_overlap, "image_address", -1, signed_of(image.address)};
  if (workspace.overlaps(image)) return {ErrorCode::window_overlap, "workspace_address", -1, signed_of(workspace.address)};
  bool in_use = workspace.overlaps(ring) || workspace.overlaps(own);
  for (unsigned i = 0; i < kTaskSlots; ++i) {
    const TaskSlot &other = slots_[i];
    if (i == job.task_slot || !other.holds_memory()) continue;
    in_use = in_use || workspace.overlaps(other.image) || workspace.overlaps(other.workspace);
  }
  if (in_use) return {ErrorCode::window_overlap, "workspace_address", -1, signed_of(workspace.address)};
  // Two tasks may share an image, but no image may lie in the workspace of another task.
  for (unsigned i = 0; i < kTaskSlots; ++i) {
    const TaskSlot &other = slots_[i];
    if (i != job.task_slot && other.task.valid() && image.overlaps(other.workspace)) {
      return {ErrorCode::window_overlap, "image_address", -1, signed_of(image.address)};
    }
  }
  return check_range(given, dram_, kBlock, "workspace_address");
}

Result<MemoryRange> TaskSlots::find_own_memory(const Request &job) const {
  const MemoryRange all = protected_memory();
  if (all.size == 0) return MemoryRange{};
  if (!dram_.contains(all)) return Status{ErrorCode::window_outside_dram, "protected memory", -1, signed_of(all.address)};
  // The copy has the image's place in a block, because programs of engines are aligned there.
  const std::uint64_t needed = blocks_of({job.image_address, job.image_bytes}).size + blocks_of({0, job.workspace_bytes}).size;
  MemoryRange found{all.address, needed};
  // Each turn leaves at least one more slot behind.
  for (unsigned turn = 0; turn <= kTaskSlots; ++turn) {
    const auto before = std::ranges::find_if(slots_, [&](const TaskSlot &slot) { return slot.own.size != 0 && slot.own.overlaps(found); });
    if (before == slots_.end()) break;
    found.address = before->own.end();
  }
  if (!all.contains(found))
    return Status{ErrorCode::no_room, "protected memory", -1, signed_of(needed), signed_of(all.end() - found.address)};
  return found;
}

Status TaskSlots::begin_load(const Request &job, unsigned number, unsigned owner, const image::DeviceGeometry &geometry,
                             load::ProgramLoad *programs) {
  TaskSlot &slot = slots_[number];
  const Result<MemoryRange> own = find_own_memory(job);
  if (!own.ok()) return own.status();
  slot.own = own.value();
  slot.image = {job.image_address, job.image_bytes};
  slot.workspace = blocks_of({job.workspace_address, job.workspace_bytes});
  slot.owner = static_cast<std::uint8_t>(owner);
  slot.loading = true;
  list_reserved();
  loading_ = &slot;
  geometry_ = geometry;
  workspace_bytes_ = static_cast<std::size_t>(job.workspace_bytes);
  programs_ = programs;
  invalidated_ = 0;
  return {};
}

bool TaskSlots::step_load() {
  const std::span image(at<std::byte>(loading_->image.address), static_cast<std::size_t>(loading_->image.size));
  std::int32_t left = load::kStepInstructions;
  if (invalidated_ < image.size()) {
    constexpr std::size_t kBytes = 4;  // bytes whose cache lines are invalidated by an instruction of the control core
    const std::size_t piece = std::min(static_cast<std::size_t>(left) * kBytes, image.size() - invalidated_);
    // The lines at the ends of the image may hold other memory too, but no changes: the firmware cleans at once what it writes for others.
    hal::invalidate_cache(&image[invalidated_], piece);
    invalidated_ += piece;
    left -= static_cast<std::int32_t>(piece / kBytes);
    if (invalidated_ < image.size()) return true;
    std::span workspace(at<std::byte>(loading_->workspace.address), workspace_bytes_);
    std::span<std::byte> copy;
    if (const MemoryRange &own = loading_->own; own.size != 0) {
      workspace = {at<std::byte>(own.end() - blocks_of({0, workspace_bytes_}).size), workspace_bytes_};
      copy = {at<std::byte>(own.address + loading_->image.address % kBlock), image.size()};
    }
    load_.begin(image, geometry_, workspace, nullptr, programs_, copy);
  }
  return load_.step(left);
}

Status TaskSlots::end_load() {
  TaskSlot &slot = *loading_;
  loading_ = nullptr;
  const bool complete = invalidated_ == slot.image.size && load_.done();
  if (!complete || !load_.status().ok()) {
    load_.abandon();
    empty(slot);
    return complete ? load_.status() : Status{};
  }
  slot.loading = false;
  slot.task = load_.task();
  return {};
}

void TaskSlots::unload(unsigned number) { empty(slots_[number]); }

void TaskSlots::unload_all() {
  for (TaskSlot &slot : slots_) empty(slot);
}

void TaskSlots::empty(TaskSlot &slot) {
  if (slot.holds_memory()) {
    // Loader and scheduler write at most this part of the workspace.
    const auto instructions = static_cast<std::size_t>(slot.image.size / sizeof(isa::tile::MachineCode));
    const std::uint64_t most = image::workspace_bytes(instructions, kCores);
    hal::invalidate_cache(at<std::byte>(slot.workspace.address), static_cast<std::size_t>(std::min(slot.workspace.size, most)));
  }
  slot = TaskSlot{};
  list_reserved();
}

}  // namespace cox::firmware::job
