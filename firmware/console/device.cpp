// SPDX-License-Identifier: MIT
// What the console says of the accelerator.
#include "device/npu.h"
#include "firmware/console/console.h"
#include "firmware/console/text.h"
#include "firmware/verify/verifier.h"
#include "hal/interrupt_mask.h"
#include "hal/mmio.h"
#include "isa/tile/lane.h"

namespace cox::firmware::console {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::kClassNames;
using schedule::RunState;

namespace {

const char *state_name(RunState state) {
  switch (state) {
    case RunState::idle: return "idle";
    case RunState::running: return "running";
    case RunState::stopping: return "stopping";
    case RunState::restarting: return "restarting";
    case RunState::ended: return "ended";
  }
  return "unknown";
}

/// Whether tokens go from one lane to the other: within a core, and between SI and SO of two.
bool has_counter(unsigned from, unsigned to) {
  if (isa::tile::core_of_lane(from) == isa::tile::core_of_lane(to)) return true;
  const auto giver = static_cast<Class>(isa::tile::class_of_lane(from));
  const auto taker = static_cast<Class>(isa::tile::class_of_lane(to));
  return (giver == Class::SI && taker == Class::SO) || (giver == Class::SO && taker == Class::SI);
}

}  // namespace

void Console::print_queues() const {
  const hal::Geometry &geometry = scheduler_.geometry();
  print(Text() << "queue  in flight  instructions  busy cycles  stalled cycles  bytes");
  for (unsigned core = 0; core < geometry.tile_cores; ++core) {
    for (unsigned own = 0; own < kClasses; ++own) {
      const auto &queue = NPU->CORE[core].SQ[own];
      const hal::InterruptMask mask;
      const std::uint32_t in_flight = hal::mmio::read(queue.TAIL) - hal::mmio::read(queue.HEAD);
      const Result<hal::QueueCounters> read = hal::read_counters(geometry, core, static_cast<isa::tile::Class>(own));
      const hal::QueueCounters did = read ? read.value() : hal::QueueCounters{};
      Text text;
      text << kClassNames[own];
      if (geometry.tile_cores > 1) text << core;
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
    const unsigned lanes = scheduler_.geometry().tile_cores * kClasses;
    for (unsigned from = 0; from < lanes; ++from) {
      for (unsigned to = 0; to < lanes; ++to) {
        const unsigned tokens = has_counter(from, to) ? scheduler_.tokens(run, from, to) : 0;
        if (tokens == 0) continue;
        Text text;
        text << "  ";
        // The name of a pair between cores says which they are.
        const unsigned core = isa::tile::core_of_lane(from);
        if (run.lane_count() > kClasses && core == isa::tile::core_of_lane(to)) text << "core " << core << ": ";
        print(text << verify::pair_name(from, to) << " " << tokens);
      }
    }
  }
  if (!any) print(Text() << "no task runs");
}

void Console::print_clocks() const {
  const hal::Geometry &geometry = scheduler_.geometry();
  const std::uint32_t enabled = hal::mmio::read(NPU->CLOCK_ENABLE);
  const auto on_or_off = [](std::uint32_t bit) { return bit != 0 ? "on" : "off"; };
  for (unsigned core = 0; core < geometry.tile_cores; ++core) {
    const hal::InterruptMask mask;
    const std::uint64_t cycles = hal::mmio::read_counter(NPU->CORE_CLOCK[core].CYCLES_LO, NPU->CORE_CLOCK[core].CYCLES_HI);
    const std::uint64_t now = hal::device_cycles();
    print((Text() << "tile core " << core).pad_to(14) << on_or_off(enabled & NPU_CLOCK_ENABLE_CORE_Msk & 1U << core) << ", had it for "
                                                      << cycles << " of " << now << " cycles (" << Share{cycles, now} << ")");
  }
  for (const auto &[engine, name] : {std::pair{registers::Engine::mx, "MX"}, std::pair{registers::Engine::cube, "CUBE"}}) {
    if (!geometry.has(engine)) continue;
    print((Text() << name).pad_to(14) << on_or_off(enabled & 1U << (NPU_CLOCK_ENABLE_ENGINE_Pos + static_cast<unsigned>(engine))));
  }
}

}  // namespace cox::firmware::console
