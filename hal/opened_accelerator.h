// SPDX-License-Identifier: MIT
// The accelerator of C programs, for the C interfaces of firmware and kernels.
#pragma once

#include "coxswain/base/result.h"
#include "coxswain/hal/accelerator.h"

namespace cox::hal {

/// Returns the accelerator that cox_open() has opened (hal/cox_accelerator.h). Error: not_ready ("cox_open") before.
[[nodiscard]] Result<Accelerator *> opened_accelerator();

}  // namespace cox::hal
