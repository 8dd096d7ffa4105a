// SPDX-License-Identifier: MIT
// The part of an engine with streams that firmware sees: its submission queue with descriptors, its completion queue, and the effect of a
// stream's end on its context (docs/design.md, Engines). The engine decides when each instruction runs.
#pragma once

#include <cstdint>

#include "coxswain/device/engine_descriptor.h"
#include "sim/model/device/completion_queue.h"
#include "sim/model/device/peer.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/device/surroundings.h"

namespace cox::model {

/// A stream from the fetch of its descriptor to its completion.
struct Stream {
  std::uint32_t index = 0;  ///< running index of its descriptor in the submission queue
  registers::EngineDescriptor descriptor{};
  unsigned context = kNoContext;  ///< the number in the descriptor, even if the device has no such context
  Cycle doorbell = 0;
  Fault fault;
  unsigned warnings = 0;  ///< bit i: warning i in the engine's row of the table in device/engines.h
  Cycle end = 0;
  PeerClient *client = nullptr;  ///< the peer that has submitted the stream; nullptr: firmware has
  std::uint32_t ticket = 0;      ///< of the client
};

class StreamPort {
 public:
  StreamPort(registers::Engine engine, const Surroundings &surroundings, std::uint32_t queue_size_log2_max);

  // Streams of peers. They have indices from kFirstPeerIndex on.
  static constexpr std::uint32_t kFirstPeerIndex = 1U << 31;
  /// As Engine::accept().
  [[nodiscard]] bool accept(const PeerSubmission &submission);
  /// As Engine::withdraw().
  void withdraw(PeerClient &client, Cycle now);
  /// The earliest start of the next stream if no stream runs: of the ring's, or of a peer's.
  [[nodiscard]] Cycle start_at(Cycle enabled_at, Cycle doorbell_latency) const;
  /// fetch() for the stream that may start at `now`. Of two, the one that has waited longer.
  [[nodiscard]] Stream fetch_next(Cycle now, Cycle doorbell_latency);
  /// Drops the streams of peers that have not started, and tells their clients.
  void abort_peers(Cycle now);

  /// Fetches and checks the descriptor at `index`. If the descriptor is wrong, the stream's `fault` says why. The stream is in flight in
  /// its context from now until complete() or drop().
  [[nodiscard]] Stream fetch(std::uint32_t index, Cycle now);
  /// Reads bytes of a stream or of its descriptor. `offset` is the position in the stream, for the fault.
  [[nodiscard]] Fault read(std::uint64_t address, void *data, std::uint64_t bytes, std::uint32_t offset, Cycle now) const;
  /// Called for memory that the engine reads. If ECC cannot correct an error in this memory, returns a fault with the address.
  [[nodiscard]] Fault check_ecc(std::uint64_t address, std::uint64_t bytes) const;
  /// Called for each access of the engine. Returns whether a fault makes the bus refuse it.
  [[nodiscard]] bool refuses_access(Cycle now) const { return surroundings_.faults.refuses_access(queue_number(), now); }
  /// Called when an instruction starts. Returns for how many cycles an injected fault holds the instruction up: 0 if there is no such
  /// fault, kNever if it lasts until a reset.
  [[nodiscard]] Cycle stands_still(Cycle now) const { return surroundings_.faults.stands_still(queue_number(), now); }
  [[nodiscard]] faults::MemoryErrors &memory() const { return surroundings_.faults.memory(); }
  /// Ends the stream at `now`. If it has a fault, latches it and quarantines the context.
  void end(Stream &stream, Cycle now);
  /// Returns whether the completion queue has room for the stream's entry, or the stream wants no entry.
  [[nodiscard]] bool may_complete(const Stream &stream) const { return !wants_completion(stream) || completions.has_room(); }
  /// Completes the oldest stream: writes its entry, if one is wanted, and frees its descriptor. Tells the client of a peer's stream.
  void complete(const Stream &stream, Cycle now);
  /// Discards the stream without a completion.
  void drop(const Stream &stream);
  /// drop() at a reset of the engine: tells the client that the stream was aborted.
  void abort(const Stream &stream, Cycle now);

  /// Returns the number by which completions name the submission queue.
  [[nodiscard]] std::uint32_t queue_number() const { return row_.queue_number(); }
  [[nodiscard]] bool exists(unsigned context) const { return context < surroundings_.contexts.size(); }
  [[nodiscard]] Context &context(unsigned index) const { return surroundings_.contexts[index]; }

  SubmissionRing ring;
  CompletionQueue completions;

 private:
  [[nodiscard]] static bool wants_completion(const Stream &stream) {
    return stream.client == nullptr && (stream.fault || stream.descriptor.completion());
  }
  [[nodiscard]] Stream fetch_peer();
  void abort(const PeerSubmission &submission, Cycle now) const;
  [[nodiscard]] Fault check(const Stream &stream) const;
  const registers::EngineRow &row_;
  Surroundings surroundings_;
  PeerQueue peers_;
  std::uint32_t peer_streams_ = 0;  ///< number of streams of peers so far
};

}  // namespace cox::model
