// SPDX-License-Identifier: MIT
// Clocks of cores and engines (docs/model.md, Clocks): what runs when a clock stops stands still, and goes on where it was.
#include "sim/model/device/device.h"

namespace cox::model {

using isa::tile::kClasses;
using State = SubmissionRing::State;

namespace {

bool bit(std::uint32_t bits, unsigned index) { return (bits >> index & 1) != 0; }

}  // namespace

void Device::write_clock_enable(std::uint32_t value) {
  namespace fields = registers::clock_enable;
  clock_enable_ = value;
  for (unsigned i = 0; i < cores_.size(); ++i) {
    const Cycle since = cores_[i].clock.since();
    if (cores_[i].clock.enable(bit(fields::kCore.get(value), i), now_)) follow_core_clock(i, since);
  }
  for (unsigned i = 0; i < kEngines; ++i) {
    const Cycle since = engine_clock_[i].since();
    if (engine_clock_[i].enable(bit(fields::kEngine.get(value), i), now_)) follow_engine_clock(i, since);
  }
}

void Device::reset_clocks() {
  write_clock_enable(registers::clock_enable::kResetValue);
  for (Core &core : cores_) core.clock.forget(now_);
  for (Clock &clock : engine_clock_) clock.forget(now_);
}

void Device::follow_core_clock(unsigned core_index, Cycle since) {
  Core &core = cores_[core_index];
  const bool running = core.clock.running();
  for (unsigned i = 0; i < kClasses; ++i) {
    SubmissionQueue &queue = core.queues[i];
    if (!queue.busy()) continue;
    const bool transferring = queue.state == State::transferring;
    if (!running) {
      if (transferring) queue.paused_transfer = channel_.pause(mover(core_index, i), now_);
      continue;
    }
    if (transferring) channel_.resume(mover(core_index, i), now_, queue.paused_transfer);
    if (queue.phase_end != kNever) queue.phase_end += now_ - since;
    queue.stood += now_ - since;
  }
}

void Device::follow_engine_clock(unsigned engine, Cycle since) {
  const bool running = engine_clock_[engine].running();
  const auto follow = [&](auto &runs) {
    if (running) {
      runs.resume(now_, now_ - since);
    } else {
      runs.pause(now_);
    }
  };
  if (engine == 0) {
    follow(mx_);
  } else {
    follow(cube_);
  }
}

}  // namespace cox::model
