// SPDX-License-Identifier: MIT
// Creates the tile cores for the registry.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::tile {

extern const EngineKind kKind;

}  // namespace cox::model::tile
