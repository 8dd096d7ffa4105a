// SPDX-License-Identifier: MIT
#include "coxswain/hal/submissions.h"

#include <bit>

#include "coxswain/base/bits.h"
#include "coxswain/hal/board.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/threads.h"

namespace cox::hal {

constinit std::array<Submissions *, std::size(registers::kEngineRows)> Submissions::open_{};
constinit bool Submissions::in_interrupt_call_ = false;
constinit bool Submissions::in_poll_call_ = false;

void Submissions::open(Accelerator &accelerator) {
  accelerator_ = &accelerator;
  open_[os_number(engine_)] = this;
}

void Submissions::close() {
  const InterruptMask mask;
  for (std::uint32_t used = in_flight_ | ended_ | shown_; used != 0;) free(take_lowest(used));
  open_[os_number(engine_)] = nullptr;
  accelerator_ = nullptr;
}

Result<Submissions *> Submissions::of(Handle handle) {
  if (handle.row() >= open_.size() || handle.generation() == 0) return Status(ErrorCode::invalid_argument, "handle", -1, handle.bits());
  Submissions *const found = open_[handle.row()];
  if (found == nullptr) return Status(ErrorCode::not_ready, "handle", -1, handle.generation());
  return found;
}

Status Submissions::check(Handle handle) const {
  if (handle.row() >= open_.size() || handle.generation() == 0) return {ErrorCode::invalid_argument, "handle", -1, handle.bits()};
  if (handle.row() != os_number(engine_)) return {ErrorCode::invalid_argument, "engine", -1, handle.row(), os_number(engine_)};
  const std::uint32_t current = slots_[handle.index()].generation;
  const bool is_used = ((in_flight_ | ended_) >> handle.index() & 1) != 0;
  if (!is_used || handle.generation() != current) return {ErrorCode::not_ready, "handle", -1, handle.generation(), current};
  return {};
}

Result<unsigned> Submissions::free_index() const {
  const std::uint32_t used = in_flight_ | ended_ | shown_;
  if (used == (1U << kMost) - 1 || is_exclusive_) return Status(ErrorCode::no_room, "submissions", -1, std::popcount(used), kMost);
  return static_cast<unsigned>(std::countr_one(used));
}

Handle Submissions::begin(unsigned index) {
  in_flight_ |= 1U << index;
  return {os_number(engine_), index, slots_[index].generation};
}

void Submissions::end(unsigned index) {
  const std::uint32_t bit = 1U << index;
  in_flight_ &= ~bit;
  ended_ |= bit;
  cox_os_notify(os_number(engine_));
  if ((interrupt_calls_ & bit) == 0) return;
  in_interrupt_call_ = true;
  call(index);
  in_interrupt_call_ = false;
}

/// Calls the submission's function.
void Submissions::call(unsigned index) {
  const EndCall &end = slots_[index].call;
  interrupt_calls_ &= ~(1U << index);
  end.function(Handle(os_number(engine_), index, slots_[index].generation).bits(), end.argument);
}

void Submissions::free(unsigned index) {
  const std::uint32_t bit = 1U << index;
  in_flight_ &= ~bit;
  ended_ &= ~bit;
  shown_ &= ~bit;
  interrupt_calls_ &= ~bit;
  poll_calls_ &= ~bit;
  std::uint32_t &generation = slots_[index].generation;
  generation = generation == Handle::kLastGeneration ? 1 : generation + 1;
}

/// look(), unless another thread attends to the engine, or this is a call from end().
void Submissions::look_around() {
  if (is_exclusive_ || in_interrupt_call_) return;
  look();
  if (has_interrupt_calls()) arm();
}

void Submissions::on_interrupt() {
  for (Submissions *const each : open_) {
    if (each != nullptr && each->has_interrupt_calls()) each->look_around();
  }
}

void Submissions::set_exclusive(bool exclusive) {
  const InterruptMask mask;
  is_exclusive_ = exclusive;
}

/// attend(), if necessary, unless another thread does so already.
void Submissions::attend_alone() {
  {
    const InterruptMask mask;
    if (is_exclusive_ || in_interrupt_call_ || in_flight_ == 0 || !needs_attention()) return;
    is_exclusive_ = true;
  }
  attend();
  const InterruptMask mask;
  is_exclusive_ = false;
  look_around();
}

bool Submissions::has_ended(Handle handle) {
  if (!in_interrupt_call_) attend_alone();
  const InterruptMask mask;
  if (!check(handle).ok()) return true;
  look_around();
  return (ended_ >> handle.index() & 1) != 0;
}

Status Submissions::wait(Handle handle, std::uint64_t limit_us, AtLimit at_limit) {
  std::uint64_t begun = 0;
  bool is_stopped = false;
  for (bool has_rested = false;; has_rested = true) {
    if (has_rested) attend_alone();
    const InterruptMask mask;
    if (const Status status = check(handle); !status.ok()) return status;
    look_around();
    // A function that look_around() has called may have taken the outcome.
    if (const Status status = check(handle); !status.ok()) return status;
    const std::uint32_t bit = 1U << handle.index();
    if ((ended_ & bit) != 0) {
      ended_ &= ~bit;
      shown_ |= bit;
      break;
    }
    if (in_interrupt_call_) return {ErrorCode::not_ready, "interrupt"};
    const std::uint64_t now = board::microseconds();
    if (!has_rested) begun = now;
    if (now - begun < limit_us || is_stopped) {
      rest();
    } else if (at_limit == AtLimit::stop) {
      stop(handle.index());
      is_stopped = true;
    } else {
      return {ErrorCode::timeout, "wait", -1, signed_of(now - begun), signed_of(limit_us)};
    }
  }
  show(handle.index());
  const InterruptMask mask;
  const Status outcome = take(handle.index());
  free(handle.index());
  return outcome;
}

Status Submissions::call_at_end(Handle handle, const EndCall &call) {
  const InterruptMask mask;
  if (const Status status = check(handle); !status.ok()) return status;
  if (call.function == nullptr) return {ErrorCode::invalid_argument, "callback"};
  const std::uint32_t bit = 1U << handle.index();
  if (((interrupt_calls_ | poll_calls_) & bit) != 0) return {ErrorCode::not_ready, "callback"};
  if (call.from == CallFrom::poll) {
    slots_[handle.index()].call = call;
    poll_calls_ |= bit;
    return {};
  }
  if (const Status status = check_interrupt(); !status.ok()) return status;
  slots_[handle.index()].call = call;
  interrupt_calls_ |= bit;
  if ((ended_ & bit) != 0) {
    const bool outer = in_interrupt_call_;
    in_interrupt_call_ = true;
    this->call(handle.index());
    in_interrupt_call_ = outer;
    return {};
  }
  accelerator_->observe(on_interrupt);
  arm();
  return {};
}

void Submissions::poll_all() {
  if (in_interrupt_call_) return;
  for (Submissions *const each : open_) {
    if (each == nullptr) continue;
    each->attend_alone();
    const InterruptMask mask;
    each->look_around();
  }
  {
    const InterruptMask mask;
    if (in_poll_call_) return;
    in_poll_call_ = true;
  }
  for (Submissions *const each : open_) {
    if (each != nullptr) each->make_calls();
  }
  const InterruptMask mask;
  in_poll_call_ = false;
}

/// Calls the functions with CallFrom::poll of the submissions that have ended. Functions may submit; what these submissions bring is left
/// to the next poll_all().
void Submissions::make_calls() {
  std::uint32_t calls = ended_ & poll_calls_;
  while (calls != 0) {
    const unsigned index = take_lowest(calls);
    EndCall call;
    Handle handle;
    {
      const InterruptMask mask;
      const std::uint32_t bit = 1U << index;
      if ((ended_ & poll_calls_ & bit) == 0) continue;
      poll_calls_ &= ~bit;
      call = slots_[index].call;
      handle = Handle(os_number(engine_), index, slots_[index].generation);
    }
    call.function(handle.bits(), call.argument);
  }
}

}  // namespace cox::hal
