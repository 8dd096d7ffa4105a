// SPDX-License-Identifier: MIT
// Emits a layer strip by strip: loads strips of maps in DRAM, computes a strip of the output and stores it (docs/lowering.md, Maps in
// DRAM).
#pragma once

#include <functional>

#include "tools/lower/emit/emission.h"
#include "tools/lower/plan/strips.h"

namespace cox::lower {

/// Calls `layer` for each strip, with a copy of `step` that has the strip's rows. Only a global pool needs `first_channel`: its strips
/// divide channels. A call emits for all cores if the layer has weights, else for the core of Emitter::select(). `base`: L2 address of
/// strips.
void emit_strips(const Work &work, const Step &step, const StripLayout &layout, std::int64_t base,
                 const std::function<void(const Step &, std::uint32_t first_channel)> &layer);

}  // namespace cox::lower
