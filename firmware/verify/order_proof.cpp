// SPDX-License-Identifier: MIT
#include "coxswain/firmware/verify/order_proof.h"

#include <algorithm>
#include <bit>

#include "coxswain/base/bits.h"
#include "coxswain/isa/tile/lane.h"
#include "coxswain/isa/tile/table.h"

namespace cox::firmware::verify {

using isa::tile::Instruction;
using plan::Group;
using plan::Wake;

namespace {

constexpr auto kControl = static_cast<unsigned>(Class::CT);
constexpr std::uint32_t kNever = UINT32_MAX;  // in reverse: no CT instruction is known to start after the group

// Arguments of Budget::spend(): estimated control-core instructions.
constexpr std::int32_t kResetCost = 10;     // to prepare a group
constexpr std::int32_t kExecuteCost = 120;  // to execute a group, or to go back over it
constexpr std::int32_t kCountCost = 60;     // to count the tokens of an instruction that was executed
constexpr std::int32_t kCutCost = 60;       // to check the regions of an instruction

const char *selecting_field(const MachineCode &code, unsigned region) {
  const Instruction &instruction = *isa::tile::find_instruction(isa::tile::opcode_of(code));
  for (const char *name : {"SBSG", "SBSG1", "DBSG", "PBSG"}) {
    const isa::Field *field = isa::tile::find_field(instruction, name);
    if (field != nullptr && isa::read_integer(code, *field) == region) return name;
  }
  return "region";
}

/// The two ways to merge clocks.
struct Later {
  static bool replaces(std::uint32_t given, std::uint32_t own) { return given > own; }
};
struct Earlier {
  static bool replaces(std::uint32_t given, std::uint32_t own) { return given < own; }
};

template <typename Way>
[[gnu::always_inline]] inline void merge(std::uint32_t *to, const std::uint32_t *from, unsigned cores) {
  do {
    if (Way::replaces(*from, *to)) *to = *from;
    ++to;
    ++from;
  } while (--cores != 0);
}

}  // namespace

void OrderProof::begin(std::span<const MachineCode> instructions, const Streams &streams, const plan::Plan &plan, const Scratch &scratch,
                       bool redefines, Deadlock *waiting) {
  instructions_ = instructions;
  streams_ = &streams;
  plan_ = &plan;
  scratch_ = &scratch;
  redefines_ = redefines;
  waiting_ = waiting;
  early_ = kNone;
  lane_ = 0;
  enter(Phase::reset);
}

void OrderProof::enter(Phase phase) {
  phase_ = phase;
  next_ = 0;
}

Status OrderProof::step(load::Budget &budget) {
  while (phase_ != Phase::done && budget.is_left()) {
    Status status;
    switch (phase_) {
      case Phase::reset: reset(budget); break;
      case Phase::simulation: simulate(budget); break;
      case Phase::deadlock: status = count_executed(budget); break;
      case Phase::reverse: trace_back(budget); break;
      case Phase::cuts: status = check_cuts(budget); break;
      case Phase::done: break;
    }
    if (!status) return status;
  }
  return {};
}

/// Sets the counters of all groups to their initial values and their clocks to 0, then gives the tokens of a run's start.
void OrderProof::reset(load::Budget &budget) {
  const std::span<Group> groups = plan_->groups;
  for (; next_ < groups.size(); ++next_) {
    if (!budget.is_left()) return;
    budget.spend(kResetCost);
    groups[next_].missing = groups[next_].initial;
    std::fill_n(scratch_->clock(next_), streams_->cores, 0U);
  }
  to_try_ = 0;
  for (unsigned lane = 0; lane < streams_->lanes(); ++lane) {
    const plan::LanePlan &own = plan_->lanes[lane];
    scratch_->cursor(lane) = {0, own.first_group, 0};
    if (own.code.empty()) continue;
    --groups[own.first_group].missing;
    to_try_ |= std::uint64_t{1} << lane;
  }
  enter(Phase::simulation);
}

/// Executes groups until no lane can go on or the budget is used.
void OrderProof::simulate(load::Budget &budget) {
  while (to_try_ != 0) {
    const auto lane = static_cast<unsigned>(std::countr_zero(to_try_));
    if (!execute(lane, budget)) return;
    // The lane has ended, or its head waits. If the instructions of the lane gave it tokens itself, the head has seen them.
    to_try_ &= ~(std::uint64_t{1} << lane);
  }
  for (unsigned lane = 0; lane < streams_->lanes(); ++lane) {
    if (scratch_->cursor(lane).position != plan_->lanes[lane].code.size()) return enter(Phase::deadlock);
  }
  if (!redefines_ && early_ == kNone) return enter(Phase::done);
  if (!redefines_) return enter_cuts();
  // The empty group behind each lane has no CT instruction after it.
  for (unsigned lane = 0; lane < streams_->lanes(); ++lane)
    std::fill_n(scratch_->clock(scratch_->cursor(lane).group), streams_->cores, kNever);
  phase_ = Phase::reverse;  // next_ is the number of groups that were executed
}

/// Executes the groups of a lane until one waits for a token. Returns false if the budget is used before.
bool OrderProof::execute(unsigned lane, load::Budget &budget) {
  const plan::LanePlan &own = plan_->lanes[lane];
  const unsigned cores = streams_->cores, core = core_of_lane(lane);
  const bool is_control = class_of_lane(lane) == kControl;
  Group *const groups = plan_->groups.data();
  const std::size_t end = plan_->groups.size() - 1;
  LaneCursor &place = scratch_->cursor(lane);
  LaneCursor at = place;
  for (; groups[at.group].missing == 0 && budget.is_left(); budget.spend(kExecuteCost)) {
    std::uint32_t *clock = scratch_->clock(at.group);
    const std::uint32_t index = own.indices[at.position];
    if (clock[core] < scratch_->order(index)) note_early(index, clock[core]);
    if (is_control) clock[core] = at.position + 1;
    if (redefines_) scratch_->trace(next_++) = std::bit_cast<std::uint32_t>(Wake(at.group, lane));
    const bool gives = isa::tile::given_ports(own.code[at.position]) != 0;
    at.position += groups[at.group].size;
    ++at.group;
    merge<Later>(scratch_->clock(at.group), clock, cores);
    --groups[at.group].missing;
    if (!gives) continue;
    const Wake *wake = &own.wakes[at.wake];
    while (wake->group() == end) ++wake;  // tokens of sinks
    for (;; ++wake) {
      merge<Later>(scratch_->clock(wake->group()), clock, cores);
      if (--groups[wake->group()].missing == 0) to_try_ |= std::uint64_t{1} << wake->to();
      if (wake->last()) break;
    }
    at.wake = static_cast<std::uint32_t>(wake + 1 - own.wakes.data());
  }
  place = at;
  return groups[at.group].missing != 0;
}

/// Notes an instruction that may start before one of its regions is defined, unless the program has such an instruction before it.
void OrderProof::note_early(std::uint32_t index, std::uint32_t clock) {
  if (index >= early_) return;
  early_ = index;
  early_clock_ = clock;
}

/// Counts the tokens of the instructions that were executed. Then answers with the deadlock.
Status OrderProof::count_executed(load::Budget &budget) {
  for (; lane_ < streams_->lanes(); ++lane_, next_ = 0) {
    const plan::LanePlan &own = plan_->lanes[lane_];
    for (; next_ < scratch_->cursor(lane_).position; ++next_) {
      if (!budget.is_left()) return {};
      budget.spend(kCountCost);
      count_tokens(own.code[next_], own.indices[next_], lane_, *scratch_);
    }
  }
  return describe_deadlock(instructions_, *streams_, *scratch_, waiting_);
}

/// Goes through the executed groups, from the last to the first. Replaces each group's clock: behind as many instructions of the CT lane,
/// all start after the group has ended.
void OrderProof::trace_back(load::Budget &budget) {
  const std::size_t end = plan_->groups.size() - 1;
  for (; next_ != 0; --next_) {
    if (!budget.is_left()) return;
    budget.spend(kExecuteCost);
    const Wake executed = Wake::of(scratch_->trace(next_ - 1));
    const unsigned lane = executed.to(), core = core_of_lane(lane);
    const plan::LanePlan &own = plan_->lanes[lane];
    LaneCursor &at = scratch_->cursor(lane);
    --at.group;
    at.position -= plan_->groups[at.group].size;
    std::uint32_t *clock = scratch_->clock(at.group);
    std::copy_n(scratch_->clock(at.group + 1), streams_->cores, clock);
    if (isa::tile::given_ports(own.code[at.position]) != 0) {
      while (own.wakes[at.wake - 1].group() == end) --at.wake;  // tokens of sinks
      do {
        --at.wake;
        merge<Earlier>(clock, scratch_->clock(own.wakes[at.wake].group()), streams_->cores);
      } while (at.wake != 0 && !own.wakes[at.wake - 1].last());
    }
    if (class_of_lane(lane) == kControl) clock[core] = at.position;
    scratch_->order(own.indices[at.position]) = clock[core];
  }
  enter_cuts();
}

void OrderProof::enter_cuts() {
  for (unsigned core = 0; core < streams_->cores; ++core) scratch_->core(core).definitions = {};
  enter(Phase::cuts);
}

/// Looks at the uses and definitions of regions in program order, to find the first error.
Status OrderProof::check_cuts(load::Budget &budget) {
  for (; next_ < instructions_.size(); ++next_) {
    if (!budget.is_left()) return {};
    budget.spend(kCutCost);
    if (Status status = check_regions(instructions_[next_], scratch_->regions(next_)); !status) return status;
  }
  phase_ = Phase::done;
  return {};
}

/// Checks the regions of instruction `next_`, and records their uses or their new definitions.
Status OrderProof::check_regions(const MachineCode &code, std::uint32_t regions) {
  const unsigned lane = lane_of(code);
  const unsigned own = class_of_lane(lane);
  CoreScratch &core = scratch_->core(core_of_lane(lane));
  const auto at = static_cast<std::int32_t>(next_);
  if (own == kControl) ++core.controls;
  while (regions != 0) {
    const unsigned region = take_lowest(regions);
    Definition &definition = core.definitions[region];
    if (own == kControl) {
      for (const std::uint32_t user : definition.users) {
        if (user == 0 || scratch_->order(user - 1) < core.controls) continue;
        return {ErrorCode::cut_not_ordered, "ct_bc", at, region, user - 1};
      }
      definition = Definition{core.controls, {}};
      continue;
    }
    if (next_ == early_ && early_clock_ < definition.cut) {
      return {ErrorCode::cut_not_ordered, selecting_field(code, region), at, region,
              streams_->lane(lane - own + kControl)[definition.cut - 1U]};
    }
    definition.users[own] = static_cast<std::uint32_t>(next_) + 1;
  }
  return {};
}

}  // namespace cox::firmware::verify
