// SPDX-License-Identifier: MIT
// Creates the MX engine for the registry.
#pragma once

#include "sim/model/registry.h"

namespace cox::model::mx {

extern const EngineKind kKind;

}  // namespace cox::model::mx
