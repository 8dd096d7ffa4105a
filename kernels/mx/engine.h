// SPDX-License-Identifier: MIT
// The MX engine for application firmware (docs/kernels/mx.md, "Your first kernel call"): a context, base registers, and waiting for streams
// to end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "kernels/engine/stream_runner.h"
#include "kernels/mx/stream.h"

namespace cox::kernels::mx {

/// Where a stream failed: "CONVACT", "InOffset".
using kernels::StreamFault;

class Engine {
 public:
  struct Configuration {
    unsigned context = 0;
    std::span<const isa::mx::Window> windows;  ///< DRAM that streams may touch, at most 4 of less than 4 GiB each
    unsigned queue_size_log2 = 3;              ///< streams in flight
  };

  /// As StreamRunner::init(). The engine stays where it is from then on.
  Status init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration);

  /// Hands over a stream that stays as it is until it ended; base registers are written where they differ from the last stream's. The
  /// core's writes to the stream's own memory are made visible to the device, those to tensors are the caller's to clean (hal/cache.h).
  /// not_ready: before init(), or an earlier stream that wants other base registers has not ended. no_room: too many in flight.
  /// invalid_argument: an empty stream.
  Result<std::uint32_t> submit(const Stream &stream);
  /// As StreamRunner::wait(), the outcome returned.
  Status wait(std::uint32_t tag, std::uint64_t limit_us);
  /// submit() and wait().
  Status run(const Stream &stream, std::uint64_t limit_us = kDefaultLimit);
  static constexpr std::uint64_t kDefaultLimit = 10'000'000;

  /// As StreamRunner::set_retries().
  void set_retries(unsigned retries) { runner_.set_retries(retries); }

  /// Of the last stream that failed.
  [[nodiscard]] const StreamFault &fault() const { return runner_.fault(); }
  /// Device cycles at the end of the last stream that ended well.
  [[nodiscard]] std::uint64_t end_cycle() const { return runner_.end_cycle(); }
  [[nodiscard]] std::span<const isa::mx::Window> windows() const { return runner_.windows(); }

 private:
  Result<std::uint32_t> submit_stream(const Stream &stream);
  Status wait_for(std::uint32_t tag, std::uint64_t limit_us);
  /// Writes the base registers again.
  static void restore(void *owner);
  /// Of a wait that went wrong: base registers are gone where the context was reset.
  Status failed();

  StreamRunner runner_;
  std::array<std::uint64_t, isa::mx::kBaseRegisters> bases_{};
  unsigned base_count_ = 0;
  std::uint32_t resets_ = 0;
};

}  // namespace cox::kernels::mx
