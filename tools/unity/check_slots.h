// SPDX-License-Identifier: MIT
// The slots of a submission and the streams that they describe, each with the checks of its own engine.
#pragma once

#include <string>

#include "coxswain/isa/unity/storage.h"
#include "tools/check/report.h"
#include "tools/unity/check_program.h"

namespace cox::tools::unity {

/// Checks the slots of a relative container. `place` is the submission's place in words, for messages, and `instruction` its number. Adds
/// errors and warnings to `report`:
/// - address_outside_window for slots and streams that do not lie in the container;
/// - those of isa::unity::check_slots();
/// - what `cox check` says of each stream.
void check_slots(const CheckedProgram &checked, const isa::unity::EngineSubmission &submission, const std::string &place,
                 std::int32_t instruction, Report &report);

}  // namespace cox::tools::unity
