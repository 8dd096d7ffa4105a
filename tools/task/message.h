// SPDX-License-Identifier: MIT
// A Status in words, and how an instruction is named to people.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "tools/task/task.h"

namespace cox::task {

/// `address_outside_cut: DTaddr: 9000000, the limit is 8388607`. Without the index.
[[nodiscard]] std::string describe(const Status &status);

/// `instruction 229 (line 230, pe_conv)`: the index counts from 0 as everywhere in Coxswain, the line from 1.
[[nodiscard]] std::string instruction_name(const Instruction &instruction, std::int32_t index);

}  // namespace cox::task
