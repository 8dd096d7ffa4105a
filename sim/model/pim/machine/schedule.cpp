// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/schedule.h"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "isa/pim/table.h"

namespace cox::model::pim {

using isa::pim::Copy;
using isa::pim::CopyKind;
using isa::pim::Place;
using isa::pim::Position;
using isa::pim::Reach;

namespace {

/// A core may be so many cycles ahead of the others with instructions that touch only its own memories.
constexpr Cycle kMostAhead = 4096;

/// The number of the core's last instruction, for a fault that comes after it.
std::uint32_t last_of(const Core &core) { return core.code->size() == 0 ? 0 : core.code->size() - 1; }
/// The error of a copy.
Status of_copy(const Copy &copy, std::uint32_t number, const Status &status) {
  const char *name = copy.kind == CopyKind::load ? "load" : "store";
  return Status(status.code(), name, static_cast<std::int32_t>(number), status.value(), status.limit());
}

}  // namespace

Schedule::Schedule(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, unsigned cores, Path path)
    : configuration_(configuration), timing_(timing), energy_(energy), execution_(configuration_, timing_, energy_, path) {
  for (unsigned i = 0; i < cores; ++i) cores_.push_back(std::make_unique<Core>(i, configuration_, timing_, energy_));
}

void Schedule::power_on() {
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

// The beginning.

/// Checks a copy as far as the program does not tell. Errors have the copy's number.
Status Schedule::check_copy(std::uint32_t number, Dram &dram) const {
  const Copy copy = program_->copy(number);
  Status status = isa::pim::check(copy, configuration_);
  if (status.ok() && copy.bytes != 0) {
    const Place place = isa::pim::place(configuration_, Reach::dram, copy.dram, copy.bytes);
    status = dram.check(copy.kind != CopyKind::load, place.window(), place.offset, copy.bytes);
  }
  return status.ok() ? status : of_copy(copy, number, status);
}

/// Checks all that could keep the program from starting, so that a program that cannot start changes nothing.
Status Schedule::check(Dram &dram, Position &position) const {
  if (program_->cores() > cores()) return Status(ErrorCode::field_out_of_range, "cores", -1, program_->cores(), cores());
  for (std::uint32_t i = 0; i < program_->header().copies; ++i) {
    position = {program_->copy(i).core, 0};
    if (const Status status = check_copy(i, dram); !status.ok()) return status;
  }
  return {};
}

void Schedule::refuse(const Status &status, Position position) {
  stage_ = Stage::idle;
  outcome_ = {status, position, origin_, 0};
}

/// Makes a copy whose transfer begins when the bus is free. Sets `end` to its end.
Status Schedule::make_copy(const Copy &copy, Cycle now, Cycle &end) {
  const std::uint64_t bytes = copy.bytes;
  if (bytes == 0) return {};
  Core &core = *cores_[copy.core];
  const Place dram = isa::pim::place(configuration_, Reach::dram, copy.dram, bytes);
  end = std::max(end, execution_.bus().book(now + timing_.dram_latency, bytes, timing_.dram_bytes_per_cycle));
  core.counters.energy.dram += bytes * energy_.dram_byte;
  if (copy.kind == CopyKind::store_registers) {
    std::array<std::byte, isa::pim::kStoredRegistersBytes> data{};
    std::size_t at = 0;
    const auto put = [&](std::uint32_t value) {
      for (unsigned i = 0; i < 4; ++i) data[at++] = static_cast<std::byte>(value >> 8 * i);
    };
    for (const std::uint32_t value : core.registers.general) put(value);
    for (unsigned i = 0; i < isa::pim::kRegisters; ++i) put(core.registers.read(configuration_, static_cast<isa::pim::Special>(i)));
    put(core.counter);
    return execution_.dram().write(dram.window(), dram.offset, data);
  }
  const Place local = isa::pim::place(configuration_, Reach::all, copy.local, bytes);
  const bool is_load = copy.kind == CopyKind::load;
  if (!local.is_dram()) core.charge_access(local.space, is_load, bytes);
  return is_load ? execution_.copy(core, dram, local, bytes) : execution_.copy(core, local, dram, bytes);
}

void Schedule::start(const isa::pim::Program &program, Dram &dram, Cycle now) {
  stop();
  origin_ = now;
  execution_.reporter().set_origin(now);
  program_ = std::make_unique<isa::pim::Program>(program);
  Position position;
  if (const Status status = check(dram, position); !status.ok()) return refuse(status, position);
  running_ = std::span(cores_).first(program.cores());
  execution_.begin(running_, dram);
  now_ = last_landing_ = settled_ = halted_since_ = 0;
  concluded_ = kNever;
  const std::uint64_t own_limit = std::uint64_t{program.header().time_limit_hi} << 32 | program.header().time_limit_lo;
  limit_ = own_limit == 0 ? timing_.time_limit : std::min<Cycle>(own_limit, timing_.time_limit);

  std::map<std::pair<std::uint32_t, std::uint32_t>, std::shared_ptr<Code>> codes;
  for (const std::unique_ptr<Core> &core : running_) {
    const isa::pim::CodeEntry entry = program_->entry(core->number);
    std::shared_ptr<Code> &code = codes[{entry.offset, entry.instructions}];
    if (!code) code = std::make_shared<Code>(configuration_, *program_, core->number);
    core->begin(code, 0);
  }
  for (std::uint32_t i = 0; i < program.header().settings; ++i) {
    const isa::pim::Setting setting = program.setting(i);
    isa::pim::Registers &registers = cores_[setting.core]->registers;
    if (setting.place < isa::pim::kRegisters) {
      registers.general[setting.place] = setting.value;
    } else {
      registers.write(configuration_, static_cast<isa::pim::Special>(setting.place - isa::pim::kRegisters), setting.value);
    }
  }
  Cycle loaded = 0;
  for (std::uint32_t i = 0; i < program.header().copies; ++i) {
    const Copy copy = program.copy(i);
    if (copy.kind != CopyKind::load) continue;
    if (const Status status = make_copy(copy, 0, loaded); !status.ok()) {
      stop();
      return refuse(of_copy(copy, i, status), {copy.core, 0});
    }
  }
  for (const std::unique_ptr<Core> &core : running_) {
    core->next = core->ready = loaded + timing_.decode_cycles;
    if (core->code->size() == 0) core->next = core->ready = loaded;
    core->end_reached();
  }
  passing_ = stepping_ = 0;
  stage_ = Stage::running;
  conclude();
}

// Time.

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

// The end.

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

void Schedule::store() {
  execution_.reporter().ends_until(kNever - 1);
  Cycle end = settled_;
  for (std::uint32_t i = 0; i < program_->header().copies; ++i) {
    const Copy copy = program_->copy(i);
    if (copy.kind == CopyKind::load) continue;
    Status status = check_copy(i, execution_.dram());
    if (status.ok()) status = make_copy(copy, settled_, end);
    if (!status.ok() && outcome_.status.ok()) {
      outcome_.status = of_copy(copy, i, status);
      outcome_.position = {copy.core, 0};
    }
  }
  if (outcome_.status.ok()) outcome_.time = end + origin_;
  settled_ = end;
  stage_ = Stage::storing;
}

// Debugger.

CoreState Schedule::state(unsigned number) const {
  const Core &core = *cores_[number];
  CoreState state;
  state.phase = core.phase == Phase::running && (held_ & bit(number)) != 0 ? Phase::halted : core.phase;
  if (core.phase == Phase::absent) return state;
  state.counter = core.counter;
  state.instructions = core.code->size();
  state.open_messages = execution_.messages().open(number);
  const bool waits = core.phase == Phase::message || core.phase == Phase::wait || core.phase == Phase::barrier;
  if (waits) {
    state.other = core.other;
    state.id = core.id;
  }
  if (core.phase == Phase::barrier) state.arrived = execution_.barriers().arrived(core.id);
  if (core.phase == Phase::faulted) {
    state.fault = core.fault;
    state.fault_time = core.fault_time + origin_;
  }
  return state;
}

bool Schedule::any_halted() const {
  return held_ != 0 && std::ranges::any_of(running_, [&](const std::unique_ptr<Core> &core) {
           return core->phase == Phase::running && (held_ & bit(core->number)) != 0;
         });
}

/// While a core is halted, no time limit holds.
void Schedule::set_held(unsigned number, bool held, Cycle now) {
  const bool before = any_halted();
  held_ = held ? held_ | bit(number) : held_ & ~bit(number);
  if (!before && any_halted()) halted_since_ = now;
  if (before && !any_halted()) limit_ += now - std::min(now, halted_since_);
}

void Schedule::hold(unsigned number, bool held) {
  if (!held && (held_ & bit(number)) != 0) {
    Core &core = *cores_[number];
    if (core.phase == Phase::running) {
      core.next = core.ready = std::max(core.next, now_);
      core.prepared.is = false;  // its start was found before the halt, and a debugger may have changed its operands
    }
    passing_ |= bit(number);
  }
  stepping_ &= ~bit(number);
  set_held(number, held, now_);
}

void Schedule::step_instruction(unsigned number) {
  if ((held_ & bit(number)) == 0) return;
  hold(number, false);
  stepping_ |= bit(number);
}

bool Schedule::stops_at_breakpoint(const Core &core) const {
  return (passing_ & bit(core.number)) == 0 && breakpoints_of_[core.number].contains(core.counter);
}

void Schedule::set_breakpoint(unsigned number, std::uint32_t instruction, bool set) {
  std::set<std::uint32_t> &of = breakpoints_of_[number];
  if (set) {
    of.insert(instruction);
  } else {
    of.erase(instruction);
  }
  breakpoints_ = of.empty() ? breakpoints_ & ~bit(number) : breakpoints_ | bit(number);
}

void Schedule::clear_breakpoints() {
  for (std::set<std::uint32_t> &of : breakpoints_of_) of.clear();
  breakpoints_ = 0;
}

}  // namespace cox::model::pim
