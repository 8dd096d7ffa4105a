// SPDX-License-Identifier: MIT
#include "coxswain/kernels/unity/engine.h"

#include "coxswain/hal/unity/keys.h"
#include "coxswain/isa/unity/location.h"

namespace cox::kernels::unity {

void Set::explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault) {
  const isa::Location location = isa::unity::locate(stream, detail.offset, detail.field_bit);
  fault.instruction = location.instruction;
  fault.name = location.name;
  fault.field = location.field;
}

void Set::read_waiting(std::span<const std::byte> stream, StreamFault &fault) {
  fault.waiting_units = hal::unity::read_waiting(stream, fault.waiting);
}

}  // namespace cox::kernels::unity

template class cox::kernels::Engine<cox::kernels::unity::Set>;
