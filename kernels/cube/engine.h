// SPDX-License-Identifier: MIT
// The matrix unit for application firmware (docs/kernels/cube.md, "Your first kernel call").
#pragma once

#include <cstddef>
#include <span>

#include "coxswain/isa/cube/build.h"
#include "coxswain/kernels/cube/misplaced_calls.h"
#include "coxswain/kernels/cube/stream.h"
#include "coxswain/kernels/engine/engine.h"

namespace cox::kernels::cube {

/// The position of a stream's fault; `name` is for example "MAD" and `field` "Destination". `instruction` is the slot's number in its
/// segment.
using kernels::StreamFault;

/// Describes the matrix unit for kernels::Engine.
struct Set {
  static constexpr registers::Engine kEngine = registers::Engine::cube;
  static constexpr unsigned kQueueSizeLog2 = 4;
  using Stream = cube::Stream;
  using ContextState = NoContextState;
  static void explain(std::span<const std::byte> stream, const registers::EngineFaultDetail &detail, StreamFault &fault);
  static constexpr isa::cube::MachineCode kEnd = isa::cube::kEverythingEnds;
  static Status check_calls() { return report_misplaced_calls(); }
};

using Engine = kernels::Engine<Set>;

}  // namespace cox::kernels::cube

// Instantiated in engine.cpp.
extern template class cox::kernels::Engine<cox::kernels::cube::Set>;
