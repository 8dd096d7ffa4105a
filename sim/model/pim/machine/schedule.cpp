// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/schedule.h"

#include <algorithm>

namespace cox::model::pim {

namespace {

/// A core may be so many cycles ahead of the others with instructions that touch only its own memories.
constexpr Cycle kMostAhead = 4096;

}  // namespace

Schedule::Schedule(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, unsigned cores, Path path)
    : configuration_(configuration), timing_(timing), energy_(energy), execution_(configuration_, timing_, energy_, path) {
  for (unsigned i = 0; i < cores; ++i) cores_.push_back(std::make_unique<Core>(i, configuration_, timing_, energy_));
}

void Schedule::clear() {
  stop();
  for (const std::unique_ptr<Core> &core : cores_) {
    core->storage.clear();
    core->registers = {};
    core->counters = {};
  }
}

void Schedule::stop() {
  stage_ = Stage::idle;
  for (const std::unique_ptr<Core> &core : cores_) {
    core->phase = Phase::absent;
    core->next = kNever;
    core->counter = 0;
    core->prepared.is = false;
    core->code.reset();
  }
  running_ = {};
  execution_.reporter().clear();
  outcome_ = {};
}

void Schedule::delay(Cycle stood) {
  origin_ += stood;
  execution_.reporter().set_origin(origin_);
}

Cycle Schedule::next_time() const {
  if (stage_ == Stage::idle) return kNever;
  if (stage_ != Stage::running) return settled_;
  Cycle next = std::min(execution_.messages().next_landing(), execution_.reporter().next_end());
  for (const std::unique_ptr<Core> &core : running_) next = std::min(next, next_of(*core));
  return any_halted() ? next : std::min(next, limit_);
}

Cycle Schedule::next_event() const {
  const Cycle next = next_time();
  return next == kNever ? kNever : next + origin_;
}

void Schedule::step(Cycle now) {
  if (stage_ == Stage::idle || now < origin_) return;
  const Cycle until = std::min(now - origin_, kNever / 2);
  for (Cycle next = next_time(); next <= until; next = next_time()) {
    now_ = std::max(now_, next);
    advance(next, until);
  }
  now_ = std::max(now_, until);
}

void Schedule::advance(Cycle now, Cycle until) {
  if (stage_ == Stage::settling) return store();
  if (stage_ == Stage::storing) {
    stage_ = Stage::idle;
    return;
  }
  if (now >= limit_ && !any_halted()) return time_out();
  execution_.reporter().ends_until(now);
  if (execution_.messages().next_landing() <= now) {
    last_landing_ = std::max(last_landing_, now);
    execution_.land();
    return conclude();
  }
  for (const std::unique_ptr<Core> &core : running_) {
    if (next_of(*core) > now) continue;
    run(*core, now, until);
    return conclude();
  }
}

/// Runs the core whose next instruction may issue now, the lowest of all such cores.
void Schedule::run(Core &core, Cycle now, Cycle until) {
  const bool exact = is_exact();
  // Before `other`, nothing happens that this core does not do itself.
  Cycle other = execution_.messages().next_landing();
  for (const std::unique_ptr<Core> &another : running_) {
    if (another.get() != &core) other = std::min(other, next_of(*another));
  }
  Execution::Horizon horizon{other, std::min(other, until + 1)};
  if (exact) {
    horizon.own = horizon.shared;
  } else {
    // The other side of an open message may stop this core with a mismatch, and the landing of its own messages changes memories.
    if (execution_.messages().unmatched(core.number) == 0) {
      const Cycle alone = std::min(now + kMostAhead, execution_.messages().next_landing(core.number));
      horizon.own = std::max(horizon.own, alone);
    }
    horizon.own = std::min(horizon.own, until + kMostAhead);
  }
  const Cycle limit = any_halted() ? kNever : limit_;
  horizon.own = std::max(std::min(horizon.own, limit), now + 1);
  horizon.shared = std::max(std::min(horizon.shared, limit), now + 1);
  while (core.phase == Phase::running && core.next < horizon.own) {
    if (!exact) {
      core.run_quick(horizon.own);
      if (core.phase != Phase::running || core.next >= horizon.own) return;
    } else if (stops_at_breakpoint(core)) {
      return set_held(core.number, true, core.next);
    }
    const std::uint64_t issued = core.counters.instructions;
    const bool more = execution_.issue(core, horizon);
    if (core.counters.instructions != issued || core.phase == Phase::faulted) {
      passing_ &= ~bit(core.number);
      if ((stepping_ & bit(core.number)) != 0) {
        stepping_ &= ~bit(core.number);
        set_held(core.number, true, core.next == kNever ? now : core.next);
        return;
      }
    }
    if (!more) return;
  }
}

}  // namespace cox::model::pim
