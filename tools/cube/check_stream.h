// SPDX-License-Identifier: MIT
// Checks one stream with the matrix unit's own checks and the hazard detector.
#pragma once

#include <cstdint>
#include <span>

#include "tools/check/report.h"

namespace cox::tools {

/// Errors:
/// - the first instruction whose bits, fields, alignment or buffers the unit would refuse; the kind is error_name() of its ErrorCode;
/// - hazards, deadlocks and flag_overflows before that instruction;
/// - if no instruction is refused, flags that are left at the end (flag_left);
/// - stream_truncated if the last slot is incomplete or there is no slot.
/// Warnings: empty_mad and bias_wrapped, as the unit reports them.
/// `stream` holds the slots of one stream, or of several joined streams one after the other.
[[nodiscard]] Report check_cube_stream(std::span<const std::uint8_t> stream);

}  // namespace cox::tools
