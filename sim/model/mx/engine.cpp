// SPDX-License-Identifier: MIT
#include "sim/model/mx/engine.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>

#include "sim/model/mx/duration.h"
#include "sim/model/mx/fault.h"
#include "sim/model/mx/make.h"
#include "sim/model/mx/operands.h"

namespace cox::model::mx {

namespace {

Geometry geometry_of(const Options &options) {
  Geometry geometry{options.geometry};
  set_parameters(geometry, kParameters, options.parameters);
  return geometry;
}

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options)
    : SerialEngine(kEngine, surroundings, options.geometry),
      geometry_(geometry_of(options)),
      channel_(surroundings.channel),
      mover_(channel_.add_movers(1)),
      path_(options.path == model::Path::reference ? Path::reference : Path::fast) {}

void Engine::reset(unsigned unit, Cycle now) {
  if (transferring() && !paused_) channel_.end(mover_, now);
  SerialEngine::reset(unit, now);
}

void Engine::pause(unsigned /*unit*/, Cycle now) {
  paused_ = true;
  if (transferring()) paused_transfer_ = channel_.pause(mover_, now);
}

void Engine::resume(unsigned /*unit*/, Cycle now, Cycle stood) {
  paused_ = false;
  if (!executing()) return;
  if (transferring()) channel_.resume(mover_, now, paused_transfer_);
  for (Cycle *time : {&transfer_begin_, &end_, &alone_end_}) {
    if (*time != kNever) *time += stood;
  }
  event_.end += stood;
  stood_ += stood;
}

// Registers.

std::uint32_t Engine::report(registers::Name name) const {
  namespace fields = registers::geometry3;
  if (name != registers::Name::geometry3) return 0;
  return fields::kMxMacsPerCycle.put(geometry_.mx_macs_per_cycle()) | fields::kMxBufferKib.put(geometry_.mx_buffer_kib);
}

bool Engine::read(registers::Name name, Index index, std::uint32_t &value) const {
  if (name != registers::Name::mx_base_lo && name != registers::Name::mx_base_hi) return false;
  const std::uint64_t address = bases_[index[0]].address[index[1]];
  value = static_cast<std::uint32_t>(name == registers::Name::mx_base_lo ? address : address >> 32);
  return true;
}

bool Engine::write(registers::Name name, Index index, std::uint32_t value, Cycle /*now*/, const char *& /*reason*/) {
  if (name != registers::Name::mx_base_lo && name != registers::Name::mx_base_hi) return false;
  isa::mx::BaseRegisters &bases = bases_[index[0]];
  std::uint64_t &address = bases.address[index[1]];
  if (name == registers::Name::mx_base_lo) {
    address = (address & ~std::uint64_t{0xFFFFFFFF}) | value;
    bases.written |= 1U << index[1];
  } else {
    address = (address & 0xFFFFFFFF) | std::uint64_t{value} << 32;
  }
  return true;
}

// Time.

Cycle Engine::phase_end() const {
  switch (phase_) {
    case Phase::fetch: return event_.end;
    case Phase::setup: return transfer_begin_;
    case Phase::transfer: return channel_.finish(mover_);
    case Phase::drain: return end_;
  }
  return kNever;
}

Cycle Engine::next_event(unsigned /*unit*/, Cycle enabled_at) const { return executing() ? phase_end() : stream_start(enabled_at); }

Cycle Engine::alone(std::uint64_t bytes) const {
  const std::uint64_t port = geometry_.mx_dram_bytes_per_cycle;
  return std::max((bytes + port - 1) / port, channel_.alone(bytes));
}

void Engine::step_ends(unsigned /*unit*/, Cycle now) {
  if (!executing() || phase_ == Phase::fetch || phase_end() > now) return;
  if (phase_ == Phase::setup) {
    phase_ = Phase::drain;
    if (event_.bytes != 0) {
      channel_.begin(mover_, now, event_.bytes);
      phase_ = Phase::transfer;
    }
    return;
  }
  if (phase_ == Phase::transfer) {
    channel_.end(mover_, now);
    phase_ = Phase::drain;
    if (end_ > now) return;
  }
  finish_instruction(now);
}

void Engine::step_starts(unsigned /*unit*/, Cycle now, Cycle enabled_at) {
  if (stream_start(enabled_at) <= now) {
    phase_ = Phase::fetch;
    selection_ = {};
    begin_stream(now);
  }
  if (executing() && phase_ == Phase::fetch) begin_instruction(now);
}

// Instructions.

void Engine::add_touches() {
  const isa::mx::Footprint footprint = isa::mx::footprint(operation_);
  touches_.clear();
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::mx::Access &access = footprint.accesses[i];
    touches_.push_back({.write = access.write,
                        .first = access.start,
                        .run = access.run,
                        .count = {access.count, 1, 1},
                        .stride = {static_cast<std::int64_t>(access.stride), 0, 0}});
  }
  event_.touches = touches_;
}

void Engine::begin_instruction(Cycle now) {
  begin_event(now);
  stood_ = 0;
  isa::mx::Fetched fetched;
  event_.fault = fetch_instruction(fetched, now);
  instruction_ = fetched.instruction;
  if (instruction_ != nullptr) {
    event_.name = instruction_->name;
    event_.opcode = static_cast<unsigned>(instruction_->opcode);
    code_ = fetched.code;
    event_.code = std::as_bytes(std::span(code_)).first(instruction_->bytes);
  }
  if (!event_.fault) event_.fault = admit(fetched);
  if (event_.fault) return refuse(now);
  const Cost cost = cost_of(operation_, geometry_);
  event_.bytes = cost.bytes;
  event_.compute = cost.compute;
  transfer_begin_ = now + geometry_.mx_setup_cycles;
  const std::uint64_t port = geometry_.mx_dram_bytes_per_cycle;
  const Cycle computed = transfer_begin_ + alone(cost.fill_bytes) + cost.compute;
  end_ = std::max(computed, transfer_begin_ + (cost.bytes + port - 1) / port);
  alone_end_ = std::max(computed, transfer_begin_ + alone(cost.bytes));
  if (const Cycle stands = port_.stands_still(now); stands != 0) {
    // If the instruction stands still for ever (kNever), it stays in its setup.
    for (Cycle *time : {&transfer_begin_, &end_, &alone_end_}) *time = stands == kNever ? kNever : *time + stands;
    stood_ += stands;
  }
  phase_ = Phase::setup;
  if (surroundings_.observers.want_touches()) add_touches();
  surroundings_.observers.start(event_);
}

Fault Engine::fetch_instruction(isa::mx::Fetched &fetched, Cycle now) const {
  std::array<std::byte, isa::mx::kLongestBytes> buffer{};
  std::span<std::byte> bytes(buffer);
  if (const Fault fault = read_instruction(bytes, now)) return fault;
  const Result<isa::mx::Fetched> result = isa::mx::fetch(bytes);
  // Report an ECC fault first, because a wrong bit could be the cause of a fault in the instruction.
  const std::size_t read = result ? result.value().instruction->bytes : std::min<std::size_t>(bytes.size(), registers::kStreamAlignment);
  if (const Fault fault = port_.check_ecc(address(), read)) return fault;
  if (!result) return fault_of(result.status(), nullptr, position_);
  fetched = result.value();
  return {};
}

Fault Engine::admit(const isa::mx::Fetched &fetched) {
  const auto fault = [&](const Status &status) { return fault_of(status, fetched.instruction, position_); };
  if (const Status status = isa::mx::check(fetched.code); !status) return fault(status);
  const Result<isa::mx::Operation> resolved = isa::mx::resolve(fetched.code, bases_[stream_.context], selection_);
  if (!resolved) return fault(resolved.status());
  const Status status = isa::mx::check_windows(isa::mx::footprint(resolved.value()), context().engine_windows());
  if (!status) return fault(status);
  operation_ = resolved.value();
  return {};
}

void Engine::finish_instruction(Cycle now) {
  event_.stalled = now - alone_end_ + stood_;
  event_.fault = take_effect(now);
  if (end_instruction(instruction_->bytes, now)) phase_ = Phase::fetch;
}

Fault Engine::take_effect(Cycle now) {
  if (const auto *selection = std::get_if<isa::mx::Selection>(&operation_)) {
    selection_ = *selection;
    return {};
  }
  const isa::mx::Footprint footprint = isa::mx::footprint(operation_);
  if (port_.refuses_access(now)) {
    return stream_fault(FaultCode::bus_error, position_, isa::mx::field_bit(*instruction_, footprint.accesses[0].field));
  }
  if (const Fault fault = read_sources(footprint)) return fault;
  const char *refused = execute_in_memory(operation_, path_, surroundings_.host);
  if (refused == nullptr) {
    write_destinations(footprint);
    return {};
  }
  return stream_fault(FaultCode::bus_error, position_, isa::mx::field_bit(*instruction_, refused));
}

Fault Engine::read_sources(const isa::mx::Footprint &footprint) const {
  if (port_.memory().empty()) return {};
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::mx::Access &access = footprint.accesses[i];
    for (std::uint32_t run = 0; run < access.count && !access.write; ++run) {
      if (const Fault fault = port_.check_ecc(access.start + run * access.stride, access.run)) return fault;
    }
  }
  return {};
}

void Engine::write_destinations(const isa::mx::Footprint &footprint) const {
  if (port_.memory().empty()) return;
  port_.memory().begin_write();
  for (unsigned i = 0; i < footprint.count; ++i) {
    const isa::mx::Access &access = footprint.accesses[i];
    for (std::uint32_t run = 0; run < access.count && access.write; ++run) {
      port_.memory().write({}, access.start + run * access.stride, access.run);
    }
  }
}

// The engine's entry in the registry of engines.

static constexpr auto kParameterList = parameters_of(kParameters);

const EngineKind kKind{
    .id = Engine::kEngine,
    .parameters = kParameterList,
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<model::Engine> {
      return std::make_unique<Engine>(surroundings, options);
    },
};

}  // namespace cox::model::mx
