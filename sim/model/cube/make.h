// SPDX-License-Identifier: MIT
// The matrix unit's entry in the model's registry of engines.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::cube {

extern const EngineKind kKind;

}  // namespace cox::model::cube
