// SPDX-License-Identifier: MIT
// Runs the full segments of a stream while kernels write the next one (Streams in docs/kernels). Only engines that join streams use
// it.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "coxswain/base/result.h"
#include "coxswain/kernels/engine/stream_buffer.h"
#include "coxswain/kernels/engine/stream_runner.h"

namespace cox::kernels {

class SegmentFeeder {
 public:
  /// Forgets the attached stream.
  void detach();
  /// From now on, the feeder submits each full segment of `stream` to `runner`. The device joins the segments to one stream. Before
  /// kernels write a segment's memory again, the feeder waits at most `limit_us` microseconds until the device has completed the segment.
  /// Feeder, runner and stream must not move. Errors: not_ready before StreamRunner::init(); not_ready ("stream") while is_joined().
  Status attach(StreamRunner &runner, StreamBuffer &stream, std::uint64_t limit_us);

  /// Returns true if the segment that was submitted last must be followed by a segment that is joined to it.
  [[nodiscard]] bool is_joined() const { return is_joined_; }
  [[nodiscard]] bool is_attached(const StreamBuffer &stream) const { return &stream == attached_; }
  [[nodiscard]] bool has_attached() const { return attached_ != nullptr; }
  /// Waits until one more stream can be submitted. Call only after attach(). If it returns false, StreamRunner::status() holds the error.
  [[nodiscard]] bool make_room();
  /// Makes is_joined() false. Called after the rest of the stream was submitted, or after the context was reset.
  void end() { is_joined_ = false; }

 private:
  static Result<std::span<std::byte>> feed(void *owner, StreamBuffer &stream);
  Result<std::span<std::byte>> feed_segment(StreamBuffer &stream);
  bool wait(std::uint32_t tag);

  StreamRunner *runner_ = nullptr;
  const StreamBuffer *attached_ = nullptr;
  std::uint64_t limit_us_ = 0;
  bool is_joined_ = false;
  std::uint32_t resets_ = 0;   ///< StreamRunner::resets() when the stream's first segment was submitted
  std::uint32_t segment_ = 0;  ///< index of the segment that kernels write now
  std::uint32_t fed_ = 0;      ///< how many of the stream's segments were submitted
  std::array<std::uint32_t, StreamBuffer::kMostSegments> tags_{};
};

}  // namespace cox::kernels
