// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/scoreboard.h"

#include <bit>

namespace cox::model::pim {

void Scoreboard::clear() {
  free_ = {};
  read_ = {};
  written_ = {};
  array_free_ = results_ = last_end_ = 0;
}

Scoreboard::Start Scoreboard::earliest(const Work &work, Cycle ready) const {
  Start start{ready, Stall::unit};
  const auto wait = [&](Cycle until, Stall cause) {
    if (until > start.at) start = {until, cause};
  };
  wait(unit_free(work.unit), Stall::unit);
  for (MemorySet left = work.reads | work.writes; left != 0; left &= left - 1) {
    const auto memory = static_cast<unsigned>(std::countr_zero(left));
    wait(memory_free(memory, (work.writes >> memory & 1) != 0), Stall::memory);
  }
  if (work.unit == Unit::output) wait(results_, Stall::results);
  if (work.drains) wait(last_end_, Stall::drain);
  return start;
}

void Scoreboard::hold(MemorySet memories, std::array<Cycle, kUsedMemories> &until, Cycle end) {
  for (; memories != 0; memories &= memories - 1) {
    Cycle &time = until[static_cast<unsigned>(std::countr_zero(memories))];
    time = std::max(time, end);
  }
}

Cycle Scoreboard::issue(const Work &work, Cycle start, DramBus &bus, Cycle delay) {
  if (work.steps != 0) return issue_compute(work, start, delay);
  Cycle end = start + work.cycles + delay;
  if (work.dram_bytes() != 0) end = bus.book(end + timing_.dram_latency, work.dram_bytes(), timing_.dram_bytes_per_cycle);
  free_[static_cast<unsigned>(work.unit)] = end;
  hold(work.reads, read_, end);
  hold(work.writes, written_, end);
  last_end_ = std::max(last_end_, end);
  return end;
}

// A compute first reads its inputs, then streams their bits through the macros. The next compute reads while this one streams.
Cycle Scoreboard::issue_compute(const Work &work, Cycle start, Cycle delay) {
  const Cycle step = std::max(work.step_reads, work.step_cycles);
  const Cycle first = std::max(start + work.cycles + work.step_reads, array_free_);
  const Cycle last = first + (work.steps - 1) * step;
  array_free_ = last + work.step_cycles;
  const Cycle end = array_free_ + work.pipeline + delay;
  results_ = std::max(results_, end);
  // The unit holds the inputs of one compute that waits for the macros.
  free_[static_cast<unsigned>(Unit::compute)] = std::max(start + 1, last);
  // The inputs of a step are read while the step before it computes.
  const Cycle last_read = work.steps == 1 ? start + work.cycles + work.step_reads : last - step + work.step_reads;
  constexpr MemorySet kArray = MemorySet{1} << kArrayBit;
  hold(work.reads & ~kArray, read_, last_read);
  hold(kArray, read_, array_free_);
  last_end_ = std::max(last_end_, end);
  return end;
}

}  // namespace cox::model::pim
