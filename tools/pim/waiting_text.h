// SPDX-License-Identifier: MIT
// What a core waits for, in words.
#pragma once

#include <string>

#include "coxswain/isa/pim/program.h"
#include "sim/model/pim/machine/machine.h"

namespace cox::tools::pim {

/// Returns for example `core 0, instruction 3 (receive r1, r2, r3, r4, r5): waits for core 1 to send the message with id
/// 5`. A second line names the message that never met its other side, if there is one. For a core that does not wait, says what it does.
[[nodiscard]] std::string waiting_text(const isa::pim::Program &program, unsigned core, const model::pim::CoreState &state);

}  // namespace cox::tools::pim
