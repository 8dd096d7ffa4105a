// SPDX-License-Identifier: MIT
// Branches: a unit tests a predicate, runs a sub-program, and goes on behind the branch. Nothing else of the unit is in flight then.

#include "sim/model/unity/machine/machine.h"

namespace cox::model::unity {

using namespace isa::unity;

void Machine::begin_branch(UnitState &unit, Cycle now) {
  unit.calls.push_back({.instruction = std::move(unit.flight.back())});
  unit.flight.pop_back();
  test(unit, now);
}

/// Reads the predicate; a loop runs its condition before.
void Machine::test(UnitState &unit, Cycle now) {
  Call &open = unit.calls.back();
  if (open.branch().op == Opcode::WHILE_LOOP && open.branch().first != 0) {
    open.in_condition = true;
    return call(unit, open.branch().first, now);
  }
  unit.decide_at = now + timing_.dram_latency + jitter();
}

void Machine::decide(UnitState &unit, Cycle now) {
  unit.decide_at = kNever;
  const Call &open = unit.calls.back();
  const Result<Choice> choice = choose(open.branch(), table_memory_);
  if (!choice) return fail(table_memory_.explain(choice.status()), open.instruction.position, now);
  if (open.branch().op == Opcode::WHILE_LOOP) return loop(unit, choice.value(), now);
  if (choice.value().program == 0) return end_branch(unit, now);
  call(unit, choice.value().program, now);
}

void Machine::loop(UnitState &unit, const Choice &choice, Cycle now) {
  if (!choice.taken) return end_branch(unit, now);
  Call &open = unit.calls.back();
  const std::uint32_t limit = open.branch().limit;
  if (limit != 0 && open.bodies == limit)
    return fail({ErrorCode::field_out_of_range, "LIMIT", -1, std::int64_t{limit} + 1, limit}, open.instruction.position, now);
  ++open.bodies;
  if (choice.program == 0) return test(unit, now);
  call(unit, choice.program, now);
}

void Machine::call(UnitState &unit, std::uint64_t program, Cycle now) {
  const Call &open = unit.calls.back();
  const std::uint32_t position = open.instruction.position;
  // 16-bit addresses count from the page, in relative containers too.
  const bool is_offset = container_->is_relative() && open.branch().space != AddressSpace::bits16;
  const ProgramEntry entry = container_->sub_program_at(is_offset ? program : program - place_.address);
  if (entry.instructions == 0) return fail({ErrorCode::branch_outside_program, "program", -1, signed_of(program)}, position, now);
  if (unit.counter.depth() == kMostDepth)
    return fail({ErrorCode::field_out_of_range, "depth", -1, kMostDepth + 1, kMostDepth}, position, now);
  unit.counter.call(entry);
  unit.try_at = unit.ready_at = now + 1;
}

void Machine::end_sub_program(UnitState &unit, Cycle now) {
  Call &open = unit.calls.back();
  if (open.branch().op != Opcode::WHILE_LOOP) return end_branch(unit, now);
  if (!open.in_condition) return test(unit, now);
  open.in_condition = false;
  unit.decide_at = now + timing_.dram_latency + jitter();
}

void Machine::end_branch(UnitState &unit, Cycle now) {
  const InFlight instruction = std::move(unit.calls.back().instruction);
  unit.calls.pop_back();
  const Status status = give_key(instruction, now);
  report_end(instruction, status, now);
  if (!status.ok()) return fail(status, instruction.position, now);
  ++unit.counters.instructions;
  unit.try_at = unit.ready_at = now + 1;
}

}  // namespace cox::model::unity
