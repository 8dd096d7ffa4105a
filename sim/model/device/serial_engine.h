// SPDX-License-Identifier: MIT
// An engine that runs its streams one at a time (docs/design.md, Engines). Most run the instructions of a stream one after another: the
// derived class then decides what an instruction does and how long it takes. Another derived class may take a whole stream with
// begin_stream() and end it with end_stream().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/model/device/stream_engine.h"

namespace cox::model {

class SerialEngine : public StreamEngine {
 public:
  void complete_waiting(unsigned unit, Cycle now) final;
  void reset(unsigned unit, Cycle now) override;

 protected:
  SerialEngine(registers::Engine id, const Surroundings &surroundings, const Geometry &geometry)
      : StreamEngine(id, surroundings, geometry.queue_size_log2_max), id_(id), doorbell_latency_(geometry.doorbell_latency) {}

  [[nodiscard]] bool executing() const { return port_.ring.state == SubmissionRing::State::executing; }
  /// Returns the time at which the stream at the head of the ring may start: kNever while a stream runs or waits for its completion.
  [[nodiscard]] Cycle stream_start(Cycle enabled_at) const;
  /// Starts the stream that stream_start() means. Returns false if its descriptor has a fault; the stream has then ended with it.
  bool begin_stream(Cycle now);
  /// Makes `event_` the event of the instruction at `position_`, which starts now.
  void begin_event(Cycle now);
  /// Reads the instruction at `position_` into `bytes`. If fewer bytes of the stream are left, shortens `bytes` to these. Returns a fault
  /// if the stream's context is quarantined or the bus refuses the read. The caller checks ECC.
  [[nodiscard]] Fault read_instruction(std::span<std::byte> &bytes, Cycle now) const;
  /// Ends the stream before the instruction starts, with the fault in `event_`.
  void refuse(Cycle now);
  /// Ends the running instruction, which has `bytes` of machine code. If it was the stream's last or `event_` has a fault, ends the stream
  /// and returns false.
  bool end_instruction(std::uint32_t bytes, Cycle now);
  /// Ends the stream with the fault in `event_`, which is the stream's last event. The caller has counted the stream's instructions.
  void end_stream(Cycle now);

  [[nodiscard]] std::uint64_t address() const { return stream_.descriptor.address + position_; }
  [[nodiscard]] Context &context() const { return port_.context(stream_.context); }

  Stream stream_;               ///< the stream at the head of the ring
  std::uint32_t position_ = 0;  ///< byte offset in the stream of the instruction that runs, or of the next one to fetch
  InstructionEvent event_;      ///< the instruction that runs

 private:
  registers::Engine id_;
  Cycle doorbell_latency_;
};

}  // namespace cox::model
