// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/execution.h"

#include <algorithm>
#include <utility>

#include "coxswain/isa/pim/table.h"

namespace cox::model::pim {

using isa::pim::Opcode;
using isa::pim::Operation;

namespace {

/// True if the instruction touches more than its core's own memories.
bool is_shared(const Work &work) { return work.unit == Unit::message || work.dram_bytes() != 0; }

bool is_opcode(const isa::pim::MachineCode &code, Opcode opcode) {
  const isa::pim::Instruction *row = isa::pim::Set::find(code);
  return row != nullptr && row->opcode == opcode;
}

std::uint64_t mix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
  value = (value ^ value >> 27) * 0x94D049BB133111EB;
  return value ^ value >> 31;
}

}  // namespace

Execution::Execution(const isa::pim::Configuration &configuration, const Timing &timing, const Energy &energy, Path path)
    : configuration_(configuration), timing_(timing), energy_(energy), path_(path), messages_(timing) {}

void Execution::begin(std::span<const std::unique_ptr<Core>> cores, Dram &dram) {
  cores_ = cores;
  dram_ = &dram;
  bus_.clear();
  messages_.clear();
  barriers_.clear();
  reporter_.clear();
}

Cycle Execution::jitter(unsigned core, std::uint64_t number) const {
  if (timing_.jitter_seed == 0) return 0;
  return mix(mix(timing_.jitter_seed ^ core) ^ number) % (std::uint64_t{timing_.jitter_cycles} + 1);
}

CoreEvent Execution::event_of(const Core &core, Cycle start, Cycle end) const {
  const Prepared &prepared = core.prepared;
  CoreEvent event;
  event.position = {core.number, core.counter + (prepared.batched ? 1 : 0)};
  event.code = prepared.code;
  event.batch = prepared.batch;
  event.batched = prepared.batched;
  event.unit = prepared.work.unit;
  event.ready = core.ready;
  event.start = start;
  event.end = end;
  event.bytes = prepared.work.dram_bytes();
  return event;
}

/// Finds out what the instruction at the counter does and when it can issue. Returns false if it faults.
bool Execution::prepare(Core &core) {
  Prepared &prepared = core.prepared;
  Code &code = *core.code;
  std::uint32_t at = core.counter;
  prepared.code = code.word(at);
  prepared.batched = false;
  bool refused = code.at(at).quick == Quick::refused;
  if (!refused && is_opcode(prepared.code, Opcode::pim_batch) && at + 1 < code.size() &&
      is_opcode(code.word(at + 1), Opcode::pim_compute)) {
    prepared.batch = prepared.code;
    prepared.batched = true;
    prepared.code = code.word(++at);
    refused = code.at(at).quick == Quick::refused;
  }
  if (refused) {
    fault(core, at, isa::pim::check(prepared.code), core.next);
    return false;
  }
  const isa::pim::Surroundings surroundings{
      configuration_, core.registers, core.storage, at, code.size(), core.number, static_cast<unsigned>(cores_.size())};
  const Result<Operation> resolved = isa::pim::resolve(prepared.code, prepared.batched ? &prepared.batch : nullptr, surroundings);
  if (!resolved.ok()) {
    fault(core, at, resolved.status(), core.next);
    return false;
  }
  prepared.operation = resolved.value();
  prepared.work = work_of(prepared.operation, configuration_, timing_, core.storage);
  const Scoreboard::Start start = core.scoreboard.earliest(prepared.work, core.next);
  prepared.start = {start.at, start.at > core.next || core.next == core.ready ? start.cause : prepared.start.cause};
  prepared.is = true;
  return true;
}

bool Execution::issue(Core &core, const Horizon &horizon) {
  if (!core.prepared.is && !prepare(core)) return false;
  const Prepared &prepared = core.prepared;
  const Cycle start = prepared.start.at;
  core.next = start;
  const bool shared = is_shared(prepared.work);
  if (start >= (shared ? horizon.shared : horizon.own)) return false;
  if (prepared.work.unit == Unit::message) {
    core.prepared.is = false;
    if (const auto *message = std::get_if<isa::pim::Message>(&prepared.operation)) return send_or_receive(core, *message, start);
    if (const auto *wait_for = std::get_if<isa::pim::Wait>(&prepared.operation)) return wait(core, *wait_for, start);
    return arrive(core, std::get<isa::pim::Barrier>(prepared.operation), start);
  }
  take_effect(core, start);
  return core.phase == Phase::running;
}

void Execution::take_effect(Core &core, Cycle now) {
  const Prepared &prepared = core.prepared;
  const Work &work = prepared.work;
  const std::uint32_t at = core.counter + (prepared.batched ? 1 : 0);
  core.prepared.is = false;
  if (work.dram_bytes() != 0) {
    Status status;
    isa::pim::for_each_access(prepared.operation, configuration_, core.storage, [&](const isa::pim::Access &access) {
      if (!status.ok() || !access.place.is_dram()) return;
      status = dram_->check(access.write, access.place.window(), access.place.offset, access.bytes);
      if (!status.ok()) status = {status.code(), access.field, status.index(), status.value(), status.limit()};
    });
    if (!status.ok()) return fault(core, at, status, now);
  }
  const bool own_scalar = work.unit == Unit::scalar && !is_shared(work);
  const Cycle end = core.scoreboard.issue(work, now, bus_, own_scalar ? 0 : jitter(core.number, core.counters.instructions));
  CoreEvent event = event_of(core, now, end);
  event.operation = &prepared.operation;
  event.memory = &core.storage;
  reporter_.start(event);
  if (const Status status = carry_out(core, prepared.operation); !status.ok()) return fault(core, at, status, now);
  event.operation = nullptr;
  event.memory = nullptr;
  reporter_.end_later(event);

  core.charge(work);
  core.counters.instructions += prepared.batched ? 2 : 1;
  core.counters.stalled_for(prepared.start.cause) += now - core.ready;
  core.counters.busy_of(work.unit) += work.steps != 0 ? work.steps * work.step_cycles : end - now;
  const auto *jump = std::get_if<isa::pim::Jump>(&prepared.operation);
  const auto *access = std::get_if<isa::pim::LoadStore>(&prepared.operation);
  const bool loads = access != nullptr && access->global && !access->store;
  if (loads) core.counters.stalled_for(Stall::load) += end - (now + 1);
  go_on(core, jump != nullptr ? jump->target : at + 1, loads ? end : now + 1);
}

void Execution::go_on(Core &core, std::uint32_t to, Cycle next) {
  core.counter = to;
  core.phase = Phase::running;
  core.next = core.ready = next;
  core.end_reached();
}

void Execution::fault(Core &core, std::uint32_t instruction, const Status &status, Cycle now) {
  if (core.phase == Phase::faulted) return;
  const bool waits = core.phase == Phase::message || core.phase == Phase::wait || core.phase == Phase::barrier;
  if (core.phase == Phase::barrier) barriers_.leave(core.id, core.number);
  if (reporter_.active()) {
    CoreEvent event = event_of(core, waits ? core.waits_since : now, now);
    if (!waits) {
      event = {};
      event.position = {core.number, instruction};
      if (instruction < core.code->size()) event.code = core.code->word(instruction);
      event.ready = event.start = event.end = now;
    }
    event.fault = status;
    reporter_.end_now(event);
  }
  core.phase = Phase::faulted;
  core.counter = instruction;
  core.fault = status;
  core.fault_time = now;
  core.end = now;
  if (status.code() != ErrorCode::time_limit) {
    // Instructions in flight end. run_quick() does not tell the scoreboard of its instructions.
    core.end = std::max(now, core.scoreboard.last_end());
    if (core.counters.instructions != 0) core.end = std::max(core.end, core.ready);
  }
  core.next = kNever;
  core.prepared.is = false;
  core.no_room = false;
}

void Execution::give_up(const Core &core, Cycle now) {
  CoreEvent event = event_of(core, core.waits_since, now);
  event.fault = Status(ErrorCode::deadlock, "core");
  if (!core.no_room) reporter_.end_now(event);
}

}  // namespace cox::model::pim
