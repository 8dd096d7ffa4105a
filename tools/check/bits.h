// SPDX-License-Identifier: MIT
// Text about dependency bits.
#pragma once

#include <string>

#include "sim/model/tile/hazard/mending.h"
#include "tools/tile/task.h"

namespace cox::tools {

/// Returns "Next_Insts" or "Prev_Insts"; for bits between cores "Next_Cores" or "Prev_Cores".
[[nodiscard]] const char *list_name(const model::hazard::DependencyBit &bit, const task::Task &task);

/// Returns how the bit is written in its list. Next_Insts and Prev_Insts name a class, such as "VP". Next_Cores and Prev_Cores give the
/// number of a core, such as "bit 1".
[[nodiscard]] std::string element_name(isa::tile::Lane lane, bool between_cores);
[[nodiscard]] std::string element_name(const model::hazard::DependencyBit &bit, const task::Task &task);

/// Returns for example `'VP' to Next_Insts of instruction 12 (line 13, pe_conv)`.
[[nodiscard]] std::string bit_text(const model::hazard::DependencyBit &bit, const task::Task &task);

}  // namespace cox::tools
