// SPDX-License-Identifier: MIT
// The MX engine for application firmware (docs/kernels/mx.md, "Your first kernel call"): a context, base registers, and waiting for streams
// to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "hal/mx_engine.h"
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

  /// Takes the engine and the context into use; `queue_memory` is aligned to 64 bytes and holds hal::MxEngine::queue_bytes(). Interrupts of
  /// the engine's completions are enabled, so that wait() can sleep; the application has connected its handlers
  /// (board::connect_npu_interrupts()). Errors as in hal/mx_engine.h and hal/context.h.
  Status init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration);

  /// Hands over a stream that stays as it is until it ended; base registers are written where they differ from the last stream's.
  /// not_ready: an earlier stream that wants other base registers has not ended. no_room: too many in flight.
  Result<std::uint32_t> submit(const Stream &stream);
  /// Sleeps until the stream with that tag has ended, for at most `limit_us` microseconds; earlier ones have ended then, too. device_fault:
  /// `what` the field, `index` the instruction's number, `value` the FaultCode, `limit` the instruction's offset in the stream; fault()
  /// says more, and the context is ready for new streams. timeout: the engine was stopped and reset; all streams are lost.
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
  Status explain(const hal::MxCompletion &completion, const Stream *stream);

  hal::Geometry geometry_;
  hal::MxEngine hardware_;
  std::span<std::byte> queue_memory_;
  unsigned queue_size_log2_ = 0;
  unsigned context_ = 0;
  std::array<isa::mx::Window, kWindows> windows_{};
  unsigned window_count_ = 0;
  std::array<std::uint64_t, isa::mx::kBaseRegisters> bases_{};
  unsigned base_count_ = 0;
  std::uint64_t end_cycle_ = 0;
  StreamFault fault_;
};

}  // namespace cox::kernels::mx
