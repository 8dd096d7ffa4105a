// SPDX-License-Identifier: MIT
// Simulates the duration of a program: queues in order, tokens, and the shared bandwidth to DRAM (docs/model.md, Time).
#pragma once

#include "sim/model/tile/geometry.h"
#include "tools/lower/program/program.h"

namespace cox::lower {

/// Returns the cycle at which the last instruction of an ordered program ends.
[[nodiscard]] model::Cycle duration_of(const Program &program, const model::TileGeometry &geometry);

}  // namespace cox::lower
