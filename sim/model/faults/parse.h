// SPDX-License-Identifier: MIT
// Reads a fault plan from text (docs/faults.md, The plan).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/faults/plan.h"
#include "sim/model/inventory.h"

namespace cox::model::faults {

/// Parses one line, which is neither empty nor a comment. Returns false, with a sentence in `error`, if the syntax is wrong or the line
/// names something that the device does not have.
[[nodiscard]] bool parse_line(std::string_view line, const Inventory &inventory, Planned &fault, std::string &error);

/// Parses a whole plan, one fault a line; # begins a comment. `error` begins with the number of the first refused line.
[[nodiscard]] bool parse_plan(std::string_view text, const Inventory &inventory, std::vector<Planned> &plan, std::string &error);

}  // namespace cox::model::faults
