// SPDX-License-Identifier: MIT
// Console output about the queues and tokens of tile cores.
#include "coxswain/firmware/console/console.h"
#include "coxswain/firmware/console/core_queue.h"
#include "coxswain/firmware/verify/verifier.h"
#include "coxswain/hal/interrupt_mask.h"
#include "coxswain/hal/mmio.h"
#include "coxswain/hal/soc.h"
#include "coxswain/hal/tile/core.h"
#include "coxswain/isa/tile/lane.h"

namespace cox::firmware::console {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::kClassNames;
using schedule::RunState;

namespace {

const char *state_name(RunState state) {
  switch (state) {
    case RunState::idle: return "idle";
    case RunState::preparing: return "preparing";
    case RunState::running: return "running";
    case RunState::stopping: return "stopping";
    case RunState::restarting: return "restarting";
    case RunState::ended: return "ended";
  }
  return "unknown";
}

/// True if one lane can give tokens to the other: within a core, or between SI and SO of two cores.
bool has_counter(unsigned from, unsigned to) {
  if (isa::tile::core_of_lane(from) == isa::tile::core_of_lane(to)) return true;
  const auto giver = static_cast<Class>(isa::tile::class_of_lane(from));
  const auto taker = static_cast<Class>(isa::tile::class_of_lane(to));
  return (giver == Class::SI && taker == Class::SO) || (giver == Class::SO && taker == Class::SI);
}

}  // namespace

Text &add_core_queue(Text &text, unsigned queue) { return text << kClassNames[queue % kClasses] << " of core " << queue / kClasses; }

void Console::print_queues() const {
  const hal::Geometry &geometry = scheduler_.geometry();
  print(Text() << "queue  in flight  instructions  busy cycles  stalled cycles  bytes");
  for (unsigned core = 0; core < geometry.cores; ++core) {
    for (unsigned own = 0; own < kClasses; ++own) {
      const auto &queue = COX_NPU->CORE[core].SQ[own];
      const hal::InterruptMask mask;
      const std::uint32_t in_flight = hal::mmio::read(queue.TAIL) - hal::mmio::read(queue.HEAD);
      const Result<hal::tile::QueueCounters> read = hal::tile::read_counters(geometry, core, static_cast<isa::tile::Class>(own));
      const hal::tile::QueueCounters did = read ? read.value() : hal::tile::QueueCounters{};
      Text text;
      text << kClassNames[own];
      if (geometry.cores > 1) text << core;
      text.pad_to(7) << in_flight;
      text.pad_to(18) << did.instructions;
      text.pad_to(32) << did.busy_cycles;
      text.pad_to(45) << did.stalled_cycles;
      text.pad_to(61) << did.bytes;
      print(text);
    }
  }
}

void Console::print_tokens() const {
  bool any = false;
  for (unsigned context = 0; context < schedule::kMaximumRuns; ++context) {
    const schedule::TaskRun &run = scheduler_.run(context);
    if (run.state == RunState::idle) continue;
    any = true;
    print(Text() << "context " << context << ": " << state_name(run.state));
    const unsigned lanes = scheduler_.geometry().cores * kClasses;
    for (unsigned from = 0; from < lanes; ++from) {
      for (unsigned to = 0; to < lanes; ++to) {
        const unsigned tokens = has_counter(from, to) ? scheduler_.tokens(run, from, to) : 0;
        if (tokens == 0) continue;
        Text text;
        text << "  ";
        // If the two lanes are on different cores, the name of their pair already contains the cores.
        const unsigned core = isa::tile::core_of_lane(from);
        if (run.lane_count() > kClasses && core == isa::tile::core_of_lane(to)) text << "core " << core << ": ";
        print(text << verify::pair_name(from, to) << " " << tokens);
      }
    }
  }
  if (!any) print(Text() << "no task runs");
}

}  // namespace cox::firmware::console
