// SPDX-License-Identifier: MIT
#include "sim/model/device/serial_engine.h"

#include <algorithm>

#include "sim/model/device/stream_fault.h"

namespace cox::model {

using State = SubmissionRing::State;

void SerialEngine::reset(unsigned unit, Cycle now) {
  if (port_.ring.state != State::idle) port_.abort(stream_, now);
  port_.abort_peers(now);
  port_.ring.reset();
  port_.completions.reset();
  surroundings_.observers.engine_reset(id_, unit, now);
}

Cycle SerialEngine::stream_start(Cycle enabled_at) const {
  return port_.ring.state == State::idle ? port_.start_at(enabled_at, doorbell_latency_) : kNever;
}

bool SerialEngine::begin_stream(Cycle now) {
  port_.ring.state = State::executing;
  position_ = 0;
  stream_ = port_.fetch_next(now, doorbell_latency_);
  begin_event(now);
  event_.fault = stream_.fault;
  if (event_.fault) end_stream(now);
  return !event_.fault;
}

void SerialEngine::begin_event(Cycle now) {
  event_ = {};
  event_.engine = id_;
  event_.queue = port_.queue_number();
  event_.context = stream_.context;
  event_.index = stream_.index;
  event_.doorbell = stream_.doorbell;
  event_.position = position_;
  event_.start = event_.end = now;
}

Fault SerialEngine::read_instruction(std::span<std::byte> &bytes, Cycle now) const {
  if (context().quarantined) return stream_fault(FaultCode::aborted, position_);
  bytes = bytes.first(std::min<std::size_t>(bytes.size(), stream_.descriptor.bytes - position_));
  return port_.read(address(), bytes.data(), bytes.size(), position_, now);
}

void SerialEngine::refuse(Cycle now) {
  if (event_.fault.code != FaultCode::aborted) ++port_.ring.counters.instructions;
  end_stream(now);
}

bool SerialEngine::end_instruction(std::uint32_t bytes, Cycle now) {
  event_.end = now;
  if (event_.fault) event_.bytes = 0;
  ++port_.ring.counters.instructions;
  port_.ring.counters.busy += event_.end - event_.start - event_.stalled;
  port_.ring.counters.stalled += event_.stalled;
  port_.ring.counters.bytes += event_.bytes;
  position_ += bytes;
  const bool ends = event_.fault || position_ == stream_.descriptor.bytes;
  if (ends) {
    end_stream(now);
  } else {
    surroundings_.observers.end(event_);
  }
  return !ends;
}

void SerialEngine::end_stream(Cycle now) {
  stream_.fault = event_.fault;
  event_.end = now;
  event_.last = true;
  port_.end(stream_, now);
  surroundings_.observers.end(event_);
  port_.ring.state = State::completing;
  complete_waiting(0, now);
}

void SerialEngine::complete_waiting(unsigned /*unit*/, Cycle now) {
  if (port_.ring.state != State::completing || !port_.may_complete(stream_)) return;
  port_.complete(stream_, now);
  port_.ring.counters.stalled += now - stream_.end;
  port_.ring.state = State::idle;
}

}  // namespace cox::model
