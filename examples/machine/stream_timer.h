// SPDX-License-Identifier: MIT
// Device cycles of a stream, as the control core can see them.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "kernels/mx/engine.h"
#include "kernels/mx/stream.h"

namespace cox::machine {

class StreamTimer {
 public:
  /// Measures what a launch costs (the core's instructions up to the doorbell, and the fetch of the descriptor): a stream with one MOVE of
  /// a block, and one with two. `stream` is empty afterwards; blocks of `scratch` (2 * kBlockBytes bytes in a window) are overwritten.
  Status calibrate(kernels::mx::Engine &engine, kernels::mx::Stream &stream, std::uint64_t scratch);

  /// Runs the stream: device cycles until its end, without the launch.
  Result<std::uint64_t> run(kernels::mx::Engine &engine, const kernels::mx::Stream &stream) const;

 private:
  std::uint64_t launch_ = 0;
};

}  // namespace cox::machine
