// SPDX-License-Identifier: MIT
// This engine's entry in the registry of the tools.
#pragma once

#include "tools/registry/program_format.h"

namespace cox::tools::pim {

[[nodiscard]] const ProgramFormat &program_format();

}  // namespace cox::tools::pim
