// SPDX-License-Identifier: MIT
// A container from its start to its end, and time.
#include "sim/model/unity/machine/machine.h"

#include <algorithm>

namespace cox::model::unity {

using isa::unity::Container;
using isa::unity::InitialKey;
using isa::unity::Key;

Machine::Machine(const Timing &timing, unsigned units, Path path)
    : timing_(timing), path_(path), units_(units), bus_(timing.dram_bytes_per_cycle) {}

void Machine::clear() {
  stop();
  keys_.clear();
  outcome_ = {};
}

void Machine::stop() {
  running_ = false;
  keys_.forget_waiting();
  if (gate_ != nullptr) gate_->withdraw(now_ + origin_);
}

void Machine::start(const Container &container, const Place &place, Dram &dram, Cycle now) {
  container_ = &container;
  place_ = place;
  page_ = container.header().page != 0 ? container.header().page : place.page;
  dram_ = &dram;
  table_memory_.begin(dram, place.address, container.bytes().size());
  running_ = true;
  outcome_ = {};
  origin_ = now;
  now_ = 0;
  limit_ = container.time_limit() == 0 ? timing_.time_limit : std::min<Cycle>(container.time_limit(), timing_.time_limit);
  random_ = timing_.jitter_seed;
  bus_.clear();
  keys_.forget_waiting();
  for (unsigned number = 0; number < units(); ++number) {
    units_[number] = {};
    units_[number].counter.start(container, number);
    if (!units_[number].counter.done()) units_[number].try_at = 0;
  }
  if (container.units() > units())
    return fail({ErrorCode::field_out_of_range, "units", -1, container.units(), std::int64_t{units()}}, 0, 0);
  for (std::uint32_t number = 0; number < container.header().keys; ++number) {
    const InitialKey key = container.key(number);
    if (const Status status = check_table("key", {key.table, key.entry}); !status)
      return fail(Status(status.code(), "key", static_cast<std::int32_t>(number), key.table, status.limit()), 0, 0);
    keys_.set({key.table, key.entry}, key.count);
  }
}

Cycle Machine::next_event() const {
  if (!running_) return kNever;
  const Cycle next = std::min(next_time(), limit_);
  return next == kNever ? kNever : next + origin_;
}

void Machine::step(Cycle now) {
  while (running_) {
    const Cycle next = next_time();
    const Cycle until = now - origin_;
    if (std::min(next, limit_) > until) break;
    if (limit_ < next) {
      now_ = limit_;
      fail({is_stuck() ? ErrorCode::deadlock : ErrorCode::time_limit, "container", -1, signed_of(limit_), signed_of(limit_)}, 0, limit_);
      break;
    }
    now_ = next;
    advance(next);
  }
}

Cycle Machine::next_time() const {
  Cycle next = kNever;
  for (const UnitState &unit : units_) {
    next = std::min({next, unit.try_at, unit.decide_at});
    for (const InFlight &instruction : unit.flight) next = std::min({next, instruction.table, instruction.end});
  }
  return next;
}

void Machine::advance(Cycle now) {
  for (UnitState &unit : units_) {
    for (InFlight &instruction : unit.flight) {
      if (instruction.table <= now) have_table(unit, instruction, now);
    }
    if (!unit.flight.empty() && unit.flight.back().table == kNever &&
        std::holds_alternative<isa::unity::Branch>(unit.flight.back().operation))
      begin_branch(unit, now);
    if (!running_) return;
  }
  for (UnitState &unit : units_) {
    if (!end_instructions(unit, now)) return;
  }
  for (UnitState &unit : units_) {
    if (unit.decide_at <= now) decide(unit, now);
    if (!running_) return;
  }
  serve_waiting(now);
  for (unsigned number = 0; number < units(); ++number) {
    if (units_[number].try_at <= now) try_start(number, now);
    if (!running_) return;
  }
  if (std::all_of(units_.begin(), units_.end(), [](const UnitState &unit) { return unit.has_ended(); })) return end(now);
  if (is_stuck() && !container_->host_deposits()) fail({ErrorCode::deadlock, "keys"}, 0, now);
}

void Machine::serve_waiting(Cycle now) {
  keys_.serve([&](unsigned number) {
    UnitState &unit = units_[number];
    unit.waits = false;
    unit.has_keys = true;
    unit.try_at = now;
    unit.counters.waited += now - unit.ready_at;
  });
}

bool Machine::is_stuck() const {
  return std::all_of(units_.begin(), units_.end(),
                     [](const UnitState &unit) { return unit.waits ? unit.flight.empty() : unit.has_ended(); }) &&
         std::any_of(units_.begin(), units_.end(), [](const UnitState &unit) { return unit.waits; });
}

void Machine::end(Cycle now) {
  running_ = false;
  outcome_.time = now + origin_;
}

std::vector<Waiting> Machine::waiting() const {
  std::vector<Waiting> waiting;
  for (unsigned number = 0; number < units() && running_; ++number) {
    const UnitState &unit = units_[number];
    if (!unit.waits) continue;
    const isa::unity::Sync sync = isa::unity::read_sync(unit.counter.instruction().code[1]);
    waiting.push_back({number, unit.counter.position(), sync.fetch, sync.keys, keys_.held(sync.fetch)});
  }
  return waiting;
}

void Machine::fail(const Status &status, std::uint32_t position, Cycle now) {
  outcome_.status = status;
  outcome_.position = position;
  outcome_.waiting = waiting();
  for (const UnitState &unit : units_) {
    for (const Call &open : unit.calls) report_end(open.instruction, {ErrorCode::cancelled, "instruction"}, now);
    for (const InFlight &instruction : unit.flight) report_end(instruction, {ErrorCode::cancelled, "instruction"}, now);
  }
  if (status.code() == ErrorCode::deadlock && !outcome_.waiting.empty()) outcome_.position = outcome_.waiting.front().position;
  stop();
  end(now);
}

Status Machine::add_keys(Key key, std::uint32_t count, Cycle now) {
  if (const Status status = keys_.add(key, count); !status) return status;
  if (running_) serve_waiting(now - origin_);
  return {};
}

Status Machine::set_key(Key key, std::uint16_t count) {
  if (running_) return {ErrorCode::not_ready, "key", key.table, key.entry};
  keys_.set(key, count);
  return {};
}

void Machine::end_submission(std::uint32_t ticket, const Status &fault, Cycle now) {
  if (!running_) return;
  for (UnitState &unit : units_) {
    for (InFlight &instruction : unit.flight) {
      if (!instruction.is_submission() || instruction.ticket != ticket) continue;
      instruction.fault = fault;
      instruction.end = std::max(now_, now - origin_);
    }
  }
}

Cycle Machine::jitter() {
  if (timing_.jitter_seed == 0) return 0;
  // xorshift64.
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return random_ % (timing_.jitter_cycles + 1);
}

}  // namespace cox::model::unity
