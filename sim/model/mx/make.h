// SPDX-License-Identifier: MIT
// The MX engine's entry in the model's registry of engines.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::mx {

extern const EngineKind kKind;

}  // namespace cox::model::mx
