// SPDX-License-Identifier: MIT
#include "sim/model/faults/injector.h"

#include <algorithm>
#include <utility>

namespace cox::model::faults {

Injector::Injector(const std::vector<Planned> &plan, const Host &host, MemoryErrors::Transfer transfer)
    : host_(host), memory_(std::move(transfer)) {
  for (const Planned &fault : plan) add(fault);
  std::stable_sort(timed_.begin(), timed_.end(), [](const Timed &a, const Timed &b) { return a.time < b.time; });
}

void Injector::add(const Planned &fault) {
  switch (fault.kind) {
    case Kind::bus_error: return accesses_.add(fault.queue, fault);
    case Kind::stuck: return instructions_.add(fault.queue, fault);
    case Kind::doorbell: return doorbells_.add(fault.queue, fault);
    case Kind::completion: return entries_.add(fault.unit, fault);
    case Kind::interrupt:
      if (fault.effect != Effect::spurious) return lines_.add(fault);
      break;
    case Kind::slow:
    case Kind::clock:
      if (fault.cycles != kNever) timed_.push_back({fault.at + fault.cycles, fault, true});
      break;
    case Kind::flip:
    case Kind::reset: break;
  }
  timed_.push_back({fault.at, fault, false});
}

Cycle Injector::next_event(Cycle now) const {
  return std::min(next_ < timed_.size() ? timed_[next_].time : kNever, lines_.next_event(now));
}

std::optional<Injector::Timed> Injector::take_due(Cycle now) {
  if (next_ == timed_.size() || timed_[next_].time > now) return std::nullopt;
  const Timed &due = timed_[next_++];
  if (!due.over) log(due.fault, now);
  if (due.fault.kind == Kind::flip) memory_.flip(due.fault);
  if (due.fault.kind == Kind::interrupt) lines_.pulse(due.fault.line, now);
  return due;
}

bool Injector::line_level(unsigned line, bool condition, Cycle now) {
  const bool level = lines_.level(line, condition, now);
  for (const Planned &fault : lines_.take_fired()) log(fault, now);
  return level;
}

void Injector::on_start(Cycle now) {
  lines_.on_start(now);
  for (const Planned &fault : lines_.take_fired()) log(fault, now);
}

void Injector::log(const Planned &fault, Cycle now) const { host_.warning("injected at {}: {}", now, text(fault)); }

}  // namespace cox::model::faults
