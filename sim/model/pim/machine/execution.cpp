// SPDX-License-Identifier: MIT
#include "sim/model/pim/machine/execution.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "isa/pim/table.h"

namespace cox::model::pim {

using isa::pim::Opcode;
using isa::pim::Operation;
using isa::pim::Place;
using isa::pim::Reach;

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

template <typename Counter, typename Index>
auto &of(Counter &counters, Index index) {
  return counters[static_cast<unsigned>(index)];
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

// Issue.

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
      if (status.ok() && access.place.is_dram())
        status = dram_->check(access.write, access.place.window(), access.place.offset, access.bytes);
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
  of(core.counters.stalled, prepared.start.cause) += now - core.ready;
  of(core.counters.busy, work.unit) += work.steps != 0 ? work.steps * work.step_cycles : end - now;
  const auto *jump = std::get_if<isa::pim::Jump>(&prepared.operation);
  const auto *access = std::get_if<isa::pim::LoadStore>(&prepared.operation);
  const bool loads = access != nullptr && access->global && !access->store;
  if (loads) of(core.counters.stalled, Stall::load) += end - (now + 1);
  go_on(core, jump != nullptr ? jump->target : at + 1, loads ? end : now + 1);
}

void Execution::go_on(Core &core, std::uint32_t to, Cycle next) {
  core.counter = to;
  core.phase = Phase::running;
  core.next = core.ready = next;
  core.end_reached();
}

// Effects.

Status Execution::carry_out(Core &core, const Operation &operation) {
  const auto execute_on_memories = [&](const auto &work) {
    execute(work, core.storage.memories(), path_);
    return Status();
  };
  struct Effect {
    Execution &execution;
    Core &core;
    decltype(execute_on_memories) &execute_it;

    Status operator()(const isa::pim::Compute &compute) { return execute_it(compute); }
    Status operator()(const isa::pim::Output &output) { return execute_it(output); }
    Status operator()(const isa::pim::Transfer &transfer) { return execute_it(transfer); }
    Status operator()(const isa::pim::Simd &simd) { return execute_it(simd); }
    Status operator()(const isa::pim::SetGeneral &set) {
      core.registers.general[set.number] = set.value;
      return {};
    }
    Status operator()(const isa::pim::SetSpecial &set) {
      core.registers.write(execution.configuration_, set.name, set.value);
      return {};
    }
    Status operator()(const isa::pim::LoadStore &access) {
      const Place place = isa::pim::place(execution.configuration_, access.global ? Reach::dram : Reach::local, access.address, 4);
      std::array<std::byte, 4> word;
      std::uint32_t &value = core.registers.general[access.number];
      if (access.store) {
        for (unsigned i = 0; i < 4; ++i) word[i] = static_cast<std::byte>(value >> 8 * i);
        if (access.global) return execution.dram_->write(place.window(), place.offset, word);
        std::ranges::copy(word, core.storage.at(place, 4).begin());
        return {};
      }
      if (!access.global) {
        core.storage.read(place, word);
      } else if (const Status status = execution.dram_->read(place.window(), place.offset, word); !status.ok()) {
        return status;
      }
      value = 0;
      for (unsigned i = 0; i < 4; ++i) value |= std::to_integer<std::uint32_t>(word[i]) << 8 * i;
      return {};
    }
    Status operator()(const isa::pim::Trans &trans) {
      if (trans.bytes == 0) return {};
      const isa::pim::Configuration &configuration = execution.configuration_;
      return execution.copy(core, isa::pim::place(configuration, Reach::all, trans.source, trans.bytes),
                            isa::pim::place(configuration, Reach::all, trans.destination, trans.bytes), trans.bytes);
    }
    Status operator()(const isa::pim::Jump & /*jump*/) { return {}; }
    // issue() handles these.
    Status operator()(const isa::pim::Message & /*message*/) { return {}; }
    Status operator()(const isa::pim::Wait & /*wait*/) { return {}; }
    Status operator()(const isa::pim::Barrier & /*barrier*/) { return {}; }
  };
  return std::visit(Effect{*this, core, execute_on_memories}, operation);
}

Status Execution::copy(Core &core, Place from, Place to, std::uint64_t bytes) {
  if (!from.is_dram() && !to.is_dram()) {
    std::memmove(core.storage.at(to, bytes).data(), core.storage.at(from, bytes).data(), bytes);
    return {};
  }
  std::span<const std::byte> data;
  if (from.is_dram()) {
    scratch_.resize(bytes);
    if (const Status status = dram_->read(from.window(), from.offset, scratch_); !status.ok()) return status;
    data = scratch_;
  } else {
    data = core.storage.at(from, bytes);
  }
  if (to.is_dram()) return dram_->write(to.window(), to.offset, data);
  std::ranges::copy(data, core.storage.at(to, bytes).begin());
  return {};
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

// Waiting for other cores.

/// The core stays in the instruction at its counter, which issued now.
void Execution::block(Core &core, Phase phase, std::uint32_t other, std::uint32_t id, Cycle now) {
  core.phase = phase;
  core.next = kNever;
  core.other = other;
  core.id = id;
  core.waits_since = now;
}

/// The instruction in which the core waits ends at `end`.
void Execution::unblock(Core &core, Cycle end) {
  end = std::max(end, core.waits_since + 1);
  of(core.counters.busy, Unit::message) += end - core.waits_since;
  of(core.counters.stalled, core.phase == Phase::barrier ? Stall::barrier : Stall::message) += end - (core.waits_since + 1);
  core.scoreboard.extend(end);
  reporter_.end_later(event_of(core, core.waits_since, end));
  go_on(core, core.counter + 1, end);
}

/// Counts an instruction of unit `message` that issues now, and tells the listener. `end`: kNever if it waits.
void Execution::begin_waiting(Core &core, Cycle now, Cycle end) {
  CoreEvent event = event_of(core, now, end);
  event.operation = &core.prepared.operation;
  event.memory = &core.storage;
  reporter_.start(event);
  ++core.counters.instructions;
  of(core.counters.stalled, core.prepared.start.cause) += now - core.ready;
  if (end == kNever) return;
  event.operation = nullptr;
  event.memory = nullptr;
  reporter_.end_later(event);
  of(core.counters.busy, Unit::message) += end - now;
  core.scoreboard.extend(end);
}

bool Execution::send_or_receive(Core &core, const isa::pim::Message &message, Cycle now) {
  if (messages_.open(core.number) >= kMostOpenMessages) {
    block(core, Phase::message, message.core, message.id, now);
    core.no_room = true;
    core.prepared.start.cause = Stall::message;
    return false;
  }
  const MessageSide side{{core.number, core.counter}, message.synchronous, message.source, message.destination, message.bytes, now};
  const Route route = message.send ? Route{core.number, message.core, message.id} : Route{message.core, core.number, message.id};
  const std::optional<MessageSide> other = messages_.meet(route, message.send, side);
  const MessageSide &send = message.send || !other ? side : *other, &receive = message.send && other ? *other : side;
  if (other && !side.agrees(*other)) {
    differ(route, send, receive, now);
    return false;
  }
  begin_waiting(core, now, message.synchronous ? kNever : now + 1);
  if (other) messages_.deliver(route, send, receive, now, jitter(core.number, core.counters.instructions));
  if (message.synchronous) {
    block(core, Phase::message, message.core, message.id, now);
  } else {
    go_on(core, core.counter + 1, now + 1);
  }
  return false;
}

/// The two sides of a message do not agree: both cores fault. Their fields have different names.
void Execution::differ(const Route &route, const MessageSide &send, const MessageSide &receive, Cycle now) {
  const auto status = [](const char *source, const char *destination, const MessageSide &own, const MessageSide &other) {
    if (own.source != other.source) return Status(ErrorCode::message_mismatch, source, -1, own.source, other.source);
    if (own.destination != other.destination)
      return Status(ErrorCode::message_mismatch, destination, -1, own.destination, other.destination);
    return Status(ErrorCode::message_mismatch, "reg_len", -1, own.bytes, other.bytes);
  };
  fault(*cores_[route.sender], send.position.instruction, status("rs", "rd2", send, receive), now);
  fault(*cores_[route.receiver], receive.position.instruction, status("rs2", "rd", receive, send), now);
}

void Execution::land() {
  const Delivery delivery = messages_.land();
  const Route &route = delivery.route;
  const std::uint32_t bytes = delivery.send.bytes;
  Core &sender = *cores_[route.sender], &receiver = *cores_[route.receiver];
  if (bytes != 0) {
    const Place from = isa::pim::place(configuration_, Reach::local, delivery.send.source, bytes);
    const Place to = isa::pim::place(configuration_, Reach::local, delivery.send.destination, bytes);
    std::memcpy(receiver.storage.at(to, bytes).data(), sender.storage.at(from, bytes).data(), bytes);
    sender.charge_access(from.space, false, bytes);
    receiver.charge_access(to.space, true, bytes);
    sender.counters.energy.network += messages_.hops(route.sender, route.receiver) * bytes * energy_.hop_byte;
    receiver.prepared.is = false;  // its operands may have changed
  }
  ++sender.counters.messages_sent;
  sender.counters.bytes_sent += bytes;
  ++receiver.counters.messages_received;
  receiver.counters.bytes_received += bytes;
  reporter_.message({route.sender, route.receiver, route.id, bytes, delivery.send.position, delivery.receive.position, delivery.send.issued,
                     delivery.receive.issued, delivery.landing});
  landed(sender, delivery.send, route.receiver, route.id, delivery.landing);
  landed(receiver, delivery.receive, route.sender, route.id, delivery.landing);
}

/// A message of the core has landed; `side` is the core's side of it.
void Execution::landed(Core &core, const MessageSide &side, unsigned other, std::uint32_t id, Cycle now) {
  if (core.phase == Phase::message && core.no_room) {
    core.no_room = false;
    core.phase = Phase::running;
    core.next = now;
  } else if (core.phase == Phase::message && side.synchronous) {
    unblock(core, now);
  } else if (core.phase == Phase::wait && core.other == other && core.id == id && !messages_.open(core.number, other, id)) {
    unblock(core, now);
  }
}

bool Execution::wait(Core &core, const isa::pim::Wait &wait, Cycle now) {
  const bool waits = messages_.open(core.number, wait.core, wait.id);
  begin_waiting(core, now, waits ? kNever : now + 1);
  if (!waits) {
    go_on(core, core.counter + 1, now + 1);
    return true;
  }
  block(core, Phase::wait, wait.core, wait.id, now);
  return false;
}

bool Execution::arrive(Core &core, const isa::pim::Barrier &barrier, Cycle now) {
  const std::uint32_t expected = barriers_.cores(barrier.id);
  if (expected != 0 && expected != barrier.cores) {
    fault(core, core.counter, Status(ErrorCode::barrier_mismatch, "rs_num", -1, barrier.cores, expected), now);
    return false;
  }
  begin_waiting(core, now, kNever);
  block(core, Phase::barrier, barrier.cores, barrier.id, now);
  const Barriers::Arrival arrival = barriers_.arrive(barrier.id, barrier.cores, core.number);
  if (!arrival.complete()) return false;
  const Cycle release = now + Cycle{2} * timing_.hop_cycles + jitter(core.number, core.counters.instructions);
  for (std::uint64_t left = arrival.arrived; left != 0; left &= left - 1)
    unblock(*cores_[static_cast<unsigned>(std::countr_zero(left))], release);
  return false;
}

}  // namespace cox::model::pim
