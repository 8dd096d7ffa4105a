// SPDX-License-Identifier: MIT
// Brings tile cores up, resets them and switches their clocks. Interrupt handlers call some of these functions.
#include "coxswain/firmware/schedule/core_bank.h"

#include "coxswain/base/bits.h"
#include "coxswain/hal/interrupt_mask.h"

namespace cox::firmware::schedule {

using isa::tile::Class;
using isa::tile::kClasses;

namespace {

constexpr std::size_t kSubmissionBytes = hal::tile::SubmissionQueue::kSlotBytes << kSubmissionSizeLog2;
constexpr std::size_t kCompletionBytes = sizeof(hal::Completion) << kCompletionSizeLog2;

}  // namespace

Status CoreBank::initialise(const hal::Geometry &geometry, std::span<std::byte> memory) {
  geometry_ = geometry;
  memory_ = memory;
  // A core without a clock does not reset.
  if (Status status = hal::tile::set_core_clocks(geometry_, (1U << geometry_.cores) - 1); !status.ok()) return status;
  for (unsigned core = 0; core < geometry_.cores; ++core) {
    if (Status status = bring_up(core); !status.ok()) return status;
  }
  update_clocks();
  return {};
}

Status CoreBank::close() {
  Status status = hal::tile::set_core_clocks(geometry_, (1U << geometry_.cores) - 1);
  for (unsigned core = 0; core < geometry_.cores && status.ok(); ++core) status = hal::tile::reset_core(geometry_, core);
  update_clocks();
  return status;
}

/// Resets a core and initialises its queues again. The core must have its clock.
Status CoreBank::bring_up(unsigned core) {
  TileCore &own = cores_[core];
  own.number = static_cast<std::uint8_t>(core);
  own.ready = own.broken = own.was_reset = own.damaged = false;
  if (Status status = hal::tile::reset_core(geometry_, core); !status.ok()) return status;
  const std::span<std::byte> memory = memory_.subspan(core * kCoreQueueBytes, kCoreQueueBytes);
  for (unsigned queue = 0; queue < kClasses; ++queue) {
    ClassQueue &class_queue = queues_[core * kClasses + queue];
    const std::span<std::byte> ring = memory.subspan(queue * kSubmissionBytes, kSubmissionBytes);
    if (Status status = class_queue.ring.init(geometry_, core, static_cast<Class>(queue), ring, kSubmissionSizeLog2); !status.ok())
      return status;
    class_queue.ring.set_limit(2 * plan::kMaximumGroup, plan::kMaximumGroup);
    class_queue.starved = 0;
  }
  const std::span<std::byte> entries = memory.subspan(kClasses * kSubmissionBytes, kCompletionBytes);
  if (Status status = own.completions.init(geometry_, core, entries, {}); !status.ok()) return status;
  own.ready = true;
  return {};
}

void CoreBank::enter(std::uint32_t cores, unsigned context) {
  in_use_ = static_cast<std::uint8_t>(in_use_ | cores);
  if ((in_use_ & ~clocked_) != 0) update_clocks();
  while (cores != 0) {
    TileCore &core = cores_[take_lowest(cores)];
    core.runs = static_cast<std::uint8_t>(core.runs | 1U << context);
  }
}

void CoreBank::leave(std::uint32_t cores, unsigned context) {
  while (cores != 0) {
    const unsigned number = take_lowest(cores);
    TileCore &core = cores_[number];
    core.runs = static_cast<std::uint8_t>(core.runs & ~(1U << context));
    if (core.runs == 0) in_use_ = static_cast<std::uint8_t>(in_use_ & ~(1U << number));
  }
}

Result<unsigned> CoreBank::lend(unsigned count, std::uint32_t reserved) {
  // A suspect core may be stuck for good, so it is the last choice.
  for (const bool suspect : {false, true}) {
    for (unsigned first = 0; first + count <= geometry_.cores; ++first) {
      const std::uint32_t cores = cores_from(first, count);
      if ((cores & (lent_ | reserved)) != 0 || !are_idle(cores, suspect)) continue;
      lent_ = static_cast<std::uint8_t>(lent_ | cores);
      update_clocks();
      return first;
    }
  }
  return Status(ErrorCode::no_room, "cores", -1, count, geometry_.cores);
}

void CoreBank::take_back(unsigned first, unsigned count) {
  lent_ = static_cast<std::uint8_t>(lent_ & ~cores_from(first, count));
  update_clocks();
}

void CoreBank::stop_clocks() {
  if (clocked_ == (in_use_ | lent_)) return;
  const hal::InterruptMask mask;
  update_clocks();
}

void CoreBank::update_clocks() {
  clocked_ = in_use_ | lent_;
  static_cast<void>(hal::tile::set_core_clocks(geometry_, clocked_));  // cannot fail: the cores exist
}

void CoreBank::read_counters(std::uint32_t cores, std::array<hal::tile::QueueCounters, kClasses> &counters, std::uint64_t &clocked) const {
  counters = {};
  clocked = 0;
  while (cores != 0) {
    const unsigned core = take_lowest(cores);
    clocked += hal::tile::clocked_cycles(geometry_, core).value();
    for (unsigned own = 0; own < kClasses; ++own) {
      const hal::tile::QueueCounters read = hal::tile::read_counters(geometry_, core, static_cast<Class>(own)).value();
      hal::tile::QueueCounters &sum = counters[own];
      sum = {sum.instructions + read.instructions, sum.busy_cycles + read.busy_cycles, sum.stalled_cycles + read.stalled_cycles,
             sum.bytes + read.bytes};
    }
  }
}

bool CoreBank::find_blocked(unsigned core) {
  TileCore &own = cores_[core];
  if (!own.ready) return false;
  if (!queues_[core * kClasses].ring.is_enabled()) {
    own.was_reset = true;
    return true;
  }
  if (!own.completions.is_blocked()) return false;
  own.completions.pop();
  own.completions.acknowledge();
  refuse_completion(core);
  return true;
}

void CoreBank::refuse_completion(unsigned core) {
  ++bad_completions_;
  cores_[core].broken = true;
}

void CoreBank::mark_damaged(unsigned core) { cores_[core].damaged = cores_[core].broken = true; }

void CoreBank::reset(unsigned core) {
  ++resets_;
  static_cast<void>(bring_up(core));  // placement leaves out a core that is not ready
}

void CoreBank::mark_stuck(unsigned core) {
  cores_[core].lost = cores_[core].lost || cores_[core].suspect;
  cores_[core].suspect = true;
}

void CoreBank::mark_working(std::uint32_t cores) {
  while (cores != 0) {
    TileCore &core = cores_[take_lowest(cores)];
    core.suspect = core.lost = false;
  }
}

bool CoreBank::are_idle(std::uint32_t cores, bool suspect) const {
  while (cores != 0) {
    const TileCore &core = cores_[take_lowest(cores)];
    if (!core.ready || core.broken || core.was_reset || (core.suspect && !suspect) || core.runs != 0) return false;
  }
  return true;
}

bool CoreBank::are_ready(std::uint32_t cores) const {
  while (cores != 0) {
    if (!cores_[take_lowest(cores)].ready) return false;
  }
  return true;
}

}  // namespace cox::firmware::schedule
