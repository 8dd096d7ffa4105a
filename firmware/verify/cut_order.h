// SPDX-License-Identifier: MIT
// Order of region definitions (docs/scheduler.md, Verifier). The verifier checks an instruction with the regions that earlier ct_bc
// instructions, in program order, have defined. On the device, a ct_bc takes effect when it ends. So the verifier must also prove that
// these ct_bc instructions end before the instruction starts, and that a ct_bc which redefines one of the instruction's regions
// starts after the instruction ends.
#pragma once

#include <span>

#include "base/status.h"
#include "firmware/verify/verifier.h"

namespace cox::firmware::verify {

/// Checks for each core that every use of a region starts after the end of the ct_bc that defines the region, and ends before the
/// start of a ct_bc that redefines the region. Errors: cut_not_ordered and cancelled, as in verify(). Scratch::ended() and
/// Scratch::regions() must be complete.
[[nodiscard]] Status check_cut_order(std::span<const isa::tile::MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                     Pause &pause);

}  // namespace cox::firmware::verify
