// SPDX-License-Identifier: MIT
// Calls of intrinsics outside of all scopes. The engine reports them too, so that no such call stays unnoticed.
#pragma once

#include <cstdint>

#include "coxswain/base/status.h"

namespace cox::kernels::cube {

/// Number of calls outside of all scopes that no status has reported.
inline constinit std::uint32_t misplaced_calls = 0;

/// Returns not_ready ("Scope", `value` the number of calls) if there were such calls since the last report. This is their report.
inline Status report_misplaced_calls() {
  if (misplaced_calls == 0) [[likely]]
    return {};
  const Status status(ErrorCode::not_ready, "Scope", -1, misplaced_calls);
  misplaced_calls = 0;
  return status;
}

}  // namespace cox::kernels::cube
