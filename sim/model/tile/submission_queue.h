// SPDX-License-Identifier: MIT
// A submission queue of a tile core, and the instruction that the core has fetched from it (docs/design.md, Queues).
#pragma once

#include <cstdint>

#include "coxswain/isa/tile/operation.h"
#include "sim/model/device/fault.h"
#include "sim/model/device/peer.h"
#include "sim/model/device/submission_ring.h"
#include "sim/model/tile/ecc.h"
#include "sim/model/tile/operands.h"

namespace cox::model {

/// The instruction that a queue has fetched.
struct TileInstruction {
  unsigned core = 0;
  isa::tile::Class queue = isa::tile::Class::CT;
  unsigned context = 0;       ///< number as fetched; the device may lack this context
  std::uint32_t index = 0;    ///< running index in the submission queue
  std::uint32_t ordinal = 0;  ///< number of the instruction in its class and context since the context's reset
  isa::tile::MachineCode code{};
  Fault fault;
  Cycle doorbell = 0, start = 0, end = 0, stalled = 0;
  std::uint64_t bytes = 0;       ///< moved to or from DRAM
  PeerClient *client = nullptr;  ///< the peer that has submitted it; nullptr: firmware has
  std::uint32_t ticket = 0;      ///< of the client
};

struct SubmissionQueue : SubmissionRing {
  using SubmissionRing::SubmissionRing;

  /// Sets the registers to their reset values.
  void reset() {
    SubmissionRing::reset();
    phase_end = stood = 0;
    held_for = kNoContext;
  }

  Cycle phase_end = 0;                ///< in State::executing: the time when this state ends
  Cycle stood = 0;                    ///< cycles in which a stopped clock or an injected fault held up the fetched instruction
  std::uint64_t paused_transfer = 0;  ///< while the clock is stopped: remaining work of the transfer
  unsigned held_for = kNoContext;     ///< in State::idle: the context of the instruction at the head, if it waits until buffers are clear
  PeerQueue peers;
  // The instruction that was fetched.
  TileInstruction running;
  isa::tile::Operation operation;
  Touched touched;
  isa::tile::Access dram;  ///< the access of the instruction to DRAM, if it has one
  Places places;           ///< regions, window and core as they were when the instruction started
  std::uint64_t transfer_bytes = 0;
  /// How often other owners had taken the context's memories when the instruction started (Context::dispossessions).
  std::uint32_t dispossessions = 0;
};

}  // namespace cox::model
