// SPDX-License-Identifier: MIT
#include "examples/machine/stream_timer.h"

#include "coxswain/hal/device.h"

namespace cox::machine {

Status StreamTimer::calibrate(kernels::mx::Engine &engine, kernels::mx::Stream &stream, std::uint64_t scratch) {
  launch_ = 0;
  const isa::mx::Move move{.from = scratch, .to = scratch + isa::mx::kBlockBytes};
  stream.clear();
  std::uint64_t cycles[2] = {};
  for (std::uint64_t &measured : cycles) {
    if (Status status = stream.append(move); !status.ok()) return status;
    // The first launch also writes base registers, so only the second one counts.
    for (unsigned launch = 0; launch < 2; ++launch) {
      const Result<std::uint64_t> ran = run(engine, stream);
      if (!ran) return ran.status();
      measured = ran.value();
    }
  }
  stream.clear();
  const std::uint64_t of_move = cycles[1] - cycles[0];
  launch_ = cycles[0] - of_move;
  return {};
}

Result<std::uint64_t> StreamTimer::run(kernels::mx::Engine &engine, const kernels::mx::Stream &stream) const {
  const std::uint64_t start = hal::device_cycles();
  if (Status status = engine.run(stream); !status.ok()) return status;
  return engine.end_cycle() - start - launch_;
}

}  // namespace cox::machine
