// SPDX-License-Identifier: MIT
// An engine that runs streams: one unit, with one submission queue and one completion queue (docs/design.md, Engines).
#pragma once

#include "sim/model/device/stream_port.h"
#include "sim/model/engine.h"

namespace cox::model {

class StreamEngine : public Engine {
 public:
  [[nodiscard]] SubmissionRing &ring(unsigned /*unit*/, unsigned /*queue*/) final { return port_.ring; }
  [[nodiscard]] CompletionQueue &completions(unsigned /*unit*/) final { return port_.completions; }
  [[nodiscard]] bool accept(const PeerSubmission &submission) final { return port_.accept(submission); }
  void withdraw(PeerClient &client, Cycle now) final { port_.withdraw(client, now); }

 protected:
  StreamEngine(registers::Engine id, const Surroundings &surroundings, std::uint32_t queue_size_log2_max)
      : surroundings_(surroundings), port_(id, surroundings, queue_size_log2_max) {}

  Surroundings surroundings_;
  StreamPort port_;
};

}  // namespace cox::model
