// SPDX-License-Identifier: MIT
// Text about dependency bits.
#pragma once

#include <string>

#include "sim/model/tile/hazard/mending.h"
#include "tools/tile/task.h"

namespace cox::tools {

/// Returns "Next_Insts" or "Prev_Insts"; for bits between cores "Next_Cores" or "Prev_Cores".
[[nodiscard]] const char *list_name(const model::hazard::DependencyBit &bit, const task::Task &task);

/// Returns the name of a bit in its list. In Next_Insts and Prev_Insts that is the class of `lane`, such as "VP". In Next_Cores and
/// Prev_Cores it is "bit N", where N is the number of the core of `lane`.
[[nodiscard]] std::string element_name(isa::tile::Lane lane, bool between_cores);
[[nodiscard]] std::string element_name(const model::hazard::DependencyBit &bit, const task::Task &task);

/// Returns the text that says where to add the bit, for example `'VP' to Next_Insts of instruction 12 (line 13, pe_conv)`.
[[nodiscard]] std::string bit_text(const model::hazard::DependencyBit &bit, const task::Task &task);

}  // namespace cox::tools
