// SPDX-License-Identifier: MIT
// Contexts that come into use (docs/model.md, Owners).
#include "sim/model/device/device.h"

namespace cox::model {

namespace control = registers::context::control;

const char *Device::write_context_control(unsigned index, std::uint32_t value) {
  Context &context = contexts_[index];
  const bool valid = control::kValid.get(value) != 0;
  const bool takes = valid && !context.valid;
  // Otherwise effects of instructions in flight could come after the clearing, or through windows of another owner.
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
  // An engine may find that this context must give up memories of another owner.
  for (const auto &engine : engines_) engine->on_context_taken(index, now_);
  context.holder = context.owner;
}

}  // namespace cox::model
