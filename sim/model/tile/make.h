// SPDX-License-Identifier: MIT
// The tile cores' entry in the model's registry of engines.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::tile {

extern const EngineKind kKind;

}  // namespace cox::model::tile
