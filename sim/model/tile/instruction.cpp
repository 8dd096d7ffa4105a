// SPDX-License-Identifier: MIT
// A tile instruction in the device, from its fetch to its completion.
#include <cstring>
#include <span>
#include <variant>
#include <vector>

#include "coxswain/isa/tile/table.h"
#include "sim/model/tile/admission.h"
#include "sim/model/tile/duration.h"
#include "sim/model/tile/engine.h"
#include "sim/model/tile/operands.h"
#include "sim/model/tile/touches.h"

namespace cox::model {

using isa::tile::Class;
using isa::tile::kClasses;
using isa::tile::Space;

namespace {

/// A peer hears of its instructions without a completion entry.
bool wants_completion(const TileInstruction &instruction) {
  return instruction.client == nullptr && (instruction.fault || isa::tile::completion_of(instruction.code));
}

}  // namespace

void TileEngine::start(unsigned core_index, unsigned queue_index, Cycle now) {
  SubmissionQueue &queue = cores_[core_index].queues[queue_index];
  const bool of_peer = queue.peers.is_next(queue, now, geometry_.doorbell_latency);
  if (hold(queue, of_peer, now)) return;
  TileInstruction &event = queue.running;
  event = {};
  event.core = core_index;
  event.queue = static_cast<Class>(queue_index);
  event.index = queue.head;
  if (of_peer) {
    const PeerSubmission submission = queue.peers.take();
    std::memcpy(event.code.data(), submission.slot.data(), kSlotBytes);
    event.doorbell = submission.at;
    event.client = submission.client;
    event.ticket = submission.ticket;
    --surroundings_.contexts[submission.context].in_flight;  // begin() counts it again
  } else {
    event.doorbell = queue.doorbell[queue.slot(queue.head)];
  }
  event.start = now;
  queue.stood = 0;
  event.fault = begin(queue, core_index, queue_index, now);
  queue.state = SubmissionQueue::State::executing;
  if (event.fault) {
    finish(core_index, queue_index, now);
  } else {
    tell_start(queue);
  }
}

void TileEngine::tell_peer(const TileInstruction &instruction, const Fault &fault, Cycle now) const {
  if (instruction.client != nullptr) instruction.client->on_peer_end(instruction.ticket, fault, now);
}

Fault TileEngine::begin(SubmissionQueue &queue, unsigned core_index, unsigned queue_index, Cycle now) {
  TileInstruction &event = queue.running;
  event.context = kNoContext;
  queue.operation = isa::tile::Control{};
  queue.touched = {};
  queue.dram = {};
  if (event.client == nullptr) {
    if (Fault fault = fetch(queue.slot_address(queue.head), faults::queue_number(core_index, queue_index), event.code, now)) return fault;
  }
  event.context = isa::tile::context_of(event.code);
  if (event.context >= geometry_.contexts) return {FaultCode::invalid_context, event.code[0] & 0xFF};
  Context &context = surroundings_.contexts[event.context];
  ++context.in_flight;
  queue.dispossessions = context.dispossessions;
  TileContext &place = places_[event.context];
  Bank &bank = place.banks[core_index];
  event.ordinal = bank.ordinal[queue_index]++;
  if (context.quarantined) return {FaultCode::aborted, event.code[0] & 0xFF};
  if (!context.valid) return {FaultCode::invalid_context, event.code[0] & 0xFF};

  isa::tile::Footprint &footprint = queue.touched.footprint;
  if (Fault fault = admit(event.code, event.queue, place, context.windows, core_index, geometry_, queue.operation, footprint)) return fault;
  queue.places = places_of(queue.operation, place, context.windows, core_index);
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::tile::Access &access = footprint.accesses[i];
    if (access.space == Space::dram) queue.dram = access;
    if (access.space == Space::l2) queue.touched.regions[i] = bank.configuration.region(access.selector);
  }
  queue.touched.core = core_index;
  queue.touched.remote_core = queue.places.remote_core;
  queue.touched.window = queue.places.window.base;
  Duration duration = duration_of(event.code, queue.operation, bank.configuration, geometry_);
  event.bytes = duration.dram_bytes;
  if (durations_) {
    const std::vector<Cycle> &replayed = (*durations_)[queue_index];
    if (!replayed.empty()) duration = {replayed[event.ordinal % replayed.size()], 0, 0};
  }
  queue.phase_end = now + duration.fixed;
  queue.transfer_bytes = duration.transfer_bytes;
  if (const Cycle stands = surroundings_.faults.stands_still(faults::queue_number(core_index, queue_index), now); stands != 0) {
    queue.phase_end = stands == kNever ? kNever : queue.phase_end + stands;
    queue.stood += stands;
  }
  if (isa::tile::completion_of(event.code)) surroundings_.faults.on_start(now);
  return {};
}

Fault TileEngine::fetch(std::uint64_t address, unsigned queue, isa::tile::MachineCode &code, Cycle now) {
  const Fault refused{FaultCode::bus_error, static_cast<std::uint32_t>(address)};
  if (surroundings_.faults.refuses_access(queue, now) || !surroundings_.host.read(address, code.data(), kSlotBytes)) return refused;
  if (surroundings_.faults.memory().empty()) return {};
  const std::optional<std::uint64_t> error = surroundings_.faults.memory().read({}, address, kSlotBytes);
  return error ? Fault{FaultCode::ecc, static_cast<std::uint32_t>(*error)} : Fault{};
}

void TileEngine::leave_phase(unsigned core_index, unsigned queue_index, Cycle now) {
  SubmissionQueue &queue = cores_[core_index].queues[queue_index];
  if (queue.state == SubmissionQueue::State::executing && queue.transfer_bytes != 0) {
    surroundings_.channel.begin(mover(cores_[core_index], queue_index), now, queue.transfer_bytes);
    queue.state = SubmissionQueue::State::transferring;
    return;
  }
  queue.running.stalled = queue.stood;
  if (queue.state == SubmissionQueue::State::transferring) {
    surroundings_.channel.end(mover(cores_[core_index], queue_index), now);
    queue.running.stalled += now - queue.phase_end - surroundings_.channel.alone(queue.transfer_bytes);
  }
  queue.running.fault = take_effect(queue, core_index, now);
  finish(core_index, queue_index, now);
}

Fault TileEngine::take_effect(SubmissionQueue &queue, unsigned core_index, Cycle now) {
  const isa::tile::MachineCode &code = queue.running.code;
  if (surroundings_.contexts[queue.running.context].dispossessions != queue.dispossessions)
    return {FaultCode::invalid_context, queue.running.context};
  if (!std::holds_alternative<isa::tile::Control>(queue.operation)) return execute(queue, core_index, now);
  return fault_of(places_[queue.running.context].banks[core_index].configuration.apply(code), code);
}

Fault TileEngine::execute(const SubmissionQueue &queue, unsigned core_index, Cycle now) {
  const auto queue_index = static_cast<unsigned>(queue.running.queue);
  const bool reaches_dram = queue.dram.run != 0;
  if (reaches_dram && surroundings_.faults.refuses_access(faults::queue_number(core_index, queue_index), now)) {
    return {FaultCode::bus_error, static_cast<std::uint32_t>(queue.places.window.base + static_cast<std::uint64_t>(queue.dram.start))};
  }
  if (const std::optional<std::uint64_t> error = read_sources(queue.touched, surroundings_.faults.memory())) {
    return {FaultCode::ecc, static_cast<std::uint32_t>(*error)};
  }
  Core &core = cores_[core_index];
  const CoreMemories memories{core.l2, cores_[queue.places.remote_core].l2, core.wl0,
                              places_[queue.running.context].banks[core_index].scalars};
  const Fault fault = execute_in_memory(queue.operation, queue.places, queue.dram, memories, path_, surroundings_.host);
  if (!fault) write_destinations(queue.touched, surroundings_.faults.memory());
  return fault;
}

void TileEngine::finish(unsigned core_index, unsigned queue_index, Cycle now) {
  SubmissionQueue &queue = cores_[core_index].queues[queue_index];
  TileInstruction &event = queue.running;
  event.end = now;
  if (event.fault) event.bytes = 0;
  if (event.fault && event.fault.code != FaultCode::aborted) {
    const bool known = event.context < geometry_.contexts;
    if (known && surroundings_.contexts[event.context].valid) surroundings_.contexts[event.context].quarantine(now);
    surroundings_.fault.record(event.fault, core_index * kClasses + queue_index, event.context, event.index, now);
  }
  if (!surroundings_.observers.empty()) surroundings_.observers.end(event_of(event));
  if (wants_completion(event) && !cores_[core_index].completions.has_room()) {
    queue.state = SubmissionQueue::State::completing;
    return;
  }
  complete(core_index, queue_index, now);
}

void TileEngine::complete(unsigned core_index, unsigned queue_index, Cycle now) {
  Core &core = cores_[core_index];
  SubmissionQueue &queue = core.queues[queue_index];
  const TileInstruction &event = queue.running;
  if (wants_completion(event)) {
    const Completion completion{event.index,       core_index * kClasses + queue_index, event.fault.code, event.context, event.end,
                                event.fault.detail};
    if (!core.completions.push(completion, now, surroundings_.host, surroundings_.faults)) {
      surroundings_.host.error("completion queue {}: bus error at the entry of queue {}, instruction {}: the completion is lost",
                               core_index, isa::tile::kClassNames[queue_index], event.index);
    }
  }
  if (event.context < geometry_.contexts) --surroundings_.contexts[event.context].in_flight;
  const Cycle waited = now - event.end;
  if (event.fault.code != FaultCode::aborted) ++queue.counters.instructions;
  queue.counters.busy += event.end - event.start - event.stalled;
  queue.counters.stalled += event.stalled + waited;
  queue.counters.bytes += event.bytes;
  if (event.client == nullptr) ++queue.head;
  queue.free_at = now;
  queue.state = SubmissionQueue::State::idle;
  tell_peer(event, event.fault, now);
}

void TileEngine::complete_waiting(unsigned core_index, Cycle now) {
  Core &core = cores_[core_index];
  while (core.completions.has_room()) {
    unsigned first = kClasses;
    for (unsigned i = 0; i < kClasses; ++i) {
      if (core.queues[i].state != SubmissionQueue::State::completing) continue;
      if (first == kClasses || core.queues[i].running.end < core.queues[first].running.end) first = i;
    }
    if (first == kClasses) return;
    complete(core_index, first, now);
  }
}

// Observers.

InstructionEvent TileEngine::event_of(const TileInstruction &instruction) {
  const isa::tile::Opcode opcode = isa::tile::opcode_of(instruction.code);
  const isa::tile::Instruction *known = isa::tile::find_instruction(opcode);
  InstructionEvent event;
  event.engine = kEngine;
  event.core = instruction.core;
  event.queue = faults::queue_number(instruction.core, static_cast<unsigned>(instruction.queue));
  event.lane = static_cast<unsigned>(instruction.queue);
  event.context = instruction.context;
  event.index = instruction.index;
  event.position = instruction.ordinal;
  event.opcode = static_cast<unsigned>(opcode);
  event.name = known == nullptr ? nullptr : known->name;
  event.code = std::as_bytes(std::span(instruction.code));
  event.fault = instruction.fault;
  event.last = opcode == isa::tile::Opcode::ct_ed;
  event.doorbell = instruction.doorbell;
  event.start = instruction.start;
  event.end = instruction.end;
  event.stalled = instruction.stalled;
  event.bytes = instruction.bytes;
  return event;
}

void TileEngine::tell_start(const SubmissionQueue &queue) const {
  if (surroundings_.observers.empty()) return;
  InstructionEvent event = event_of(queue.running);
  std::vector<Touch> touches;
  if (surroundings_.observers.want_touches()) {
    touches = touches_of(queue.running.code, queue.touched);
    event.touches = touches;
  }
  surroundings_.observers.start(event);
}

}  // namespace cox::model
