// SPDX-License-Identifier: MIT
#include "coxswain/firmware/schedule/constant_mover.h"

#include <algorithm>

#include "coxswain/base/bits.h"
#include "coxswain/firmware/schedule/bindings.h"
#include "coxswain/hal/board.h"

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
  return bytes >= hal::Dma::kLeastListBytes;
}

bool ConstantMover::begin(const TaskRun &run) {
  moves_[run.context] = {};
  cancelled_ &= ~(1U << run.context);
  return submit(run) != Progress::failed;
}

/// Submits the next constants as a list. Returns `written` if there are no more.
ConstantMover::Progress ConstantMover::submit(const TaskRun &run) {
  constexpr std::size_t kPiece = registers::dma::kMostRowBytes;
  Move move = moves_[run.context];
  const std::uint64_t now = board::microseconds();
  hal::Dma::List *const list = dma_->new_list(static_cast<std::uint32_t>(run.deadline - std::min(run.deadline - 1, now)));
  if (list == nullptr) return Progress::failed;
  std::size_t count = 0;
  for (const std::size_t all = run.task->constants(); move.next < all && count < hal::Dma::kMostCopies;) {
    const ConstantPlace place = place_of(*run.task, run.configuration.windows, move.next);
    const std::size_t begun = std::min<std::size_t>(place.data.size(), move.pieces * kPiece);
    const std::size_t bytes = std::min<std::size_t>(place.data.size() - begun, kPiece);
    if (bytes != 0) {
      const auto source = reinterpret_cast<std::uintptr_t>(place.data.data()) + begun;
      const auto destination = reinterpret_cast<std::uintptr_t>(place.target) + begun;
      dma_->add(*list, count++, {.source = source, .destination = destination, .bytes = static_cast<std::uint32_t>(bytes)});
    }
    if (begun + bytes != place.data.size()) {
      ++move.pieces;
    } else {
      move.pieces = 0;
      ++move.next;
    }
  }
  if (count == 0) return Progress::written;
  move.list = dma_->begin(*list);
  moves_[run.context] = move;
  moving_ |= 1U << run.context;
  return Progress::moving;
}

ConstantMover::Progress ConstantMover::step(const TaskRun &run, Status &failure) {
  const std::uint32_t own = 1U << run.context;
  ErrorCode code = ErrorCode::ok;
  const char *what = "constants";
  std::uint32_t value = 0, limit = 0;
  if ((moving_ & own) != 0) {
    const hal::Dma::Ended *const ended = dma_->take_ended(moves_[run.context].list);
    if (ended == nullptr) return Progress::moving;
    moving_ &= ~own;
    code = ended->code;
    if (code == ErrorCode::timeout) {
      code = ErrorCode::time_limit;
      value = run.time_limit;
    } else if (code == ErrorCode::device_fault) {
      value = ended->error;
      limit = ended->channel;
      if (value == 0) what = "DMA channel";
    }
  }
  if (code == ErrorCode::cancelled || (code == ErrorCode::ok && (cancelled_ & own) != 0)) {
    code = ErrorCode::cancelled;
    what = "task";
  }
  if (code == ErrorCode::ok) {
    const Progress progress = submit(run);
    if (progress != Progress::failed) return progress;
    code = ErrorCode::no_room;
  }
  failure = Status(code, what, -1, value, limit);
  return Progress::failed;
}

void ConstantMover::cancel(unsigned context) {
  cancelled_ |= 1U << context;
  if ((moving_ >> context & 1) != 0) static_cast<void>(dma_->abort(moves_[context].list));  // cannot fail: the list was not taken
}

Status ConstantMover::check_each(std::span<const hal::Window, hal::kWindows> windows) const {
  for (unsigned i = 0; i < hal::kWindows; ++i) {
    if (windows[i].bytes == 0) continue;
    const auto first = reinterpret_cast<std::uintptr_t>(hal::core_pointer<std::byte>(windows[i].base));
    const Status status = dma_->check_memory(first, static_cast<std::size_t>(windows[i].bytes));
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
