// SPDX-License-Identifier: MIT
// Configuration of the PIM cores (PIM_CONFIGURATION_* in docs/registers.md).
#pragma once

#include "coxswain/base/status.h"
#include "coxswain/isa/pim/configuration.h"

namespace cox::hal::pim {

/// Reads the configuration that all cores of the device have: kernels resolve their instructions with it. Memory i has the name
/// `memory<i>`, because the device does not report names. Only one caller may read at a time. Errors: those of
/// isa::pim::read_description().
[[nodiscard]] Status read_configuration(isa::pim::Configuration &configuration);

}  // namespace cox::hal::pim
