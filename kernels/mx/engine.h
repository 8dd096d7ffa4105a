// SPDX-License-Identifier: MIT
// The MX engine for application firmware (docs/kernels/mx.md, "Your first kernel call"): a context, base registers, and waiting for streams
// to end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "base/result.h"
#include "hal/stream_engine.h"
#include "kernels/mx/stream.h"

namespace cox::kernels::mx {

/// Where a stream failed; filled in by Engine::wait() and run().
struct StreamFault {
  hal::FaultCode code = hal::FaultCode::none;
  std::uint64_t address = 0;      ///< bus address of the instruction
  std::int32_t instruction = -1;  ///< its number in the stream
  const char *name = "";          ///< "CONVACT"
  const char *field = "";         ///< "InOffset", or "instruction"
};

class Engine {
 public:
  struct Configuration {
    unsigned context = 0;
    std::span<const isa::mx::Window> windows;  ///< DRAM that streams may touch, at most 4 of less than 4 GiB each
    unsigned queue_size_log2 = 3;              ///< streams in flight
  };

  /// Resets the engine and takes it and the context into use; `queue_memory` is aligned to 64 bytes and holds
  /// hal::StreamEngine::queue_bytes(). The application has connected its handlers (board::connect_npu_interrupts()), else sleeping lasts to
  /// the next tick. They have nothing to do for the MX engine, whose interrupt is enabled only while wait() sleeps. Errors as in
  /// hal/stream_engine.h and hal/context.h; invalid_argument: more than kWindows windows.
  Status init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration);

  /// Hands over a stream that stays as it is until it ended; base registers are written where they differ from the last stream's. The
  /// core's writes to the stream's own memory are made visible to the device, those to tensors are the caller's to clean (hal/cache.h).
  /// not_ready: before init(), or an earlier stream that wants other base registers has not ended. no_room: too many in flight.
  /// invalid_argument: an empty stream.
  Result<std::uint32_t> submit(const Stream &stream);
  /// Sleeps until the stream with that tag has ended, for at most `limit_us` microseconds; earlier ones have ended then, too. device_fault:
  /// `what` the field, `index` the instruction's number, `value` the FaultCode, `limit` the instruction's offset in the stream; fault()
  /// says more. Streams that were submitted after the one that failed did not run: waiting for them gives the same error, until another
  /// stream fails; not_ready: how a stream from before the last failure but one ended is forgotten. The context is ready for new ones.
  /// timeout: the engine was stopped and reset; all streams are lost, and tags begin anew. invalid_argument: no such stream was submitted.
  /// Not with interrupts masked.
  Status wait(std::uint32_t tag, std::uint64_t limit_us);
  /// submit() and wait().
  Status run(const Stream &stream, std::uint64_t limit_us = kDefaultLimit);
  static constexpr std::uint64_t kDefaultLimit = 10'000'000;

  /// Of the last stream that failed.
  [[nodiscard]] const StreamFault &fault() const { return fault_; }
  /// Device cycles at the end of the last stream that ended well.
  [[nodiscard]] std::uint64_t end_cycle() const { return end_cycle_; }
  [[nodiscard]] std::span<const isa::mx::Window> windows() const { return {windows_.data(), window_count_}; }

 private:
  Status take_into_use();
  Result<std::uint32_t> submit_stream(const Stream &stream);
  Status wait_for(std::uint32_t tag, std::uint64_t limit_us);
  /// Of a whole wait(). The clock is read when there is something to wait for, so time begins then.
  struct Deadline {
    std::uint64_t limit_us = 0;
    bool has_begun = false;
    std::uint64_t at = 0;

    bool is_over(std::uint64_t now) {
      constexpr std::uint64_t kForever = std::numeric_limits<std::uint64_t>::max();
      if (!has_begun) at = limit_us > kForever - now ? kForever : now + limit_us;
      has_begun = true;
      return now >= at;
    }
  };
  /// The next completion, or nothing at the deadline.
  std::optional<hal::StreamCompletion> next(Deadline &deadline);
  /// How a stream ended that is not in flight.
  [[nodiscard]] Status outcome_of(std::uint32_t tag) const;
  Status recover(const hal::StreamCompletion &completion, Deadline &deadline);
  Status give_up();
  void explain(const hal::StreamCompletion &completion);
  Status configure_context();

  hal::Geometry geometry_;
  hal::StreamEngine hardware_;
  std::span<std::byte> queue_memory_;
  unsigned queue_size_log2_ = 0;
  unsigned context_ = 0;
  std::array<isa::mx::Window, kWindows> windows_{};
  unsigned window_count_ = 0;
  std::array<std::uint64_t, isa::mx::kBaseRegisters> bases_{};
  unsigned base_count_ = 0;
  std::uint64_t end_cycle_ = 0;
  StreamFault fault_;
  Status failure_;  ///< of the last stream that failed, and of the `failed_count_` from `failed_first_` on that did not run
  std::uint32_t failed_first_ = 0, failed_count_ = 0;
  std::uint32_t known_from_ = 0;  ///< streams from here on that did not fail have ended well
};

}  // namespace cox::kernels::mx
