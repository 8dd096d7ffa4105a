// SPDX-License-Identifier: MIT
// How a program ends: its time limit, faults, and cores that can never go on.
#include <algorithm>
#include <bit>

#include "coxswain/isa/pim/table.h"
#include "sim/model/pim/machine/schedule.h"

namespace cox::model::pim {

namespace {

/// The number of the core's last instruction, for a fault that comes after it.
std::uint32_t last_of(const Core &core) { return core.code->size() == 0 ? 0 : core.code->size() - 1; }

}  // namespace

void Schedule::time_out() {
  for (const std::unique_ptr<Core> &core : running_) {
    if (core->phase == Phase::ended) continue;  // conclude() looks at what it has in flight
    execution_.fault(*core, std::min(core->counter, last_of(*core)), Status(ErrorCode::time_limit, "program", -1, signed_of(limit_)),
                     limit_);
  }
  execution_.messages().clear();
  conclude();
}

/// If nothing can happen any more, finds how the program has ended.
void Schedule::conclude() {
  if (execution_.messages().next_landing() != kNever) return;
  for (const std::unique_ptr<Core> &core : running_) {
    if (core->next != kNever) return;
  }
  Bits waiting = 0;
  settled_ = last_landing_;
  for (const std::unique_ptr<Core> &core : running_) {
    const bool ends = core->phase == Phase::ended || core->phase == Phase::faulted;
    if (core->phase == Phase::ended && core->end > limit_)
      execution_.fault(*core, last_of(*core), Status(ErrorCode::time_limit, "program", -1, signed_of(limit_)), limit_);
    settled_ = std::max(settled_, ends ? core->end : core->waits_since + 1);
    if (core->phase != Phase::faulted && (!ends || execution_.messages().open(core->number) != 0)) waiting |= bit(core->number);
  }
  concluded_ = settled_;
  find_outcome(waiting);
  for (const std::unique_ptr<Core> &core : running_) {
    if ((waiting & bit(core->number)) != 0 && core->phase != Phase::ended) execution_.give_up(*core, settled_);
  }
  stage_ = Stage::settling;
}

void Schedule::find_outcome(Bits waiting) {
  outcome_ = {Status(), {}, settled_ + origin_, waiting};
  const Core *first = nullptr;
  for (const std::unique_ptr<Core> &core : running_) {
    if (core->phase == Phase::faulted && (first == nullptr || core->fault_time < first->fault_time)) first = core.get();
  }
  if (first != nullptr) {
    outcome_.status = first->fault;
    outcome_.position = {first->number, first->counter};
    outcome_.time = first->fault_time + origin_;
  } else if (waiting != 0) {
    const Core &core = *cores_[static_cast<unsigned>(std::countr_zero(waiting))];
    outcome_.position = {core.number, core.counter};
    if (const auto open = execution_.messages().first_unmatched(core.number); core.phase == Phase::ended && open)
      outcome_.position = open->second.position;
    const isa::pim::Instruction *row = isa::pim::Set::find(core.code->word(outcome_.position.instruction));
    outcome_.status = Status(ErrorCode::deadlock, row->name, -1, static_cast<std::int64_t>(waiting));
  }
}

}  // namespace cox::model::pim
