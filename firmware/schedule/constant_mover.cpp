// SPDX-License-Identifier: MIT
#include "firmware/schedule/constant_mover.h"

#include <algorithm>

#include "base/bits.h"
#include "firmware/schedule/bindings.h"
#include "hal/board.h"

namespace cox::firmware::schedule {

bool ConstantMover::wants(const image::LoadedTask &task, std::span<const hal::Window, hal::kWindows> windows) const {
  if (dma_ == nullptr) return false;
  std::uint64_t bytes = 0;
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    const image::WindowNeed &need = task.windows()[i];
    if (!need.has_constants || !is_written(task, windows, i)) continue;
    if (need.ascending_bytes == 0) return false;
    bytes += need.ascending_bytes;
  }
  return bytes >= hal::Dma::kLeastBytes;
}

Status ConstantMover::begin(const TaskRun &run) {
  moves_[run.context].next = 0;
  cancelled_ &= ~(1U << run.context);
  return submit(run);
}

/// Submits the next constants as a list. Afterwards, the run has no list if there were no more constants.
Status ConstantMover::submit(const TaskRun &run) {
  Move &move = moves_[run.context];
  std::array<hal::DmaCopy, hal::Dma::kMostCopies> copies;
  std::size_t count = 0;
  std::uint32_t next = move.next;
  for (const std::size_t all = run.task->constants(); next < all && count < copies.size(); ++next) {
    const ConstantPlace place = place_of(*run.task, run.configuration.windows, next);
    if (place.data.empty()) continue;
    copies[count++] = {.source = reinterpret_cast<std::uintptr_t>(place.data.data()),
                       .destination = place.target,
                       .bytes = static_cast<std::uint32_t>(place.data.size())};
  }
  if (count == 0) return {};
  const std::uint64_t now = board::microseconds();
  const auto left = static_cast<std::uint32_t>(run.deadline - std::min(run.deadline - 1, now));
  const Result<hal::Dma::Handle> list = dma_->submit(std::span(copies).first(count), left);
  if (!list) return list.status();
  move = {list.value(), next};
  moving_ |= 1U << run.context;
  return {};
}

Result<bool> ConstantMover::step(const TaskRun &run) {
  const std::uint32_t own = 1U << run.context;
  if ((moving_ & own) != 0) {
    const hal::Dma::Handle list = moves_[run.context].list;
    if (!dma_->has_ended(list)) return false;
    moving_ &= ~own;
    const Status status = dma_->take(list);
    if (status.code() == ErrorCode::timeout) return Status{ErrorCode::time_limit, "constants", -1, run.time_limit};
    if (!status.ok() && status.code() != ErrorCode::cancelled) {
      // Only the outcome of a channel that does not stop names no error of the engine.
      const bool is_held = status.code() == ErrorCode::device_fault && status.value() == 0;
      return Status{status.code(), is_held ? status.what() : "constants", -1, status.value(), status.limit()};
    }
  }
  if ((cancelled_ & own) != 0) return Status{ErrorCode::cancelled, "task"};
  if (const Status status = submit(run); !status.ok()) return status;
  return (moving_ & own) == 0;
}

void ConstantMover::cancel(unsigned context) {
  cancelled_ |= 1U << context;
  if ((moving_ >> context & 1) != 0) static_cast<void>(dma_->abort(moves_[context].list));  // cannot fail: the list was not taken
}

Status ConstantMover::check_each(std::span<const hal::Window, hal::kWindows> windows) const {
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    if (windows[i].bytes == 0) continue;
    const Status status = dma_->check_memory(static_cast<std::uintptr_t>(windows[i].base), windows[i].bytes);
    if (!status.ok()) return status.at(static_cast<std::int32_t>(i));
  }
  return {};
}

bool ConstantMover::is_ready() const {
  for (std::uint32_t runs = moving_; runs != 0;) {
    if (dma_->has_ended(moves_[take_lowest(runs)].list)) return true;
  }
  return false;
}

}  // namespace cox::firmware::schedule
