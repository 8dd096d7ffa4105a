// SPDX-License-Identifier: MIT
#include "sim/model/mx/engine.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <variant>

#include "sim/model/mx/duration.h"
#include "sim/model/mx/fault.h"
#include "sim/model/mx/operands.h"

namespace cox::model::mx {

using State = SubmissionRing::State;

namespace {

/// Nothing beside context and completion is set, and the stream is one that can be fetched.
bool well_formed(const registers::EngineDescriptor &descriptor) {
  const bool reserved_zero =
      descriptor.control == registers::EngineDescriptor::control_of(descriptor.context(), descriptor.completion()) &&
      std::all_of(std::begin(descriptor.reserved), std::end(descriptor.reserved), [](std::uint32_t word) { return word == 0; });
  const bool length = descriptor.bytes != 0 && descriptor.bytes % isa::mx::kStreamAlignment == 0 &&
                      descriptor.bytes <= registers::kMostStreamBytes && descriptor.address + descriptor.bytes > descriptor.address;
  return reserved_zero && length && descriptor.address % isa::mx::kStreamAlignment == 0;
}

}  // namespace

Engine::Engine(const Surroundings &surroundings, Path path)
    : surroundings_(surroundings),
      path_(path),
      queue_(surroundings.geometry.queue_size_log2_max),
      completions_(surroundings.geometry.queue_size_log2_max) {}

void Engine::reset(Cycle now) {
  if (queue_.state == State::executing && phase_ == Phase::transfer) surroundings_.channel.end(DramChannel::kMxMover, now);
  if (queue_.state != State::idle && event_.context < surroundings_.contexts.size()) --context().in_flight;
  queue_.reset();
  completions_.reset();
  for (Observer *observer : surroundings_.observers) observer->on_engine_reset(kEngine, now);
}

// Time.

Cycle Engine::phase_end() const {
  switch (phase_) {
    case Phase::fetch: return event_.end;
    case Phase::setup: return transfer_begin_;
    case Phase::transfer: return surroundings_.channel.finish(DramChannel::kMxMover);
    case Phase::drain: return end_;
  }
  return kNever;
}

Cycle Engine::next_event(Cycle enabled_at) const {
  switch (queue_.state) {
    case State::idle: return queue_.start_at(enabled_at, surroundings_.geometry.doorbell_latency);
    case State::executing: return phase_end();
    default: return kNever;
  }
}

Cycle Engine::alone(std::uint64_t bytes) const {
  const std::uint64_t port = surroundings_.geometry.mx_dram_bytes_per_cycle;
  return std::max((bytes + port - 1) / port, surroundings_.channel.alone(bytes));
}

void Engine::step_ends(Cycle now) {
  if (queue_.state != State::executing || phase_ == Phase::fetch || phase_end() > now) return;
  if (phase_ == Phase::setup) {
    phase_ = Phase::drain;
    if (event_.bytes != 0) {
      surroundings_.channel.begin(DramChannel::kMxMover, now, event_.bytes);
      phase_ = Phase::transfer;
    }
    return;
  }
  if (phase_ == Phase::transfer) {
    surroundings_.channel.end(DramChannel::kMxMover, now);
    phase_ = Phase::drain;
    if (end_ > now) return;
  }
  end_instruction(now);
}

void Engine::step_starts(Cycle now, Cycle enabled_at) {
  if (queue_.state == State::idle && next_event(enabled_at) <= now) begin_stream(now);
  if (queue_.state == State::executing && phase_ == Phase::fetch) begin_instruction(now);
}

// A stream.

void Engine::begin_stream(Cycle now) {
  queue_.state = State::executing;
  phase_ = Phase::fetch;
  offset_ = 0;
  selection_ = {};
  event_ = {};
  event_.stream = queue_.head;
  event_.doorbell = queue_.doorbell[queue_.slot(queue_.head)];
  event_.start = event_.end = now;
  event_.fault = fetch_descriptor();
  if (event_.fault) end_stream(now);
}

Fault Engine::fetch_descriptor() {
  descriptor_ = {};
  event_.context = kNoContext;
  if (!surroundings_.host.read(queue_.slot_address(queue_.head), &descriptor_, sizeof descriptor_)) {
    return fault_at(FaultCode::bus_error, 0);
  }
  event_.context = descriptor_.context();
  if (event_.context >= surroundings_.contexts.size()) return fault_at(FaultCode::invalid_context, 0);
  ++context().in_flight;
  if (context().quarantined) return fault_at(FaultCode::aborted, 0);
  if (!context().valid) return fault_at(FaultCode::invalid_context, 0);
  if (!well_formed(descriptor_)) return fault_at(FaultCode::stream_truncated, 0);
  return {};
}

void Engine::end_stream(Cycle now) {
  const Fault &fault = event_.fault;
  event_.end = now;
  event_.last = true;
  if (fault && fault.code != FaultCode::aborted) {
    const bool known = event_.context < surroundings_.contexts.size();
    if (known && context().valid) context().quarantined = true;
    surroundings_.fault.record(fault, kQueueNumber, event_.context, event_.stream, now);
  }
  for (Observer *observer : surroundings_.observers) observer->on_stream_end(event_);
  queue_.state = State::completing;
  complete_waiting(now);
}

void Engine::complete_waiting(Cycle now) {
  if (queue_.state != State::completing) return;
  const bool wanted = event_.fault || descriptor_.completion();
  if (!wanted || completions_.has_room()) complete(now);
}

void Engine::complete(Cycle now) {
  if (event_.fault || descriptor_.completion()) {
    const Completion completion{event_.stream, kQueueNumber, event_.fault.code, event_.context, event_.end, event_.fault.detail};
    if (!completions_.push(completion, now, surroundings_.host)) {
      surroundings_.host.error("completion queue of the MX engine: bus error at the entry of stream {}: the completion is lost",
                               event_.stream);
    }
  }
  if (event_.context < surroundings_.contexts.size()) --context().in_flight;
  queue_.counters.stalled += now - event_.end;
  ++queue_.head;
  queue_.free_at = now;
  queue_.state = State::idle;
}

// An instruction.

void Engine::begin_instruction(Cycle now) {
  const StreamEvent stream = event_;
  event_ = {};
  event_.context = stream.context;
  event_.stream = stream.stream;
  event_.doorbell = stream.doorbell;
  event_.offset = offset_;
  event_.start = event_.end = now;
  isa::mx::Fetched fetched;
  event_.fault = fetch_instruction(fetched);
  event_.instruction = fetched.instruction;
  if (!event_.fault) event_.fault = admit(fetched);
  if (event_.fault) {
    if (event_.fault.code != FaultCode::aborted) ++queue_.counters.instructions;
    return end_stream(now);
  }
  const Cost cost = cost_of(event_.operation, surroundings_.geometry);
  event_.bytes = cost.bytes;
  event_.compute = cost.compute;
  transfer_begin_ = now + surroundings_.geometry.mx_setup_cycles;
  const std::uint64_t port = surroundings_.geometry.mx_dram_bytes_per_cycle;
  const Cycle computed = transfer_begin_ + alone(cost.fill_bytes) + cost.compute;
  end_ = std::max(computed, transfer_begin_ + (cost.bytes + port - 1) / port);
  alone_end_ = std::max(computed, transfer_begin_ + alone(cost.bytes));
  phase_ = Phase::setup;
  for (Observer *observer : surroundings_.observers) observer->on_stream_start(event_);
}

Fault Engine::fetch_instruction(isa::mx::Fetched &fetched) const {
  if (context().quarantined) return fault_at(FaultCode::aborted, offset_);
  std::array<std::byte, isa::mx::kLongestBytes> bytes{};
  const std::size_t length = std::min<std::size_t>(bytes.size(), descriptor_.bytes - offset_);
  if (!surroundings_.host.read(descriptor_.address + offset_, bytes.data(), length)) return fault_at(FaultCode::bus_error, offset_);
  const Result<isa::mx::Fetched> result = isa::mx::fetch(std::span(bytes).first(length));
  if (!result) return fault_of(result.status(), nullptr, offset_);
  fetched = result.value();
  return {};
}

Fault Engine::admit(const isa::mx::Fetched &fetched) {
  const auto fault = [&](const Status &status) { return fault_of(status, fetched.instruction, offset_); };
  if (const Status status = isa::mx::check(fetched.code); !status) return fault(status);
  const Result<isa::mx::Operation> resolved = isa::mx::resolve(fetched.code, context().mx_bases, selection_);
  if (!resolved) return fault(resolved.status());
  std::array<isa::mx::Window, isa::tile::kWindows> windows;
  std::transform(context().windows.begin(), context().windows.end(), windows.begin(), [](const Window &window) {
    return isa::mx::Window{window.base, window.size, window.readable, window.writable};
  });
  if (const Status status = isa::mx::check_windows(isa::mx::footprint(resolved.value()), windows); !status) return fault(status);
  event_.operation = resolved.value();
  return {};
}

void Engine::end_instruction(Cycle now) {
  event_.end = now;
  event_.stalled = now - alone_end_;
  event_.fault = take_effect();
  if (event_.fault) event_.bytes = 0;
  ++queue_.counters.instructions;
  queue_.counters.busy += event_.end - event_.start - event_.stalled;
  queue_.counters.stalled += event_.stalled;
  queue_.counters.bytes += event_.bytes;
  offset_ += event_.instruction->bytes;
  if (event_.fault || offset_ == descriptor_.bytes) return end_stream(now);
  for (Observer *observer : surroundings_.observers) observer->on_stream_end(event_);
  phase_ = Phase::fetch;
}

Fault Engine::take_effect() {
  if (const auto *selection = std::get_if<isa::mx::Selection>(&event_.operation)) {
    selection_ = *selection;
    return {};
  }
  const char *refused = execute_in_memory(event_.operation, path_, surroundings_.host);
  if (refused == nullptr) return {};
  return {FaultCode::bus_error, registers::EngineFaultDetail{offset_, isa::mx::field_bit(*event_.instruction, refused)}.pack()};
}

}  // namespace cox::model::mx
