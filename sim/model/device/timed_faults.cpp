// SPDX-License-Identifier: MIT
// Faults of a plan that come at a time, and not with something that is counted (docs/faults.md, The plan).
#include <algorithm>

#include "sim/model/device/device.h"

namespace cox::model {

using faults::Kind;
using faults::Place;

void Device::inject(const faults::Injector::Timed &due) {
  const faults::Planned &fault = due.fault;
  const bool of_core = fault.unit < kMostCores;
  switch (fault.kind) {
    case Kind::slow:
      slow_down_ = due.over ? slow_down_ / fault.factor : slow_down_ * fault.factor;
      channel_.slow_down(now_, slow_down_);
      cube_.slow_down(now_, slow_down_);
      return;
    case Kind::reset:
      if (of_core) {
        reset_core(fault.unit);
      } else {
        reset_engine(fault.unit - kMostCores);
      }
      return;
    case Kind::clock: {
      Clock &clock = of_core ? cores_[fault.unit].clock : engine_clock_[fault.unit - kMostCores];
      const Cycle since = clock.since();
      if (!clock.fail(!due.over, now_)) return;
      if (of_core) {
        follow_core_clock(fault.unit, since);
      } else {
        follow_engine_clock(fault.unit - kMostCores, since);
      }
      return;
    }
    // Memory and lines have them already; the others are counted.
    default: return;
  }
}

bool Device::transfer_word(Place place, std::uint64_t address, bool write, std::array<std::byte, faults::MemoryErrors::kWordBytes> &word) {
  if (place.memory == Place::Memory::bus) {
    return write ? host_.write(address, word.data(), word.size()) : host_.read(address, word.data(), word.size());
  }
  Core &core = cores_[place.core];
  std::byte *bytes = (place.memory == Place::Memory::l2 ? core.l2 : core.wl0).data() + address;
  if (write) {
    std::copy(word.begin(), word.end(), bytes);
  } else {
    std::copy(bytes, bytes + word.size(), word.begin());
  }
  return true;
}

}  // namespace cox::model
