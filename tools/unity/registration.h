// SPDX-License-Identifier: MIT
// The Unity engine's entry in the registry of the tools.
#pragma once

#include "tools/registry/program_format.h"

namespace cox::tools::unity {

[[nodiscard]] const ProgramFormat &program_format();

}  // namespace cox::tools::unity
