// SPDX-License-Identifier: MIT
// Checks one stream as the MX engine does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tools/check/report.h"

namespace cox::tools::mx {

/// Reports at most one error: the first instruction that the engine would refuse for its bits, whatever its base registers are. The
/// finding's kind is the name of the error. The error for an empty stream is stream_truncated.
[[nodiscard]] Report check_stream(std::span<const std::uint8_t> stream);

/// Counts the instructions up to and including the first one that is unknown or incomplete.
[[nodiscard]] std::size_t count_instructions(std::span<const std::uint8_t> stream);

}  // namespace cox::tools::mx
