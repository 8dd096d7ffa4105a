// SPDX-License-Identifier: MIT
// Submissions from one engine to another (docs/design.md, Peers). The engine that submits is the client. Its slots do not lie in a ring of
// firmware, and no completion entry reports their ends: the client hears of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/model/device/fault.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/geometry.h"

namespace cox::model {

class PeerClient {
 public:
  /// A submission has ended, with `fault` if it failed: FaultCode::aborted if its engine was reset or its context quarantined. The engine
  /// may be in the middle of a step, so the client only takes note.
  virtual void on_peer_end(std::uint32_t ticket, const Fault &fault, Cycle now) = 0;

 protected:
  ~PeerClient() = default;
};

/// One slot. It counts as in flight in its context from Engine::accept() to its end.
struct PeerSubmission {
  std::array<std::byte, kSlotBytes> slot{};  ///< as in a submission queue, with the context and without a completion
  unsigned context = 0;                      ///< a context of the device
  unsigned queue = 0;                        ///< queue of a core; 0 for engines with a ring
  PeerClient *client = nullptr;
  std::uint32_t ticket = 0;
  Cycle at = 0;  ///< when the slot reaches the engine
};

/// The slots that peers have submitted to one queue and that have not started, oldest first.
class PeerQueue {
 public:
  [[nodiscard]] bool empty() const { return waiting_.empty(); }
  [[nodiscard]] const PeerSubmission &front() const { return waiting_.front(); }
  void push(const PeerSubmission &submission) { waiting_.push_back(submission); }
  [[nodiscard]] PeerSubmission take() {
    const PeerSubmission first = waiting_.front();
    waiting_.pop_front();
    return first;
  }
  /// The earliest start of the oldest slot here or in the `ring` of the same queue, which is idle; kNever if both are empty, or if the
  /// device is not enabled (`enabled_at` is kNever).
  [[nodiscard]] Cycle start_at(const SubmissionRing &ring, Cycle enabled_at, Cycle doorbell_latency) const {
    const Cycle own = ring.start_at(enabled_at, doorbell_latency);
    return waiting_.empty() || enabled_at == kNever ? own : std::min(own, std::max({waiting_.front().at, enabled_at, ring.free_at}));
  }
  /// True if the oldest slot starts at `now`, and not the one at the head of the ring: it has waited longer.
  [[nodiscard]] bool is_next(const SubmissionRing &ring, Cycle now, Cycle doorbell_latency) const {
    if (waiting_.empty() || waiting_.front().at > now) return false;
    return ring.head == ring.tail || waiting_.front().at < ring.doorbell[ring.slot(ring.head)] + doorbell_latency;
  }
  /// Removes the slots of a client, or all, and returns them.
  std::vector<PeerSubmission> remove(const PeerClient *client = nullptr) {
    std::vector<PeerSubmission> removed;
    std::erase_if(waiting_, [&](const PeerSubmission &submission) {
      if (client != nullptr && submission.client != client) return false;
      removed.push_back(submission);
      return true;
    });
    return removed;
  }

 private:
  std::deque<PeerSubmission> waiting_;
};

}  // namespace cox::model
