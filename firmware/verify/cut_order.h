// SPDX-License-Identifier: MIT
// What ct_bc defines holds from its end on, for whoever starts then: an instruction was checked against the regions before it in program
// order, so they must also be the ones before it in time (docs/scheduler.md, Verifier).
#pragma once

#include <span>

#include "base/status.h"
#include "firmware/verify/verifier.h"

namespace cox::firmware::verify {

/// cut_not_ordered, as verify() says; cancelled where `pause` gave up. Scratch::ended() and Scratch::regions() must be complete. Each core
/// has cuts of its own.
[[nodiscard]] Status check_cut_order(std::span<const isa::tile::MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                     Pause &pause);

}  // namespace cox::firmware::verify
