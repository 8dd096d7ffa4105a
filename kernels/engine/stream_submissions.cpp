// SPDX-License-Identifier: MIT
#include "coxswain/kernels/engine/stream_submissions.h"

#include "coxswain/base/bits.h"
#include "coxswain/hal/board.h"

namespace cox::kernels {

void StreamEnds::forget_failures() {
  has_failed_ = must_stop_ = false;
  oldest_ = runner_.oldest() - 1;  // no stream that will be in flight
}

void StreamEnds::look() {
  if (has_failed_) return;
  has_failed_ = runner_.take_good();
  for (std::uint32_t indices = in_flight(); indices != 0;) {
    const unsigned index = take_lowest(indices);
    if (runner_.is_in_flight(tags_[index])) continue;
    outcomes_[index] = runner_.outcome_of(tags_[index]);
    end(index);
  }
}

bool StreamEnds::needs_attention() {
  if (runner_.in_flight() == 0) return false;
  if (has_failed_ || must_stop_ || runner_.looks_bad()) return true;
  const std::uint64_t now = board::microseconds();
  if (oldest_ != runner_.oldest()) since_ = now;
  oldest_ = runner_.oldest();
  return now - since_ >= StreamRunner::kDefaultLimit;
}

void StreamEnds::attend() {
  has_failed_ = must_stop_ = false;
  if (!runner_.recover(StreamRunner::kDefaultLimit)) after_failure();
}

void StreamEnds::rest() {
  runner_.enable_interrupt(true);
  if (hal::has_threads()) {
    // The interrupt handler disables the interrupt again. Other threads may still wait for it.
    cox_os_wait(hal::os_number(runner_.engine()));
    return;
  }
  board::wait_for_completion();
  runner_.enable_interrupt(has_interrupt_calls() && !has_failed_);
}

/// The completion of a failed stream stays in its queue until attend(), and would interrupt all the time.
void StreamEnds::arm() { runner_.enable_interrupt(!has_failed_); }

void StreamEnds::stop(unsigned index) { must_stop_ = runner_.is_in_flight(tags_[index]); }

}  // namespace cox::kernels
