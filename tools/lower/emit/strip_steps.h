// SPDX-License-Identifier: MIT
// Emits a layer strip by strip: loads strips of maps in DRAM, computes a strip of the output and stores it (docs/lowering.md, Maps in
// DRAM).
#pragma once

#include <functional>

#include "tools/lower/emit/emission.h"
#include "tools/lower/plan/strips.h"

namespace cox::lower {

/// Calls `layer` for each strip. Its arguments are a copy of `step` with the strip's rows and, for a global pool, the strip's first
/// channel. `layer` emits for the selected core, or for all cores if the layer has weights. `base`: L2 address of the strips.
void emit_strips(const Work &work, const Step &step, const StripLayout &layout, std::int64_t base,
                 const std::function<void(const Step &, std::uint32_t first_channel)> &layer);

}  // namespace cox::lower
