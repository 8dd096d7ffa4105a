// SPDX-License-Identifier: MIT
// Faults that a plan has at a given time, not at a counted event (docs/faults.md, The plan).
#include <algorithm>

#include "sim/model/device/device.h"

namespace cox::model {

using faults::Kind;
using faults::Place;

void Device::inject(const faults::Injector::Timed &due) {
  const faults::Planned &fault = due.fault;
  switch (fault.kind) {
    case Kind::slow:
      slow_down_ = due.over ? slow_down_ / fault.factor : slow_down_ * fault.factor;
      channel_.slow_down(now_, slow_down_);
      for (const auto &engine : engines_) engine->slow_down(now_, slow_down_);
      return;
    case Kind::reset:
      if (const Unit *unit = find_unit(fault.unit); unit != nullptr) unit->engine->reset(unit->index, now_);
      return;
    case Kind::clock: {
      Unit *unit = find_unit(fault.unit);
      if (unit == nullptr) return;
      const Cycle since = unit->clock.since();
      if (unit->clock.fail(!due.over, now_)) follow_clock(*unit, since);
      return;
    }
    // The injector has already applied faults of memory and interrupt lines. All other kinds happen at a counted event, not at a time.
    default: return;
  }
}

bool Device::transfer_word(Place place, std::uint64_t address, bool write, std::array<std::byte, faults::MemoryErrors::kWordBytes> &word) {
  if (place.memory == Place::Memory::bus) {
    return write ? host_.write(address, word.data(), word.size()) : host_.read(address, word.data(), word.size());
  }
  const Unit *unit = find_unit(place.core);
  const std::span<std::byte> memory = unit == nullptr ? std::span<std::byte>() : unit->engine->memory(place);
  if (address + word.size() > memory.size()) return false;
  std::byte *bytes = memory.data() + address;
  if (write) {
    std::copy(word.begin(), word.end(), bytes);
  } else {
    std::copy(bytes, bytes + word.size(), word.begin());
  }
  return true;
}

}  // namespace cox::model
