// SPDX-License-Identifier: MIT
// Measures the device cycles of a stream with the control core's clock.
#pragma once

#include <cstdint>

#include "coxswain/base/result.h"
#include "coxswain/kernels/mx/engine.h"
#include "coxswain/kernels/mx/stream.h"

namespace cox::machine {

class StreamTimer {
 public:
  /// Measures the cost of a launch, in device cycles: the time in which the core executes its instructions up to the doorbell, plus the
  /// time in which the device fetches the descriptor. For this, the function times a stream with one MOVE and a stream with two equal
  /// MOVEs. The difference of the two times is the time of one MOVE. The cost of a launch is the first time minus that difference. The
  /// function leaves `stream` empty and overwrites 2 * kBlockBytes bytes at `scratch`, which must lie in a window.
  Status calibrate(kernels::mx::Engine &engine, kernels::mx::Stream &stream, std::uint64_t scratch);

  /// Runs the stream. Returns the device cycles until its end, without the launch.
  Result<std::uint64_t> run(kernels::mx::Engine &engine, const kernels::mx::Stream &stream) const;

 private:
  std::uint64_t launch_ = 0;
};

}  // namespace cox::machine
