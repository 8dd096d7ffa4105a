// SPDX-License-Identifier: MIT
#include "sim/model/observers/hazard_observer.h"

#include <algorithm>

#include "sim/model/registry.h"

namespace cox::model {

HazardObserver::HazardObserver(const Host &host) : between_(host) {
  for (const EngineKind *kind : engine_kinds()) {
    engines_.push_back({kind->id, kind->make_order != nullptr ? kind->make_order(host) : std::make_unique<hazard::StreamOrder>()});
  }
}

hazard::Order &HazardObserver::order_of(registers::Engine engine) const {
  // Only engines of the registry send events, so the search succeeds.
  return *std::find_if(engines_.begin(), engines_.end(), [engine](const Engine &entry) { return entry.id == engine; })->order;
}

void HazardObserver::on_start(const InstructionEvent &event) {
  hazard::Order &order = order_of(event.engine);
  order.on_start(event);
  between_.on_start(event, [&] { return order.name(event); });
}

void HazardObserver::on_end(const InstructionEvent &event) {
  order_of(event.engine).on_end(event);
  between_.on_end(event);
}

void HazardObserver::on_context_reset(unsigned context, Cycle /*now*/) {
  for (const Engine &engine : engines_) engine.order->on_context_reset(context);
}

void HazardObserver::on_engine_reset(registers::Engine engine, unsigned core, Cycle now) {
  order_of(engine).on_engine_reset(core);
  between_.on_engine_reset(engine, core, now);
}

}  // namespace cox::model
