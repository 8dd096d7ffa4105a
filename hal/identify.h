// SPDX-License-Identifier: MIT
// The part of identify() that depends on the engine. In device/engines.h, each engine has a row with a key (KEY below) and a home. If the
// home is `layers`, hal/KEY/geometry.cpp defines this part. An engine with home `tests` has no such part.
#pragma once

#include <cstdint>

#include "coxswain/device/engines.h"
#include "coxswain/hal/device.h"

namespace cox::hal {

/// Values of the registers that describe more than one engine.
struct GeometryRegisters {
  std::uint32_t geometry0;
  std::uint32_t geometry1;
  std::uint32_t geometry2;
};

/// Returns the error for a device whose field `what` has a value that this firmware does not know.
Status unknown_device(const char *what, std::uint32_t value, std::uint32_t known);

// id::identify() is called if the device has the engine. It checks the engine's geometry, and fills the engine's members of `geometry`.
#define COX_HAL_DECLARE_layers(id)                                      \
  namespace id {                                                        \
  Status identify(const GeometryRegisters &common, Geometry &geometry); \
  }
#define COX_HAL_DECLARE_tests(id)
#define COX_HAL_DECLARE(id, number, name, full_name, submission, home, ...) COX_HAL_DECLARE_##home(id)
COX_ENGINES(COX_HAL_DECLARE)
#undef COX_HAL_DECLARE
#undef COX_HAL_DECLARE_layers
#undef COX_HAL_DECLARE_tests

}  // namespace cox::hal
