// SPDX-License-Identifier: MIT
// The MX engine's base registers (docs/design.md, Engines).
#pragma once

#include <cstdint>

#include "base/status.h"
#include "hal/device.h"

namespace cox::hal {

/// Writes base register `index` (0 to 31) of a context. A reset of the context (configure_context(), release_context()) makes all of them
/// unwritten. invalid_argument: no such context or register.
Status write_mx_base(const Geometry &geometry, unsigned context, unsigned index, std::uint64_t address);

}  // namespace cox::hal
