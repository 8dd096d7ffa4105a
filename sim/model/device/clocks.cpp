// SPDX-License-Identifier: MIT
// Clocks of cores and engines (docs/model.md, Clocks). While a clock is stopped, instructions of its unit stand still. They continue when
// the clock runs again.
#include "sim/model/device/device.h"

namespace cox::model {

void Device::write_clock_enable(std::uint32_t value) {
  namespace fields = registers::clock_enable;
  clock_enable_ = value;
  for (Unit &unit : units_) {
    const bool core = unit.number < registers::kFirstEngineCompletionQueue;
    const std::uint32_t bits = core ? fields::kCore.get(value) >> unit.number
                                    : fields::kEngine.get(value) >> (unit.number - registers::kFirstEngineCompletionQueue);
    const Cycle since = unit.clock.since();
    if (unit.clock.enable((bits & 1) != 0, now_)) follow_clock(unit, since);
  }
}

void Device::reset_clocks() {
  write_clock_enable(registers::clock_enable::kResetValue);
  for (Unit &unit : units_) unit.clock.forget(now_);
}

void Device::follow_clock(const Unit &unit, Cycle since) {
  if (unit.clock.running()) {
    unit.engine->resume(unit.index, now_, now_ - since);
  } else {
    unit.engine->pause(unit.index, now_);
  }
}

}  // namespace cox::model
