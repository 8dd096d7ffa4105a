// SPDX-License-Identifier: MIT
// The Unity engine's entry in the model's registry of engines.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::unity {

extern const EngineKind kKind;

}  // namespace cox::model::unity
