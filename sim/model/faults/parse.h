// SPDX-License-Identifier: MIT
// Reading a fault plan (docs/faults.md, The plan).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/model/faults/plan.h"
#include "sim/model/inventory.h"

namespace cox::model::faults {

/// One line, which is neither empty nor a comment. False, with a sentence in `error`, where it is not understood or names what the device
/// does not have.
[[nodiscard]] bool parse_line(std::string_view line, const Inventory &inventory, Planned &fault, std::string &error);

/// A whole plan, a fault a line; what comes after # is a comment. `error` begins with the number of the first line that is refused.
[[nodiscard]] bool parse_plan(std::string_view text, const Inventory &inventory, std::vector<Planned> &plan, std::string &error);

}  // namespace cox::model::faults
