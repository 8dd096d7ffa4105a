// SPDX-License-Identifier: MIT
// Tells a listener of instructions in the order of time.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "sim/model/pim/machine/listener.h"

namespace cox::model::pim {

/// Times of the machine count cycles in which the clock runs; listeners get the caller's time, `origin` later.
class Reporter {
 public:
  void set_listener(Listener *listener) { listener_ = listener; }
  [[nodiscard]] bool active() const { return listener_ != nullptr; }
  void set_origin(Cycle origin) { origin_ = origin; }
  void clear() { ends_ = {}; }

  /// An instruction issues. If its end is known, end_later() or end_now() follows.
  void start(CoreEvent event) {
    if (!active()) return;
    ends_until(event.start);
    listener_->on_start(shifted(event));
  }
  /// The instruction ends at `event.end`.
  void end_later(const CoreEvent &event) {
    if (active()) ends_.push({event, number_++});
  }
  /// The instruction ends now, with or without a fault.
  void end_now(const CoreEvent &event) {
    if (!active()) return;
    ends_until(event.end);
    listener_->on_end(shifted(event));
  }
  void message(CoreMessageEvent event) {
    if (!active()) return;
    ends_until(event.landed);
    for (Cycle *time : {&event.sent, &event.received, &event.landed}) *time += origin_;
    listener_->on_message(event);
  }
  void barrier(CoreBarrierEvent event) {
    if (!active()) return;
    ends_until(event.complete);
    for (Cycle *time : {&event.complete, &event.released}) *time += origin_;
    listener_->on_barrier(event);
  }
  /// The next end that the listener has not heard of.
  [[nodiscard]] Cycle next_end() const { return ends_.empty() ? kNever : ends_.top().event.end; }
  void ends_until(Cycle now) {
    while (next_end() <= now) {
      const CoreEvent event = ends_.top().event;
      ends_.pop();
      listener_->on_end(shifted(event));
    }
  }

 private:
  struct End {
    CoreEvent event;
    std::uint64_t number = 0;
    /// For a queue whose top is the earliest.
    friend bool operator<(const End &a, const End &b) {
      return a.event.end != b.event.end ? a.event.end > b.event.end : a.number > b.number;
    }
  };

  [[nodiscard]] CoreEvent shifted(CoreEvent event) const {
    for (Cycle *time : {&event.ready, &event.start, &event.end}) *time += *time == kNever ? 0 : origin_;
    return event;
  }

  Listener *listener_ = nullptr;
  Cycle origin_ = 0;
  std::uint64_t number_ = 0;
  std::priority_queue<End> ends_;
};

}  // namespace cox::model::pim
