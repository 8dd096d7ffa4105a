// SPDX-License-Identifier: MIT
// Checks one stream with the matrix unit's own checks and the hazard detector.
#pragma once

#include <cstdint>
#include <span>

#include "tools/check/report.h"

namespace cox::tools {

/// Errors: the first instruction that the unit would refuse whatever its windows are (bits, fields, alignment, buffers; the kind is the
/// name of the error). Up to that instruction, also all hazards, deadlocks, flag_overflows, and flags that are left at the end (flag_left).
/// Warnings: empty_mad and bias_wrapped, as the unit reports them. `stream` holds the slots of one stream, or of several joined streams one
/// behind the other; without slots the error is stream_truncated.
[[nodiscard]] Report check_cube_stream(std::span<const std::uint8_t> stream);

}  // namespace cox::tools
