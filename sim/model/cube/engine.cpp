// SPDX-License-Identifier: MIT
#include "sim/model/cube/engine.h"

#include <algorithm>

#include "coxswain/isa/cube/layout.h"
#include "coxswain/isa/cube/warning.h"
#include "sim/model/cube/flag_order.h"
#include "sim/model/cube/make.h"
#include "sim/model/device/stream_fault.h"

namespace cox::model::cube {

using State = SubmissionRing::State;

namespace {

constexpr std::uint32_t kAllPipes = (1U << isa::cube::kPipes) - 1;

Geometry geometry_of(const Options &options) {
  Geometry geometry{options.geometry};
  set_parameters(geometry, kParameters, options.parameters);
  return geometry;
}

namespace r = registers;

// The sizes of the buffers are constants, not parameters, because all builders of instructions check against them.
constexpr std::uint32_t kGeometry4 =
    r::geometry4::kCubeL1Kib.put(isa::cube::kL1Bytes >> 10) | r::geometry4::kCubeL0cKib.put(isa::cube::kL0CBytes >> 10);
constexpr std::uint32_t kGeometry5 =
    r::geometry5::kCubeL0aKib.put(isa::cube::kL0ABytes >> 10) | r::geometry5::kCubeL0bKib.put(isa::cube::kL0BBytes >> 10);
constexpr std::uint32_t kGeometry6 = r::geometry6::kCubeMacsPerCycle.put(isa::cube::kFractalRows * isa::cube::kFractalRows *
                                                                         isa::cube::fractal_width(isa::cube::Type::bfloat16)) |
                                     r::geometry6::kCubeBiasTableBytes.put(isa::cube::kBiasTableBytes);
static_assert(r::geometry4::kResetValue == kGeometry4 && r::geometry5::kResetValue == kGeometry5 &&
              r::geometry6::kResetValue == kGeometry6);

}  // namespace

Engine::Engine(const Surroundings &surroundings, const Options &options)
    : StreamEngine(kEngine, surroundings, options.geometry.queue_size_log2_max),
      geometry_(geometry_of(options)),
      dispatcher_(port_, geometry_),
      pipes_(surroundings.host, port_, geometry_, options.path == model::Path::reference ? Path::reference : Path::fast) {}

std::uint32_t Engine::report(registers::Name name) const {
  switch (name) {
    case r::Name::geometry4: return kGeometry4;
    case r::Name::geometry5: return kGeometry5;
    case r::Name::geometry6: return kGeometry6;
    default: return 0;
  }
}

void Engine::reset(unsigned /*unit*/, Cycle now) {
  pipes_.drop(now);
  for (const Running &running : running_) port_.abort(running.stream, now);
  port_.abort_peers(now);
  running_.clear();
  open_ = false;
  phase_ = Phase::idle;
  busy_since_.reset();
  port_.ring.reset();
  port_.completions.reset();
  surroundings_.observers.engine_reset(kEngine, 0, now);
}

void Engine::power_on() {
  pipes_.clear_buffers();
  buffers_user_.reset();
}

void Engine::on_context_reset(unsigned context) {
  // A stream that begins after the reset must not continue a stream that the context ran before.
  if (open_ && chain_context_ == context) open_ = false;
}

void Engine::resume(unsigned /*unit*/, Cycle now, Cycle stood) {
  pipes_.resume(now, stood);
  if (at_ != kNever) at_ += stood;
}

// Time.

Cycle Engine::begin_at(Cycle enabled_at) const {
  // Unless the next stream continues the last one, it begins only after all earlier streams have completed.
  if (phase_ != Phase::idle || (!open_ && !running_.empty())) return kNever;
  if (running_.empty() && !open_) return port_.start_at(enabled_at, geometry_.doorbell_latency);
  const std::uint32_t index = port_.ring.head + static_cast<std::uint32_t>(running_.size());
  return port_.ring.start_at(index, enabled_at, geometry_.doorbell_latency);
}

Cycle Engine::next_event(unsigned /*unit*/, Cycle enabled_at) const {
  Cycle next = std::min(begin_at(enabled_at), pipes_.next_event());
  if (phase_ == Phase::clear || phase_ == Phase::fetch) next = std::min(next, at_);
  if (aborted()) next = std::min(next, port_.context(chain_context_).quarantined_at);
  return next;
}

void Engine::step_ends(unsigned /*unit*/, Cycle now) {
  if (aborted()) return stop(nullptr, stream_fault(FaultCode::aborted, 0), now);
  for (const Pipes::Ended &ended : pipes_.end_due(now)) end_slot(ended.slot, ended.fault, now);
  end_streams(now);
}

void Engine::step_starts(unsigned /*unit*/, Cycle now, Cycle enabled_at) {
  // Repeat until no stream or slot begins: when a slot starts, the dispatcher has room for another one, which may start in the same cycle.
  for (bool moved = true; moved;) {
    moved = false;
    if (begin_at(enabled_at) <= now) {
      begin_stream(now);
      moved = true;
    }
    while (dispatch(now)) moved = true;
    if (pipes_.start_due(now)) moved = true;
    end_streams(now);
  }
}

void Engine::update_state(Cycle now) {
  const bool active = !pipes_.idle(kAllPipes);
  if (active && !busy_since_) busy_since_ = now;
  if (!active && busy_since_) {
    port_.ring.counters.busy += now - *busy_since_;
    busy_since_.reset();
  }
  if (any_running()) {
    port_.ring.state = State::executing;
  } else {
    port_.ring.state = running_.empty() ? State::idle : State::completing;
  }
}

// Streams.

void Engine::begin_stream(Cycle now) {
  const bool joined = open_;
  Running running;
  running.stream = running_.empty() && !joined ? port_.fetch_next(now, geometry_.doorbell_latency)
                                               : port_.fetch(port_.ring.head + static_cast<std::uint32_t>(running_.size()), now);
  Stream &stream = running.stream;
  if (joined && !stream.fault && stream.context != chain_context_) stream.fault = stream_fault(FaultCode::invalid_context, 0);
  running_.push_back(running);
  if (!joined) {
    dispatcher_.forget();
    pipes_.forget_flags();
  }
  if (stream.fault) return refuse(stream.fault, Slot(), now);
  stood_ = false;
  open_ = stream.descriptor.joined();
  chain_context_ = stream.context;
  dispatcher_.begin(stream);
  phase_ = Phase::fetch;
  at_ = now + geometry_.cube_dispatch_cycles;
  user_ = {stream.context, port_.context(stream.context).owner};
  if (buffers_user_ && *buffers_user_ != user_) {
    phase_ = Phase::clear;
    at_ = now + geometry_.cube_clear_cycles;
  } else {
    buffers_user_ = user_;
  }
}

void Engine::refuse(const Fault &fault, const Slot &slot, Cycle now) {
  Running &running = running_.back();
  running.stream.fault = fault;
  running.refused = slot;
  running.refused.start = now;
  running.dispatched = true;
  open_ = false;
  phase_ = Phase::idle;
}

void Engine::stop(const Slot *culprit, const Fault &fault, Cycle now) {
  pipes_.drop(now);
  open_ = false;
  phase_ = Phase::idle;
  for (Running &running : running_) {
    if (running.ended) continue;
    running.slots = 0;
    running.dispatched = true;
    if (culprit != nullptr && culprit->stream == running.stream.index) {
      running.stream.fault = fault;
      running.refused = *culprit;
    } else if (!running.stream.fault) {
      running.stream.fault = stream_fault(FaultCode::aborted, 0);
      running.refused.start = now;
    }
  }
  end_streams(now);
}

void Engine::end_streams(Cycle now) {
  for (Running &running : running_) {
    if (running.ended) continue;
    if (!running.dispatched || running.slots != 0) break;
    running.ended = true;
    port_.end(running.stream, now);
    if (!running.stream.fault) continue;
    InstructionEvent event = event_of(running.stream, running.refused);
    event.bytes = 0;
    event.end = now;
    event.fault = running.stream.fault;
    event.last = true;
    surroundings_.observers.end(event);
  }
  complete_streams(now);
}

void Engine::complete_waiting(unsigned /*unit*/, Cycle now) { complete_streams(now); }

void Engine::complete_streams(Cycle now) {
  while (!running_.empty() && running_.front().ended && port_.may_complete(running_.front().stream)) {
    const Stream &stream = running_.front().stream;
    port_.complete(stream, now);
    port_.ring.counters.stalled += now - stream.end;
    running_.pop_front();
  }
  update_state(now);
}

// Slots.

bool Engine::dispatch(Cycle now) {
  switch (phase_) {
    case Phase::idle: return false;
    case Phase::clear:
      if (at_ > now) return false;
      pipes_.clear_buffers();
      buffers_user_ = user_;
      phase_ = Phase::fetch;
      at_ = now + geometry_.cube_dispatch_cycles;
      return true;
    case Phase::fetch:
      if (at_ > now) return false;
      fetch_slot(now);
      return true;
    case Phase::hold:
      if (!pipes_.has_room(held_.pipe)) return false;
      pipes_.give(held_);
      go_on(now);
      return true;
    case Phase::barrier:
      if (!pipes_.idle(std::get<isa::cube::Barrier>(held_.operation).pipes)) return false;
      go_on(now);
      end_slot(held_, {}, now);
      return true;
  }
  return false;
}

void Engine::fetch_slot(Cycle now) {
  if (!stood_) {
    stood_ = true;
    if (const Cycle stands = port_.stands_still(now); stands != 0) {
      at_ = stands == kNever ? kNever : now + stands;
      return;
    }
  }
  stood_ = false;
  Running &running = running_.back();
  Slot slot;
  const Fault fault = dispatcher_.next(port_.context(chain_context_).engine_windows(), slot, now);
  if (fault) {
    ++port_.ring.counters.instructions;
    return refuse(fault, slot, now);
  }
  held_ = slot;
  held_.start = now;
  ++running.slots;
  tell_start(running.stream, held_);
  phase_ = slot.is_barrier() ? Phase::barrier : Phase::hold;
}

void Engine::go_on(Cycle now) {
  phase_ = Phase::fetch;
  at_ = now + geometry_.cube_dispatch_cycles;
  if (!dispatcher_.at_end()) return;
  phase_ = Phase::idle;
  Running &running = running_.back();
  running.dispatched = true;
  if (!open_ && dispatcher_.flags_left()) running.stream.warnings |= isa::cube::kWarnFlagsLeft;
}

void Engine::end_slot(const Slot &slot, const Fault &fault, Cycle now) {
  Running &running = of(slot.stream);
  ++port_.ring.counters.instructions;
  port_.ring.counters.stalled += slot.stalled;
  if (fault) return stop(&slot, fault, now);
  port_.ring.counters.bytes += slot.dram_bytes;
  if (const auto *mad = std::get_if<isa::cube::Mad>(&slot.operation)) {
    if (mad->empty()) running.stream.warnings |= isa::cube::kWarnEmptyMad;
    if (mad->bias_wraps()) running.stream.warnings |= isa::cube::kWarnBiasWrapped;
  }
  --running.slots;
  InstructionEvent event = event_of(running.stream, slot);
  event.end = now;
  event.last = running.dispatched && running.slots == 0 && !running.stream.fault;
  surroundings_.observers.end(event);
}

// Observers.

InstructionEvent Engine::event_of(const Stream &stream, const Slot &slot) {
  InstructionEvent event;
  event.engine = kEngine;
  event.queue = registers::row_of(kEngine).queue_number();
  event.context = stream.context;
  event.index = stream.index;
  event.joined = stream.descriptor.joined();
  event.doorbell = stream.doorbell;
  event.position = slot.offset;
  event.start = slot.start;
  event.stalled = slot.stalled;
  event.bytes = slot.dram_bytes;
  if (slot.instruction == nullptr) return event;
  event.name = slot.instruction->name;
  event.opcode = static_cast<unsigned>(slot.instruction->opcode);
  event.lane = slot.is_barrier() ? isa::cube::kPipes : static_cast<unsigned>(slot.pipe);
  event.code = std::as_bytes(std::span(slot.code));
  if (std::holds_alternative<isa::cube::Mad>(slot.operation)) event.compute = slot.work;
  return event;
}

void Engine::tell_start(const Stream &stream, const Slot &slot) const {
  InstructionEvent event = event_of(stream, slot);
  std::vector<Touch> touches;
  if (surroundings_.observers.want_touches()) {
    const isa::cube::Footprint footprint = isa::cube::footprint(slot.operation);
    static_assert(static_cast<std::uint8_t>(isa::cube::Memory::dram) == Touch::kDram);
    for (unsigned i = 0; i < footprint.count; ++i) {
      const isa::cube::Access &access = footprint.accesses[i];
      touches.push_back({.space = static_cast<std::uint8_t>(access.memory),
                         .write = access.write,
                         .first = access.start,
                         .run = access.run,
                         .count = {access.count[0], access.count[1], 1},
                         .stride = {static_cast<std::int64_t>(access.stride[0]), static_cast<std::int64_t>(access.stride[1]), 0}});
    }
    event.touches = touches;
  }
  surroundings_.observers.start(event);
}

// The engine's entry in the registry of engines.

static constexpr auto kParameterList = parameters_of(kParameters);

const EngineKind kKind{
    .id = Engine::kEngine,
    .parameters = kParameterList,
    .make = [](const Surroundings &surroundings, const Options &options) -> std::unique_ptr<model::Engine> {
      return std::make_unique<Engine>(surroundings, options);
    },
    .make_order = [](const Host &host) -> std::unique_ptr<hazard::Order> { return std::make_unique<FlagOrder>(host); },
};

}  // namespace cox::model::cube
