// SPDX-License-Identifier: MIT
// Makes the echo engine for the model's registry.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::echo {

extern const EngineKind kKind;

}  // namespace cox::model::echo
