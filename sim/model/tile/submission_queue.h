// SPDX-License-Identifier: MIT
// A submission queue of a tile core and the engine behind it: what it holds and what it executes (docs/design.md, Queues).
#pragma once

#include <cstdint>

#include "isa/tile/operation.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/observer.h"
#include "sim/model/tile/ecc.h"
#include "sim/model/tile/operands.h"

namespace cox::model {

struct SubmissionQueue : SubmissionRing {
  using SubmissionRing::SubmissionRing;

  /// Back to the registers' reset values.
  void reset() {
    SubmissionRing::reset();
    phase_end = stood = 0;
    held_for = kNoContext;
  }

  Cycle phase_end = 0;                ///< executing: when what needs no DRAM is done
  Cycle stood = 0;                    ///< the instruction that was fetched: cycles for which it stood still
  std::uint64_t paused_transfer = 0;  ///< while the clock stands: what the DRAM channel has left to do
  unsigned held_for = kNoContext;     ///< idle: the context of what is at the head, where its buffers have to be cleared first
  // The instruction that was fetched.
  InstructionEvent running;
  isa::tile::Operation operation;
  Touched touched;
  isa::tile::Access dram;  ///< the part of a window that it reads or writes, if it does
  Places places;           ///< as they were at the start: what changes them later is for later instructions
  std::uint64_t transfer_bytes = 0;
  std::uint32_t dispossessions = 0;  ///< of its context, likewise
};

}  // namespace cox::model
