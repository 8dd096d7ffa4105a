// SPDX-License-Identifier: MIT
#include "sim/model/cube/flag_order.h"

#include <cstring>

namespace cox::model::cube {

void FlagOrder::on_start(const InstructionEvent &event) {
  context_ = event.context;
  add(event);
  report(event.context);
}

void FlagOrder::on_end(const InstructionEvent &event) {
  if (!event.last) return;
  if (event.fault) {
    // Add the refused slot too, so that the detector can name the flag that was missing or full.
    if (event.fault.code == FaultCode::flag_not_set || event.fault.code == FaultCode::flag_overflow) add(event);
    report(event.context);
    forget();
  } else if (!event.joined) {
    detector_.end(findings_);
    report(event.context);
    configuration_ = {};
  }
}

void FlagOrder::on_context_reset(unsigned context) {
  if (context == context_) forget();
}

void FlagOrder::on_engine_reset(unsigned /*core*/) { forget(); }

void FlagOrder::add(const InstructionEvent &event) {
  isa::cube::MachineCode code{};
  std::memcpy(code.data(), event.code.data(), sizeof code);
  // This cannot fail, because the device has checked everything except the slot's flags.
  const Result<isa::cube::Operation> operation = isa::cube::resolve(code, configuration_);
  if (!operation) return;
  configuration_.apply(operation.value());
  detector_.add(code, operation.value(), findings_);
}

void FlagOrder::report(unsigned context) {
  for (const Finding &finding : findings_) host_.warning("matrix unit, context {}: {}", context, finding.text());
  findings_.clear();
}

void FlagOrder::forget() {
  detector_ = {};
  configuration_ = {};
}

}  // namespace cox::model::cube
