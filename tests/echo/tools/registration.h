// SPDX-License-Identifier: MIT
// The echo engine's entry in the registry of the tools.
#pragma once

#include "tools/registry/program_format.h"

namespace cox::tools::echo {

[[nodiscard]] const ProgramFormat &program_format();

}  // namespace cox::tools::echo
