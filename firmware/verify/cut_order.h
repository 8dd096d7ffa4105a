// SPDX-License-Identifier: MIT
// Order of region definitions (docs/scheduler.md, Verifier). A ct_bc takes effect when it ends. The verifier checks each instruction
// against the regions that were defined before it in program order. So it must also prove that the same regions are defined before it in
// time.
#pragma once

#include <span>

#include "base/status.h"
#include "firmware/verify/verifier.h"

namespace cox::firmware::verify {

/// Checks the order, for each core by itself. Errors: cut_not_ordered as in verify(); cancelled if `pause` gave up. Scratch::ended() and
/// Scratch::regions() must be complete.
[[nodiscard]] Status check_cut_order(std::span<const isa::tile::MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                     Pause &pause);

}  // namespace cox::firmware::verify
