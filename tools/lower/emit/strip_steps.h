// SPDX-License-Identifier: MIT
// A layer strip by strip: what lies in DRAM is loaded, a strip of the output computed, and stored (docs/lowering.md, Maps in DRAM).
#pragma once

#include <functional>

#include "tools/lower/emit/emission.h"
#include "tools/lower/plan/strips.h"

namespace cox::lower {

/// `layer` emits a part of the step, on the selected core, or of a layer with weights on all of them: rows of it, or of a global pool the
/// channels from the given one on. `base`: of the strips in L2.
void emit_strips(const Work &work, const Step &step, const StripLayout &layout, std::int64_t base,
                 const std::function<void(const Step &, std::uint32_t first_channel)> &layer);

}  // namespace cox::lower
