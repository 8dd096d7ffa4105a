// SPDX-License-Identifier: MIT
#include "tests/echo/model/engine.h"

#include <algorithm>
#include <memory>

#include "sim/model/device/stream_fault.h"
#include "tests/echo/model/make.h"

namespace cox::model::echo {

using State = SubmissionRing::State;
namespace set = isa::echo;

namespace {

Fault fault_of(const Status &status, const set::Instruction *instruction, std::uint32_t position) {
  return stream_fault(status, position, instruction == nullptr ? isa::kNoField : set::Set::field_bit(*instruction, status.what()));
}

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options)
    : StreamEngine(kEngine, surroundings, options.geometry.queue_size_log2_max), doorbell_latency_(options.geometry.doorbell_latency) {}

void Engine::reset(unsigned /*unit*/, Cycle now) {
  if (port_.ring.state != State::idle) port_.drop(stream_);
  port_.ring.reset();
  port_.completions.reset();
  surroundings_.observers.engine_reset(kEngine, 0, now);
}

// While the clock is stopped, the engine keeps only one time: the end of the current instruction. resume() moves this time by the duration
// of the stop.

void Engine::pause(unsigned /*unit*/, Cycle /*now*/) {}

void Engine::resume(unsigned /*unit*/, Cycle /*now*/, Cycle stood) {
  if (port_.ring.state != State::executing || end_ == kNever) return;
  end_ += stood;
  event_.stalled += stood;
}

// The times at which the engine acts.

Cycle Engine::next_event(unsigned /*unit*/, Cycle enabled_at) const {
  switch (port_.ring.state) {
    case State::idle: return port_.ring.start_at(enabled_at, doorbell_latency_);
    case State::executing: return end_;
    default: return kNever;
  }
}

void Engine::step_ends(unsigned /*unit*/, Cycle now) {
  if (port_.ring.state == State::executing && end_ <= now) end_instruction(now);
}

void Engine::step_starts(unsigned unit, Cycle now, Cycle enabled_at) {
  if (port_.ring.state == State::idle && next_event(unit, enabled_at) <= now) begin_stream(now);
}

// Begin and end of a stream.

void Engine::begin_stream(Cycle now) {
  port_.ring.state = State::executing;
  position_ = 0;
  stream_ = port_.fetch(port_.ring.head, now);
  event_ = new_event(now);
  event_.fault = stream_.fault;
  if (event_.fault) return end_stream(now);
  begin_instruction(now);
}

InstructionEvent Engine::new_event(Cycle now) const {
  InstructionEvent event;
  event.engine = kEngine;
  event.queue = port_.queue_number();
  event.context = stream_.context;
  event.index = stream_.index;
  event.position = position_;
  event.doorbell = stream_.doorbell;
  event.start = event.end = now;
  return event;
}

void Engine::end_stream(Cycle now) {
  stream_.fault = event_.fault;
  event_.end = now;
  event_.last = true;
  port_.end(stream_, now);
  surroundings_.observers.end(event_);
  port_.ring.state = State::completing;
  complete_waiting(0, now);
}

void Engine::complete_waiting(unsigned /*unit*/, Cycle now) {
  if (port_.ring.state != State::completing || !port_.may_complete(stream_)) return;
  port_.complete(stream_, now);
  port_.ring.counters.stalled += now - stream_.end;
  port_.ring.state = State::idle;
}

// Begin and end of an instruction.

void Engine::begin_instruction(Cycle now) {
  event_ = new_event(now);
  event_.fault = fetch(now);
  if (fetched_.instruction != nullptr) {
    event_.opcode = static_cast<unsigned>(fetched_.instruction->opcode);
    event_.name = fetched_.instruction->name;
    event_.code = std::as_bytes(std::span(fetched_.code));
  }
  if (event_.fault) {
    if (event_.fault.code != FaultCode::aborted) ++port_.ring.counters.instructions;
    return end_stream(now);
  }
  event_.bytes = (operation_.opcode == set::Opcode::FILL ? 1 : 2) * std::uint64_t{operation_.bytes};
  event_.stalled = port_.stands_still(now);
  const bool for_ever = event_.stalled == kNever || operation_.opcode == set::Opcode::HANG;
  end_ = for_ever ? kNever : now + kSetupCycles + (event_.bytes + kBytesPerCycle - 1) / kBytesPerCycle + event_.stalled;
  if (for_ever) event_.stalled = 0;
  if (surroundings_.observers.want_touches()) {
    touches_.clear();
    const set::Footprint footprint = set::footprint(operation_);
    for (const set::Access &access : std::span(footprint.accesses).first(footprint.count))
      touches_.push_back({.write = access.write, .first = access.first, .run = access.bytes});
    event_.touches = touches_;
  }
  surroundings_.observers.start(event_);
}

Fault Engine::fetch(Cycle now) {
  fetched_ = {};
  if (context().quarantined) return stream_fault(FaultCode::aborted, position_);
  std::array<std::byte, set::kInstructionBytes> bytes{};
  const std::size_t length = std::min<std::size_t>(bytes.size(), stream_.descriptor.bytes - position_);
  const std::uint64_t address = stream_.descriptor.address + position_;
  if (const Fault fault = port_.read(address, bytes.data(), length, position_, now)) return fault;
  if (const Fault fault = port_.check_ecc(address, length)) return fault;
  const Result<set::Set::Fetched> fetched = set::Set::fetch(std::span(bytes).first(length));
  if (!fetched) return fault_of(fetched.status(), nullptr, position_);
  fetched_ = fetched.value();
  const auto refused = [&](const Status &status) { return fault_of(status, fetched_.instruction, position_); };
  if (const Status status = set::Set::check(fetched_.code); !status.ok()) return refused(status);
  const Result<set::Operation> operation = set::resolve(fetched_.code);
  if (!operation) return refused(operation.status());
  operation_ = operation.value();
  const Status status = set::check_windows(set::footprint(operation_), context().engine_windows());
  return status.ok() ? Fault{} : refused(status);
}

void Engine::end_instruction(Cycle now) {
  event_.end = now;
  event_.fault = take_effect(now);
  if (event_.fault) event_.bytes = 0;
  ++port_.ring.counters.instructions;
  port_.ring.counters.busy += event_.end - event_.start - event_.stalled;
  port_.ring.counters.stalled += event_.stalled;
  port_.ring.counters.bytes += event_.bytes;
  position_ += set::kInstructionBytes;
  if (event_.fault || position_ == stream_.descriptor.bytes) return end_stream(now);
  surroundings_.observers.end(event_);
  begin_instruction(now);
}

Fault Engine::take_effect(Cycle now) {
  const auto refused = [&](const char *field) {
    return stream_fault(FaultCode::bus_error, position_, set::Set::field_bit(*fetched_.instruction, field));
  };
  const bool fills = operation_.opcode == set::Opcode::FILL;
  if (port_.refuses_access(now)) return refused(fills ? "Destination" : "Source");
  std::vector<std::byte> bytes(operation_.bytes, static_cast<std::byte>(operation_.value));
  if (!fills) {
    if (const Fault fault = port_.check_ecc(operation_.source, operation_.bytes)) return fault;
    if (!surroundings_.host.read(operation_.source, bytes.data(), bytes.size())) return refused("Source");
  }
  if (!surroundings_.host.write(operation_.destination, bytes.data(), bytes.size())) return refused("Destination");
  if (!port_.memory().empty()) {
    port_.memory().begin_write();
    port_.memory().write({}, operation_.destination, operation_.bytes);
  }
  return {};
}

const EngineKind kKind{
    .id = Engine::kEngine,
    .parameters = {},
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<model::Engine> {
      return std::make_unique<Engine>(surroundings, options);
    },
};

}  // namespace cox::model::echo
