// SPDX-License-Identifier: MIT
// The matrix unit's own checks and the hazard detector over one stream.
#pragma once

#include <cstdint>
#include <span>

#include "tools/check/report.h"

namespace cox::tools {

/// Errors: the first instruction that the unit would refuse whatever its windows are (bits, fields, alignment, buffers; kind: the name of
/// the error), and up to it all hazards, deadlocks, flag_overflows, and flags that are left at the end (flag_left). Warnings: empty_mad,
/// bias_wrapped, as in the unit. `stream`: slots of one stream, or of several joined streams one
/// behind the other; without slots the error is stream_truncated.
[[nodiscard]] Report check_cube_stream(std::span<const std::uint8_t> stream);

}  // namespace cox::tools
