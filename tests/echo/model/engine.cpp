// SPDX-License-Identifier: MIT
#include "tests/echo/model/engine.h"

#include <algorithm>
#include <memory>

#include "sim/model/device/stream_fault.h"
#include "tests/echo/model/make.h"

namespace cox::model::echo {

namespace set = isa::echo;

namespace {

Fault fault_of(const Status &status, const set::Instruction *instruction, std::uint32_t position) {
  return stream_fault(status, position, instruction == nullptr ? isa::kNoField : set::Set::field_bit(*instruction, status.what()));
}

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options) : SerialEngine(kEngine, surroundings, options.geometry) {}

// While the clock is stopped, the engine keeps only one time: the end of the current instruction. resume() moves this time by the duration
// of the stop.

void Engine::pause(unsigned /*unit*/, Cycle /*now*/) {}

void Engine::resume(unsigned /*unit*/, Cycle /*now*/, Cycle stood) {
  if (!executing() || end_ == kNever) return;
  end_ += stood;
  event_.stalled += stood;
}

// The times at which the engine acts.

Cycle Engine::next_event(unsigned /*unit*/, Cycle enabled_at) const { return executing() ? end_ : stream_start(enabled_at); }

void Engine::step_ends(unsigned /*unit*/, Cycle now) {
  if (executing() && end_ <= now) finish_instruction(now);
}

void Engine::step_starts(unsigned /*unit*/, Cycle now, Cycle enabled_at) {
  if (stream_start(enabled_at) <= now && begin_stream(now)) begin_instruction(now);
}

// Begin and end of an instruction.

void Engine::begin_instruction(Cycle now) {
  begin_event(now);
  event_.fault = fetch(now);
  if (fetched_.instruction != nullptr) {
    event_.opcode = static_cast<unsigned>(fetched_.instruction->opcode);
    event_.name = fetched_.instruction->name;
    event_.code = std::as_bytes(std::span(fetched_.code));
  }
  if (event_.fault) return refuse(now);
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
  std::array<std::byte, set::kInstructionBytes> buffer{};
  std::span<std::byte> bytes(buffer);
  if (const Fault fault = read_instruction(bytes, now)) return fault;
  if (const Fault fault = port_.check_ecc(address(), bytes.size())) return fault;
  const Result<set::Set::Fetched> fetched = set::Set::fetch(bytes);
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

void Engine::finish_instruction(Cycle now) {
  event_.fault = take_effect(now);
  if (end_instruction(set::kInstructionBytes, now)) begin_instruction(now);
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
