// SPDX-License-Identifier: MIT
// The PIM engine's entry in the model's registry of engines.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::pim {

extern const EngineKind kKind;

}  // namespace cox::model::pim
