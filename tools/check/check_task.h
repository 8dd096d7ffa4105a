// SPDX-License-Identifier: MIT
// The firmware's verifier and the hazard detector over one task.
#pragma once

#include "tools/check/report.h"
#include "tools/task/task.h"

namespace cox::tools {

[[nodiscard]] Report check_task(const task::Task &task);

}  // namespace cox::tools
