// SPDX-License-Identifier: MIT
// A submission queue of a tile core and the engine behind it: what it holds and what it executes (docs/design.md, Queues).
#pragma once

#include <cstdint>

#include "isa/tile/operation.h"
#include "sim/model/device/fault.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/tile/ecc.h"
#include "sim/model/tile/operands.h"

namespace cox::model {

/// The instruction that a queue has fetched.
struct TileInstruction {
  unsigned core = 0;
  isa::tile::Class queue = isa::tile::Class::CT;
  unsigned context = 0;       ///< as fetched: may not exist
  std::uint32_t index = 0;    ///< running index in the submission queue
  std::uint32_t ordinal = 0;  ///< number of the instruction among those of its class in its context since the context's reset
  isa::tile::MachineCode code{};
  Fault fault;
  Cycle doorbell = 0, start = 0, end = 0, stalled = 0;
  std::uint64_t bytes = 0;  ///< moved to or from DRAM
};

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
  TileInstruction running;
  isa::tile::Operation operation;
  Touched touched;
  isa::tile::Access dram;  ///< the part of a window that it reads or writes, if it does
  Places places;           ///< as they were at the start: what changes them later is for later instructions
  std::uint64_t transfer_bytes = 0;
  std::uint32_t dispossessions = 0;  ///< of its context, likewise
};

}  // namespace cox::model
