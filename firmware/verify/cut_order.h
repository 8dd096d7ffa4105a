// SPDX-License-Identifier: MIT
// Order of region definitions (docs/scheduler.md, Verifier). The verifier checks an instruction with the regions that earlier ct_bc
// instructions, in program order, have defined. On the device, a ct_bc takes effect when it ends. So the verifier must also prove that
// these ct_bc instructions end before the instruction starts, and that a ct_bc which redefines one of the instruction's regions
// starts after the instruction ends.
#pragma once

#include <span>

#include "base/status.h"
#include "firmware/load/budget.h"
#include "firmware/verify/scratch.h"
#include "firmware/verify/streams.h"

namespace cox::firmware::verify {

/// Checks for each core that every use of a region starts after the end of the ct_bc that defines the region, and ends before the
/// start of a ct_bc that redefines the region. Begins with instruction `next` and advances it; the check is done when `next` is the number
/// of instructions. Error: cut_not_ordered, as in verify(). Scratch::ended() and Scratch::regions() must be complete.
[[nodiscard]] Status check_cut_order(std::span<const MachineCode> instructions, const Streams &streams, const Scratch &scratch,
                                     std::size_t &next, load::Budget &budget);

}  // namespace cox::firmware::verify
