// SPDX-License-Identifier: MIT
// What firmware sees of an engine that runs streams: its submission queue with descriptors, its completion queue, and what a stream's end
// does to its context (docs/design.md, Engines). Which instructions run when is the engine's.
#pragma once

#include <cstdint>

#include "device/engine_descriptor.h"
#include "sim/model/device/completion_queue.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/device/surroundings.h"

namespace cox::model {

/// A stream from the fetch of its descriptor to its completion.
struct Stream {
  std::uint32_t index = 0;  ///< running index of its descriptor in the submission queue
  registers::EngineDescriptor descriptor{};
  unsigned context = kNoContext;  ///< as fetched: may be none that exists
  Cycle doorbell = 0;
  Fault fault;
  unsigned warnings = 0;  ///< registers::EngineWarning
  Cycle end = 0;
};

class StreamPort {
 public:
  StreamPort(registers::Engine engine, const Surroundings &surroundings, std::uint32_t queue_size_log2_max);

  /// Fetches and checks the descriptor at `index`: `fault` says what is wrong with it. From here until complete() or drop() the stream is
  /// in flight in its context.
  [[nodiscard]] Stream fetch(std::uint32_t index, Cycle now);
  /// Reads a part of a stream, at `offset` in it, or of its descriptor.
  [[nodiscard]] Fault read(std::uint64_t address, void *data, std::uint64_t bytes, std::uint32_t offset, Cycle now) const;
  /// Memory that the engine reads: a fault with the address where it cannot be corrected.
  [[nodiscard]] Fault check_ecc(std::uint64_t address, std::uint64_t bytes) const;
  /// One access of the engine: whether a fault makes the bus refuse it.
  [[nodiscard]] bool refuses_access(Cycle now) const { return surroundings_.faults.refuses_access(queue_number(), now); }
  /// An instruction starts: as faults::Injector::stands_still().
  [[nodiscard]] Cycle stands_still(Cycle now) const { return surroundings_.faults.stands_still(queue_number(), now); }
  [[nodiscard]] faults::MemoryErrors &memory() const { return surroundings_.faults.memory(); }
  /// The stream has ended at `now`: its fault is latched and quarantines its context.
  void end(Stream &stream, Cycle now);
  /// Whether complete() has a place for its entry, or needs none.
  [[nodiscard]] bool may_complete(const Stream &stream) const { return !wants_completion(stream) || completions.has_room(); }
  /// The oldest stream that has not completed: writes its entry, if one is wanted, and gives its descriptor back.
  void complete(const Stream &stream, Cycle now);
  /// It is thrown away.
  void drop(const Stream &stream);

  /// As in completions.
  [[nodiscard]] std::uint32_t queue_number() const { return row_.queue_number(); }
  [[nodiscard]] bool exists(unsigned context) const { return context < surroundings_.contexts.size(); }
  [[nodiscard]] Context &context(unsigned index) const { return surroundings_.contexts[index]; }

  SubmissionRing ring;
  CompletionQueue completions;

 private:
  [[nodiscard]] static bool wants_completion(const Stream &stream) { return stream.fault || stream.descriptor.completion(); }
  [[nodiscard]] Fault check(const Stream &stream) const;
  const registers::EngineRow &row_;
  Surroundings surroundings_;
};

}  // namespace cox::model
