// SPDX-License-Identifier: MIT
// Base registers of the MX engine (docs/design.md, Engines).
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"
#include "coxswain/hal/device.h"

namespace cox::hal::mx {

/// Writes base register `index` (0 to 31) of a context. A reset of the context (configure_context(), release_context()) marks all of them
/// as not written. Errors, with nothing written: unsupported if the device has no MX engine; invalid_argument for a context or register
/// that does not exist.
Status write_base(const hal::Geometry &geometry, unsigned context, unsigned index, std::uint64_t address);

}  // namespace cox::hal::mx
