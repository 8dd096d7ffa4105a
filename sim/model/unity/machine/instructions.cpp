// SPDX-License-Identifier: MIT
// The life of an instruction: keys, operand table, operands, effect, key.
#include <algorithm>

#include "coxswain/isa/unity/table.h"
#include "sim/model/unity/machine/duration.h"
#include "sim/model/unity/machine/machine.h"

namespace cox::model::unity {

using namespace isa::unity;

namespace {

bool is_branch(Opcode op) { return op == Opcode::COND || op == Opcode::CASE || op == Opcode::SWITCH_CASE || op == Opcode::WHILE_LOOP; }

std::uint64_t table_bytes(const Access &access) { return std::string_view(access.field) == "table" ? access.bytes : 0; }

}  // namespace

void Machine::try_start(unsigned number, Cycle now) {
  UnitState &unit = units_[number];
  unit.try_at = kNever;
  if (unit.counter.done() || unit.waits || unit.decide_at != kNever || unit.is_blocked() || unit.flight.size() == kMostInFlight) return;
  const Stored stored = unit.counter.instruction();
  if (stored.domain == Domain::end) {
    if (unit.flight.empty()) end_of_program(unit, now);
    return;
  }
  if (const Status status = check(stored); !status) {
    if (listener_ != nullptr)
      listener_->on_end({.position = unit.counter.position(),
                         .domain = stored.domain,
                         .code = stored.code,
                         .fault = status,
                         .ready = unit.ready_at + origin_,
                         .start = now + origin_,
                         .end = now + origin_});
    return fail(status, unit.counter.position(), now);
  }
  if (is_engine(stored.domain)) {
    if (has_keys(number, read_sync(stored.code[1]), now)) begin_submission(unit, stored, now);
    return;
  }
  const Opcode op = Set::find(stored.code)->opcode;
  if ((op == Opcode::EXIT || is_branch(op)) && !unit.flight.empty()) return;
  if (op == Opcode::EXIT) {
    for (const Call &open : unit.calls) report_end(open.instruction, {}, now);
    unit.calls.clear();
    unit.counter.next_program();
    unit.try_at = unit.ready_at = now + 1;
    return;
  }
  if (has_keys(number, read_sync(stored.code[1]), now)) begin(unit, stored.code, now);
}

void Machine::end_of_program(UnitState &unit, Cycle now) {
  if (unit.counter.depth() > 0) {
    unit.counter.leave();
    return end_sub_program(unit, now);
  }
  unit.counter.next_program();
  if (!unit.counter.done()) unit.try_at = unit.ready_at = now + 1;
}

Status Machine::check(const Stored &stored) const {
  if (is_engine(stored.domain)) {
    if (gate_ == nullptr) return {ErrorCode::unsupported, "domain", -1, static_cast<std::int64_t>(stored.domain)};
    if (const Result<EngineSubmission> submission = resolve_submission(stored.domain, stored.code, page_); !submission)
      return submission.status();
  } else if (const Status status = isa::unity::check(stored.code); !status) {
    return status;
  }
  const Sync sync = read_sync(stored.code[1]);
  if (sync.fetches) {
    if (const Status status = check_table("keyr_bar", sync.fetch); !status) return status;
  }
  return sync.deposits ? check_table("keyw_bar", sync.deposit) : Status();
}

Status Machine::check_table(const char *field, const Key &key) const {
  if ((place_.key_tables >> key.table & 1) != 0) return {};
  return {ErrorCode::field_out_of_range, field, -1, key.table, std::int64_t{place_.key_tables}};
}

bool Machine::has_keys(unsigned number, const Sync &sync, Cycle now) {
  UnitState &unit = units_[number];
  if (sync.fetches && !unit.has_keys && !keys_.take(number, sync.fetch, sync.keys)) {
    unit.waits = true;
    return false;
  }
  unit.has_keys = false;
  if (sync.fetches && listener_ != nullptr)
    listener_->on_keys(
        {.position = unit.counter.position(), .key = sync.fetch, .deposit = false, .count = sync.keys, .time = now + origin_});
  return true;
}

void Machine::begin(UnitState &unit, const MachineCode &code, Cycle now) {
  InFlight instruction{
      .position = unit.counter.position(), .code = code, .sync = read_sync(code[1]), .operation = {}, .ready = unit.ready_at, .start = now};
  const Surroundings around = surroundings();
  Result<Operation> operation = resolve(code, around);
  Status status = operation ? Status() : table_memory_.explain(operation.status());
  std::uint64_t table = 0;
  if (status.ok()) {
    instruction.operation = operation.value();
    for_each_access(code, around, instruction.operation, [&](const Access &access) {
      if (!status.ok()) return;
      const Status allowed = table_memory_.check(access.write, access.start, access.bytes);
      if (!allowed) status = Status(allowed.code(), access.field, allowed.index(), allowed.value(), allowed.limit());
      (table_bytes(access) != 0 ? table : instruction.bytes) += access.bytes;
    });
  }
  UnitEvent event{
      .position = instruction.position, .code = code, .fault = status, .ready = instruction.ready + origin_, .start = now + origin_};
  if (!status.ok()) {
    event.end = event.start;
    if (listener_ != nullptr) listener_->on_end(event);
    return fail(status, instruction.position, now);
  }
  event.operation = &instruction.operation;
  event.surroundings = &around;
  const bool goes_on = !std::holds_alternative<Branch>(instruction.operation);
  put_in_flight(unit, std::move(instruction), event, table, now);
  if (goes_on) unit.try_at = now + 1;
}

/// `table`: bytes to read before anything else.
void Machine::put_in_flight(UnitState &unit, InFlight instruction, UnitEvent event, std::uint64_t table, Cycle now) {
  instruction.table = bus_.transfer(now, table) + timing_.dram_latency + jitter();
  unit.counters.bytes += table + instruction.bytes;
  event.bytes = table + instruction.bytes;
  if (listener_ != nullptr) listener_->on_start(event);
  unit.counter.advance();
  unit.flight.push_back(std::move(instruction));
  unit.ready_at = now + 1;
}

void Machine::begin_submission(UnitState &unit, const Stored &stored, Cycle now) {
  InFlight instruction{.position = unit.counter.position(),
                       .code = stored.code,
                       .sync = read_sync(stored.code[1]),
                       .operation = {},
                       .ready = unit.ready_at,
                       .start = now};
  const Status status = read_slots(stored, instruction);
  instruction.ticket = ++tickets_;
  UnitEvent event{.position = instruction.position,
                  .domain = stored.domain,
                  .code = stored.code,
                  .submission = &instruction.submission,
                  .slots = instruction.slots,
                  .ticket = instruction.ticket,
                  .fault = status,
                  .ready = instruction.ready + origin_,
                  .start = now + origin_};
  if (!status.ok()) {
    event.end = event.start;
    if (listener_ != nullptr) listener_->on_end(event);
    return fail(status, instruction.position, now);
  }
  const std::uint64_t bytes = instruction.slots.size();
  put_in_flight(unit, std::move(instruction), event, bytes, now);
  unit.try_at = now + 1;
}

Status Machine::read_slots(const Stored &stored, InFlight &instruction) {
  instruction.submission = resolve_submission(stored.domain, stored.code, page_).value();  // check() has checked it
  EngineSubmission &submission = instruction.submission;
  if (address_space(stored.code) != AddressSpace::bits16) submission.address += own_origin();
  instruction.slots.resize(std::size_t{submission.slots} * kSlotBytes);
  if (const Status status = table_memory_.check(false, submission.address, instruction.slots.size()); !status)
    return {status.code(), "address", -1, signed_of(submission.address), status.limit()};
  if (!table_memory_.read(submission.address, instruction.slots))
    return table_memory_.explain({ErrorCode::address_outside_window, "address", -1, signed_of(submission.address)});
  return gate_->check(submission, instruction.slots);
}

void Machine::have_table(UnitState &unit, InFlight &instruction, Cycle now) {
  instruction.table = kNever;
  if (instruction.is_submission()) {
    gate_->submit(instruction.ticket, instruction.submission, instruction.slots, own_origin(), now + origin_);
    return;
  }
  if (std::holds_alternative<Branch>(instruction.operation)) return;
  const Cycle moved = bus_.transfer(now, instruction.bytes) + timing_.dram_latency;
  const Cycle work = compute_cycles(instruction.operation, timing_);
  unit.lanes_free = std::max(unit.lanes_free, now + timing_.dram_latency) + work;
  unit.counters.busy += work;
  unit.counters.macs += macs(instruction.operation);
  instruction.end = std::max(moved, unit.lanes_free) + jitter();
}

bool Machine::end_instructions(UnitState &unit, Cycle now) {
  for (std::size_t number = 0; number < unit.flight.size();) {
    if (unit.flight[number].end > now) {
      ++number;
      continue;
    }
    const InFlight instruction = std::move(unit.flight[number]);
    unit.flight.erase(unit.flight.begin() + static_cast<std::ptrdiff_t>(number));
    Status status = carry_out(instruction);
    if (status.ok()) status = give_key(instruction, now);
    report_end(instruction, status, now);
    if (!status.ok()) {
      fail(status, instruction.position, now);
      return false;
    }
    ++unit.counters.instructions;
    if (!unit.waits && unit.decide_at == kNever) unit.try_at = std::max(now, unit.ready_at);
  }
  return true;
}

Status Machine::carry_out(const InFlight &instruction) {
  if (instruction.is_submission()) return instruction.fault;
  Operands operands(*dram_);
  if (const Status status = execute(instruction.operation, operands, path_); !status) return status;
  return operands.flush();
}

Status Machine::give_key(const InFlight &instruction, Cycle now) {
  if (!instruction.sync.deposits) return {};
  if (const Status status = keys_.add(instruction.sync.deposit, 1); !status) return status;
  if (listener_ != nullptr)
    listener_->on_keys(
        {.position = instruction.position, .key = instruction.sync.deposit, .deposit = true, .count = 1, .time = now + origin_});
  return {};
}

void Machine::report_end(const InFlight &instruction, const Status &fault, Cycle now) {
  if (listener_ == nullptr) return;
  listener_->on_end({.position = instruction.position,
                     .domain = instruction.is_submission() ? instruction.submission.domain : Domain::unity,
                     .code = instruction.code,
                     .fault = fault,
                     .ready = instruction.ready + origin_,
                     .start = instruction.start + origin_,
                     .end = now + origin_,
                     .bytes = instruction.bytes});
}

}  // namespace cox::model::unity
