// SPDX-License-Identifier: MIT
// Writes to a context's CONTROL: reset, abort, and the moment when the context becomes valid (docs/model.md, Owners).
#include "sim/model/device/device.h"

namespace cox::model {

namespace control = registers::context::control;

const char *Device::write_context_control(unsigned index, std::uint32_t value) {
  Context &context = contexts_[index];
  const bool valid = control::kValid.get(value) != 0;
  const bool takes = valid && !context.valid;
  // Refuse the write while instructions are in flight. They could still write to memory that was just cleared, or through windows of
  // another owner.
  if (context.in_flight != 0 && (control::kReset.get(value) != 0 || takes)) return "instructions of the context are in flight";
  if (control::kReset.get(value) != 0) {
    context.quarantined = false;
    for (const auto &engine : engines_) engine->on_context_reset(index);
    observers_.context_reset(index, now_);
  }
  if (takes) take(index);
  context.valid = valid;
  if (control::kAbort.get(value) != 0) context.quarantine(now_);
  return nullptr;
}

void Device::take(unsigned index) {
  Context &context = contexts_[index];
  if (context.holder && *context.holder != context.owner) {
    for (const auto &engine : engines_) engine->on_owner_change(index);
  }
  // on_context_taken() clears the holder of each context that holds the same memory for another owner. That may include this context, so
  // set its holder afterwards.
  for (const auto &engine : engines_) engine->on_context_taken(index, now_);
  context.holder = context.owner;
}

}  // namespace cox::model
