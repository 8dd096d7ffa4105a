// SPDX-License-Identifier: MIT
// Measures the device cycles of a stream with the control core's clock.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "kernels/mx/engine.h"
#include "kernels/mx/stream.h"

namespace cox::machine {

class StreamTimer {
 public:
  /// Measures the cost of a launch: the core's instructions up to the doorbell and the fetch of the descriptor. The function times a stream
  /// with one MOVE and a stream with two equal MOVEs: move = two - one; launch = one - move. Leaves `stream` empty and overwrites
  /// 2 * kBlockBytes bytes at `scratch`, which must lie in a window.
  Status calibrate(kernels::mx::Engine &engine, kernels::mx::Stream &stream, std::uint64_t scratch);

  /// Runs the stream. Returns the device cycles until its end, without the launch.
  Result<std::uint64_t> run(kernels::mx::Engine &engine, const kernels::mx::Stream &stream) const;

 private:
  std::uint64_t launch_ = 0;
};

}  // namespace cox::machine
