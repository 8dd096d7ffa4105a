// SPDX-License-Identifier: MIT
// The interpreter's messages, barriers and deadlocks.
#include "tests/sim/pim/reference/interpreter.h"
#include "tests/sim/pim/reference/memory.h"

namespace cox::model::pim::oracle {

/// Another core of the program.
unsigned Interpreter::other_core(unsigned core, std::uint32_t number) const {
  require(number < cores.size());
  require(number != core, ErrorCode::own_core);
  return number;
}

void Interpreter::message(unsigned core, const Decoded &instruction) {
  const auto &general = cores[core].general;
  const bool send = instruction.opcode == Opcode::send;
  const unsigned other = other_core(core, general[instruction.core]);
  const Side side{.core = core,
                  .instruction = cores[core].counter,
                  .source = general[instruction.source],
                  .destination = general[instruction.destination],
                  .length = count(general[instruction.length]),
                  .waits = !instruction.asynchronous};
  // Both cores have the same memories, so each side can check both ends.
  (void)local(view(core), side.source, side.length);
  (void)local(view(core), side.destination, side.length);
  const Key key = send ? Key{core, other, general[instruction.id]} : Key{other, core, general[instruction.id]};
  Sides &sides = messages_[key];
  (send ? sides.sends : sides.receives).push_back(side);
  waiting_[core].message = true;
  if (!side.waits) go_on(core);
  deliver(key);
}

/// Pairs the oldest sides of both cores.
void Interpreter::deliver(const Key &key) {
  Sides &sides = messages_[key];
  while (!sides.sends.empty() && !sides.receives.empty()) {
    const Side send = sides.sends.front(), receive = sides.receives.front();
    sides.sends.pop_front();
    sides.receives.pop_front();
    meet(send, receive);
  }
}

void Interpreter::meet(const Side &send, const Side &receive) {
  if (send.source != receive.source || send.destination != receive.destination || send.length != receive.length) {
    fault(send.core, send.instruction, ErrorCode::message_mismatch);
    fault(receive.core, receive.instruction, ErrorCode::message_mismatch);
    return;
  }
  const Bytes bytes = read(local(view(send.core), send.source, send.length));
  write(local(view(receive.core), receive.destination, receive.length), bytes);
  if (send.waits) go_on(send.core);
  if (receive.waits) go_on(receive.core);
}

/// Whether a message between two cores with this id has only the side of `core`.
bool Interpreter::open(unsigned core, unsigned other, std::uint32_t id) const {
  const auto sends = messages_.find({core, other, id}), receives = messages_.find({other, core, id});
  if (sends != messages_.end() && !sends->second.sends.empty()) return true;
  return receives != messages_.end() && !receives->second.receives.empty();
}

void Interpreter::barrier(unsigned core, const Decoded &instruction) {
  const std::uint32_t id = cores[core].general[instruction.rs1], number = cores[core].general[instruction.rs2];
  require(number >= 1 && number <= cores.size(), ErrorCode::barrier_mismatch);
  Arrivals &arrivals = barriers_.try_emplace(id, Arrivals{number, {}}).first->second;
  require(number == arrivals.number, ErrorCode::barrier_mismatch);
  arrivals.cores.insert(core);
  waiting_[core].barrier = true;
  if (arrivals.cores.size() < number) return;
  for (const unsigned arrived : arrivals.cores) go_on(arrived);
  barriers_.erase(id);
}

void Interpreter::report_deadlocks() {
  const auto report = [&](unsigned core, std::uint32_t instruction) {
    if (!faults_[core]) faults_[core] = Fault{instruction, ErrorCode::deadlock};
  };
  for (unsigned core = 0; core < cores.size(); ++core) {
    if (!ended(core)) report(core, cores[core].counter);
  }
  for (const auto &[key, sides] : messages_) {
    for (const Side &side : sides.sends) report(side.core, side.instruction);
    for (const Side &side : sides.receives) report(side.core, side.instruction);
  }
}

}  // namespace cox::model::pim::oracle
