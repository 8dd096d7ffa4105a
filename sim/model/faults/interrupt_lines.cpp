// SPDX-License-Identifier: MIT
#include "sim/model/faults/interrupt_lines.h"

#include <algorithm>
#include <utility>

namespace cox::model::faults {

Cycle InterruptLines::next_event(Cycle now) const {
  Cycle next = kNever;
  for (const Line &line : lines_) {
    if (line.pulse.begin > now) {
      next = std::min(next, line.pulse.begin);
    } else if (line.pulse.end > now) {
      next = std::min(next, line.pulse.end);
    }
  }
  return next;
}

bool InterruptLines::happens(Line &line, Effect effect, std::uint64_t rise, Cycle now) {
  for (Entry &entry : line.faults) {
    if (entry.done || entry.fault.effect != effect) continue;
    const bool due = entry.fault.count != 0 ? entry.fault.count == rise : entry.fault.at <= now;
    if (!due) continue;
    entry.done = true;
    fired_.push_back(entry.fault);
    return true;
  }
  return false;
}

bool InterruptLines::level(unsigned index, bool condition, Cycle now) {
  Line &line = lines_[index];
  if (condition && !line.condition) {
    ++line.rises;
    line.lost = happens(line, Effect::lost, line.rises, now);
    line.doubled = happens(line, Effect::doubled, line.rises, now);
  }
  if (!condition && line.condition) {
    if (line.doubled) pulse(index, now + 1);
    line.lost = line.doubled = false;
  }
  line.condition = condition;
  const bool pulse_now = line.pulse.begin <= now && now < line.pulse.end;
  return (condition && !line.lost) || pulse_now;
}

void InterruptLines::on_start(Cycle now) {
  Line &line = lines_[0];
  if (!line.condition && happens(line, Effect::early, line.rises + 1, now)) pulse(0, now);
}

std::vector<Planned> InterruptLines::take_fired() { return std::exchange(fired_, {}); }

}  // namespace cox::model::faults
