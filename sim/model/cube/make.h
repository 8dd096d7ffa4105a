// SPDX-License-Identifier: MIT
// Creates the matrix unit for the registry.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::cube {

extern const EngineKind kKind;

}  // namespace cox::model::cube
