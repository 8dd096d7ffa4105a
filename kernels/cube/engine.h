// SPDX-License-Identifier: MIT
// The matrix unit for application firmware (docs/kernels/cube.md, "Your first kernel call"): a context, and waiting for streams to end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "kernels/cube/stream.h"
#include "kernels/engine/stream_runner.h"

namespace cox::kernels::cube {

/// Where a stream failed: "MAD", "Destination"; `instruction` is the slot's number in its segment.
using kernels::StreamFault;

class Engine {
 public:
  struct Configuration {
    unsigned context = 0;
    std::span<const isa::Window> windows;  ///< DRAM that streams may touch, at most 4 of less than 4 GiB each
    unsigned queue_size_log2 = 4;          ///< streams, and segments of streams, in flight
  };

  /// As StreamRunner::init().
  Status init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration);

  /// Feeds the stream's full segments to the device from now on, each joined to the next: the device works while kernels write. Only one
  /// stream at a time; engine and stream stay where they are. A segment is written again when what it held has ended, for which a kernel
  /// waits at most `limit_us`. What has been fed must be submitted before anything else is, and before the stream is cleared. Where it
  /// fails, the kernel gets the error of wait(), and the stream takes no more until clear(). not_ready: before init(), or what another
  /// stream has fed is not submitted yet.
  Status attach(Stream &stream, std::uint64_t limit_us = kDefaultLimit);

  /// Hands over what the stream holds, of an attached one the rest of it (where nothing is left, a BARRIER). The slots stay as they are
  /// until they ended; the core's writes to them are made visible to the device, those to tensors are the caller's to clean (hal/cache.h).
  /// not_ready: before init(); another stream has fed segments ("stream"), or this one has and was not cleared since it was submitted or
  /// failed. no_room: too many in flight. invalid_argument: an empty stream, or one longer than registers::kMostStreamBytes.
  Result<std::uint32_t> submit(Stream &stream);
  /// As StreamRunner::wait(), the outcome returned.
  Status wait(std::uint32_t tag, std::uint64_t limit_us);
  /// submit() and wait().
  Status run(Stream &stream, std::uint64_t limit_us = kDefaultLimit);
  static constexpr std::uint64_t kDefaultLimit = 10'000'000;

  /// As StreamRunner::set_retries(). What was fed is joined, and does not run again.
  void set_retries(unsigned retries) { runner_.set_retries(retries); }

  /// Of the last stream that failed.
  [[nodiscard]] const StreamFault &fault() const { return runner_.fault(); }
  /// Device cycles at the end of the last stream that ended well.
  [[nodiscard]] std::uint64_t end_cycle() const { return runner_.end_cycle(); }
  /// registers::EngineWarning, of all that was seen to end since the last submit() or run(), of what was fed to it as well.
  [[nodiscard]] unsigned warnings() const { return runner_.warnings(); }
  [[nodiscard]] std::span<const isa::Window> windows() const { return runner_.windows(); }

 private:
  static Result<std::span<std::byte>> feed(void *owner, Stream &stream);
  Result<std::span<std::byte>> feed_segment(Stream &stream);
  /// Waits where too many streams are in flight, so that one more can be submitted.
  Status make_room();
  Result<std::uint32_t> submit_rest(Stream &stream);
  /// Of a wait that went wrong: no segment is there any more to join the next one to.
  Status failed();

  StreamRunner runner_;
  std::uint32_t resets_ = 0;
  const Stream *attached_ = nullptr;
  std::uint64_t feed_limit_us_ = 0;
  bool is_joined_ = false;     ///< the last segment that was fed is waiting for one that is joined to it
  std::uint32_t segment_ = 0;  ///< that the attached stream is writing
  std::uint32_t fed_ = 0;      ///< segments of it that were fed
  std::array<std::uint32_t, Stream::kMostSegments> tags_{};
};

}  // namespace cox::kernels::cube
