// SPDX-License-Identifier: MIT
// Instructions with which cores meet: messages, waits and barriers.
#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/model/pim/machine/execution.h"

namespace cox::model::pim {

using isa::pim::Place;
using isa::pim::Reach;

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
  core.counters.busy_of(Unit::message) += end - core.waits_since;
  core.counters.stalled_for(core.phase == Phase::barrier ? Stall::barrier : Stall::message) += end - (core.waits_since + 1);
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
  core.counters.stalled_for(core.prepared.start.cause) += now - core.ready;
  if (end == kNever) return;
  event.operation = nullptr;
  event.memory = nullptr;
  reporter_.end_later(event);
  core.counters.busy_of(Unit::message) += end - now;
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
  reporter_.barrier({barrier.id, arrival.arrived, now, release});
  for (std::uint64_t left = arrival.arrived; left != 0; left &= left - 1)
    unblock(*cores_[static_cast<unsigned>(std::countr_zero(left))], release);
  return false;
}

}  // namespace cox::model::pim
