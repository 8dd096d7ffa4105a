// SPDX-License-Identifier: MIT
#include "sim/model/registry.h"

namespace cox::model {

std::span<const char *const> core_queues() {
  for (const EngineKind *kind : engine_kinds()) {
    if (!kind->queues.empty()) return kind->queues;
  }
  return {};
}

const char *cores_parameter() {
  for (const EngineKind *kind : engine_kinds()) {
    if (kind->cores_parameter != nullptr) return kind->cores_parameter;
  }
  return "";
}

Inventory inventory_of(const ParameterValues &parameters) {
  Inventory inventory;
  for (const EngineKind *kind : engine_kinds()) {
    if (kind->describe != nullptr) kind->describe(parameters, inventory);
    if (const registers::EngineRow &row = registers::row_of(kind->id); row.has_ring()) inventory.engines.push_back(&row);
  }
  return inventory;
}

}  // namespace cox::model
