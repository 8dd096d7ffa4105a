// SPDX-License-Identifier: MIT
// The matrix unit for application firmware (docs/kernels/cube.md, "Your first kernel call"): a context, and waiting for streams to end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "hal/stream_engine.h"
#include "kernels/cube/stream.h"

namespace cox::kernels::cube {

/// Where a stream failed.
struct StreamFault {
  hal::FaultCode code = hal::FaultCode::none;
  std::uint64_t address = 0;      ///< bus address of the slot
  std::int32_t instruction = -1;  ///< its number in the segment
  const char *name = "";          ///< "MAD"
  const char *field = "";         ///< "Destination", or "instruction"
};

class Engine {
 public:
  struct Configuration {
    unsigned context = 0;
    std::span<const isa::Window> windows;  ///< DRAM that streams may touch, at most 4 of less than 4 GiB each
    unsigned queue_size_log2 = 4;          ///< streams, and segments of streams, in flight
  };

  /// As kernels::mx::Engine::init().
  Status init(const hal::Geometry &geometry, std::span<std::byte> queue_memory, const Configuration &configuration);

  /// Feeds the stream's full segments to the device from now on: the device works while kernels write. Only one stream at a time.
  Status attach(Stream &stream);

  /// Hands over what the stream holds (of an attached one, the rest of it) and waits until all of it has ended. Errors, limits and recovery
  /// as kernels::mx::Engine::submit() and wait().
  Result<std::uint32_t> submit(Stream &stream);
  Status wait(std::uint32_t tag, std::uint64_t limit_us);
  Status run(Stream &stream, std::uint64_t limit_us = kDefaultLimit);
  static constexpr std::uint64_t kDefaultLimit = 10'000'000;

  [[nodiscard]] const StreamFault &fault() const;  ///< of the last stream that failed
  [[nodiscard]] std::uint64_t end_cycle() const;   ///< device cycles at the end of the last stream that ended well
  [[nodiscard]] unsigned warnings() const;         ///< registers::EngineWarning, of the streams since the last call of run() or submit()
};

}  // namespace cox::kernels::cube
