// SPDX-License-Identifier: MIT
#include "sim/model/device/stream_port.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "sim/model/device/stream_fault.h"

namespace cox::model {
namespace {

/// Checks the stream's address and length, and that all reserved bits of the descriptor are 0. The bit `joined` is reserved if the engine
/// does not join streams.
bool well_formed(const registers::EngineDescriptor &descriptor, bool joins) {
  const std::uint32_t control =
      registers::EngineDescriptor::control_of(descriptor.context(), descriptor.completion(), joins && descriptor.joined());
  const bool reserved_zero = descriptor.control == control && std::all_of(std::begin(descriptor.reserved), std::end(descriptor.reserved),
                                                                          [](std::uint32_t word) { return word == 0; });
  const bool length = descriptor.bytes != 0 && descriptor.bytes % registers::kStreamAlignment == 0 &&
                      descriptor.bytes <= registers::kMostStreamBytes && descriptor.address + descriptor.bytes > descriptor.address;
  return reserved_zero && length && descriptor.address % registers::kStreamAlignment == 0;
}

}  // namespace

StreamPort::StreamPort(registers::Engine engine, const Surroundings &surroundings, std::uint32_t queue_size_log2_max)
    : ring(queue_size_log2_max),
      completions(registers::row_of(engine).completion_queue(), queue_size_log2_max),
      row_(registers::row_of(engine)),
      surroundings_(surroundings) {}

bool StreamPort::accept(const PeerSubmission &submission) {
  if (submission.queue != 0) return false;
  ++context(submission.context).in_flight;
  peers_.push(submission);
  return true;
}

void StreamPort::withdraw(PeerClient &client, Cycle now) {
  for (const PeerSubmission &submission : peers_.remove(&client)) abort(submission, now);
}

void StreamPort::abort_peers(Cycle now) {
  for (const PeerSubmission &submission : peers_.remove()) abort(submission, now);
}

void StreamPort::abort(const PeerSubmission &submission, Cycle now) const {
  --context(submission.context).in_flight;
  submission.client->on_peer_end(submission.ticket, stream_fault(FaultCode::aborted, 0), now);
}

Cycle StreamPort::start_at(Cycle enabled_at, Cycle doorbell_latency) const { return peers_.start_at(ring, enabled_at, doorbell_latency); }

Stream StreamPort::fetch_next(Cycle now, Cycle doorbell_latency) {
  return peers_.is_next(ring, now, doorbell_latency) ? fetch_peer() : fetch(ring.head, now);
}

Stream StreamPort::fetch_peer() {
  const PeerSubmission submission = peers_.take();
  Stream stream;
  stream.index = kFirstPeerIndex + peer_streams_++ % kFirstPeerIndex;
  std::memcpy(&stream.descriptor, submission.slot.data(), sizeof stream.descriptor);
  stream.context = submission.context;
  stream.doorbell = submission.at;
  stream.client = submission.client;
  stream.ticket = submission.ticket;
  stream.fault = check(stream);
  return stream;
}

Stream StreamPort::fetch(std::uint32_t index, Cycle now) {
  Stream stream;
  stream.index = index;
  stream.doorbell = ring.doorbell[ring.slot(index)];
  const std::uint64_t address = ring.slot_address(index);
  stream.fault = read(address, &stream.descriptor, sizeof stream.descriptor, 0, now);
  if (!stream.fault) stream.fault = check_ecc(address, sizeof stream.descriptor);
  if (stream.fault) {
    stream.descriptor = {};
    return stream;
  }
  if (stream.descriptor.completion()) surroundings_.faults.on_start(now);
  stream.context = stream.descriptor.context();
  if (exists(stream.context)) ++context(stream.context).in_flight;
  stream.fault = check(stream);
  return stream;
}

Fault StreamPort::read(std::uint64_t address, void *data, std::uint64_t bytes, std::uint32_t offset, Cycle now) const {
  if (!refuses_access(now) && surroundings_.host.read(address, data, bytes)) return {};
  return stream_fault(FaultCode::bus_error, offset);
}

Fault StreamPort::check_ecc(std::uint64_t address, std::uint64_t bytes) const {
  if (surroundings_.faults.memory().empty()) return {};
  const std::optional<std::uint64_t> error = surroundings_.faults.memory().read({}, address, bytes);
  return error ? Fault{FaultCode::ecc, static_cast<std::uint32_t>(*error)} : Fault{};
}

Fault StreamPort::check(const Stream &stream) const {
  if (!exists(stream.context)) return stream_fault(FaultCode::invalid_context, 0);
  if (context(stream.context).quarantined) return stream_fault(FaultCode::aborted, 0);
  if (!context(stream.context).valid) return stream_fault(FaultCode::invalid_context, 0);
  if (!well_formed(stream.descriptor, row_.submission == registers::Submission::joined_streams))
    return stream_fault(FaultCode::stream_truncated, 0);
  return {};
}

void StreamPort::end(Stream &stream, Cycle now) {
  stream.end = now;
  if (!stream.fault || stream.fault.code == FaultCode::aborted) return;
  if (exists(stream.context) && context(stream.context).valid) context(stream.context).quarantine(now);
  surroundings_.fault.record(stream.fault, queue_number(), stream.context, stream.index, now);
}

void StreamPort::complete(const Stream &stream, Cycle now) {
  if (wants_completion(stream)) {
    const Completion completion{stream.index, queue_number(),      stream.fault.code, stream.context,
                                stream.end,   stream.fault.detail, stream.warnings};
    if (!completions.push(completion, now, surroundings_.host, surroundings_.faults)) {
      surroundings_.host.error("completion queue of the {}: bus error at the entry of stream {}: the completion is lost", row_.full_name,
                               stream.index);
    }
  }
  drop(stream);
  ring.free_at = now;
  if (stream.client == nullptr) {
    ++ring.head;
  } else {
    stream.client->on_peer_end(stream.ticket, stream.fault, now);
  }
}

void StreamPort::abort(const Stream &stream, Cycle now) {
  drop(stream);
  if (stream.client != nullptr) stream.client->on_peer_end(stream.ticket, stream_fault(FaultCode::aborted, 0), now);
}

void StreamPort::drop(const Stream &stream) {
  if (exists(stream.context)) --context(stream.context).in_flight;
}

}  // namespace cox::model
