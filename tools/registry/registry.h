// SPDX-License-Identifier: MIT
// The program formats of all engines of this build. cox_registry() in toolchain/cmake/CoxRegistry.cmake generates the definition.
#pragma once

#include "tools/registry/program_format.h"

namespace cox::tools {

/// Returns the formats in the order of device/engines.h. The first is the default of every command that takes a program.
[[nodiscard]] ProgramFormats program_formats();

}  // namespace cox::tools
